import { withFolders } from '../../desktop/files/folder.ts'
import { repairFocus } from '../../desktop/input/focus.ts'
import type { Desktop, Window } from '../../desktop/model/desktop.ts'
import { withShell } from '../../desktop/shell/shell.ts'
import { withPopupsPlaced } from '../../desktop/widgets/popups/popup-placement.ts'
import type { Scenario, SceneState } from '../scenario.ts'
import { runWith, type ScenarioRun } from './scenario-run.ts'
import { enterState, saveChanges } from './scene.ts'
import { startTimers } from './timers.ts'

/** The `transition_to` that returns to the state before, unless a state has this name. */
export const PREVIOUS_STATE = 'previous'

/**
 * Leaves the state and enters another one. Timers of states end; those of the new state start. Windows that effects
 * opened stay.
 */
export function transitionTo(run: ScenarioRun, to: string): ScenarioRun {
  const { scenario, desktop } = run
  const name = scenario.states.has(to) ? to : run.previous
  if (name === undefined) return run
  const next = scenario.states.get(name)!
  const left = scenario.states.get(run.state)!
  const kept = saveChanges(run.kept, left, desktop)
  const wasOpened = openedOutside(scenario, left, next)
  const entered = withInvariants(enterState(desktop, left, next, kept, wasOpened), scenario)
  const due = run.due.filter(({ timer }) => scenario.timers[timer]?.in === undefined)
  const there = runWith(run, {
    state: name,
    previous: run.state,
    enteredAtMs: run.nowMs,
    desktop: entered,
    kept,
    due,
  })
  return startTimers(there, (timer) => timer.in !== undefined && timer.on === undefined && {})
}

/** Whether a window was opened by an effect: a notification, or a window of the file that neither state has. */
function openedOutside({ handles }: Scenario, left: SceneState, next: SceneState): (window: Window) => boolean {
  const isIn = ({ windows }: SceneState, uid: string) => windows.some((window) => window.uid === uid)
  return ({ uid, notification }) => notification ?? (handles.has(uid) && !isIn(left, uid) && !isIn(next, uid))
}

/**
 * Restores the invariants after a change: lists of folders show their files, popups that were written as open are
 * placed, and the focus is valid.
 */
export function withInvariants(desktop: Desktop, { live }: Scenario): Desktop {
  const shown = withFolders(desktop)
  return withShell(live ? repairFocus(withPopupsPlaced(shown)) : shown)
}
