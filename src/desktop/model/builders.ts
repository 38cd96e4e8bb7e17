import { styleMetrics } from '../style/style.ts'
import { DEFAULT_SCREEN, type Desktop, isOnScreen, type Monitor, type Window } from './desktop.ts'
import { type Element, type Path, walk } from './element.ts'
import { contains, isEmptyRect, type Point, type Rect, unite } from './geometry.ts'

/** The properties of an element besides its role and name. */
export type ElementDetails = Partial<Omit<Element, 'role' | 'name' | 'children'>>

/** An element that may lack id and bounds. `build` and `window` assign them. */
export interface Draft extends ElementDetails {
  readonly role: string
  readonly name: string
  readonly children: readonly Draft[]
}

/** The properties of a window besides its title. `role` and `name` are those of its root element. */
export type WindowDetails = Partial<Omit<Window, 'title' | 'tree'>> & { readonly role?: string; readonly name?: string }

/** The properties of a desktop besides its windows. */
export type DesktopDetails = Partial<Omit<Desktop, 'windows'>>

const PADDING = 16
const GAP = 8
const CONTROL_HEIGHT = 28
const DEFAULT_BOUNDS: Rect = { x: 100, y: 100, width: 800, height: 600 }
const FIRST_HANDLE = 1000
const FIRST_PID = 10000

/**
 * An element of any role.
 * @param role The role.
 * @param name The name.
 * @param parts Its details and its children, in any order.
 */
export function element(role: string, name = '', ...parts: readonly (ElementDetails | Draft)[]): Draft {
  const children = parts.filter(isDraft)
  const details = parts.filter((part) => !isDraft(part))
  return Object.assign({}, ...details, { role, name, children }) as Draft
}

type Builder = (name?: string, ...parts: readonly (ElementDetails | Draft)[]) => Draft

const builderOf =
  (role: string): Builder =>
  (name, ...parts) =>
    element(role, name, ...parts)

/** A `Button`. */
export const button: Builder = builderOf('Button')
/** A `CheckBox`; `selected: true` is ticked. */
export const checkbox: Builder = builderOf('CheckBox')
/** A `ComboBox`; its options are its children. */
export const comboBox: Builder = builderOf('ComboBox')
/** A `Dialog` inside a window. */
export const dialog: Builder = builderOf('Dialog')
/** A `Document`: text of several lines. */
export const document: Builder = builderOf('Document')
/** An `Edit`: a text field. */
export const edit: Builder = builderOf('Edit')
/** A `Group`. */
export const group: Builder = builderOf('Group')
/** A `Link`. */
export const link: Builder = builderOf('Link')
/** A `List` of `ListItem`s. */
export const list: Builder = builderOf('List')
/** A `ListItem`. */
export const listItem: Builder = builderOf('ListItem')
/** A `Menu`. */
export const menu: Builder = builderOf('Menu')
/** A `MenuBar`. */
export const menuBar: Builder = builderOf('MenuBar')
/** A `MenuItem`; a submenu's items are its children. */
export const menuItem: Builder = builderOf('MenuItem')
/** A `Pane`. */
export const pane: Builder = builderOf('Pane')
/** A `ProgressBar` with `valueNow`, `valueMin` and `valueMax`. */
export const progressBar: Builder = builderOf('ProgressBar')
/** A `RadioButton`; its group is its parent. */
export const radioButton: Builder = builderOf('RadioButton')
/** A `Slider` with `valueNow`, `valueMin` and `valueMax`. */
export const slider: Builder = builderOf('Slider')
/** A `Spinner` with `valueNow`, `valueMin` and `valueMax`. */
export const spinner: Builder = builderOf('Spinner')
/** A `StatusBar`. */
export const statusBar: Builder = builderOf('StatusBar')
/** A `Tab`: the strip of `TabItem`s. */
export const tab: Builder = builderOf('Tab')
/** A `TabItem`. */
export const tabItem: Builder = builderOf('TabItem')
/** A `Table`. */
export const table: Builder = builderOf('Table')
/** A `Text`. */
export const text: Builder = builderOf('Text')
/** A `Toggle`: a switch. */
export const toggle: Builder = builderOf('Toggle')
/** A `ToolBar`. */
export const toolBar: Builder = builderOf('ToolBar')
/** A `Tree` of `TreeItem`s. */
export const treeView: Builder = builderOf('Tree')
/** A `TreeItem`. */
export const treeItem: Builder = builderOf('TreeItem')

/**
 * A finished tree: missing ids are positions below `root`, missing bounds are stacked from the top of `area`, each as wide as its
 * parent allows and as high as its children need.
 * @param draft The tree as builders make it.
 * @param area The place of the tree, in pixels.
 */
export function build(draft: Draft, area: Rect = DEFAULT_BOUNDS): Element {
  return placeDraft(draft, area, [], draft.bounds ?? area)
}

/**
 * A window 800 × 600 with a title bar inside its bounds, unless its details say otherwise.
 * @param title Its title.
 * @param parts Its details and its elements, in any order.
 */
export function window(title: string, ...parts: readonly (WindowDetails | Draft)[]): Window {
  const {
    role = 'Window',
    name = title,
    ...details
  }: WindowDetails = Object.assign({}, ...parts.filter((part) => !isDraft(part)))
  const bounds = details.bounds ?? DEFAULT_BOUNDS
  const frame = details.frame ?? 'inside'
  const top = frame === 'inside' ? styleMetrics(undefined).title.height : 0
  const area = { ...bounds, y: bounds.y + top, height: bounds.height - top }
  const tree = placeDraft(element(role, name, ...parts.filter(isDraft)), area, [], bounds)
  const focus = [...walk(tree)].find((node) => node.focused)?.id
  return {
    uid: `mock:${slug(title)}`,
    handle: String(FIRST_HANDLE),
    title,
    process: '',
    pid: FIRST_PID,
    bounds,
    tree,
    state: 'normal',
    frame,
    focus,
    ...details,
  }
}

/**
 * A desktop with its windows front to back on one 1280 × 800 screen. The first window that is on the screen is active, and
 * only its focus counts. Handles and process ids that were not given count up from 1000 and 10000.
 * @param parts Its details and its windows, in any order.
 */
export function desktop(...parts: readonly (DesktopDetails | Window)[]): Desktop {
  const windows = parts.filter(isWindow)
  const details: DesktopDetails = Object.assign({}, ...parts.filter((part) => !isWindow(part)))
  const front = windows.find(isOnScreen)?.uid
  const active = 'active' in details ? details.active : front
  return {
    monitors: [monitor(DEFAULT_SCREEN)],
    pointer: { x: 0, y: 0 },
    clipboard: '',
    ...details,
    active,
    windows: windows.map((shown, position) => ({
      ...shown,
      handle: shown.handle === String(FIRST_HANDLE) ? String(FIRST_HANDLE + position) : shown.handle,
      pid: shown.pid === FIRST_PID ? FIRST_PID + position : shown.pid,
      tree: withFocus(shown.tree, shown.uid === active ? shown.focus : undefined),
    })),
  }
}

/**
 * A monitor of scale 1; the one at the origin is the primary.
 * @param bounds Its place, in pixels.
 * @param index Its number, 0 by default.
 */
export const monitor = (bounds: Rect, index = 0): Monitor => ({
  index,
  primary: contains(bounds, { x: 0, y: 0 }),
  bounds,
  scaleFactor: 1,
})

/**
 * A rectangle, in pixels.
 * @param x The left edge.
 * @param y The upper edge.
 * @param width The width.
 * @param height The height.
 */
export const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height })

const isDraft = (part: object): part is Draft => 'children' in part
const isWindow = (part: DesktopDetails | Window): part is Window => 'tree' in part

/** Places children below each other in `area`; `bounds` is the node's own place when it is already known. */
function placeDraft(draft: Draft, area: Rect, path: Path, bounds?: Rect): Element {
  const room = bounds && path.length > 0 ? bounds : area
  const inner = draft.children.length > 0 ? shrink(room, PADDING) : room
  const children: Element[] = []
  let top: Point = { x: inner.x, y: inner.y }
  draft.children.forEach((child, position) => {
    const place = { ...top, width: inner.width, height: CONTROL_HEIGHT }
    const placed = placeDraft(child, place, [...path, position], child.bounds)
    children.push(placed)
    if (!child.bounds) top = { x: top.x, y: placed.bounds.y + placed.bounds.height + GAP }
  })
  return {
    id: ['root', ...path].join('.'),
    value: null,
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    ...draft,
    bounds: bounds ?? around(area, children),
    children,
  }
}

/** The area made high enough for the children that stand in it. */
function around(area: Rect, children: readonly Element[]): Rect {
  const content = children.map((child) => child.bounds).reduce(unite, { ...area, width: 0, height: 0 })
  if (isEmptyRect(content)) return area
  return { ...area, height: Math.max(area.height, content.y + content.height + PADDING - area.y) }
}

const shrink = (area: Rect, by: number): Rect => ({
  x: area.x + by,
  y: area.y + by,
  width: Math.max(0, area.width - 2 * by),
  height: Math.max(0, area.height - 2 * by),
})

/** The tree with the named element focused and no other. */
function withFocus(node: Element, id: string | undefined): Element {
  const children = node.children.map((child) => withFocus(child, id))
  return { ...node, focused: node.id === id, children }
}

const slug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/**
 * Element details with these bounds.
 * @param rectangle The left edge, the upper edge, the width and the height, in pixels.
 */
export const withBounds = (...[x, y, width, height]: [number, number, number, number]): ElementDetails => ({
  bounds: rect(x, y, width, height),
})
