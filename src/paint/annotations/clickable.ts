import type { Desktop } from '../../desktop/model/desktop.ts'
import { kindOf, kindsWhere, kindsWith } from '../../desktop/model/role.ts'
import { type ElementRef, isEnabled } from '../../desktop/tree/element-ref.ts'
import { isBehindDialog } from '../../desktop/tree/modal.ts'
import { blockerOf } from '../../desktop/windows/stacking.ts'

/** Kinds that take the focus by themselves or as items, but not the containers of items. */
const TAKES_FOCUS = kindsWhere(({ focus, container }) => focus !== 'never' && container !== 'items')
/** Kinds that react to clicks without taking the focus. */
const PRESSED = kindsWith('clicked')

/** Whether a click on an element does something by its role: it and all around it are enabled, and its window takes input. */
export function acceptsClicks(desktop: Desktop, ref: ElementRef): boolean {
  const kind = kindOf(ref.element.role)
  // The strip of tabs takes the focus, but its tabs are clicked.
  if (kind === 'tabs' || !(TAKES_FOCUS.has(kind) || PRESSED.has(kind))) return false
  if (ref.window.busy || blockerOf(desktop, ref.window)) return false
  return isEnabled(ref) && !isBehindDialog(ref.window.tree, ref.path)
}
