import { refOf } from '../../../desktop/tree/element-ref.ts'
import { openPopup } from '../../../desktop/widgets/popups/popup-placement.ts'
import type { MenuEffect } from '../../schema/effect.ts'
import { elementWithId } from '../find-element.ts'
import { withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, skipEffect } from './context.ts'

/** Opens a menu at a point, by default at the pointer. */
export const applyMenu: ApplyEffect<MenuEffect> = (run, { menu, window, at }, { near }) => {
  const { desktop } = run
  const found = elementWithId(desktop, menu, window, near)
  if (!found) return skipEffect(run, 'menu', `there is no element "${menu}"`)
  const owner = refOf(desktop, { window: found.window.uid, element: menu })
  return withDesktop(run, openPopup(desktop, owner, { at: at ?? desktop.pointer }))
}
