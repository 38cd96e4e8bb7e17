import type { Monitor } from '../model/desktop.ts'
import { type Point, type Rect, unite } from '../model/geometry.ts'

/** How the coordinates of a desktop become pixels of the screen. Compared by identity, so a scenario has one. */
export interface ScreenProjection {
  /** Pixels of the screen per unit of the desktop, 0.25 to 8. */
  readonly ratio: number
  /** The part of the ratio that monitors report as the scale of the system. */
  readonly scale: number
  /** The sum of the left and right edges between which the desktop is mirrored. Undefined if it is not. */
  readonly mirror?: number | undefined
}

/** The edges around which a desktop with these monitors is mirrored. */
export function mirrorOf(monitors: readonly Pick<Monitor, 'bounds'>[]): number {
  const { x, width } = monitors.map(({ bounds }) => bounds).reduce(unite)
  return 2 * x + width
}

/** Rounds halves down, so that the middle of each pixel is inside the unrounded edges. Never the negative zero. */
const edge = (at: number): number => Math.ceil(at - 0.5) + 0

/** A rectangle of the desktop in pixels of the screen. */
export function projectRect({ ratio, mirror }: ScreenProjection, rect: Rect): Rect {
  const from = mirror === undefined ? rect.x : mirror - rect.x - rect.width
  const left = edge(from * ratio)
  const top = edge(rect.y * ratio)
  return {
    x: left,
    y: top,
    width: edge((from + rect.width) * ratio) - left,
    height: edge((rect.y + rect.height) * ratio) - top,
  }
}

/** How far to the right a rectangle moves when it is mirrored. */
export const uprightShift = ({ mirror }: ScreenProjection, { x, width }: Rect): number =>
  mirror === undefined ? 0 : mirror - width - 2 * x

/** A pixel of the screen that shows a point of the desktop. */
export const projectPoint = ({ ratio, mirror }: ScreenProjection, { x, y }: Point): Point => ({
  x: Math.floor(((mirror === undefined ? x : mirror - 1 - x) + 0.5) * ratio),
  y: Math.floor((y + 0.5) * ratio),
})

/** The point of the desktop that a pixel of the screen shows. */
export function unprojectPoint({ ratio, mirror }: ScreenProjection, { x, y }: Point): Point {
  const across = Math.floor((x + 0.5) / ratio)
  return { x: mirror === undefined ? across : mirror - 1 - across, y: Math.floor((y + 0.5) / ratio) }
}

/** The monitors in pixels of the screen. */
export const projectMonitors = (projection: ScreenProjection, monitors: readonly Monitor[]): readonly Monitor[] =>
  monitors.map((monitor) => ({
    ...monitor,
    bounds: projectRect(projection, monitor.bounds),
    scaleFactor: monitor.scaleFactor * projection.scale,
  }))
