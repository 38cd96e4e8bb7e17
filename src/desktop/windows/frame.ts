import { isOnScreen, type ResizeEdges, type Window } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { contains, encloses, type Point, type Rect, unite } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import type { HeaderMetrics, Metrics, WindowButton } from '../style/metrics.ts'
import { visibilityOf } from '../tree/visibility.ts'

/** The bounds of a window's title bar and its buttons, in screen pixels, for hit tests and paint. */
export interface WindowFrame {
  readonly title: Rect
  /** The buttons that the style has, from the outer end of the title bar inward. */
  readonly buttons: Readonly<Partial<Record<WindowButton, Rect>>>
  /** The room for the title beside the tools of the band. Absent in a band without tools. */
  readonly room?: Rect
}

/** The title bar of a window, or the band of its title and tools. Undefined if it has none or is not on the screen. */
export function titleBarOf(window: Window, metrics: Metrics): Rect | undefined {
  if (window.frame === 'none' || !isOnScreen(window)) return undefined
  const { x, y, width } = window.bounds
  const height = titleHeightOf(window, metrics)
  return { x, y: window.frame === 'inside' ? y : y - height, width, height }
}

/** The window buttons that work. A dialog of some styles has other ones. */
const buttonsOf = (window: Window, { title: { buttons, dialogButtons } }: Metrics): readonly WindowButton[] =>
  dialogButtons && isDialogWindow(window) ? dialogButtons : buttons

/** Whether a double click on the title bar, or a key, maximises a window. */
export const canMaximize = (window: Window, { title: { dialogButtons } }: Metrics): boolean =>
  !dialogButtons || !isDialogWindow(window) || dialogButtons.includes('maximize')

/** The frame of a window. Undefined if it has none or is not on the screen. */
export function frameOf(window: Window, metrics: Metrics): WindowFrame | undefined {
  const title = titleBarOf(window, metrics)
  if (!title) return undefined
  const { side, buttonWidth: width, buttonHeight: height, step, header } = metrics.title
  const bar = header && headerBarOf(window)
  const { inset } = bar ? header : metrics.title
  const buttons = buttonsOf(window, metrics)
  const button = (place: number): Rect => {
    const middle = inset + place * step
    return {
      x: side === 'left' ? title.x + middle - width / 2 : title.x + title.width - middle - width / 2,
      y: title.y + Math.floor((title.height - height) / 2),
      width,
      height,
    }
  }
  const frame = { title, buttons: Object.fromEntries(buttons.map((name, place) => [name, button(place)])) }
  return bar
    ? { ...frame, room: titleRoom(bar, title.x + bandStart(bar, header), title.x + title.width - header.end) }
    : frame
}

/** The button of a frame at a point. Undefined beside them. */
export const frameButtonAt = ({ buttons }: WindowFrame, point: Point): WindowButton | undefined =>
  (Object.keys(buttons) as WindowButton[]).find((name) => contains(buttons[name]!, point))

/** The bounds of a window including a title bar above them. */
export function outerBounds(window: Window, metrics: Metrics): Rect {
  const title = titleBarOf(window, metrics)
  return title ? unite(title, window.bounds) : window.bounds
}

/** The sides of a framed, normal window that a drag from `point` moves. Undefined away from the edges. */
export function edgesAt(window: Window, point: Point, metrics: Metrics): ResizeEdges | undefined {
  const { edge, corner } = metrics.resize
  if (window.frame === 'none' || window.state !== 'normal') return undefined
  const outer = outerBounds(window, metrics)
  if (!contains(outer, point)) return undefined
  const near = {
    left: point.x - outer.x,
    top: point.y - outer.y,
    right: outer.x + outer.width - 1 - point.x,
    bottom: outer.y + outer.height - 1 - point.y,
  }
  if (Math.min(near.left, near.top, near.right, near.bottom) >= edge) return undefined
  return {
    left: near.left < corner,
    top: near.top < corner,
    right: near.right < corner,
    bottom: near.bottom < corner,
  }
}

/** Whether a window is a dialog: it blocks another one, or ends with buttons that accept and cancel. */
export const isDialogWindow = ({ modalTo, tree }: Pick<Window, 'modalTo' | 'tree'>): boolean =>
  modalTo !== undefined || tree.children.some(({ traits }) => traits?.footer === true)

/** The lower edge of the tabs that are in the band of the title of a dialog, or raised from it. Undefined without such tabs. */
export function raisedTabsEnd({ children }: Element): number | undefined {
  const tabs =
    children.find(({ role }) => roleKind(role) === 'tabs')?.children.filter(({ traits }) => traits?.raised) ?? []
  return tabs.length > 0 ? Math.max(...tabs.map(({ bounds }) => bounds.y + bounds.height)) : undefined
}

/** Beside the title of a band. */
const GAP_PX = 12

const isHeaderBar = ({ traits }: Element): boolean => traits?.titleAt !== undefined

/** The tool bar that shares a band with the title of its window, if a layout put it there. */
export const headerBarOf = ({ tree }: Pick<Window, 'tree'>): Element | undefined => tree.children.find(isHeaderBar)

/** The index of the tool bar that shares a band with the title of its window; -1 without one. */
export const headerBarIndex = ({ tree }: Pick<Window, 'tree'>): number => tree.children.findIndex(isHeaderBar)

/** The part of the band of a window above its sidebar. Undefined if the band is not divided. */
export function sidePartOf(window: Pick<Window, 'tree'>): Rect | undefined {
  const bar = headerBarOf(window)
  const [width] = bar?.traits?.panes ?? []
  return bar && width !== undefined ? { ...bar.bounds, width } : undefined
}

/**
 * The x coordinates, in screen pixels, at which the panes below the band of a window begin, after its sidebar. Empty if the
 * band is not divided.
 */
export function paneStarts(window: Pick<Window, 'tree'>): readonly number[] {
  const bar = headerBarOf(window)
  return bar?.traits?.panes?.map((from) => bar.bounds.x + from) ?? []
}

/** From the start of a band to what is in it, at most above the sidebar. */
export const bandStart = ({ traits }: Element, { start, afterSide }: HeaderMetrics): number =>
  traits?.panes ? Math.max(start, traits.panes[0]! + afterSide) : start

/** The height of the title bar of a window, or of the band of its title and tools. */
export function titleHeightOf({ tree }: Pick<Window, 'tree'>, { title }: Metrics): number {
  if (title.header && headerBarOf({ tree })) return title.header.height
  return title.dialogHeight !== undefined && isLaidOutDialog(tree) ? title.dialogHeight : title.height
}

/** Whether a window ends with buttons that accept and cancel, and has no content with written bounds. */
const isLaidOutDialog = ({ children }: Element): boolean =>
  children.some(({ traits }) => traits?.footer === true) && children.every(({ place }) => place !== undefined)

/** The room for the title between the tools of a band, from `start` to `end` in screen pixels. */
function titleRoom(bar: Element, start: number, end: number): Rect {
  const { y, height } = bar.bounds
  const at = bar.traits?.titleAt ?? 0
  const isInBand = (child: Element) => !child.traits?.hidden && visibilityOf(bar, child) === 'inline'
  const before = bar.children.slice(0, at).filter(isInBand)
  const after = bar.children.slice(at).filter(isInBand)
  const from = Math.max(start, ...before.map(({ bounds }) => bounds.x + bounds.width + GAP_PX))
  const to = Math.min(end, ...after.map(({ bounds }) => bounds.x - GAP_PX))
  return { x: from, y, width: Math.max(0, to - from), height }
}

/** The tree at the left edge of a window, if nothing but the window is painted behind it. */
export const sidebarOf = ({ tree, bounds, frame, shell }: Window): Element | undefined =>
  frame === 'inside' && shell === undefined ? treeAtEdge(tree, bounds)?.at(-1) : undefined

/** The tree at the left edge of an area after the panes around it. */
function treeAtEdge(parent: Element, area: Rect): readonly Element[] | undefined {
  for (const child of parent.children) {
    const { bounds, traits, layout } = child
    if (traits?.hidden || bounds.x !== area.x || !encloses(area, bounds)) continue
    if (visibilityOf(parent, child) !== 'inline') continue
    const kind = roleKind(child.role)
    if (kind === 'tree') return [parent, child]
    const isPlain = kind === 'pane' && traits?.look === undefined && !traits?.overflow && layout?.arrange !== 'form'
    const found = isPlain ? treeAtEdge(child, bounds) : undefined
    if (found) return found
  }
  return undefined
}

/** The distances from the left edge of a window to the panes beside its sidebar. Empty without a sidebar. */
export function panesBeside({ tree, bounds }: Window): readonly number[] {
  const [around, side] = treeAtEdge(tree, bounds) ?? []
  if (!around || !side) return []
  return around.children
    .filter((child) => !child.traits?.hidden && visibilityOf(around, child) === 'inline')
    .flatMap(({ bounds: { x, y } }) => (y === side.bounds.y && x > side.bounds.x ? [x - bounds.x] : []))
}
