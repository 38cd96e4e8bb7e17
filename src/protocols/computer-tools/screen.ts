import { screenArea } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import type { Point, Rect } from '../../desktop/model/geometry.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import { monitorBounds, type PictureBudget, sizeWithin } from '../../observer/tools/capture.ts'

/** A width and a height in pixels. */
export interface PixelSize {
  readonly width: number
  readonly height: number
}

/** The screen of a session, and the size of the screenshots in which a model gives its coordinates. */
export interface ModelScreen {
  /** The whole screen, or the chosen monitor, in absolute pixels. */
  readonly area: Rect
  /** The size of a screenshot. */
  readonly size: PixelSize
  /** The arguments of `capture_screen` that give this size. */
  readonly budget: PictureBudget & { readonly monitor?: number | undefined }
  /** Whether screenshots show the pointer. */
  readonly pointer?: boolean | undefined
  /** Where the pointer is, for an action that starts there. */
  readonly here?: Point | undefined
}

/** The screenshot size that a client has declared to its model, of which one side is enough, and the monitor that it shows. */
export interface DeclaredScreen {
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** The index of the monitor, as in `get_monitors`. By default the whole screen. */
  readonly monitor?: number | undefined
}

/**
 * The screen of a session. The size of its screenshots depends on nothing else, so that it is the same in all calls.
 * Throws `BadRequest` when the declared size does not have the shape of the screen, or there is no such monitor.
 */
export async function modelScreen(
  session: DesktopSession,
  fallback: PictureBudget,
  declared: DeclaredScreen = {},
): Promise<ModelScreen> {
  const { width, height, monitor } = declared
  const { computer } = session
  const monitors = await computer.monitors()
  const area = monitor === undefined ? screenArea(computer.info.synthetic, monitors) : monitorBounds(monitors, monitor)
  if (area.width <= 0 || area.height <= 0) throw new Fault('PlatformUnsupported', 'this desktop reports no screen')
  const limits: PictureBudget =
    width === undefined && height === undefined ? fallback : { max_width: width, max_height: height }
  const size = sizeWithin(area, limits)
  const budget = monitor === undefined ? limits : { ...limits, monitor }
  if ((width ?? size.width) === size.width && (height ?? size.height) === size.height) return { area, size, budget }
  throw new Fault(
    'BadRequest',
    `display: a screenshot of this screen, which is ${area.width}x${area.height}, cannot be ${width ?? 'any'}x${height ?? 'any'}; the nearest size is ${size.width}x${size.height}`,
    { screen: { width: area.width, height: area.height }, nearest: size },
  )
}

/** The point of the screen that a pixel of a screenshot shows. Throws `BadRequest` outside of the screenshot. */
export function toScreenPoint({ area, size }: ModelScreen, { x, y }: Point, field: string): Point {
  if (x < 0 || y < 0 || x >= size.width || y >= size.height)
    throw new Fault(
      'BadRequest',
      `${field}: (${x}, ${y}) is outside of the screenshot; x is 0 to ${size.width - 1} and y is 0 to ${size.height - 1}`,
      { field, point: { x, y } },
    )
  return {
    x: area.x + Math.floor(((Math.floor(x) + 0.5) * area.width) / size.width),
    y: area.y + Math.floor(((Math.floor(y) + 0.5) * area.height) / size.height),
  }
}

/** The pixel of a screenshot that shows a point of the screen. */
export const toScreenshotPoint = ({ area, size }: ModelScreen, { x, y }: Point): Point => ({
  x: Math.floor(((x - area.x + 0.5) * size.width) / area.width),
  y: Math.floor(((y - area.y + 0.5) * size.height) / area.height),
})

/** A distance on the screen, from one in a screenshot. */
export const scaleToScreen = ({ area, size }: ModelScreen, { x, y }: Point): Point => ({
  x: Math.round((x * area.width) / size.width),
  y: Math.round((y * area.height) / size.height),
})

/** The number of steps of a grid over the screen, in which some models give coordinates. */
export const GRID = 1000

/** The point of the screen at a point of the grid. Throws `BadRequest` outside of it. */
export function toGridPoint({ area }: ModelScreen, { x, y }: Point): Point {
  if (x < 0 || y < 0 || x >= GRID || y >= GRID)
    throw new Fault('BadRequest', `(${x}, ${y}) is outside of the screen; x and y are 0 to ${GRID - 1}`, {
      point: { x, y },
    })
  return { x: area.x + Math.floor((x * area.width) / GRID), y: area.y + Math.floor((y * area.height) / GRID) }
}

/** The part of the screen between two corners in a screenshot, the second exclusive. Throws `BadRequest`. */
export function toScreenRegion({ area, size }: ModelScreen, corners: readonly number[], field: string): Rect {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = corners
  const fits = x0 >= 0 && y0 >= 0 && x0 < x1 && y0 < y1 && x1 <= size.width && y1 <= size.height
  if (!fits)
    throw new Fault(
      'BadRequest',
      `${field}: [${corners.join(', ')}] is not [x0, y0, x1, y1] with 0 <= x0 < x1 <= ${size.width} and 0 <= y0 < y1 <= ${size.height}`,
      { field },
    )
  const left = Math.floor((x0 * area.width) / size.width)
  const top = Math.floor((y0 * area.height) / size.height)
  return {
    x: area.x + left,
    y: area.y + top,
    width: Math.ceil((x1 * area.width) / size.width) - left,
    height: Math.ceil((y1 * area.height) / size.height) - top,
  }
}
