import { activateWindow } from '../../../desktop/input/focus.ts'
import { type Window, windowByUid } from '../../../desktop/model/desktop.ts'
import { buildWindowToOpen, fillMonitor } from '../../load/build.ts'
import type { OpenEffect } from '../../schema/effect.ts'
import type { NamedWindow } from '../../schema/window.ts'
import { type ScenarioRun, withDesktop } from '../scenario-run.ts'
import { unfocusedTree } from '../scene.ts'
import { type ApplyEffect, type FillText, fillElement, skipEffect, textFiller } from './context.ts'

/** The handle of a window that a fault opens, far from those of the file. */
const FIRST_FAULT_HANDLE = 80_001

/** Opens a window in front, as written. One that is open comes to the front. */
export const applyOpen: ApplyEffect<OpenEffect> = (run, { open }, context) => {
  const { desktop } = run
  const uid = typeof open === 'string' ? open : open.uid
  if (windowByUid(desktop, uid)) return withDesktop(run, activateWindow(desktop, uid))
  const window = typeof open === 'string' ? writtenWindow(run, open) : builtWindow(run, open, textFiller(run, context))
  if (!window) return skipEffect(run, 'open', `there is no window "${uid}"`)
  const isShown = window.state !== 'minimized'
  const shut = unfocusedTree(window)
  const windows = isShown ? [shut, ...desktop.windows] : [...desktop.windows, shut]
  const opened = { ...desktop, windows }
  return withDesktop(run, isShown ? activateWindow(opened, uid) : opened)
}

/** The window with a uid: of the current state, of `windows`, or of the first state that has it. */
function writtenWindow({ scenario, state }: ScenarioRun, uid: string): Window | undefined {
  const inState = (name: string) => scenario.states.get(name)?.windows.find((window) => window.uid === uid)
  const own = inState(state) ?? scenario.windows.get(uid)
  if (own) return own
  for (const name of scenario.states.keys()) {
    const other = inState(name)
    if (other) return other
  }
  return undefined
}

function builtWindow({ scenario, desktop }: ScenarioRun, written: NamedWindow, fill: FillText): Window {
  const { title, tree } = written
  const filled = {
    ...written,
    ...(title !== undefined && { title: fill(title) }),
    ...(tree && { tree: fillElement(tree, fill) }),
  }
  return fillMonitor(
    buildWindowToOpen(filled, scenario.handles.get(written.uid) ?? FIRST_FAULT_HANDLE, desktop),
    desktop,
  )
}
