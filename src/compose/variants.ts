import type { AuthoredFaults } from '../scenario/faults/catalogue.ts'
import type { FiredFault } from '../scenario/faults/fault-kind.ts'
import { PERSONALITIES } from '../scenario/personalities/personalities.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { variantsOf, withVariant } from '../scenario/seeds.ts'
import { parseChoices } from '../scenario/variants/axes.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'
import { runSolution, type SolutionRun } from './verify/solution-run.ts'
import { findIdle } from './verify/verify.ts'

/** Shows that a scenario stays solvable in other seeds and variants. */

export { DESKTOP_STYLES } from '../desktop/style/style.ts'
export { formatChoices } from '../scenario/variants/axes.ts'
export type { VariantChoices } from '../scenario/variants/axis.ts'

/** The platforms whose accessibility tree a scenario can be shown with. */
export const PERSONALITY_NAMES: readonly string[] = PERSONALITIES.map(({ name }) => name)

/** Reads choices written as `AXIS=VALUE`. Throws `BadRequest` for an unknown axis or value. */
export const parseVariant = parseChoices

const MAX_LISTED_FIRINGS = 10

/** The firings of faults in words, such as `lost-click at step 2 (500 ms)`. */
export function formatFirings(fired: readonly FiredFault[]): string {
  const listed = fired.slice(0, MAX_LISTED_FIRINGS)
  const more = fired.length - listed.length
  const words = listed.map(({ fault, step, elapsedMs }) => `${fault} at step ${step} (${elapsedMs} ms)`).join(', ')
  return more === 0 ? words : `${words} and ${more} more`
}

/** The seeds and the variants in which a scenario is played. */
export interface ProofOptions {
  /** By default the seed of the scenario. */
  readonly seeds?: readonly number[]
  /** The number of variants drawn for each seed; the scenario without any is always played. 0 by default. */
  readonly variants?: number
  /** Axes that are the same in every run. */
  readonly variant?: VariantChoices
  /** Faults of the catalogue in every run. */
  readonly faults?: AuthoredFaults
}

/** A scenario that was played in one seed and variant. */
export interface VariantRun {
  readonly seed: number
  readonly variant: VariantChoices
  /** What the variant could not do. */
  readonly warnings: readonly string[]
  /** The faults that fired while the solution was played: the one that failed, otherwise the first. */
  readonly fired: readonly FiredFault[]
  /** Why the solution or the oracles do not hold. Undefined if they do. */
  readonly failure: string | undefined
}

/** A run that fails, with the smallest variant that fails as well. */
export interface VariantFailure extends VariantRun {
  readonly failure: string
  /** No axis of it can be left out. */
  readonly smallest: VariantChoices
}

/**
 * Plays the solution of a scenario in each seed and variant, and reports each run. The solution must pass the oracles, and
 * doing nothing must not.
 * @param scenario A scenario with a solution and oracles.
 * @param options The seeds, the number of variants and the axes that are the same in all.
 * @example
 * for await (const run of proveVariants(scenario, { seeds: [1, 2, 3], variants: 5 })) console.log(run.failure ?? 'ok')
 */
export async function* proveVariants(
  scenario: Scenario,
  options: ProofOptions = {},
): AsyncGenerator<VariantRun | VariantFailure> {
  const { faults = [] } = options
  for (const { seed, variant } of plannedRuns(scenario, options)) {
    const played = await play(scenario, seed, variant, faults)
    const { failure } = played
    const run = { seed, variant, ...played }
    yield failure === undefined
      ? run
      : { ...run, failure, smallest: await smallestFailing(scenario, seed, variant, faults) }
  }
}

/** The runs of some seeds: for each, the scenario without a variant, then the drawn variants. */
export function* plannedRuns(
  scenario: Scenario,
  { seeds = [scenario.seed], variants = 0, variant = {} }: ProofOptions,
): Generator<Pick<VariantRun, 'seed' | 'variant'>> {
  for (const seed of seeds) {
    const drawn = variants === 0 ? [] : variantsOf(scenario, variants, seed)
    // The seeds of a range draw the parameters, so variants do not draw them again.
    const others = drawn.map(({ data, ...axes }) => (seeds.length > 1 || data === undefined ? axes : { data, ...axes }))
    for (const choices of [{}, ...others]) yield { seed, variant: { ...choices, ...variant } }
  }
}

/** Why a scenario is not solved in a variant, if so. */
async function play(
  scenario: Scenario,
  seed: number,
  choices: VariantChoices,
  faults: AuthoredFaults,
): Promise<Pick<VariantRun, 'failure' | 'warnings' | 'fired'>> {
  const varied = withVariant(scenario, choices, seed)
  const warnings = varied.variantWarnings ?? []
  const runs: SolutionRun[] = []
  for (const solution of varied.solutions.length > 0 ? varied.solutions : [undefined]) {
    const run = await runSolution(varied, solution, { marked: false, faults })
    const { failure, fired } = run
    if (failure !== undefined) return { failure, warnings, fired }
    runs.push(run)
  }
  const { allow } = varied.oracles
  const longestMs = Math.max(...runs.map(({ durationMs }) => durationMs))
  const failure = allow.idle === undefined ? await findIdle(varied, longestMs) : undefined
  return { failure, warnings, fired: runs[0]!.fired }
}

/** With more axes than this, pairs are not tried each. */
const MAX_PAIRED = 8

/** The smallest variant among the axes of one that fails: a single axis, a pair, or one of which no axis can be left out. */
async function smallestFailing(
  scenario: Scenario,
  seed: number,
  choices: VariantChoices,
  faults: AuthoredFaults,
): Promise<VariantChoices> {
  const fails = async (axes: readonly string[]) => {
    const chosen = only(choices, axes)
    return (await play(scenario, seed, chosen, faults)).failure !== undefined
  }
  const names = Object.keys(choices)
  if (await fails([])) return {}
  for (const name of names) if (await fails([name])) return only(choices, [name])
  if (names.length <= MAX_PAIRED)
    for (const [index, first] of names.entries())
      for (const second of names.slice(index + 1))
        if (await fails([first, second])) return only(choices, [first, second])
  let kept: readonly string[] = names
  for (const name of names) {
    const fewer = kept.filter((each) => each !== name)
    if (await fails(fewer)) kept = fewer
  }
  return only(choices, kept)
}

const only = (choices: VariantChoices, names: readonly string[]): VariantChoices =>
  Object.fromEntries(Object.entries(choices).filter(([name]) => names.includes(name)))
