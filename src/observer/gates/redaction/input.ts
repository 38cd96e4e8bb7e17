import type { Computer, PerformOptions, PerformResult } from '../../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../../base/async.ts'
import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { assertTakesText } from '../../../desktop/input/keyboard.ts'
import { parseChord, parseKey } from '../../../desktop/input/keys.ts'
import type { Element } from '../../../desktop/model/element.ts'
import { chainTo } from '../../../desktop/tree/element-ref.ts'
import { ClipboardGate } from './clipboard.ts'
import type { RedactionRules } from './rules.ts'

const NOT_TAKEN = 'nothing that has the keyboard takes text; click or focus a field first'
const DETAILS_WITHHELD =
  'this cannot be done on the desktop as it is now; the details are withheld, since the operator hides parts of it'

/**
 * Returns a function that performs actions without revealing hidden text by the clipboard or by an error message. The
 * clipboard is checked on synthetic desktops, where its content is known.
 */
export function redactedInput(computer: Computer, rules: RedactionRules): Computer['perform'] {
  const { isHiddenElement, isHiddenTitle, hidesElements } = rules
  const containsHidden = (element: Element): boolean =>
    isHiddenElement(element) || element.children.some(containsHidden)
  const clipboard = new ClipboardGate(
    ({ window, path, element }) =>
      isHiddenTitle(window.title) || containsHidden(element) || chainTo(window.tree, path).some(isHiddenElement),
  )
  return (action, options): Awaitable<PerformResult> => {
    const { simulation } = computer
    if (!simulation || !hidesElements) return performWithoutDetails(computer, action, options)
    const before = simulation.desktop
    clipboard.admit(before, action)
    return andThen(performWithoutDetails(computer, action, options), (performed) => {
      clipboard.note(before, simulation.desktop, action)
      return performed
    })
  }
}

/**
 * Passes on only the code of a computer's fault, since its message may name a hidden element. Keys and texts come from the
 * caller, so their errors are reported in full.
 */
async function performWithoutDetails(
  computer: Computer,
  action: Action,
  options?: PerformOptions,
): Promise<PerformResult> {
  if (action.type === 'key' || action.type === 'hold') parseChord(action.keys)
  if (action.type === 'key_down' || action.type === 'key_up') parseKey(action.key)
  if (action.type === 'type') assertTakesText(action.text)
  if (action.type === 'set_value') assertTakesText(action.value)
  try {
    const performed = await computer.perform(action, options)
    // The note about typed text may name the focused element. Other notes only concern points.
    return performed.note === undefined || action.type !== 'type' ? performed : { ...performed, note: NOT_TAKEN }
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
    throw thrown.code === 'BadRequest' ? new Fault('BadRequest', DETAILS_WITHHELD) : new Fault(thrown.code)
  }
}
