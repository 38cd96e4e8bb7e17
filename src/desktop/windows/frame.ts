import { isOnScreen, type Window } from '../model/desktop.ts'
import { contains, type Point, type Rect, unite } from '../model/geometry.ts'
import type { ResizeEdges } from '../model/held.ts'
import type { Metrics, WindowButton } from '../style/metrics.ts'
import { isDialogWindow } from './dialog-window.ts'
import { bandStart, headerBarOf, titleHeightOf, titleRoom } from './header-bar.ts'

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
