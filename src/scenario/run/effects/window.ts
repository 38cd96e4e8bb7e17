import { changeWindow } from '../../../desktop/model/desktop.ts'
import { placed } from '../../../desktop/tree/reposition.ts'
import { closeWindow } from '../../../desktop/windows/windowing.ts'
import { layOutWindow } from '../../layout/layout.ts'
import type { ElementChange } from '../../schema/effect.ts'
import { withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, textFiller } from './context.ts'

/** Changes the title, bounds or `busy` of a window, or removes it. A missing window is skipped. */
export const applyWindowChange: ApplyEffect<ElementChange> = (run, change, context) => {
  const { desktop } = run
  const { window: uid, title, busy, bounds } = change
  if (uid === undefined || !desktop.windows.some((window) => window.uid === uid)) return run
  if (change.remove) return withDesktop(run, closeWindow(desktop, uid))
  const fill = textFiller(desktop, context, uid)
  return withDesktop(
    run,
    changeWindow(desktop, uid, (window) => {
      const named = title === undefined ? window : { ...window, title: fill(title) }
      const settled = busy === undefined ? named : { ...named, busy }
      return bounds === undefined ? settled : layOutWindow({ ...settled, bounds, tree: placed(settled.tree, bounds) })
    }),
  )
}
