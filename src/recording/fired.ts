import type { SyntheticComputer } from '../adapters/synthetic.ts'
import { type DescribedFiring, describeChange } from '../scenario/describe.ts'
import type { FiredFault } from '../scenario/faults/fault-kind.ts'
import type { ScenarioRun } from '../scenario/run/scenario-run.ts'
import type { FiredEntry } from '../viewer/model/recording.ts'
import type { WatchedAction } from './watch-actions.ts'

/** Notes what changes of a run make happen from now on. The returned function takes what happened since it was called last. */
export function watchFired(computer: SyntheticComputer): () => readonly DescribedFiring[] {
  let fired: DescribedFiring[] = []
  computer.watch({
    onAction: () => {},
    // Faults have entries of their own, also those that no action meets.
    onChange: (before, after, parts) =>
      fired.push(...describeChange(before, after, parts).filter(({ kind }) => kind !== 'fault')),
  })
  return () => {
    // Timers that are due fire when the run is read.
    void computer.run
    const taken = fired
    fired = []
    return taken
  }
}

/** What happened in a scenario during a step, in words: faults, built-in behaviour, and what changes of the run made happen. */
export const firedBetween = (
  before: ScenarioRun,
  after: ScenarioRun,
  actions: readonly WatchedAction[],
  changes: readonly DescribedFiring[],
): readonly FiredEntry[] => [
  ...plannedFaults(before, after),
  ...faultsSince(before.faults?.fired ?? [], after.faults?.fired ?? []),
  ...builtIn(actions),
  ...changes,
]

function plannedFaults(before: ScenarioRun, after: ScenarioRun): readonly FiredEntry[] {
  return after.scenario.faults.flatMap(({ on, times, skip, code }, index): readonly FiredEntry[] => {
    const [first, last] = [before.faultCalls[index] ?? 0, after.faultCalls[index] ?? 0]
    return last > first && first >= skip && first < skip + times
      ? [{ kind: 'fault', text: `faults[${index}]: ${code} of ${on.tool}` }]
      : []
  })
}

const faultsSince = (before: readonly FiredFault[], after: readonly FiredFault[]): readonly FiredEntry[] =>
  after.slice(before.length > after.length ? 0 : before.length).map(({ fault }) => ({ kind: 'fault', text: fault }))

/** What the desktop did by itself, where no reaction took the place of it. */
const builtIn = (actions: readonly WatchedAction[]): readonly FiredEntry[] =>
  actions
    .filter(({ via }) => via === 'behaviour')
    .map(({ action, hit }) => ({ kind: 'behaviour', text: hit ? `${action.type} ${hit.element}` : action.type }))
