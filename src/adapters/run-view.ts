import { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import { type ActionExplanation, explainAction } from '../scenario/explain-action.ts'
import { runAt } from '../scenario/run/elapse.ts'
import type { ScenarioRun } from '../scenario/run/scenario-run.ts'
import { stepScenario } from '../scenario/run/step.ts'
import type { RunView, RunWatcher } from './computer.ts'
import { actionOnDesktop, viewTree, viewWindows } from './screen-view.ts'

/** The windows and trees of a run, as callers see them without faults. */
export const viewOfRun = ({ desktop, scenario }: ScenarioRun): RunView => ({
  windows: viewWindows(desktop, scenario),
  tree: (uid) => viewTree(desktop, scenario, uid),
})

/**
 * What a scenario does with actions of a caller on a run, one after the other, and with each key in typed text. It ends with the first one that is refused.
 * Faults of the catalogue are left out.
 */
export function explainOnRun(from: ScenarioRun, actions: readonly Action[]): readonly ActionExplanation[] {
  const explanations: ActionExplanation[] = []
  let run = from.faults ? { ...from, faults: undefined } : from
  try {
    for (const wanted of actions) {
      const action = actionOnDesktop(run.desktop, run.scenario, wanted)
      run = stepScenario(run, { type: 'action', action }, (before, part) => {
        explanations.push(explainAction(before, part))
      }).run
    }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
  }
  return explanations
}

/** One watcher for two. */
export const bothWatchers = (one: RunWatcher, other: RunWatcher): RunWatcher => ({
  onAction: (run, action) => {
    one.onAction(run, action)
    other.onAction(run, action)
  },
  onChange: (before, after, fired) => {
    one.onChange(before, after, fired)
    other.onChange(before, after, fired)
  },
})

/** Advances a run to a time, and tells a watcher of what changed. */
export function watchedRunAt(run: ScenarioRun, nowMs: number, watcher: RunWatcher): ScenarioRun {
  // Time passes far more often than timers fire.
  const isDue = run.due.length > 0 && run.due[0]!.atMs <= nowMs
  if (!isDue) return runAt(run, nowMs)
  const timers: number[] = []
  const after = runAt(run, nowMs, (timer) => timers.push(timer))
  watcher.onChange(run, after, { reactions: [], timers })
  return after
}
