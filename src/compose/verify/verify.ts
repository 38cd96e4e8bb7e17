import { type AuthoredFaults, checkFaults } from '../../scenario/faults/catalogue.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { WeakOracle } from '../../scenario/schema/oracles.ts'
import { withVariant } from '../../scenario/seeds.ts'
import { hasOptionalSteps, type Solution } from '../../scenario/solution.ts'
import type { AuthoredChoices } from '../../scenario/variants/axis.ts'
import { memorySession } from '../memory-session.ts'
import { actRandomly } from './random-agent.ts'
import { type RecordedSolution, recordSolution } from './recorded-solution.ts'
import { checkSuccess, runSolution, type SolutionRun } from './solution-run.ts'
import { findOmittedStep, findOtherValue, findSideEffect } from './weak-oracles.ts'

/** Verifies a scenario: its solutions pass, its oracles notice what agents do wrong, and a run is reproducible. */

/** The result of one check of a scenario. */
export interface Check {
  readonly name: 'solution' | 'repeats' | WeakOracle
  readonly passed: boolean
  /** Why the check failed, what it covered, or why the scenario allows the finding. */
  readonly message: string
}

/** The seed, the variant and the faults with which a scenario is verified. */
export interface VerifyOptions {
  readonly seed?: number | undefined
  /** The axes in which it differs from its file, such as `{ theme: 'dark' }`. */
  readonly variant?: AuthoredChoices | undefined
  /** Faults of the catalogue in every run, by name or with their parameters. */
  readonly faults?: AuthoredFaults | undefined
  /** Whether only the solutions are played, and whether their runs repeat; the oracles are not tried. */
  readonly onlySolutions?: boolean | undefined
}

const RANDOM_AGENTS = 20

/** The scenario as if its file listed these faults too. Throws `BadRequest` for an unknown one. */
export const withFaults = (scenario: Scenario, faults: AuthoredFaults): Scenario => ({
  ...scenario,
  catalogueFaults: [...scenario.catalogueFaults, ...checkFaults(faults)],
})

/**
 * Verifies that every solution of a scenario passes its oracles, that idle and random agents do not, that the oracles notice
 * an omitted step, another value and side effects, and that a run repeats.
 * @param given A scenario with a solution and oracles.
 * @param options The seed, the variant and the faults with which it is played; by default its own.
 * @returns The result of each check.
 * @example
 * const checks = await verifyScenario(await loadScenario('login'))
 */
export async function verifyScenario(
  given: Scenario,
  { seed, variant, faults = [], onlySolutions = false }: VerifyOptions = {},
): Promise<readonly Check[]> {
  const played = seed === undefined && !variant ? given : withVariant(given, variant ?? {}, seed)
  const scenario = faults.length === 0 ? played : withFaults(played, faults)
  const runs: SolutionRun[] = []
  for (const solution of scenario.solutions) runs.push(await runWithAndWithoutOptional(scenario, solution))
  const first = runs[0] ?? (await runSolution(scenario))
  const second = await runSolution(scenario)
  const different = first.marks.findIndex((mark, index) => mark !== second.marks[index])
  const repeats: Check = {
    name: 'repeats',
    passed: different === -1,
    message: different === -1 ? 'the run repeats' : `the second run differs after step ${different}`,
  }
  if (onlySolutions) return [checkSolutions(scenario, runs), repeats]
  const audits =
    runs.length > 0 && runs.every(({ failure }) => failure === undefined) ? await auditOracles(scenario) : NOT_AUDITED
  return [
    checkSolutions(scenario, runs),
    checkFinding(scenario, 'idle', await findIdle(scenario, first.durationMs), 'doing nothing does not pass'),
    checkFinding(scenario, 'random', await findLucky(scenario), `${RANDOM_AGENTS} random agents do not pass`),
    repeats,
    checkFinding(scenario, 'start', await findStart(scenario), 'the start does not pass'),
    ...audits,
  ]
}

/** The run of a solution, which also fails if the solution needs a step that it calls optional. */
async function runWithAndWithoutOptional(scenario: Scenario, solution: Solution): Promise<SolutionRun> {
  const run = await runSolution(scenario, solution)
  if (run.failure !== undefined || !hasOptionalSteps(solution)) return run
  const { failure } = await runSolution(scenario, solution, { marked: false, onlyNeeded: true })
  return failure === undefined ? run : { ...run, failure: `without its optional steps, ${failure}` }
}

function checkSolutions({ solutions }: Scenario, runs: readonly SolutionRun[]): Check {
  const wrong = runs.flatMap(({ failure }, index) => {
    if (failure === undefined) return []
    const { name } = solutions[index]!
    return [ofSolution(name, failure)]
  })
  if (solutions.length === 0) wrong.push('the scenario has no solution')
  const steps = `${runs.reduce((sum, { marks }) => sum + marks.length - 1, 0)} steps`
  return {
    name: 'solution',
    passed: wrong.length === 0,
    message: wrong.length > 0 ? wrong.join('\n') : runs.length === 1 ? steps : `${runs.length} solutions, ${steps}`,
  }
}

/** The check for a weakness of the oracles, which the scenario may allow. */
export function checkFinding(
  { oracles }: Scenario,
  name: WeakOracle,
  finding: string | undefined,
  otherwise: string,
): Check {
  if (finding === undefined) return { name, passed: true, message: otherwise }
  const reason = oracles.allow[name]
  if (reason === undefined) return { name, passed: false, message: finding }
  return { name, passed: true, message: `allowed, because ${reason}: ${finding}` }
}

/** The audits, each with the message when it finds nothing. A new audit is one row. */
const AUDITS: Readonly<
  Record<
    'omitted_step' | 'other_value' | 'side_effects',
    readonly [find: (recorded: RecordedSolution) => Promise<string | undefined>, otherwise: string]
  >
> = {
  omitted_step: [findOmittedStep, 'every step matters'],
  other_value: [findOtherValue, 'other values do not pass'],
  side_effects: [findSideEffect, 'side effects do not pass'],
}
type AuditName = keyof typeof AUDITS

const NOT_AUDITED: readonly Check[] = (Object.keys(AUDITS) as AuditName[]).map((name) => ({
  name,
  passed: true,
  message: 'not checked, because not every solution passes',
}))

/** Looks for weaknesses of the oracles by changes of each solution. All must pass. */
export async function auditOracles(scenario: Scenario): Promise<readonly Check[]> {
  const recorded: RecordedSolution[] = []
  for (const solution of scenario.solutions) recorded.push(await recordSolution(scenario, solution))
  const checks: Check[] = []
  for (const name of Object.keys(AUDITS) as AuditName[]) {
    const [find, otherwise] = AUDITS[name]
    checks.push(checkFinding(scenario, name, await findIn(recorded, find), otherwise))
  }
  return checks
}

/** The first finding in any of the solutions, with the name of the solution. */
async function findIn(
  solutions: readonly RecordedSolution[],
  find: (recorded: RecordedSolution) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const recorded of solutions) {
    const finding = await find(recorded)
    if (finding !== undefined) return ofSolution(recorded.solution.name, finding)
  }
  return undefined
}

const ofSolution = (name: string | undefined, message: string): string =>
  name === undefined ? message : `solution ${JSON.stringify(name)}: ${message}`

/** Whether the scenario is solved before any action. */
async function findStart(scenario: Scenario): Promise<string | undefined> {
  const failure = await checkSuccess(memorySession(scenario).session)
  return failure === undefined ? 'the success oracles pass at the start, before any action' : undefined
}

/** Whether time alone solves the scenario. */
export async function findIdle(scenario: Scenario, durationMs: number): Promise<string | undefined> {
  const { session, clock } = memorySession(scenario)
  clock.advance(durationMs)
  const failure = await checkSuccess(session)
  return failure === undefined ? 'doing nothing passes the success oracles' : undefined
}

async function findLucky(scenario: Scenario): Promise<string | undefined> {
  const lucky: number[] = []
  for (let seed = 1; seed <= RANDOM_AGENTS; seed++) if (await actRandomly(scenario, seed)) lucky.push(seed)
  return lucky.length === 0 ? undefined : `random agents ${lucky.join(', ')} pass`
}
