import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { type Desktop, type Target, windowByUid } from '../../desktop/model/desktop.ts'
import { type Element, nodeAt, pathOf } from '../../desktop/model/element.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { writtenId } from './added-id.ts'
import { type Personality, viewedKind } from './personality.ts'
import { ownerUid } from './popups.ts'

/**
 * The action on the scenario that an action on the tree of a platform is. Throws `PatternUnsupported` for an action that
 * the platform does not offer.
 */
export function asWritten(personality: Personality, desktop: Desktop, action: Action): Action {
  const written = (target: Target): Target => targetOn(desktop, target)
  switch (action.type) {
    case 'drag':
      return {
        ...action,
        ...(action.fromTarget && { fromTarget: written(action.fromTarget) }),
        ...(action.toTarget && { toTarget: written(action.toTarget) }),
      }
    case 'activate':
      return { ...action, window: ownerUid(action.window) }
    case 'window':
      if (ownerUid(action.window) !== action.window)
        throw new Fault(
          'PatternUnsupported',
          'a menu or list is not a window that can be moved or closed; press escape to close it',
          { window_uid: action.window },
          {},
          'press_key',
        )
      return action
    case 'type':
    case 'key':
    case 'press':
    case 'release':
    case 'key_down':
    case 'key_up':
    case 'hold':
    case 'set_clipboard':
    case 'write_file':
      return action
    case 'click':
    case 'hover':
    case 'scroll':
      return action.target ? { ...action, target: written(action.target) } : action
    case 'focus':
    case 'invoke':
    case 'set_value':
    case 'select':
    case 'clear_text': {
      const target = written(action.target)
      assertOffered(personality, desktop, target, action.type)
      return { ...action, target }
    }
  }
}

function targetOn(desktop: Desktop, { window, element }: Target): Target {
  const uid = ownerUid(window)
  const tree = windowByUid(desktop, uid)?.tree
  return { window: uid, element: tree ? writtenId(tree, element) : element }
}

function assertOffered({ name, roles }: Personality, desktop: Desktop, target: Target, type: Action['type']): void {
  const tree = windowByUid(desktop, target.window)?.tree
  const path = tree && pathOf(tree, target.element)
  if (!tree || !path) return
  const element = nodeAt(tree, path) as Element
  const parent = path.length === 0 ? undefined : nodeAt(tree, path.slice(0, -1))
  const row = roles[viewedKind(element, parent ? kindOf(parent.role) : 'other')]
  if (!row.lacks?.includes(type)) return
  throw new Fault(
    'PatternUnsupported',
    `${row.native} ${JSON.stringify(element.name)} does not offer ${type} on ${name}; click it`,
    { element_id: element.id },
  )
}
