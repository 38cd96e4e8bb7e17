import type { Rect } from './geometry.ts'
import type { ElementTraits, Layout, LayoutPlace } from './traits.ts'

/** A memoised value. Kept as a linked list, newest first, because most nodes have only one or two. */
interface MemoEntry<Node> {
  readonly memo: Memo<Node, unknown>
  value: unknown
  readonly next: MemoEntry<Node> | undefined
}

/** A value derived from a node and computed once per node. */
interface Memo<Node, T> {
  readonly compute: (node: Node) => T
  /** Returns false when a cached value is stale. Values never expire by default. */
  readonly isValid?: (value: T) => boolean
  /**
   * Derives the value of a node whose child at `index` was replaced from the value before the change.
   * Returns undefined when a full computation is needed.
   */
  readonly update?: (value: T, before: Node, after: Node, index: number) => T | undefined
}

/** Where the values of a node are stored: in the node itself, or in a table. */
interface MemoStore<Node> {
  readonly get: (node: Node) => MemoEntry<Node> | undefined
  readonly set: (node: Node, entry: MemoEntry<Node>) => void
}

/** Replacements of children: the index, and the new child. */
type Replacements<Node> = readonly (readonly [index: number, child: Node])[]

/** Memoises values of the immutable nodes of a tree. */
interface Memos<Node> {
  /** Returns a function that computes a value once per node and keeps it as long as the node lives. */
  memoize<T extends {}>(compute: (node: Node) => T, options?: Omit<Memo<Node, T>, 'compute'>): (node: Node) => T
  /** Derives the values of `after`, a copy of `before` with some children replaced, as far as memos can update them. */
  carryOver(before: Node, after: Node, replacements: Replacements<Node>): void
}

function createMemos<Node extends { readonly children: readonly Node[] }>({ get, set }: MemoStore<Node>): Memos<Node> {
  return {
    memoize: <T extends {}>(compute: (node: Node) => T, options: Omit<Memo<Node, T>, 'compute'> = {}) => {
      const memo = { compute, ...options } as Memo<Node, unknown>
      const { isValid } = options
      return (node) => {
        const entry = find(get(node), memo)
        if (entry && (!isValid || isValid(entry.value as T))) return entry.value as T
        const value = compute(node)
        if (entry) entry.value = value
        // Read the list again: computing the value may have added entries.
        else set(node, { memo, value, next: get(node) })
        return value
      }
    },
    carryOver: (before, after, replacements) => {
      for (let entry = get(before); entry; entry = entry.next) {
        let { value } = entry
        for (const [index, child] of replacements)
          if (value !== undefined) value = entry.memo.update?.(value, before.children[index]!, child, index)
        if (value !== undefined) set(after, { memo: entry.memo, value, next: get(after) })
      }
    },
  }
}

function find<Node>(entries: MemoEntry<Node> | undefined, memo: Memo<Node, unknown>): MemoEntry<Node> | undefined {
  for (let entry = entries; entry; entry = entry.next) if (entry.memo === memo) return entry
  return undefined
}

/**
 * One node of an accessibility tree, an immutable value. A change creates new nodes along the path to it. All others
 * keep their identity, so hashing, diffing and painting cost only what changed.
 */
export interface Element {
  /** Unique in its window: the author's id, otherwise the position at load (`root.0.2`). */
  readonly id: string
  readonly role: string
  readonly name: string
  readonly value: string | null
  /** Absolute screen pixels. */
  readonly bounds: Rect
  readonly enabled: boolean
  /** True for at most one element of a desktop. Only `focus.ts` writes it. */
  readonly focused: boolean
  readonly keyboardShortcut: string | null
  readonly description: string | null
  readonly children: readonly Element[]

  // Known for some controls only.
  readonly selected?: boolean
  readonly expanded?: boolean
  readonly valueNow?: number
  readonly valueMin?: number
  readonly valueMax?: number
  readonly identifier?: string

  /** Behaviour and appearance. Never sent to clients. */
  readonly traits?: ElementTraits
  /** How its children are placed. Never sent to clients. If absent, they have their own bounds. */
  readonly layout?: Layout
  /** How the parent's layout places it. Never sent to clients. If absent, it has its own bounds. */
  readonly place?: LayoutPlace
}

/** The fields that a user or an effect changes in an element that stays. */
export const CHANGEABLE_FIELDS = [
  'name',
  'value',
  'enabled',
  'keyboardShortcut',
  'description',
  'selected',
  'expanded',
  'valueNow',
  'valueMin',
  'valueMax',
] as const satisfies readonly (keyof Element)[]

/**
 * The class of all nodes. All have one shape, with undefined for absent fields, and a slot for memoised values: V8 takes
 * forty times as long to copy an object made by a spread, and as long to add an entry to a `WeakMap`.
 */
class Node implements Required<{ [Name in keyof Element]: Element[Name] | undefined }> {
  declare readonly id: string
  declare readonly role: string
  declare readonly name: string
  declare readonly value: string | null
  declare readonly bounds: Rect
  declare readonly enabled: boolean
  declare readonly focused: boolean
  declare readonly keyboardShortcut: string | null
  declare readonly description: string | null
  declare readonly children: readonly Element[]
  declare readonly selected: boolean | undefined
  declare readonly expanded: boolean | undefined
  declare readonly valueNow: number | undefined
  declare readonly valueMin: number | undefined
  declare readonly valueMax: number | undefined
  declare readonly identifier: string | undefined
  declare readonly traits: ElementTraits | undefined
  declare readonly layout: Layout | undefined
  declare readonly place: LayoutPlace | undefined
  /** Memoised values of this node. Never copied. */
  #memos: MemoEntry<Element> | undefined

  constructor(node: Element) {
    this.id = node.id
    this.role = node.role
    this.name = node.name
    this.value = node.value
    this.bounds = node.bounds
    this.enabled = node.enabled
    this.focused = node.focused
    this.keyboardShortcut = node.keyboardShortcut
    this.description = node.description
    this.children = node.children
    this.selected = node.selected
    this.expanded = node.expanded
    this.valueNow = node.valueNow
    this.valueMin = node.valueMin
    this.valueMax = node.valueMax
    this.identifier = node.identifier
    this.traits = node.traits
    this.layout = node.layout
    this.place = node.place
  }

  static memosOf = (node: Element): MemoEntry<Element> | undefined =>
    #memos in node ? node.#memos : foreignMemos.get(node)

  static setMemos(node: Element, entry: MemoEntry<Element>): void {
    if (#memos in node) node.#memos = entry
    else foreignMemos.set(node, entry)
  }
}

/** Memoised values of elements that are plain objects, as in tests. */
const foreignMemos = new WeakMap<Element, MemoEntry<Element>>()

const memos = createMemos<Element>({ get: Node.memosOf, set: Node.setMemos })

/** Returns a function that computes a value once per element and keeps it as long as the element lives. */
export const memoize: Memos<Element>['memoize'] = memos.memoize

/** A copy with some children replaced. Keeps the memoised values that can be derived from those of the original. */
function withChildren(node: Element, replacements: readonly (readonly [index: number, child: Element])[]): Element {
  const children = node.children.slice()
  for (const [index, child] of replacements) children[index] = child
  const changed: { children: readonly Element[] } & Omit<Element, 'children'> = shaped(node)
  changed.children = children
  memos.carryOver(node, changed, replacements)
  return changed
}

/** The most children for which replacing them one by one is worth more than what is known about their parent. */
const MAX_REPLACED = 8

/** A copy with other children. Keeps memoised values as `changeAt` does if only few of them are others. */
export function withOtherChildren(node: Element, children: readonly Element[]): Element {
  const before = node.children
  const replaced: [index: number, child: Element][] = []
  if (before.length !== children.length) return withFields(node, { children })
  for (let index = 0; index < children.length; index++) {
    if (before[index] === children[index]) continue
    if (replaced.length === MAX_REPLACED) return withFields(node, { children })
    replaced.push([index, children[index]!])
  }
  return replaced.length === 0 ? node : withChildren(node, replaced)
}

/** Creates a node with the shape that all nodes have. */
export const shaped = (fields: Element): Element => new Node(fields) as Element

/** Returns the node with other fields, or the same node if they are equal. */
export const withFields = (node: Element, fields: Fields<Element>): Element =>
  hasFields(node, fields) ? node : (Object.assign(shaped(node), fields) as Element)

/** The value of an element as text: its `value`, otherwise its `valueNow`, as for sliders and spinners. */
export const valueText = ({ value, valueNow }: Element): string | undefined =>
  value ?? (valueNow === undefined ? undefined : String(valueNow))

/** The child indexes from a root to a node; `[]` is the root itself. */
export type Path = readonly number[]

export function nodeAt(root: Element, path: Path): Element | undefined {
  let node: Element | undefined = root
  for (const index of path) node = node?.children[index]
  return node
}

/** Yields every node before its children, in document order. */
export function* walk(root: Element): Generator<Element> {
  // An explicit stack: delegating to a generator per level would cost each node its depth.
  const waiting = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    for (let index = node.children.length - 1; index >= 0; index--) waiting.push(node.children[index]!)
  }
}

/** The number of nodes in a subtree. */
export const countNodes = (root: Element): number => (root.children.length === 0 ? 1 : countBelow(root))

const countBelow = memoize(
  (node) => {
    let count = 1
    for (const child of node.children) count += countNodes(child)
    return count
  },
  { update: (count, before, after) => count - countNodes(before) + countNodes(after) },
)

/** Replaces the node at `path` by `change(node)`. Returns the same tree if that is the same node. */
export const changeAt = (root: Element, path: Path, change: (node: Element) => Element): Element =>
  changeBelow(root, path, 0, change)

function changeBelow(node: Element, path: Path, depth: number, change: (node: Element) => Element): Element {
  const index = path[depth]
  if (index === undefined) return change(node)
  const child = node.children[index]
  if (!child) return node
  const changed = changeBelow(child, path, depth + 1, change)
  if (changed === child) return node
  return withChildren(node, [[index, changed]])
}

/** Changes two nodes, one after the other. Siblings, the usual case, cost no more than one node. */
export function changeBoth(
  root: Element,
  [a, changeA]: readonly [Path, (node: Element) => Element],
  [b, changeB]: readonly [Path, (node: Element) => Element],
): Element {
  if (!areSiblings(a, b)) return changeAt(changeAt(root, a, changeA), b, changeB)
  const [atA, atB] = [a[a.length - 1]!, b[b.length - 1]!]
  return changeAt(root, a.slice(0, -1), (parent) => {
    const { [atA]: first, [atB]: second } = parent.children
    if (!first || !second) return changeAt(changeAt(parent, [atA], changeA), [atB], changeB)
    return withChildren(parent, [
      [atA, changeA(first)],
      [atB, changeB(second)],
    ])
  })
}

function areSiblings(a: Path, b: Path): boolean {
  if (a.length === 0 || a.length !== b.length) return false
  for (let depth = 0; depth < a.length - 1; depth++) if (a[depth] !== b[depth]) return false
  return a[a.length - 1] !== b[b.length - 1]
}

/** Paths by id in the trees that were searched last. */
const indexes: ReadonlyMap<string, Path>[] = []
const MAX_INDEXES = 8

/**
 * The path of the node with an id. Ids rarely move between trees, so a path from any index is tried first: finding a
 * node costs the depth of the tree, not its size.
 */
export function pathOf(root: Element, id: string): Path | undefined {
  for (const index of indexes) {
    const remembered = index.get(id)
    if (remembered && nodeAt(root, remembered)?.id === id) return remembered
  }
  const fresh = new Map<string, Path>()
  indexBelow(root, [], fresh)
  const path = fresh.get(id)
  // Searching for missing ids must not evict useful indexes.
  if (path && indexes.unshift(fresh) > MAX_INDEXES) indexes.pop()
  return path
}

function indexBelow(node: Element, path: Path, index: Map<string, Path>): void {
  if (!index.has(node.id)) index.set(node.id, path)
  node.children.forEach((child, position) => {
    indexBelow(child, [...path, position], index)
  })
}

export function nodeById(root: Element, id: string): Element | undefined {
  const path = pathOf(root, id)
  return path && nodeAt(root, path)
}

/** Creates an element that a control consists of, with defaults for all other fields. */
export const controlPart = (
  id: string,
  role: string,
  name: string,
  bounds: Rect,
  more: Fields<Element> = {},
): Element =>
  shaped({
    id,
    role,
    name,
    value: null,
    bounds,
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    children: [],
    ...(more as Partial<Element>),
  })

/** Some fields of a value. Undefined removes a field. */
export type Fields<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** Whether all given fields of a value are equal. */
export function hasFields<T extends object>(value: T, fields: Fields<T>): boolean {
  for (const name in fields) if (value[name] !== fields[name]) return false
  return true
}

/** The element of a tree that has the keyboard focus. */
export function focusedElement(tree: Element): Element | undefined {
  if (tree.focused) return tree
  for (const child of tree.children) {
    const found = focusedElement(child)
    if (found) return found
  }
  return undefined
}

/** The maximum length of any text, however it was pasted or set. */
export const MAX_TEXT_CHARACTERS = 1_000_000
