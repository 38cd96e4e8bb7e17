import { windowByUid } from '../../../desktop/model/desktop.ts'
import { closeWindow } from '../../../desktop/windows/windowing.ts'
import type { CloseEffect } from '../../schema/effect.ts'
import { withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, skipEffect } from './context.ts'

/** Closes a window with its dialogs. */
export const applyClose: ApplyEffect<CloseEffect> = (run, { close }) =>
  windowByUid(run.desktop, close)
    ? withDesktop(run, closeWindow(run.desktop, close))
    : skipEffect(run, 'close', `no window "${close}" is open`)
