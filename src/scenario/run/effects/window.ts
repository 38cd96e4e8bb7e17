import { changeWindow, type Desktop, windowByUid } from '../../../desktop/model/desktop.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { placed } from '../../../desktop/tree/reposition.ts'
import { headerBarOf } from '../../../desktop/windows/header-bar.ts'
import { closeWindow, maximize, minimize, restore } from '../../../desktop/windows/windowing.ts'
import { layOutWindow } from '../../layout/layout.ts'
import type { ElementChange } from '../../schema/change.ts'
import { laidOutAgain } from '../relayout.ts'
import { withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, skipEffect, textFiller } from './context.ts'

/** Changes the title, bounds, state or `busy` of a window, or removes it. A missing window is skipped and recorded. */
export const applyWindowChange: ApplyEffect<ElementChange> = (run, change, context) => {
  const { desktop } = run
  const { window: uid, title, busy, bounds, state } = change
  if (uid === undefined) return run
  if (!windowByUid(desktop, uid)) return skipEffect(run, 'window', `there is no window ${JSON.stringify(uid)}`)
  if (change.remove) return withDesktop(run, closeWindow(desktop, uid))
  const fill = textFiller(run, context, uid)
  const changed = changeWindow(desktop, uid, (window) => {
    const named = title === undefined ? window : { ...window, title: fill(title) }
    const settled = busy === undefined ? named : { ...named, busy }
    const metrics = styleMetrics(desktop.style, desktop.language)
    if (bounds) return layOutWindow({ ...settled, bounds, tree: placed(settled.tree, bounds) }, metrics)
    return title !== undefined && headerBarOf(settled) ? layOutWindow(settled, metrics) : settled
  })
  return withDesktop(run, state === undefined ? changed : inState(changed, uid, state))
}

function inState(desktop: Desktop, uid: string, state: NonNullable<ElementChange['state']>): Desktop {
  const now = windowByUid(desktop, uid)!.state
  if (now === state) return desktop
  if (state === 'minimized') return minimize(desktop, uid)
  const next = state === 'maximized' ? maximize(desktop, uid) : restore(desktop, uid)
  // A window that was maximised before it was minimised is maximised again first.
  const done = state === 'normal' && windowByUid(next, uid)!.state === 'maximized' ? restore(next, uid) : next
  return laidOutAgain(desktop, done)
}
