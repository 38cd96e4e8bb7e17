import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { parseChord } from '../../../desktop/input/keys.ts'
import type { Desktop } from '../../../desktop/model/desktop.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import { type ElementRef, focusedRef } from '../../../desktop/tree/element-ref.ts'

const MAX_COPIES = 8

/** Lets through to shown elements only those texts of the clipboard that were copied from a shown element. */
export class ClipboardGate {
  /** Newest last. */
  readonly #copied = new Set<string>()
  readonly #isHidden: (spot: ElementRef) => boolean

  /** `isHidden`: whether an element, or a part of it, is hidden from clients. */
  constructor(isHidden: (spot: ElementRef) => boolean) {
    this.#isHidden = isHidden
  }

  /** Throws `PermissionDenied` when the action would show a text that may be hidden elsewhere. */
  admit(desktop: Desktop, action: Action): void {
    if (desktop.clipboard === '' || this.#copied.has(desktop.clipboard) || !isPaste(action)) return
    const spot = focusedRef(desktop)
    if (!spot || takesFiles(spot) || spot.element.traits?.secret || this.#isHidden(spot)) return
    throw new Fault(
      'PermissionDenied',
      'the clipboard may hold a text that is hidden on this desktop; copy from an element that is shown, then paste',
    )
  }

  /** Notes what an action has copied. */
  note(before: Desktop, after: Desktop): void {
    const spot = focusedRef(before)
    if (after.clipboard === before.clipboard || !spot || this.#isHidden(spot)) return
    this.#copied.add(after.clipboard)
    if (this.#copied.size > MAX_COPIES) this.#copied.delete(this.#copied.values().next().value!)
  }
}

function isPaste(action: Action): boolean {
  if (action.type !== 'key') return false
  const { modifiers, key } = parseChord(action.keys)
  if (key === 'insert') return modifiers.includes('shift')
  return key === 'v' && (modifiers.includes('ctrl') || modifiers.includes('meta'))
}

/** Lists take files whose paths are on the clipboard, and show no text of it. */
const takesFiles = ({ element }: ElementRef): boolean =>
  ['list', 'listitem', 'tree', 'treeitem'].includes(kindOf(element.role))
