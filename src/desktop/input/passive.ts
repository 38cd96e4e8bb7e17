import { Fault } from '../../base/fault.ts'
import type { Desktop, Target } from '../model/desktop.ts'
import {
  changeRef,
  type ElementRef,
  focusedRef,
  isEnabled,
  refOf,
  refresh,
  targetOf,
  windowOf,
} from '../tree/element-ref.ts'
import { hitTest } from '../tree/hit.ts'
import { editStateOf, insert, selectAll, withEditState } from '../widgets/text/text.ts'
import type { Action } from './action.ts'
import { holdButton, withoutButton } from './buttons.ts'
import { activateWindow, focusElement } from './focus.ts'
import { holdKey, releaseKey } from './held.ts'
import { assertTakesText } from './keyboard.ts'
import { parseChord, parseKey } from './keys.ts'
import { meaningOf } from './meaning.ts'
import { assertOnScreen, movePointer } from './pointer.ts'
import { withClipboard, withFile } from './storage.ts'
import { UnreceivedInput } from './unreceived.ts'

/** Applies an action to a desktop whose controls have no behaviour: it moves the focus and edits values. */
export function applyPassive(desktop: Desktop, action: Action, nowMs: number): Desktop {
  switch (action.type) {
    case 'press':
      return holdButton(desktop, action.at, action.button, nowMs)
    case 'release': {
      assertOnScreen(desktop, action.at)
      const gesture = meaningOf(desktop, action)
      const up = withoutButton(movePointer(desktop, action.at), action.button)
      return gesture?.type === 'click' ? clickInert(up, gesture) : up
    }
    case 'key_down':
      return holdKey(desktop, parseKey(action.key))
    case 'key_up':
      return releaseKey(desktop, action.key)
    case 'hold':
      parseChord(action.keys)
      return desktop
    case 'click':
      return clickInert(movePointer(desktop, action.at), action)
    case 'hover':
      if (!action.target) assertOnScreen(desktop, action.at)
      return movePointer(desktop, action.at)
    case 'drag':
      assertOnScreen(desktop, action.from)
      assertOnScreen(desktop, action.to)
      return movePointer(desktop, action.to)
    case 'scroll':
      if (!action.at) return desktop
      assertOnScreen(desktop, action.at)
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
      return activateWindow(desktop, action.window)
    case 'window':
      windowOf(desktop, action.window)
      return desktop
    case 'set_clipboard':
      return withClipboard(desktop, action.text)
    case 'write_file':
      return withFile(desktop, action.path, action.text)
  }
}

function clickInert(desktop: Desktop, { at, target }: Extract<Action, { type: 'click' }>): Desktop {
  if (target) return focusElement(desktop, targetOf(enabledSpot(desktop, target)))
  assertOnScreen(desktop, at)
  const hit = hitTest(desktop, at)
  if (!hit) return desktop
  return 'element' in hit && isEnabled(hit)
    ? focusElement(desktop, targetOf(hit))
    : activateWindow(desktop, hit.window.uid)
}

function typeInert(desktop: Desktop, text: string): Desktop {
  assertTakesText(text)
  const ref = focusedRef(desktop)
  if (!ref) throw new UnreceivedInput('nothing has the keyboard; click or focus a field first, then type')
  return changeRef(desktop, ref, (element) => withEditState(element, insert(editStateOf(element), text)))
}

function setInert(desktop: Desktop, target: Target, value: string, clearFirst: boolean): Desktop {
  const ref = enabledSpot(desktop, target)
  const focused = focusElement(desktop, target)
  return changeRef(focused, refresh(focused, ref)!, (element) => {
    const start = clearFirst ? selectAll(editStateOf(element)) : editStateOf(element)
    return withEditState(element, insert(start, value))
  })
}

function enabledSpot(desktop: Desktop, target: Target): ElementRef {
  const ref = refOf(desktop, target)
  if (isEnabled(ref)) return ref
  throw new Fault('ElementDisabled', `the ${ref.element.role} "${ref.element.name}" is disabled`, { ...target })
}
