import type { ClipboardChange } from '../../schema/change.ts'
import { withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, textFiller } from './context.ts'

/** Replaces the text of the clipboard. */
export const applyClipboardChange: ApplyEffect<ClipboardChange> = (run, { clipboard }, context) =>
  withDesktop(run, { ...run.desktop, clipboard: textFiller(run, context)(clipboard) })
