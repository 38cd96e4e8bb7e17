import { type Desktop, type Window, windowByUid } from '../../desktop/model/desktop.ts'
import { CHANGEABLE_FIELDS, changeAt, type Element, pathOf, walk, withFields } from '../../desktop/model/element.ts'
import { type Rect, sameRect } from '../../desktop/model/geometry.ts'
import type { VirtualGrid } from '../../desktop/model/grid.ts'
import type { ElementTraits, VirtualRows } from '../../desktop/model/traits.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { fingerprint } from '../../desktop/tree/hash.ts'
import { placed } from '../../desktop/tree/tree-edits.ts'
import { isScrollable, scrolledTo } from '../../desktop/widgets/scrolling.ts'
import { activateWindow, focusElement } from '../../desktop/windows/focus.ts'
import { layOutWindow } from '../layout/layout.ts'
import type { Scenario, SceneState } from '../scenario.ts'
import type { SavedChanges, SavedElement } from '../scenario-run.ts'

export const NO_SAVED_CHANGES: SavedChanges = { elements: new Map(), windows: new Map() }

const TRAITS = [
  'secret',
  'hidden',
  'placeholder',
  'readOnly',
  'multiline',
  'lineNumbers',
  'wrap',
  'maxLength',
  'presses',
  'closes',
  'submits',
  'validation',
  'invalid',
  'triState',
  'multiSelect',
  'reorder',
  'step',
  'icon',
  'look',
  'iconOnly',
  'avatar',
  'badge',
  'subtitle',
  'unread',
  'picture',
  'chart',
  'rich',
  'terminal',
  'href',
  'folder',
  'path',
  'current',
  'anchor',
  'sorted',
] as const satisfies readonly (keyof ElementTraits)[]

/** The windows of a state that are open, front to back. */
export type OpenScene = Pick<SceneState, 'windows'>

/** The windows of a state, of those with a condition the ones that are open. */
export const openScene = ({ windows, optional }: SceneState, desktop: Desktop): OpenScene =>
  optional.length === 0
    ? { windows }
    : { windows: [...optional.filter(({ uid }) => windowByUid(desktop, uid)), ...windows] }

const keyOf = (uid: string, element: Element): string => `${uid}\0${element.id}\0${element.role}`

/** The initial desktop of a scenario. */
export function firstDesktop(scenario: Scenario): Desktop {
  const bare: Desktop = {
    monitors: scenario.monitors,
    windows: [],
    active: undefined,
    pointer: { x: 0, y: 0 },
    clipboard: scenario.clipboard,
    ...(scenario.panel ? { panel: true } : {}),
    ...(scenario.style ? { style: scenario.style, apps: scenario.apps } : {}),
    ...(scenario.dateNames ? { dateNames: scenario.dateNames } : {}),
    ...(scenario.projection?.mirror === undefined ? {} : { isMirrored: true }),
    ...(scenario.language === undefined ? {} : { language: scenario.language }),
    ...(scenario.files ? { files: scenario.files } : {}),
    ...(scenario.pictures.size > 0 ? { pictures: scenario.pictures } : {}),
  }
  return show(bare, scenario.states.get(scenario.initial)!)
}

/**
 * Collects the changes when a state is left.
 * @param isOfItem Whether the state makes a window for an item of a list.
 */
export function saveChanges(
  kept: SavedChanges,
  left: OpenScene,
  desktop: Desktop,
  isOfItem: (window: Window) => boolean,
): SavedChanges {
  const elements = new Map(kept.elements)
  const windows = new Map([...kept.windows].filter(([, { now }]) => !isOfItem(now)))
  for (const now of desktop.windows) if (isOfItem(now)) windows.set(now.uid, { authored: now, now })
  for (const authored of left.windows) {
    const now = windowByUid(desktop, authored.uid)
    if (now) windows.set(authored.uid, { authored, now })
    else windows.delete(authored.uid)
    if (now && now.tree !== authored.tree) keepBelow(elements, authored, now)
  }
  return { elements, windows }
}

function keepBelow(kept: Map<string, SavedElement>, authored: Window, window: Window): void {
  const there = new Map([...walk(window.tree)].map((element) => [element.id, element]))
  for (const before of walk(authored.tree)) {
    const now = there.get(before.id)
    if (!now || now.role !== before.role) continue
    const children = ownChildren(now)
    const added = without(children, before.children)
    const gone = without(before.children, children)
    const key = keyOf(authored.uid, before)
    const last = kept.get(key)
    if (!isAsWritten(now, before)) kept.set(key, { authored: before, now, added, gone })
    // A change to an element that this state writes differently is kept until a state writes it as before.
    else if (last && isWrittenAs(last.authored, before)) kept.delete(key)
  }
}

/** Whether an element is unchanged except for the focus. */
const isAsWritten = (now: Element, before: Element): boolean =>
  now === before ||
  (isWrittenAs(now, before) &&
    now.traits === before.traits &&
    ownChildren(now).length === before.children.length &&
    ownChildren(now).every(({ id }, at) => id === before.children[at]!.id))

/** The children that the file has. The others follow the data, and are made again. */
const ownChildren = ({ children }: Element): readonly Element[] =>
  children.some(({ traits }) => traits?.instance) ? children.filter(({ traits }) => !traits?.instance) : children

function without(elements: readonly Element[], others: readonly Element[]): readonly Element[] {
  const ids = new Set(others.map(({ id }) => id))
  return elements.filter(({ id }) => !ids.has(id))
}

/**
 * Shows the windows of a state. Parts that the state writes as the last one did keep their changes. With the same
 * windows in the same order, the stacking order is kept too. Windows for which `stays` holds stay, in front or behind.
 */
export function enterState(
  desktop: Desktop,
  left: OpenScene,
  state: OpenScene,
  kept: SavedChanges,
  stays: (window: Window) => boolean,
): Desktop {
  const metrics = styleMetrics(desktop.style, desktop.language)
  const windows = state.windows.map((window) => {
    const last = kept.windows.get(window.uid)
    return last ? inPlaceOf(window, last.authored, last.now, kept, metrics) : withKept(window, kept, metrics)
  })
  const uids = (scene: OpenScene) => scene.windows.map(({ uid }) => uid).join('\0')
  if (uids(left) !== uids(state)) return show(desktop, { windows: amongOpened(desktop, windows, left, stays) })
  const placed = desktop.windows.flatMap(
    (open) => windows.find(({ uid }) => uid === open.uid) ?? (stays(open) ? open : []),
  )
  return activateAgain({ ...desktop, windows: placed }, desktop.active)
}

/** The windows of a state, and those that stay: in front of it if they were in front of the state that is left. */
function amongOpened(
  desktop: Desktop,
  windows: readonly Window[],
  left: OpenScene,
  stays: (window: Window) => boolean,
): readonly Window[] {
  const kept = desktop.windows.filter(stays)
  if (kept.length === 0) return windows
  const first = desktop.windows.findIndex(({ uid }) => left.windows.some((window) => window.uid === uid))
  const isInFront = (window: Window) => first < 0 || desktop.windows.indexOf(window) < first
  return [...kept.filter(isInFront), ...windows, ...kept.filter((window) => !isInFront(window))]
}

/** Shows the windows of a state in its order. The first that is not minimised is active. */
function show(desktop: Desktop, state: OpenScene): Desktop {
  const blank = { ...desktop, active: undefined, windows: state.windows.map(unfocusedTree) }
  const front = state.windows.find((window) => window.state !== 'minimized' && !window.notification)
  return front ? activateAgain(blank, front.uid) : blank
}

function activateAgain(desktop: Desktop, uid: string | undefined): Desktop {
  const blurred = { ...desktop, active: undefined, windows: desktop.windows.map(unfocusedTree) }
  const window = blurred.windows.find((each) => each.uid === uid)
  if (!window || window.state === 'minimized') return blurred
  if (window.focus === undefined) return activateWindow(blurred, window.uid)
  return focusElement(blurred, { window: window.uid, element: window.focus })
}

/** Clears the `focused` flags; only the active window's focus marks an element. */
export function unfocusedTree(window: Window): Window {
  const path = window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  if (!path) return window.focus === undefined ? window : { ...window, focus: undefined }
  const tree = changeAt(window.tree, path, (node) => (node.focused ? { ...node, focused: false } : node))
  return tree === window.tree ? window : { ...window, tree }
}

/** The desktop with a window in front, or behind all others if it is minimised. */
export function withOpened(desktop: Desktop, window: Window): Desktop {
  const isShown = window.state !== 'minimized'
  const shut = unfocusedTree(window)
  const windows = isShown ? [shut, ...desktop.windows] : [...desktop.windows, shut]
  const opened = { ...desktop, windows }
  return isShown ? activateWindow(opened, window.uid) : opened
}

/** A window in a new state, changed only where the states write it differently. */
export function inPlaceOf(next: Window, before: Window, now: Window, kept: SavedChanges, metrics: Metrics): Window {
  const chosen = <Field extends keyof Window>(field: Field): Window[Field] =>
    sameValue(next[field], before[field]) ? now[field] : next[field]
  const { restoreTo, busy: _, modalTo: __, ...rest } = next
  const [busy, modalTo, state] = [chosen('busy'), chosen('modalTo'), chosen('state')]
  const back = state === now.state ? now.restoreTo : restoreTo
  const authored: Window = {
    ...rest,
    title: chosen('title'),
    state,
    ...(busy === undefined ? {} : { busy }),
    ...(modalTo === undefined ? {} : { modalTo }),
    ...(back && { restoreTo: back }),
  }
  const bounds = chosen('bounds')
  const unchanged = fingerprint(next.tree) === fingerprint(before.tree) && sameRect(bounds, now.bounds)
  const content = unchanged
    ? { ...authored, bounds, tree: unfocusedTree(now).tree }
    : inBounds({ ...authored, tree: withKept(next, kept, metrics).tree }, bounds, metrics)
  const focus = chosen('focus')
  return { ...content, focus: focus !== undefined && pathOf(content.tree, focus) ? focus : next.focus }
}

const sameValue = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

function inBounds(window: Window, bounds: Rect, metrics: Metrics): Window {
  if (sameRect(window.bounds, bounds)) return window
  return layOutWindow({ ...window, bounds, tree: placed(window.tree, bounds) }, metrics)
}

function withKept(window: Window, kept: SavedChanges, metrics: Metrics): Window {
  if (kept.elements.size === 0) return window
  const changedOf = (element: Element) => kept.elements.get(keyOf(window.uid, element))
  const tree = keptBelow(window.tree, changedOf, idsStaying(window.tree, changedOf))
  if (tree === window.tree) return window
  const laid = layOutWindow({ ...window, tree }, metrics)
  return { ...laid, tree: scrolledBelow(laid.tree, changedOf) }
}

type ChangedOf = (element: Element) => SavedElement | undefined

const isGone = (child: Element, changed: SavedElement | undefined): boolean =>
  changed?.gone.some((gone) => isWrittenAs(gone, child)) ?? false

/** The ids in a tree, except those of removed elements. */
function idsStaying(tree: Element, changedOf: ChangedOf): ReadonlySet<string> {
  const ids = new Set<string>()
  visit(tree)
  return ids

  function visit(element: Element): void {
    ids.add(element.id)
    const changed = changedOf(element)
    for (const child of element.children) if (!isGone(child, changed)) visit(child)
  }
}

function keptBelow(element: Element, changedOf: ChangedOf, ids: ReadonlySet<string>): Element {
  const changed = changedOf(element)
  const staying = element.children.filter((child) => !isGone(child, changed))
  const below = staying.map((child) => keptBelow(child, changedOf, ids))
  const children = changed
    ? inOrderOf(changed, [...below, ...changed.added.filter(({ id }) => !ids.has(id))], element)
    : below
  const same =
    children.length === element.children.length && children.every((each, at) => each === element.children[at])
  const next = same ? element : withFields(element, { children })
  return changed ? withKeptFields(next, changed) : next
}

/** Children in the order in which they were left, if the state writes the same order as before. */
function inOrderOf({ authored, now }: SavedElement, children: readonly Element[], next: Element): readonly Element[] {
  const ids = (elements: readonly Element[]) => elements.map(({ id }) => id)
  const common = (one: Element, other: Element) => ids(without(one.children, without(one.children, other.children)))
  if (common(authored, next).join('\0') !== common(next, authored).join('\0')) return children
  const places = new Map(ids(now.children).map((id, place) => [id, place]))
  const known = children.filter(({ id }) => places.has(id))
  const sorted = known.sort((a, b) => places.get(a.id)! - places.get(b.id)!).values()
  return children.map((child) => (places.has(child.id) ? sorted.next().value! : child))
}

/** Restores scroll offsets, clamped to the content. */
function scrolledBelow(element: Element, changedOf: ChangedOf): Element {
  const children = element.children.map((child) => scrolledBelow(child, changedOf))
  const same = children.every((child, at) => child === element.children[at])
  const next = same ? element : withFields(element, { children })
  const offset = changedOf(element)?.now.traits?.scrolled?.y
  return offset === undefined || !isScrollable(next) ? next : scrolledTo(next, offset)
}

const isWrittenAs = (a: Element, b: Element): boolean =>
  a.id === b.id && a.role === b.role && CHANGEABLE_FIELDS.every((field) => a[field] === b[field])

/** Restores the changed fields of an element that is written as before. The caret stays if the text stays. */
function withKeptFields(element: Element, { authored, now }: SavedElement): Element {
  const fields: Record<string, unknown> = {}
  for (const field of CHANGEABLE_FIELDS)
    if (now[field] !== authored[field] && now[field] !== undefined && element[field] === authored[field])
      fields[field] = now[field]
  const next = withFields(element, fields)
  const traits: Record<string, unknown> = {}
  for (const name of TRAITS)
    if (now.traits?.[name] !== authored.traits?.[name] && element.traits?.[name] === authored.traits?.[name])
      traits[name] = now.traits?.[name]
  const rows = keptRows(element.traits?.rows, authored.traits?.rows, now.traits?.rows)
  if (rows) traits.rows = rows
  const grid = keptGrid(element.traits?.grid, authored.traits?.grid, now.traits?.grid)
  if (grid) traits.grid = grid
  if (next.value === now.value && now.traits?.caret) {
    traits.caret = now.traits.caret
    traits.history = now.traits.history
  }
  return Object.keys(traits).length > 0 ? withTraits(next, traits) : next
}

/** Restores the selection of a virtual list if its rows are the same. */
function keptRows(
  next: VirtualRows | undefined,
  authored: VirtualRows | undefined,
  now: VirtualRows | undefined,
): VirtualRows | undefined {
  if (!next || !authored || !now || now.selected === authored.selected) return undefined
  if (now.keys) return next.names.length === 0 ? now : undefined
  const same =
    next.names.length === authored.names.length && next.names.every((name, at) => name === authored.names[at])
  return same ? { ...now, names: next.names } : undefined
}

/** Restores the sort order, the page and the selection of a table that is written as before. */
const keptGrid = (
  next: VirtualGrid | undefined,
  authored: VirtualGrid | undefined,
  now: VirtualGrid | undefined,
): VirtualGrid | undefined => (next && authored && now && sameValue(next, authored) ? now : undefined)
