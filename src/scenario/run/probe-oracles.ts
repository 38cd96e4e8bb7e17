import { withinBudget } from '../expression/budget.ts'
import { followCourse } from '../oracles/course.ts'
import { runView } from '../oracles/on-run.ts'
import type { ScenarioView } from '../oracles/report.ts'
import { type ScenarioRun, withShellShown } from '../scenario-run.ts'
import type { ProbeOracle } from '../schema/oracles.ts'
import { runAt } from './elapse.ts'
import { applyOutcome } from './reactions.ts'
import { showData } from './show-data.ts'

/** The run after the effects of a probe, and the time that it waits. The given run is not changed. */
export function probeRun(run: ScenarioRun, { set, after_ms = 0 }: Pick<ProbeOracle, 'set' | 'after_ms'>): ScenarioRun {
  const changed = withinBudget(() => {
    const shown = showData(run, applyOutcome(run, { set: [...set] }, {}))
    return followCourse(run, withShellShown(shown))
  })
  return after_ms === 0 ? changed : runAt(changed, changed.nowMs + after_ms)
}

/** A run as oracles see it, without pictures, with what probes would find. */
export const judgedView = (run: ScenarioRun): ScenarioView => ({
  ...runView(run),
  probe: (oracle) => judgedView(probeRun(run, oracle)),
})
