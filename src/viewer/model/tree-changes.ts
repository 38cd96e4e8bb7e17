import { propertiesOf, type ViewerElement, type ViewerWindow } from './element.ts'

/** A property that differs between two moments. A side without it is undefined. */
export interface PropertyChange {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What happened to an element, or to a whole window, between two moments. */
export interface ChangedElement {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly window: string
  /** Undefined if it is about the window. */
  readonly element?: ViewerElement
  /** Such as `Button Save`. */
  readonly label: string
  /** How many elements are below one that was added or removed. */
  readonly below: number
  readonly properties: readonly PropertyChange[]
}

/** Two desktops compared. */
export interface TreeComparison {
  readonly changes: readonly ChangedElement[]
  /** The kind of change by the key of the line (`lineKey`), also for all elements below one that was added or removed. */
  readonly kinds: ReadonlyMap<string, ChangedElement['kind']>
  /** The later windows, in which removed elements are kept at their places. */
  readonly merged: readonly ViewerWindow[]
}

/**
 * Compares two desktops. Elements are the same if their window and id are. Parts that are the same object in both are
 * not looked at, so that the work depends on what changed only.
 */
export function compareTrees(before: readonly ViewerWindow[], after: readonly ViewerWindow[]): TreeComparison {
  const changes: ChangedElement[] = []
  const kinds = new Map<string, ChangedElement['kind']>()
  const add = (change: ChangedElement): void => {
    changes.push(change)
    kinds.set(lineKey(change.window, change.element?.id), change.kind)
  }
  const mark = (window: string, element: ViewerElement, kind: 'added' | 'removed'): number => {
    kinds.set(lineKey(window, element.id), kind)
    return element.children.reduce((count, child) => count + 1 + mark(window, child, kind), 0)
  }
  const whole = (window: ViewerWindow, kind: 'added' | 'removed'): void => {
    const below = window.tree ? 1 + mark(window.uid, window.tree, kind) : 0
    add({ kind, window: window.uid, label: `window ${window.title}`, below, properties: [] })
  }
  const part = (window: string, element: ViewerElement, kind: 'added' | 'removed'): void =>
    add({ kind, window, element, label: labelOf(element), below: mark(window, element, kind), properties: [] })

  const mergedTree = (
    window: string,
    old: ViewerElement,
    now: ViewerElement,
    kept: ReadonlySet<string>,
  ): ViewerElement => {
    if (old === now) return now
    const properties = differences(propertiesOf(old), propertiesOf(now))
    if (properties.length > 0) add({ kind: 'changed', window, element: now, label: labelOf(now), below: 0, properties })
    const known = new Map(old.children.map((child) => [child.id, child]))
    const children: ViewerElement[] = now.children.map((child) => {
      const was = known.get(child.id)
      if (was) return mergedTree(window, was, child, kept)
      part(window, child, 'added')
      return child
    })
    const present = new Set(now.children.map(({ id }) => id))
    old.children.forEach((child, index) => {
      if (present.has(child.id) || kept.has(child.id)) return
      part(window, child, 'removed')
      const left = old.children[index - 1]
      const at = left ? children.findIndex(({ id }) => id === left.id) + 1 : 0
      children.splice(at, 0, child)
    })
    return children.every((child, index) => child === now.children[index]) && children.length === now.children.length
      ? now
      : { ...now, children }
  }

  const known = new Map(before.map((window) => [window.uid, window]))
  const merged = after.map((window) => {
    const was = known.get(window.uid)
    if (!was) {
      whole(window, 'added')
      return window
    }
    const properties = differences(windowProperties(was), windowProperties(window))
    if (properties.length > 0)
      add({ kind: 'changed', window: window.uid, label: `window ${window.title}`, below: 0, properties })
    if (!was.tree || !window.tree || was.tree === window.tree) return window
    return { ...window, tree: mergedTree(window.uid, was.tree, window.tree, idsOf(window.tree, was.tree)) }
  })
  const open = new Set(after.map(({ uid }) => uid))
  before.forEach((window, index) => {
    if (open.has(window.uid)) return
    whole(window, 'removed')
    merged.splice(Math.min(index, merged.length), 0, window)
  })
  return { changes, kinds, merged }
}

/** The ids of the elements of a tree that are not in a shared part: one that moved elsewhere was not removed. */
function idsOf(element: ViewerElement, other: ViewerElement | undefined, ids = new Set<string>()): ReadonlySet<string> {
  ids.add(element.id)
  const shared = new Set(other?.children)
  for (const child of element.children) {
    if (!shared.has(child))
      idsOf(
        child,
        other?.children.find(({ id }) => id === child.id),
        ids,
      )
  }
  return ids
}

const labelOf = ({ role, name, id }: ViewerElement): string => `${role} ${name || `#${id}`}`

const windowProperties = ({
  title,
  process,
  bounds,
  focused,
}: ViewerWindow): readonly (readonly [string, string])[] => [
  ['title', title],
  ['process', process],
  ['bounds', `${bounds.x}, ${bounds.y} · ${bounds.width} × ${bounds.height}`],
  ['focused', String(focused)],
]

/** The names whose texts differ, those of `before` first. */
function differences(
  before: readonly (readonly [string, string])[],
  after: readonly (readonly [string, string])[],
): readonly PropertyChange[] {
  const [old, now] = [new Map(before), new Map(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
}

/** A line of the tree: an element, or the window above it. */
export interface TreeLine {
  /** Unique in the tree. */
  readonly key: string
  readonly window: string
  /** Undefined for a window. */
  readonly element: ViewerElement | undefined
  readonly title: string
  /** From 1. */
  readonly level: number
  readonly hasChildren: boolean
  readonly isOpen: boolean
}

/** The key of an element's line, or of a window's. */
export const lineKey = (window: string, element?: string): string => JSON.stringify([window, element ?? null])

/** The lines of the windows' trees, without those below closed lines. */
export function treeLines(windows: readonly ViewerWindow[], closed: ReadonlySet<string>): readonly TreeLine[] {
  const lines: TreeLine[] = []
  const add = (window: string, element: ViewerElement, level: number): void => {
    const key = lineKey(window, element.id)
    const isOpen = !closed.has(key)
    const hasChildren = element.children.length > 0
    lines.push({ key, window, element, title: element.name, level, hasChildren, isOpen })
    if (isOpen) for (const child of element.children) add(window, child, level + 1)
  }
  for (const { uid, title, tree } of windows) {
    const key = lineKey(uid)
    const isOpen = !closed.has(key)
    lines.push({ key, window: uid, element: undefined, title, level: 1, hasChildren: tree !== undefined, isOpen })
    if (tree && isOpen) add(uid, tree, 2)
  }
  return lines
}

/** The keys of all lines above an element, so that they can be opened. */
export function keysAbove(windows: readonly ViewerWindow[], window: string, id: string): readonly string[] {
  const tree = windows.find(({ uid }) => uid === window)?.tree
  const path = tree && pathTo(tree, id)
  return path ? [lineKey(window), ...path.map((element) => lineKey(window, element))] : []
}

/** The ids from an element down to the parent of another one. */
function pathTo(element: ViewerElement, id: string): readonly string[] | undefined {
  if (element.id === id) return []
  for (const child of element.children) {
    const below = pathTo(child, id)
    if (below) return [element.id, ...below]
  }
  return undefined
}
