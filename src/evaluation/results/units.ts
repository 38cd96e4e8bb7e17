import { groupsOf } from '../../base/lists.ts'
import type { EpisodeResult } from '../episode/result.ts'
import type { UnitValue } from '../statistics/intervals.ts'

/**
 * A unit of evidence: a task with what its seed draws. Its episodes are repeats, also in variants and under other seeds that
 * draw the same. They make the mean of the unit more reliable, and are not evidence of their own.
 */
export interface EvidenceUnit {
  readonly task: string
  /** The hash of the start, or the seed where no result has it. */
  readonly instance: string
  readonly results: readonly EpisodeResult[]
}

/** Groups results into units, in the order of their first results. */
export function unitsOf(results: readonly EpisodeResult[]): readonly EvidenceUnit[] {
  const known = new Map(results.flatMap((result) => (result.instance ? [[drawOf(result), result.instance]] : [])))
  const instanceOf = (result: EpisodeResult) => result.instance ?? known.get(drawOf(result)) ?? `seed ${result.seed}`
  return [...groupsOf(results, (result) => JSON.stringify([result.task, instanceOf(result)])).values()].map((own) => ({
    task: own[0]!.task,
    instance: instanceOf(own[0]!),
    results: own,
  }))
}

/** What an instance follows from: the task, the seed, and data that a variant draws anew. */
const drawOf = ({ task, seed, variant }: EpisodeResult): string => JSON.stringify([task, seed, variant.data ?? null])

/** The mean of a figure in each unit. */
export const unitValues = (
  units: readonly EvidenceUnit[],
  figureOf: (result: EpisodeResult) => number,
): readonly UnitValue[] => units.map(({ task, results }) => ({ task, value: meanOf(results.map(figureOf))! }))

/** The mean of values; undefined without any. */
export const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

/** Seeds of a task that draw the same start, and count once. */
export interface EqualSeeds {
  readonly task: string
  readonly seeds: readonly number[]
}

/** The seeds that draw the same as another seed of their task. */
export const equalSeedsOf = (units: readonly EvidenceUnit[]): readonly EqualSeeds[] =>
  units.flatMap(({ task, results }) => {
    const seeds = [...new Set(results.map(({ seed }) => seed))].sort((a, b) => a - b)
    return seeds.length > 1 ? [{ task, seeds }] : []
  })
