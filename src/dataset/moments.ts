import { drawInteger, seededRandom, split } from '../base/random.ts'
import { memorySession } from '../compose/memory-session.ts'
import { playSolution } from '../compose/play-solution.ts'
import { loadScenario } from '../compose/preview.ts'
import type { Desktop } from '../desktop/model/desktop.ts'
import { picturedDesktop } from '../scenario/faults/observe.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { drawStyle, variantsOf, withVariant } from '../scenario/seeds.ts'
import { isDerivedLocale } from '../scenario/variants/axes/wording.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'
import { type DatasetPlan, drawPlaces, type PlannedRun, seedOf } from './plan.ts'

/** A point of a solution, of which a picture is taken. */
export interface SolutionMoment {
  readonly scenario: Scenario
  readonly seed: number
  readonly variant: VariantChoices
  /** The number of calls of the solution that were made. */
  readonly step: number
  readonly desktop: Desktop
}

/** Scenarios by the name in the plan. */
export type LoadedScenarios = (name: string) => Promise<Scenario>

/** Loads each scenario once. */
export function loadOnce(): LoadedScenarios {
  const loaded = new Map<string, Promise<Scenario>>()
  return (name) => {
    const scenario = loaded.get(name) ?? loadScenario(name)
    loaded.set(name, scenario)
    return scenario
  }
}

/** A run whose pictures are alike is shown in so many further variants at most. */
const MAX_ATTEMPTS = 12

/**
 * The points of a run: as many as it has pictures, spread over the solution, in further variants if one has too few. Without
 * `keepDuplicates` a point counts only if `isNew` says so, and there may be fewer.
 */
export async function momentsOf(
  run: PlannedRun,
  plan: DatasetPlan,
  scenarios: LoadedScenarios,
  isNew: (moment: SolutionMoment) => boolean = () => true,
): Promise<readonly SolutionMoment[]> {
  const source = await scenarios(run.scenario)
  const wanted = run.pictures.length
  const moments: SolutionMoment[] = []
  for (let attempt = 0; moments.length < wanted && attempt <= MAX_ATTEMPTS; attempt++) {
    const seed = seedOf(run, attempt)
    const variant = chosenVariant(source, plan, seed)
    const scenario = withVariant(source, variant, seed)
    const all = await distinctMoments({ scenario, seed, variant })
    const chosen = new Set<number>()
    for (const place of drawPlaces(split(run.random, `points ${attempt}`), all.length)) {
      if (moments.length + chosen.size === wanted) break
      if (plan.keepDuplicates || isNew(all[place]!)) chosen.add(place)
    }
    moments.push(...all.filter((_, place) => chosen.has(place)))
  }
  if (plan.keepDuplicates) for (let at = 0; moments.length < wanted; at++) moments.push(moments[at]!)
  return moments
}

/** With named axes, variants are drawn until one changes any of them, at most so often. */
const MAX_DRAWN = 8

function chosenVariant(source: Scenario, { variants, variant }: DatasetPlan, seed: number): VariantChoices {
  const style = variants === 'all' || variants.includes('style') ? drawStyle(source, seed) : {}
  const drawn = drawAxes(source, variants, seed)
  return { ...(variants === 'all' ? withFewDerivedLocales(drawn, seed) : drawn), ...style, ...variant }
}

/** Of the locales that are derived from the texts, one in so many is kept: no desktop that people use has them. */
const DERIVED_KEPT_IN = 8

function withFewDerivedLocales(choices: VariantChoices, seed: number): VariantChoices {
  const { locale, ...rest } = choices
  if (locale === undefined || !isDerivedLocale(locale)) return choices
  return drawInteger(split(seededRandom(seed), 'derived locale'), 1, DERIVED_KEPT_IN)[0] === 1 ? choices : rest
}

function drawAxes(source: Scenario, axes: DatasetPlan['variants'], seed: number): VariantChoices {
  if (axes === 'all') return variantsOf(source, 1, seed)[0] ?? {}
  if (axes.length === 0) return {}
  for (const choices of variantsOf(source, MAX_DRAWN, seed)) {
    const kept = Object.entries(choices).filter(([axis]) => axes.includes(axis))
    if (kept.length > 0) return Object.fromEntries(kept)
  }
  return {}
}

/** The start and the desktop after each call of the first solution that changes it. Ends before a call that fails. */
async function distinctMoments(
  of: Pick<SolutionMoment, 'scenario' | 'seed' | 'variant'>,
): Promise<readonly SolutionMoment[]> {
  const session = memorySession(of.scenario, { seed: of.seed })
  const moments: SolutionMoment[] = []
  const add = (step: number) => {
    const desktop = picturedDesktop(session.computer.run)
    if (desktop !== moments.at(-1)?.desktop) moments.push({ ...of, step, desktop })
  }
  add(0)
  for await (const { number, fault } of playSolution(session, of.scenario.solutions[0])) {
    if (fault) break
    add(number)
  }
  return moments
}
