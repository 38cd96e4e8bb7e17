import { Fault } from '../../../base/fault.ts'
import type { Action, Modifier } from '../../../desktop/input/action.ts'
import { heldModifiers, meaningOf } from '../../../desktop/input/held.ts'
import { parseChord } from '../../../desktop/input/keys.ts'
import type { Desktop } from '../../../desktop/model/desktop.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import { type ElementRef, focusedRef } from '../../../desktop/tree/element-ref.ts'

const MAX_COPIES = 8

/** Allows pasting into visible elements only for text that was copied from a visible element. */
export class ClipboardGate {
  /** Newest last. */
  readonly #copied = new Set<string>()
  readonly #isHidden: (ref: ElementRef) => boolean

  /** `isHidden`: whether an element, or a part of it, is hidden from clients. */
  constructor(isHidden: (ref: ElementRef) => boolean) {
    this.#isHidden = isHidden
  }

  /** Throws `PermissionDenied` when the action would show text that may be hidden elsewhere. */
  admit(desktop: Desktop, action: Action): void {
    if (desktop.clipboard === '' || this.#copied.has(desktop.clipboard) || !isPaste(desktop, action)) return
    const ref = focusedRef(desktop)
    if (!ref || takesFiles(ref) || ref.element.traits?.secret || this.#isHidden(ref)) return
    throw new Fault(
      'PermissionDenied',
      'the clipboard may contain text that is hidden on this desktop; copy from a visible element, then paste',
    )
  }

  /** Records the text that an action has copied, or that the caller has put there. */
  note(before: Desktop, after: Desktop, { type }: Action): void {
    if (after.clipboard === before.clipboard) return
    const ref = focusedRef(before)
    if (type !== 'set_clipboard' && (!ref || this.#isHidden(ref))) return
    this.#copied.add(after.clipboard)
    if (this.#copied.size > MAX_COPIES) this.#copied.delete(this.#copied.values().next().value!)
  }
}

function isPaste(desktop: Desktop, given: Action): boolean {
  const action = meaningOf(desktop, given)
  // Typed characters are shortcuts while a modifier is held.
  if (action?.type === 'type') return isCommand(heldModifiers(desktop)) && action.text.toLowerCase().includes('v')
  if (action?.type !== 'key') return false
  const { modifiers, key } = parseChord(action.keys)
  if (key === 'insert') return modifiers.includes('shift')
  return key.toLowerCase() === 'v' && isCommand(modifiers)
}

const isCommand = (modifiers: readonly Modifier[]): boolean => modifiers.includes('ctrl') || modifiers.includes('meta')

/** Lists accept files whose paths are on the clipboard and show no text of it. */
const takesFiles = ({ element }: ElementRef): boolean =>
  ['list', 'listitem', 'tree', 'treeitem'].includes(kindOf(element.role))
