import type { Desktop } from '../model/desktop.ts'
import type { Action } from './action.ts'
import { gestureOfRelease, heldButton } from './buttons.ts'
import { chordWith, heldModifiers, withHeldModifiers } from './held.ts'
import { modifierOf, parseKey } from './keys.ts'

/**
 * The click, drag or key that a primitive action amounts to on a desktop: a release of a button clicks or ends a drag, and
 * modifiers that are held count. Other actions mean themselves. Undefined for a press, which does nothing yet.
 */
export function meaningOf(desktop: Desktop, given: Action): Action | undefined {
  const action = withHeldModifiers(desktop, given)
  switch (action.type) {
    case 'press':
    case 'key_up':
      return undefined
    case 'release':
      return gestureOfRelease(desktop, action.at, action.button, heldModifiers(desktop))
    case 'key_down': {
      const key = parseKey(action.key)
      return modifierOf(key) ? undefined : { type: 'key', keys: chordWith(heldModifiers(desktop), key) }
    }
    case 'hold':
      return { type: 'key', keys: action.keys }
    case 'click':
      if (action.target || !heldButton(desktop, action.button)) return action
      return gestureOfRelease(desktop, action.at, action.button, action.modifiers ?? [])
    case 'drag':
      if (!heldButton(desktop, action.button ?? 'left')) return action
      return gestureOfRelease(desktop, action.to, action.button ?? 'left', action.modifiers)
    case 'hover':
    case 'scroll':
    case 'type':
    case 'key':
    case 'focus':
    case 'invoke':
    case 'set_value':
    case 'select':
    case 'clear_text':
    case 'activate':
    case 'window':
    case 'set_clipboard':
    case 'write_file':
      return action
  }
}
