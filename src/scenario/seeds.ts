import { LruCache } from '../base/lru-cache.ts'
import type { Scenario } from './scenario.ts'

/** Scenarios of other seeds that are kept beside each. */
const MAX_SEEDS = 20

/** How scenarios with drawn parameters are made for another seed. A scenario itself stays a plain value. */
const makers = new WeakMap<Scenario, (seed: number) => Scenario>()

/** The scenario with its parameters drawn from another seed; itself where it draws none. */
export const withSeed = (scenario: Scenario, seed: number): Scenario => makers.get(scenario)?.(seed) ?? scenario

/** Says how a scenario is made for other seeds. Those made last are kept. */
export function drawnFrom(scenario: Scenario, make: (seed: number) => Scenario): Scenario {
  const made = new LruCache<number, Scenario>(MAX_SEEDS)
  makers.set(scenario, (seed) => (seed === scenario.seed ? scenario : made.keep(seed, made.get(seed) ?? make(seed))))
  return scenario
}
