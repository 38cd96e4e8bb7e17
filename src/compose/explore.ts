import type { Action } from '../desktop/input/action.ts'
import { type ExploreProgress, searchScenario } from '../scenario/explore/explore.ts'
import { conclude, type ExploreFinding } from '../scenario/explore/findings.ts'
import { stateGraphOf, toMermaid, toSvg } from '../scenario/explore/state-graph.ts'
import { evaluateOracle } from '../scenario/oracles/oracle.ts'
import type { AgentFinish } from '../scenario/predicate.ts'
import { judgedView } from '../scenario/run/probe-oracles.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ScenarioRun } from '../scenario/scenario-run.ts'
import { withVariant } from '../scenario/seeds.ts'
import { formatProblem } from '../scenario/source/problem.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'
import { memorySession } from './memory-session.ts'
import { playSolution } from './play-solution.ts'
import { checkFile } from './preview.ts'

/** The bound of an exploration. */
export interface ExploreLimits {
  /** The maximum number of screens whose actions are tried. */
  readonly maxStates?: number
  /** Ends the search early. */
  readonly isExpired?: () => boolean
  readonly onProgress?: (progress: ExploreProgress) => void
  /** The axes in which the scenario differs from its file. */
  readonly variant?: VariantChoices | undefined
}

/** The result of an exploration, formatted for a terminal. */
export interface ExploreResult {
  readonly findings: readonly (ExploreFinding & { readonly text: string })[]
  /** What more screens could refute. */
  readonly undecided: readonly (ExploreFinding & { readonly text: string })[]
  readonly isComplete: boolean
  readonly screens: number
  readonly actions: number
  svg(): string
  mermaid(): string
}

const DEFAULT_MAX_STATES = 500

/**
 * Plays a scenario in all ways up to a bound, and finds states that cannot be reached, left or won, ambiguous
 * reactions, and controls, reactions and timers without effect.
 * @param file A path, or a name in the gallery.
 * @throws A `Fault` `ScenarioInvalid`.
 * @example
 * const { findings } = await exploreScenario('login')
 */
export async function exploreScenario(file: string, limits: ExploreLimits = {}): Promise<ExploreResult> {
  const { maxStates = DEFAULT_MAX_STATES, variant, ...others } = limits
  const { scenario: own, locate } = await checkFile(file)
  const scenario = variant ? withVariant(own, variant) : own
  const { examples, finish } = await playedSolutions(scenario)
  const judge = (run: ScenarioRun) => judgeRun(run, finish)
  const search = await searchScenario(scenario, { ...others, maxScreens: maxStates, judge, examples })
  const { findings, undecided } = conclude(search)
  const withText = (finding: ExploreFinding) => {
    const [problem] = locate([{ path: finding.path, message: finding.message }])
    return { ...finding, text: formatProblem(file, problem!, `${finding.code}: `) }
  }
  return {
    findings: findings.map(withText),
    undecided: undecided.map(withText),
    isComplete: search.isComplete,
    screens: search.screens.length,
    actions: search.actions,
    svg: () => toSvg(stateGraphOf(search)),
    mermaid: () => toMermaid(stateGraphOf(search)),
  }
}

/** The actions of the solutions with the runs before them, and how the first ends. */
export async function playedSolutions(scenario: Scenario) {
  const examples: { run: ScenarioRun; action?: Action }[] = []
  let finish: AgentFinish | undefined
  for (const solution of scenario.solutions) {
    const desktop = memorySession(scenario)
    const { computer, session } = desktop
    const perform = computer.perform.bind(computer)
    computer.perform = (action) => {
      examples.push({ run: computer.run, action })
      return perform(action)
    }
    for await (const { fault } of playSolution(desktop, solution)) if (fault) break
    examples.push({ run: computer.run })
    finish ??= session.context.episode.finish
  }
  return { examples, finish }
}

/** Judges a run by the oracles that need no picture. The agent is taken to have seen all, and to end as in the solution. */
export async function judgeRun(
  run: ScenarioRun,
  finish: AgentFinish | undefined,
): Promise<'solved' | 'failed' | 'open'> {
  const { success, failure } = run.scenario.oracles
  const view = { ...judgedView(run), finish: () => finish, seen: () => true }
  for (const oracle of failure) if ((await evaluateOracle(oracle, view)).passed) return 'failed'
  if (success.length === 0) return 'open'
  for (const oracle of success) if (!(await evaluateOracle(oracle, view)).passed) return 'open'
  return 'solved'
}
