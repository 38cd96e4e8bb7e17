import { judgeRun, playedSolutions } from '../compose/explore.ts'
import { type ScreenSearch, screenKey, searchScenario } from '../scenario/explore/explore.ts'
import type { ScenarioRun } from '../scenario/run/scenario-run.ts'

/** The bound of a search for the step at which a run was lost. */
export interface LostStepBound {
  readonly maxScreens: number
  /** Ends the search early, without a result. */
  readonly isExpired?: () => boolean
}

/**
 * Finds the first step of a run after which no way to success is left. `runs` are those at the start and after each step.
 * Undefined where a search of all screens does not prove one within the bound, and where the task depends on the course of
 * the run or faults were chosen, which screens do not show.
 */
export async function findLostStep(
  runs: readonly ScenarioRun[],
  { maxScreens, isExpired }: LostStepBound,
): Promise<number | undefined> {
  const [first] = runs
  if (!first || first.course || first.faults || first.scenario.oracles.success.length === 0) return undefined
  const { examples, finish } = await playedSolutions(first.scenario)
  const search = await searchScenario(first.scenario, {
    maxScreens,
    ...(isExpired && { isExpired }),
    judge: (run) => judgeRun(run, finish),
    examples: [...examples, ...runs.map((run) => ({ run }))],
  })
  if (!search.isComplete) return undefined
  const winnable = winnableScreens(search)
  const isLost = (run: ScenarioRun) => !winnable.has(screenKey(run))
  const lost = runs.findIndex(isLost)
  return lost > 0 ? lost : undefined
}

/** The keys of the screens from which a way leads to success. */
function winnableScreens({ screens }: ScreenSearch): ReadonlySet<string> {
  const before = screens.map((): number[] => [])
  for (const { index, steps } of screens) for (const { to } of steps) before[to]!.push(index)
  const waiting = screens.filter(({ verdict }) => verdict === 'solved').map(({ index }) => index)
  const winnable = new Set(waiting)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const index of before[next]!)
      if (!winnable.has(index)) {
        winnable.add(index)
        waiting.push(index)
      }
  return new Set([...winnable].map((index) => screenKey(screens[index]!.run)))
}
