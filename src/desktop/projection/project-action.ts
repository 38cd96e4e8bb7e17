import type { Action } from '../input/action.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Point } from '../model/geometry.ts'
import { kindOf } from '../model/role.ts'
import { hitTest } from '../tree/hit.ts'
import { projectPoint, type ScreenProjection, unprojectPoint } from './projection.ts'

/** Whether the text of an element runs from left to right also on a mirrored desktop, as that of fields does. */
export function isLeftToRight({ role, traits }: Element): boolean {
  const kind = kindOf(role)
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
