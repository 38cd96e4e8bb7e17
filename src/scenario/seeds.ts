import { createHash } from 'node:crypto'
import { LruCache } from '../base/lru-cache.ts'
import type { Scenario } from './scenario.ts'
import { sampleStyle, sampleVariants, type VariantSource } from './variants/apply.ts'
import { checkChoices } from './variants/axes.ts'
import type { AuthoredChoices, VariantChoices } from './variants/axis.ts'

/** Scenarios of other seeds and variants that are kept beside each. */
const MAX_MADE = 20

/** The seed and the variant that a scenario is made with. */
export interface Making {
  readonly seed: number
  readonly variant: VariantChoices
}

/** The file of a scenario. */
export interface ScenarioSource extends VariantSource {
  /** Its name, as its reader gave it. */
  readonly file: string | undefined
  /** Whether `{{ … }}` is an expression in its texts. In other files it is text like any other. */
  readonly isComposed: boolean
}

/** How a scenario is made with another seed or in another variant. A scenario itself stays a plain value. */
interface ScenarioMaker {
  /** The checked file in the variant of none. */
  readonly source: ScenarioSource
  make(making: Making): Scenario
  /** Returns what was made, if it is still known. */
  made(making: Making): Scenario | undefined
  /** Keeps what another thread has made. */
  keep(making: Making, made: Scenario): void
}

const makers = new WeakMap<Scenario, ScenarioMaker>()

/** The scenario with its parameters and its variant drawn from another seed; itself where nothing is drawn. */
export function withSeed(scenario: Scenario, seed: number): Scenario {
  const maker = makers.get(scenario)
  if (!maker || seed === scenario.seed) return scenario
  return maker.source.isDrawn || scenario.variant ? maker.make({ seed, variant: scenario.variant ?? NONE }) : scenario
}

const NONE: VariantChoices = {}

/** What a scenario must be made with to play another seed or variant. Undefined if it can be played as it is. */
export function unmadeFor(
  scenario: Scenario,
  {
    seed = scenario.seed,
    variant,
  }: { readonly seed?: number | undefined; readonly variant?: AuthoredChoices | undefined },
): Making | undefined {
  const maker = makers.get(scenario)
  if (!maker || (!variant && seed === scenario.seed)) return undefined
  if (!variant && !maker.source.isDrawn && !scenario.variant) return undefined
  const making = { seed, variant: variant ? checkChoices(variant) : (scenario.variant ?? NONE) }
  return maker.made(making) ? undefined : making
}

/** Keeps a scenario that was made elsewhere, so that `withSeed` and `withVariant` find it. */
export const keepMade = (scenario: Scenario, making: Making, made: Scenario): void =>
  makers.get(scenario)?.keep(making, made)

/** The scenario in a variant. Throws `BadRequest` for an unknown axis or value. An empty variant is the file itself. */
export function withVariant(scenario: Scenario, variant: AuthoredChoices, seed: number = scenario.seed): Scenario {
  const choices = checkChoices(variant)
  const maker = makers.get(scenario)
  return maker ? maker.make({ seed, variant: choices }) : scenario
}

/** Variants of a scenario, drawn from a seed. */
export function variantsOf(scenario: Scenario, count: number, seed: number = scenario.seed): readonly VariantChoices[] {
  const maker = makers.get(scenario)
  return maker ? sampleVariants(maker.source, count, seed) : []
}

/** A style of a scenario, drawn from a seed. Variants that are drawn do not have one. Empty where the style is invariant. */
export function drawStyle(scenario: Scenario, seed: number): VariantChoices {
  const maker = makers.get(scenario)
  return maker ? sampleStyle(maker.source, seed) : {}
}

/** Remembers how a scenario is made with other seeds and variants. Those made last are kept. */
export function withSource(scenario: Scenario, source: ScenarioSource, make: (making: Making) => Scenario): Scenario {
  const own = keyOf({ seed: scenario.seed, variant: scenario.variant ?? NONE })
  const made = new LruCache<string, Scenario>(MAX_MADE)
  const find = (making: Making) => (keyOf(making) === own ? scenario : made.get(keyOf(making)))
  const keep = (making: Making, known: Scenario) => {
    // Those made share this maker, so that a chain of them does not grow.
    makers.set(known, maker)
    made.set(keyOf(making), known)
  }
  const maker: ScenarioMaker = {
    source,
    make: (making) => {
      const known = find(making) ?? make(making)
      if (known !== scenario) keep(making, known)
      return known
    },
    made: find,
    keep,
  }
  makers.set(scenario, maker)
  return scenario
}

const keyOf = ({ seed, variant }: Making): string => JSON.stringify([seed, Object.entries(variant).sort()])

/** The file of a scenario: its name, and whether its texts are templates. Undefined for a scenario that no file made. */
export const scenarioFile = (scenario: Scenario): Pick<ScenarioSource, 'file' | 'isComposed'> | undefined =>
  makers.get(scenario)?.source

const hashes = new WeakMap<VariantSource, string>()

/**
 * A hash of the file of a scenario with all it includes and the bytes of its pictures, the same in every seed and variant. Comments and the form of the
 * file do not count. Undefined for a scenario that no file made.
 */
export function scenarioHash(scenario: Scenario): string | undefined {
  const source = makers.get(scenario)?.source
  if (!source) return undefined
  const known = hashes.get(source)
  if (known !== undefined) return known
  const { seed: _, ...written } = source.authored
  const digest = createHash('sha256').update(JSON.stringify(written))
  for (const { hash } of source.pictures.values()) digest.update(hash)
  const hash = `sha256:${digest.digest('hex')}`
  hashes.set(source, hash)
  return hash
}
