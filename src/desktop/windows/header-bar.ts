import type { Window } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import type { HeaderMetrics, Metrics } from '../style/metrics.ts'
import { visibilityOf } from '../tree/visibility.ts'

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
export function titleRoom(bar: Element, start: number, end: number): Rect {
  const { y, height } = bar.bounds
  const at = bar.traits?.titleAt ?? 0
  const isInBand = (child: Element) => !child.traits?.hidden && visibilityOf(bar, child) === 'inline'
  const before = bar.children.slice(0, at).filter(isInBand)
  const after = bar.children.slice(at).filter(isInBand)
  const from = Math.max(start, ...before.map(({ bounds }) => bounds.x + bounds.width + GAP_PX))
  const to = Math.min(end, ...after.map(({ bounds }) => bounds.x - GAP_PX))
  return { x: from, y, width: Math.max(0, to - from), height }
}
