import { seededRandom } from '../../src/base/random.ts'
import { percentileInterval, resampled, shuffled } from './resampling.ts'

/** The ranks of values from 1; equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): readonly number[] {
  const ordered = values.toSorted((one, other) => one - other)
  return values.map((value) => (ordered.indexOf(value) + ordered.lastIndexOf(value)) / 2 + 1)
}

/** Spearman's rank correlation: Pearson's of the ranks. Undefined if one side has fewer than two different values. */
export function spearman(one: readonly number[], other: readonly number[]): number | undefined {
  const [a, b] = [ranksOf(one), ranksOf(other)]
  const mean = (a.length + 1) / 2
  const covariance = (left: readonly number[], right: readonly number[]) =>
    left.reduce((sum, rank, index) => sum + (rank - mean) * (right[index]! - mean), 0)
  const spread = Math.sqrt(covariance(a, a) * covariance(b, b))
  return spread === 0 ? undefined : covariance(a, b) / spread
}

/** An agent and its success rates on two benchmarks. */
export interface RankedAgent {
  readonly name: string
  readonly ours: number
  readonly theirs: number
}

/** From so many agents on, a correlation says something. */
export const MIN_AGENTS = 8
const SAMPLES = 2000
const PERMUTATIONS = 10_000
const AGREES_ABOVE = 0.5

export interface RankAgreement {
  readonly agents: number
  readonly rho: number | null
  /** 95 % of bootstrap samples of agents; samples without a correlation do not count. */
  readonly interval: readonly [low: number, high: number] | null
  /** The share of permutations with a correlation at least as large. */
  readonly p: number | null
  readonly verdict: 'agrees' | 'some' | 'not shown' | 'too few agents'
}

/** How far two benchmarks order agents alike. The same agents give the same figures. */
export function rankAgreement(agents: readonly RankedAgent[]): RankAgreement {
  const rho = correlationOf(agents)
  if (rho === undefined) return { agents: agents.length, rho: null, interval: null, p: null, verdict: 'not shown' }
  let random = seededRandom(1)
  const values: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    const [counts, later] = resampled(agents, random)
    random = later
    const value = correlationOf(agents.flatMap((agent) => Array.from({ length: counts.get(agent)! }, () => agent)))
    if (value !== undefined) values.push(value)
  }
  const ours = agents.map((agent) => agent.ours)
  let theirs: readonly number[] = agents.map((agent) => agent.theirs)
  let atLeast = 1
  for (let turn = 0; turn < PERMUTATIONS; turn++) {
    ;[theirs, random] = shuffled(theirs, random)
    if (spearman(ours, theirs)! >= rho - 1e-12) atLeast++
  }
  const interval = percentileInterval(values)
  return {
    agents: agents.length,
    rho,
    interval,
    p: atLeast / (PERMUTATIONS + 1),
    verdict: verdictOf(agents.length, interval),
  }
}

const correlationOf = (agents: readonly RankedAgent[]) =>
  spearman(
    agents.map(({ ours }) => ours),
    agents.map(({ theirs }) => theirs),
  )

function verdictOf(agents: number, [low, high]: readonly [number, number]): RankAgreement['verdict'] {
  if (agents < MIN_AGENTS) return 'too few agents'
  if (low > AGREES_ABOVE) return 'agrees'
  return low <= 0 && high >= 0 ? 'not shown' : 'some'
}
