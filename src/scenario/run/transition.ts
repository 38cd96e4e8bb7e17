import { withFolders } from '../../desktop/files/folder.ts'
import { repairFocus } from '../../desktop/input/focus.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import { withPopupsPlaced } from '../../desktop/widgets/popups/popup-placement.ts'
import type { Scenario } from '../scenario.ts'
import { runWith, type ScenarioRun } from './scenario-run.ts'
import { enterState, saveChanges } from './scene.ts'
import { startTimers } from './timers.ts'

/** Leaves the state and enters another one. Timers of states end; those of the new state start. */
export function transitionTo(run: ScenarioRun, name: string): ScenarioRun {
  const { scenario, desktop } = run
  const left = scenario.states.get(run.state)!
  const kept = saveChanges(run.kept, left, desktop)
  const entered = withInvariants(enterState(desktop, left, scenario.states.get(name)!, kept), scenario)
  const due = run.due.filter(({ timer }) => scenario.timers[timer]!.in === undefined)
  const next = runWith(run, { state: name, desktop: entered, kept, due })
  return startTimers(next, (timer) => timer.in !== undefined && timer.on === undefined && {})
}

/**
 * Restores the invariants after a change: lists of folders show their files, popups that were written as open are
 * placed, and the focus is valid.
 */
export function withInvariants(desktop: Desktop, { live }: Scenario): Desktop {
  const shown = withFolders(desktop)
  return live ? repairFocus(withPopupsPlaced(shown)) : shown
}
