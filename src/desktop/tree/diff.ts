import { Fault } from '../../base/fault.ts'
import { changeAt, type Element, nodeAt, type Path } from '../model/element.ts'
import { sameRect } from '../model/geometry.ts'

/** The fields that a change can replace: all that are sent to clients, except the children. */
export type ChangedFields = { readonly [Name in FieldName]?: Element[Name] | null } & {
  readonly hidden?: true | null
  readonly childCount?: number | null
  /** Set together with `childCount`. */
  readonly truncated?: true | null
}

/**
 * One operation that turns one tree into another. Paths are child indexes joined by `/`, the root is the empty text.
 * Each path refers to the tree after the previous operations.
 */
export type TreeChange =
  /** The new values of the fields that differ. Null for an optional field that disappeared. */
  | { readonly op: 'replace'; readonly path: string; readonly fields: ChangedFields }
  | { readonly op: 'add'; readonly path: string; readonly node: Element }
  | { readonly op: 'remove'; readonly path: string }
  /** Removed at `from`, then inserted at `to`. Both have the same parent. */
  | { readonly op: 'move'; readonly from: string; readonly to: string }

/** One operation of RFC 6902. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string }

type Required = 'id' | 'role' | 'name' | 'value' | 'bounds' | 'enabled' | 'focused' | 'keyboardShortcut' | 'description'
const OPTIONAL = ['selected', 'expanded', 'valueNow', 'valueMin', 'valueMax', 'identifier'] as const
type FieldName = Required | (typeof OPTIONAL)[number]
/** The traits that are sent to clients. */
const FROM_TRAITS = ['hidden', 'truncated', 'childCount'] as const

/**
 * The changes that turn one tree into another, in all that clients see. Children are paired by id; subtrees that kept their
 * identity are skipped, so the cost is that of the change.
 * @param before The tree to begin with.
 * @param after The tree to arrive at.
 */
export function diffTrees(before: Element, after: Element): readonly TreeChange[] {
  const changes: TreeChange[] = []
  diffNode(before, after, '', changes)
  return changes
}

/** Whether two trees are equal in all that clients see: no operation would turn one into the other. */
export function isSameTree(a: Element, b: Element): boolean {
  if (a === b) return true
  if (!isSameButForChildren(a, b) || a.children.length !== b.children.length) return false
  for (let at = 0; at < a.children.length; at++) if (!isSameTree(a.children[at]!, b.children[at]!)) return false
  return true
}

function diffNode(before: Element, after: Element, path: string, changes: TreeChange[]): void {
  if (before === after) return
  const fields = changedFields(before, after)
  if (fields) changes.push({ op: 'replace', path, fields })
  if (before.children !== after.children) diffChildren(before.children, after.children, path, changes)
}

function changedFields(before: Element, after: Element): ChangedFields | undefined {
  if (isSameButForChildren(before, after)) return undefined
  const fields: { -readonly [Name in keyof ChangedFields]: ChangedFields[Name] } = {}
  if (before.id !== after.id) fields.id = after.id
  if (before.role !== after.role) fields.role = after.role
  if (before.name !== after.name) fields.name = after.name
  if (before.value !== after.value) fields.value = after.value
  if (before.enabled !== after.enabled) fields.enabled = after.enabled
  if (before.focused !== after.focused) fields.focused = after.focused
  if (before.keyboardShortcut !== after.keyboardShortcut) fields.keyboardShortcut = after.keyboardShortcut
  if (before.description !== after.description) fields.description = after.description
  if (before.selected !== after.selected) fields.selected = after.selected ?? null
  if (before.expanded !== after.expanded) fields.expanded = after.expanded ?? null
  if (before.valueNow !== after.valueNow) fields.valueNow = after.valueNow ?? null
  if (before.valueMin !== after.valueMin) fields.valueMin = after.valueMin ?? null
  if (before.valueMax !== after.valueMax) fields.valueMax = after.valueMax ?? null
  if (before.identifier !== after.identifier) fields.identifier = after.identifier ?? null
  if (!sameRect(before.bounds, after.bounds)) fields.bounds = after.bounds
  if (isHidden(before) !== isHidden(after)) fields.hidden = isHidden(after) || null
  const [countBefore, countAfter] = [before.traits?.childCount, after.traits?.childCount]
  if (countBefore !== countAfter) fields.childCount = countAfter ?? null
  if ((countBefore === undefined) !== (countAfter === undefined))
    fields.truncated = countAfter === undefined ? null : true
  return fields
}

/** Written field by field, as above: looking fields up by name takes ten times as long. */
const isSameButForChildren = (a: Element, b: Element): boolean =>
  a.id === b.id &&
  a.role === b.role &&
  a.name === b.name &&
  a.value === b.value &&
  a.enabled === b.enabled &&
  a.focused === b.focused &&
  a.keyboardShortcut === b.keyboardShortcut &&
  a.description === b.description &&
  a.selected === b.selected &&
  a.expanded === b.expanded &&
  a.valueNow === b.valueNow &&
  a.valueMin === b.valueMin &&
  a.valueMax === b.valueMax &&
  a.identifier === b.identifier &&
  sameRect(a.bounds, b.bounds) &&
  (a.traits === b.traits || (isHidden(a) === isHidden(b) && a.traits?.childCount === b.traits?.childCount))

const isHidden = ({ traits }: Element): boolean => traits?.hidden === true

/** Compares unmoved children at both ends in place. The children between are reordered first, then compared. */
function diffChildren(
  before: readonly Element[],
  after: readonly Element[],
  path: string,
  changes: TreeChange[],
): void {
  const prefix = path === '' ? '' : `${path}/`
  const start = diffWhileInPlace(before, after, prefix, changes)
  if (start === before.length && start === after.length) return
  const end = commonEnd(before, after, start)
  const diffPair = (old: Element, node: Element, at: number): void => {
    if (old !== node) diffNode(old, node, `${prefix}${at}`, changes)
  }
  const pairs = pairUp(before.slice(start, before.length - end), after.slice(start, after.length - end))
  rearrange(pairs, (at) => `${prefix}${start + at}`, changes)
  pairs.after.forEach((node, at) => {
    const kept = pairs.partner[at]
    if (kept !== undefined) diffPair(pairs.before[kept]!, node, start + at)
  })
  for (let at = after.length - end; at < after.length; at++)
    diffPair(before[at - after.length + before.length]!, after[at]!, at)
}

/** The number of leading children with unchanged ids. Most are identical and cheap to compare. */
function diffWhileInPlace(
  before: readonly Element[],
  after: readonly Element[],
  prefix: string,
  changes: TreeChange[],
): number {
  const most = Math.min(before.length, after.length)
  for (let at = 0; at < most; at++) {
    const old = before[at]!
    const node = after[at]!
    if (old === node) continue
    if (old.id !== node.id) return at
    diffNode(old, node, `${prefix}${at}`, changes)
  }
  return most
}

function commonEnd(before: readonly Element[], after: readonly Element[], start: number): number {
  const most = Math.min(before.length, after.length) - start
  let at = 0
  while (at < most && before[before.length - 1 - at]!.id === after[after.length - 1 - at]!.id) at++
  return at
}

interface Pairs {
  readonly before: readonly Element[]
  readonly after: readonly Element[]
  /** For each child after, its index before. Undefined for a new child. */
  readonly partner: readonly (number | undefined)[]
}

/** Pairs children by id; duplicate ids in order. */
function pairUp(before: readonly Element[], after: readonly Element[]): Pairs {
  const waiting = new Map<string, number[]>()
  for (let at = before.length - 1; at >= 0; at--) {
    const { id } = before[at]!
    const places = waiting.get(id)
    if (places) places.push(at)
    else waiting.set(id, [at])
  }
  return { before, after, partner: after.map(({ id }) => waiting.get(id)?.pop()) }
}

/** Removes from last to first, then inserts and moves from the first index to the last. */
function rearrange({ before, after, partner }: Pairs, pathAt: (at: number) => string, changes: TreeChange[]): void {
  const kept = new Set(partner)
  for (let at = before.length - 1; at >= 0; at--) if (!kept.has(at)) changes.push({ op: 'remove', path: pathAt(at) })

  const stays = longestRise(partner)
  // One slot for the front and one per old child: the child while it is there, and all that was inserted after it.
  const slots = counter(before.length + 1)
  for (const at of kept) if (at !== undefined) slots.add(at + 1, 1)

  let anchor = 0
  after.forEach((node, at) => {
    const old = partner[at]
    if (old !== undefined && stays.has(old)) {
      anchor = old + 1
      return
    }
    if (old === undefined) {
      changes.push({ op: 'add', path: pathAt(slots.upTo(anchor)), node })
    } else {
      const from = slots.upTo(old)
      slots.add(old + 1, -1)
      const to = slots.upTo(anchor)
      if (from !== to) changes.push({ op: 'move', from: pathAt(from), to: pathAt(to) })
    }
    slots.add(anchor, 1)
  })
}

/** A longest increasing subsequence: the children that keep their place while all others move. */
function longestRise(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  /** For each length, the smallest last number of an increasing subsequence of that length. */
  const ends: number[] = []
  const previous = new Map<number, number | undefined>()
  for (const number of numbers) {
    if (number === undefined) continue
    const length = firstNotBelow(ends, number)
    previous.set(number, ends[length - 1])
    ends[length] = number
  }
  const rise = new Set<number>()
  for (let number = ends.at(-1); number !== undefined; number = previous.get(number)) rise.add(number)
  return rise
}

function firstNotBelow(ascending: readonly number[], number: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}

/** Counts in slots 0 to size - 1, with addition and prefix sums in logarithmic time (a Fenwick tree). */
function counter(size: number): { add(slot: number, by: number): void; upTo(slot: number): number } {
  const sums = new Int32Array(size + 1)
  return {
    add(slot, by) {
      for (let at = slot + 1; at <= size; at += at & -at) sums[at]! += by
    },
    upTo(slot) {
      let sum = 0
      for (let at = slot + 1; at > 0; at -= at & -at) sum += sums[at]!
      return sum
    },
  }
}

/**
 * Applies changes to a tree, one after the other.
 * @param tree The tree to begin with; it is not changed.
 * @param changes As `diffTrees` returns them.
 * @throws A `Fault` `BadRequest` for a path that leads nowhere.
 */
export const applyTreeChanges = (tree: Element, changes: readonly TreeChange[]): Element =>
  changes.reduce(applyChange, tree)

function applyChange(tree: Element, change: TreeChange): Element {
  switch (change.op) {
    case 'replace': {
      const path = parsePath(change.path)
      if (!nodeAt(tree, path)) throw nowhere(change.path)
      return changeAt(tree, path, (node) => replaceFields(node, change.fields))
    }
    case 'add':
      return putIn(tree, change.path, change.node)
    case 'remove':
      return takeOut(tree, change.path)
    case 'move': {
      const node = nodeAt(tree, parsePath(change.from))
      if (!node) throw nowhere(change.from)
      return putIn(takeOut(tree, change.from), change.to, node)
    }
  }
}

function replaceFields(
  node: Element,
  { hidden, childCount, truncated: _goesWithCount, ...fields }: ChangedFields,
): Element {
  const forgotten = OPTIONAL.filter((name) => fields[name] === null)
  const known = Object.entries({ ...node, ...fields }).filter(([name]) => !forgotten.some((gone) => gone === name))
  const replaced = Object.fromEntries(known) as unknown as Element
  if (hidden === undefined && childCount === undefined) return replaced
  const { hidden: wasHidden, childCount: before, ...traits } = node.traits ?? {}
  const isHidden = hidden === undefined ? wasHidden : hidden
  const count = childCount === undefined ? before : childCount
  return {
    ...replaced,
    traits: {
      ...traits,
      ...(isHidden ? { hidden: true } : {}),
      ...(typeof count === 'number' ? { childCount: count } : {}),
    },
  }
}

function putIn(tree: Element, path: string, node: Element): Element {
  return changeSiblings(tree, path, (siblings, index) =>
    index <= siblings.length ? siblings.toSpliced(index, 0, node) : undefined,
  )
}

function takeOut(tree: Element, path: string): Element {
  return changeSiblings(tree, path, (siblings, index) =>
    index < siblings.length ? siblings.toSpliced(index, 1) : undefined,
  )
}

function changeSiblings(
  tree: Element,
  path: string,
  change: (siblings: readonly Element[], index: number) => readonly Element[] | undefined,
): Element {
  const steps = parsePath(path)
  const index = steps.at(-1)
  const parent = steps.slice(0, -1)
  const siblings = nodeAt(tree, parent)?.children
  const children = siblings && index !== undefined ? change(siblings, index) : undefined
  if (!children) throw nowhere(path)
  return changeAt(tree, parent, (node) => ({ ...node, children }))
}

function parsePath(path: string): Path {
  if (path === '') return []
  if (!/^\d+(\/\d+)*$/.test(path)) throw nowhere(path)
  return path.split('/').map(Number)
}

const nowhere = (path: string): Fault =>
  new Fault('BadRequest', `there is no node at ${JSON.stringify(path)}; a path is child indexes such as "0/2"`, {
    path,
  })

/**
 * Converts changes to RFC 6902 operations, one per field. `spell` returns the name of a field and `write` the value of
 * a node in the patched document.
 */
export function toJsonPatch(
  changes: readonly TreeChange[],
  spell: (field: string) => string = (field) => field,
  write: (node: Element) => unknown = (node) => node,
): readonly PatchOperation[] {
  return changes.flatMap((change) => patchOf(change, spell, write))
}

function patchOf(
  change: TreeChange,
  spell: (field: string) => string,
  write: (node: Element) => unknown,
): readonly PatchOperation[] {
  switch (change.op) {
    case 'replace': {
      const node = toPointer(change.path)
      return Object.entries(change.fields).map(([field, value]) => patchField(field, `${node}/${spell(field)}`, value))
    }
    case 'add':
      return [{ op: 'add', path: toPointer(change.path), value: write(change.node) }]
    case 'remove':
      return [{ op: 'remove', path: toPointer(change.path) }]
    case 'move':
      return [{ op: 'move', from: toPointer(change.from), path: toPointer(change.to) }]
  }
}

const toPointer = (path: string): string =>
  parsePath(path)
    .map((index) => `/children/${index}`)
    .join('')

/** Optional fields may have been absent, so they are added; `add` replaces an existing value. */
function patchField(field: string, path: string, value: unknown): PatchOperation {
  if (![...OPTIONAL, ...FROM_TRAITS].some((name) => name === field)) return { op: 'replace', path, value }
  return value === null ? { op: 'remove', path } : { op: 'add', path, value }
}
