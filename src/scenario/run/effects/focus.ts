import { activateWindow } from '../../../desktop/input/focus.ts'
import { windowByUid } from '../../../desktop/model/desktop.ts'
import type { FocusEffect } from '../../schema/effect.ts'
import { withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, skipEffect } from './context.ts'

/** Brings a window to the front and restores its focus. */
export const applyFocus: ApplyEffect<FocusEffect> = (run, { focus }) =>
  windowByUid(run.desktop, focus)
    ? withDesktop(run, activateWindow(run.desktop, focus))
    : skipEffect(run, 'focus', `no window "${focus}" is open`)
