import type { Action } from '../input/action.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Point } from '../model/geometry.ts'
import { kindOf } from '../model/role.ts'
import { hitTest } from '../tree/hit.ts'
import { type ScreenProjection, unprojectPoint } from './projection.ts'

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
      return { ...action, from: back(action.from), to: back(action.to) }
    case 'scroll':
      return action.at ? { ...action, at: back(action.at) } : action
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
    case 'activate':
    case 'window':
      return action
  }
}

function pointOn(projection: ScreenProjection, desktop: Desktop, at: Point): Point {
  const point = unprojectPoint(projection, at)
  if (projection.mirror === undefined) return point
  const hit = hitTest(desktop, point)
  if (!hit || !('element' in hit) || !isLeftToRight(hit.element)) return point
  const { x, width } = hit.element.bounds
  return { x: 2 * x + width - 1 - point.x, y: point.y }
}
