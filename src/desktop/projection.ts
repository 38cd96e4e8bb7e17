import { hitTest } from './hit.ts'
import type { Action } from './input/action.ts'
import type { Desktop, Monitor } from './model/desktop.ts'
import { type Element, withFields } from './model/element.ts'
import { isEmptyRect, type Point, type Rect, unite } from './model/geometry.ts'
import { roleKind } from './model/role.ts'
import type { ElementTraits } from './model/traits.ts'

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

/** Moves a value into pixels of the screen. */
export type Project<T> = (projection: ScreenProjection, value: T) => T

/** Projects each value once per projection, so that values that did not change keep their identity. */
export function memoizeProjected<T extends object>(project: Project<T>): Project<T> {
  const projected = new WeakMap<ScreenProjection, WeakMap<T, T>>()
  return (projection, value) => {
    const known = projected.get(projection) ?? new WeakMap<T, T>()
    projected.set(projection, known)
    const made = known.get(value) ?? project(projection, value)
    known.set(value, made)
    return made
  }
}

/** A tree with its bounds in pixels of the screen. */
export const projectTree: Project<Element> = memoizeProjected((projection, element) =>
  withFields(element, {
    bounds: isPlaced(element) ? projectRect(projection, element.bounds) : element.bounds,
    children: element.children.map((child) => projectTree(projection, child)),
    ...(element.traits && { traits: projectTraits(projection, element.traits) }),
  }),
)

/** The traits that are measured in pixels and by which callers decide what is visible. */
function projectTraits(projection: ScreenProjection, traits: ElementTraits): ElementTraits {
  const { popup, overflow } = traits
  if (!popup && !overflow) return traits
  const scaled = (pixels: number) => Math.round(pixels * projection.ratio)
  return {
    ...traits,
    ...(popup && { popup: projectRect(projection, popup) }),
    ...(overflow && {
      overflow: { top: scaled(overflow.top), bottom: scaled(overflow.bottom), end: scaled(overflow.end) },
    }),
  }
}

/** Whether an element is somewhere: hidden elements of a platform have no bounds. */
const isPlaced = ({ bounds, traits }: Element): boolean => !traits?.hidden || !isEmptyRect(bounds)

/** Whether the text of an element runs from left to right also on a mirrored desktop, as that of fields does. */
export function isLeftToRight({ role, traits }: Element): boolean {
  const kind = roleKind(role)
  return kind === 'edit' || kind === 'document' || traits?.editing !== undefined
}

/** The action on the desktop that an action at pixels of the screen is. */
export function unprojectAction(projection: ScreenProjection, desktop: Desktop, action: Action): Action {
  const back = (at: Point) => pointOn(projection, desktop, at)
  switch (action.type) {
    case 'drag':
      return {
        ...action,
        from: back(action.from),
        to: back(action.to),
        ...(action.through && { through: action.through.map(back) }),
      }
    case 'scroll':
      return scrolledBack(projection, action.at ? { ...action, at: back(action.at) } : action)
    case 'press':
    case 'release':
    case 'click':
    case 'hover':
    case 'focus':
    case 'invoke':
    case 'set_value':
    case 'select':
    case 'clear_text':
      return { ...action, at: back(action.at) }
    case 'type':
    case 'key':
    case 'key_down':
    case 'key_up':
    case 'hold':
    case 'activate':
    case 'window':
    case 'set_clipboard':
    case 'write_file':
    case 'webmcp_call':
      return action
  }
}

/** Right is left on a mirrored desktop. */
const scrolledBack = ({ mirror }: ScreenProjection, action: Extract<Action, { type: 'scroll' }>): Action =>
  mirror === undefined || action.across === undefined ? action : { ...action, across: -action.across }

/** The pixel of the screen where a point of the desktop is clicked, the inverse of what `unprojectAction` does. */
export function projectPointOn(projection: ScreenProjection, desktop: Desktop, at: Point): Point {
  return projectPoint(projection, projection.mirror === undefined ? at : mirroredInText(desktop, at))
}

function pointOn(projection: ScreenProjection, desktop: Desktop, at: Point): Point {
  const point = unprojectPoint(projection, at)
  return projection.mirror === undefined ? point : mirroredInText(desktop, point)
}

/** A point mirrored in the text that it is in, which is not mirrored itself. */
function mirroredInText(desktop: Desktop, point: Point): Point {
  const hit = hitTest(desktop, point)
  if (!hit || !('element' in hit) || !isLeftToRight(hit.element)) return point
  const { x, width } = hit.element.bounds
  return { x: 2 * x + width - 1 - point.x, y: point.y }
}
