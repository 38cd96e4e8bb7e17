import { Fault } from '../../base/fault.ts'
import type { Desktop, Target } from '../model/desktop.ts'
import { hitTest } from '../tree/hit.ts'
import { changeSpot, focusedSpot, isEnabled, refresh, type Spot, spotOf, targetOf, windowOf } from '../tree/spot.ts'
import { editingOf, insert, selectAll, withEditing } from '../widgets/text.ts'
import type { Action } from './action.ts'
import { activate, focusElement } from './focus.ts'
import { demandText } from './keyboard.ts'
import { parseChord } from './keys.ts'
import { demandOnScreen, movePointer } from './pointer.ts'
import { Unreceived } from './unreceived.ts'

/** What an action does where controls have no life of their own: the keyboard moves, and text goes into values. */
export function applyInert(desktop: Desktop, action: Action): Desktop {
  switch (action.type) {
    case 'click':
      return clickInert(movePointer(desktop, action.at), action)
    case 'hover':
      if (!action.target) demandOnScreen(desktop, action.at)
      return movePointer(desktop, action.at)
    case 'drag':
      demandOnScreen(desktop, action.from)
      demandOnScreen(desktop, action.to)
      return movePointer(desktop, action.to)
    case 'scroll':
      if (!action.at) return desktop
      demandOnScreen(desktop, action.at)
      return movePointer(desktop, action.at)
    case 'type':
      return typeInert(desktop, action.text)
    case 'key':
      parseChord(action.keys)
      return desktop
    case 'focus':
    case 'invoke':
    case 'select':
      return focusElement(desktop, targetOf(enabledSpot(desktop, action.target)))
    case 'set_value':
      return setInert(desktop, action.target, action.value, action.clearFirst)
    case 'clear_text':
      return setInert(desktop, action.target, '', true)
    case 'activate':
      return activate(desktop, action.window)
    case 'window':
      windowOf(desktop, action.window)
      return desktop
  }
}

function clickInert(desktop: Desktop, { at, target }: Extract<Action, { type: 'click' }>): Desktop {
  if (target) return focusElement(desktop, targetOf(enabledSpot(desktop, target)))
  demandOnScreen(desktop, at)
  const hit = hitTest(desktop, at)
  if (!hit) return desktop
  return 'element' in hit && isEnabled(hit) ? focusElement(desktop, targetOf(hit)) : activate(desktop, hit.window.uid)
}

function typeInert(desktop: Desktop, text: string): Desktop {
  demandText(text)
  const spot = focusedSpot(desktop)
  if (!spot) throw new Unreceived('nothing has the keyboard; click or focus a field first, then type')
  return changeSpot(desktop, spot, (element) => withEditing(element, insert(editingOf(element), text)))
}

function setInert(desktop: Desktop, target: Target, value: string, clearFirst: boolean): Desktop {
  const spot = enabledSpot(desktop, target)
  const focused = focusElement(desktop, target)
  return changeSpot(focused, refresh(focused, spot)!, (element) => {
    const start = clearFirst ? selectAll(editingOf(element)) : editingOf(element)
    return withEditing(element, insert(start, value))
  })
}

function enabledSpot(desktop: Desktop, target: Target): Spot {
  const spot = spotOf(desktop, target)
  if (isEnabled(spot)) return spot
  throw new Fault('ElementDisabled', `the ${spot.element.role} "${spot.element.name}" is disabled`, { ...target })
}
