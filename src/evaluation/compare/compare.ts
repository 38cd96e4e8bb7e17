import { type EpisodeResult, type FailureCategory, isMeasured } from '../episode/result.ts'
import { type Mean, meanOf, type Share, shareOf, unitsOf } from '../results/summary.ts'
import { clusteredInterval, clusteredSignFlipTest, type SignFlipTest, type UnitValue } from '../statistics.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'
import { type Divergence, firstDivergence, proveByReplay, type ReplayProof } from './divergence.ts'
import { readTrace, type StoredResults } from './stored-results.ts'

/** An episode that one of two evaluations solved. */
export interface Flip {
  readonly episode: string
  readonly task: string
  /** The evaluation that solved it. */
  readonly solvedBy: 'a' | 'b'
  /** Why the other one failed. */
  readonly failure: FailureCategory | null
  readonly divergence: Divergence
  /** Whether each trace, replayed now, gets the answers that it recorded. */
  readonly replays: { readonly a: ReplayProof; readonly b: ReplayProof }
}

/** Two evaluations on the episodes that both have. */
export interface EvaluationComparison {
  readonly a: string
  readonly b: string
  /** Tasks that are left out, with the reason. */
  readonly omitted: readonly { readonly task: string; readonly reason: string }[]
  /** How many episodes both have, and of how many distinct instances and tasks. */
  readonly episodes: number
  readonly units: number
  readonly tasks: number
  /** How many episodes of the compared tasks only one has, such as of an evaluation that was stopped. */
  readonly unpaired: { readonly a: number; readonly b: number }
  /** How many episodes of the compared tasks have no result on each side. They are left out. */
  readonly noResult: { readonly a: number; readonly b: number }
  /** The versions of this program that played them. */
  readonly versions: { readonly a: string; readonly b: string }
  readonly success: { readonly a: Share; readonly b: Share; readonly change: Mean; readonly test: SignFlipTest }
  readonly score: { readonly a: number; readonly b: number; readonly change: Mean; readonly test: SignFlipTest }
  readonly steps: { readonly a: number; readonly b: number }
  readonly flips: readonly Flip[]
}

/**
 * Compares two evaluations: sign-flip tests over their units of evidence, and where the runs of each flipped episode part.
 * @param onFlip Called after each flip.
 * @param isReplayed Whether the traces of flips are replayed, which takes most of the time.
 * @throws A `SuiteError` when no episode can be compared.
 */
export async function compareResults(
  a: StoredResults,
  b: StoredResults,
  onFlip: (done: number, flips: number) => void = () => {},
  isReplayed = true,
): Promise<EvaluationComparison> {
  const omitted = omittedTasks(a.manifest, b.manifest)
  const left = new Set(omitted.map(({ task }) => task))
  const compared = new Set(a.manifest.tasks.flatMap(({ id }) => (left.has(id) ? [] : [id])))
  const ofCompared = ({ results }: StoredResults) => results.filter(({ task }) => compared.has(task))
  const allOfA = ofCompared(a)
  const allOfB = ofCompared(b)
  const ofA = allOfA.filter(isMeasured)
  const ofB = new Map(allOfB.filter(isMeasured).map((result) => [result.episode, result]))
  const pairs = ofA.flatMap((result) => {
    const other = ofB.get(result.episode)
    return other ? [{ a: result, b: other }] : []
  })
  if (pairs.length === 0) throw new SuiteError(nothingCommon(a, b, omitted))
  const flipped = pairs.filter((pair) => pair.a.success !== pair.b.success)
  const units = unitsOf(pairs.map((pair) => pair.a))
  const otherOf = new Map(pairs.map((pair) => [pair.a.episode, pair.b]))
  /** The mean of a figure in each unit, of both sides and of their difference. */
  const compareBy = (figureOf: (result: EpisodeResult) => number) => {
    const values = units.map(({ task, results }) => {
      const a = meanOf(results.map(figureOf))!
      const b = meanOf(results.map(({ episode }) => figureOf(otherOf.get(episode)!)))!
      return { task, a, b, value: b - a }
    })
    const mean = (side: 'a' | 'b') => meanOf(values.map((unit) => unit[side]))!
    return { a: mean('a'), b: mean('b'), change: changeOf(values), test: clusteredSignFlipTest(values) }
  }
  const success = compareBy((result) => (result.success ? 1 : 0))
  const proof = isReplayed ? proveByReplay : () => NOT_REPLAYED
  const flips: Flip[] = []
  for (const pair of flipped) {
    flips.push({
      episode: pair.a.episode,
      task: pair.a.task,
      solvedBy: pair.a.success ? 'a' : 'b',
      failure: pair.a.success ? pair.b.failure : pair.a.failure,
      divergence: divergenceOf(a, pair.a, b, pair.b),
      replays: { a: await proof(a, pair.a), b: await proof(b, pair.b) },
    })
    onFlip(flips.length, flipped.length)
  }
  return {
    a: nameOf(a),
    b: nameOf(b),
    omitted,
    episodes: pairs.length,
    units: units.length,
    tasks: new Set(units.map(({ task }) => task)).size,
    noResult: { a: allOfA.length - ofA.length, b: allOfB.length - ofB.size },
    unpaired: { a: ofA.length - pairs.length, b: ofB.size - pairs.length },
    versions: { a: a.manifest.backlot, b: b.manifest.backlot },
    success: { ...success, a: shareOf(pairs.map((pair) => pair.a)), b: shareOf(pairs.map((pair) => pair.b)) },
    score: compareBy(({ score }) => score),
    steps: { a: meanOf(pairs.map((pair) => pair.a.steps))!, b: meanOf(pairs.map((pair) => pair.b.steps))! },
    flips,
  }
}

const NOT_REPLAYED: ReplayProof = { outcome: 'unknown', reason: 'it was not replayed' }

/** The mean of differences from −1 to 1, with the interval of values from 0 to 1. */
function changeOf(differences: readonly UnitValue[]): Mean {
  const interval = clusteredInterval(differences.map(({ task, value }) => ({ task, value: (value + 1) / 2 })))
  return {
    mean: meanOf(differences.map(({ value }) => value))!,
    low: interval ? 2 * interval.low - 1 : null,
    high: interval ? 2 * interval.high - 1 : null,
  }
}

const nameOf = ({ folder, manifest: { agent, label } }: StoredResults): string =>
  label === null ? `${agent} (${folder})` : `${label}: ${agent} (${folder})`

function omittedTasks(a: EvaluationManifest, b: EvaluationManifest): EvaluationComparison['omitted'] {
  const hashes = new Map(b.tasks.map(({ id, hash }) => [id, hash]))
  const ofA = a.tasks.flatMap(({ id, hash }) => {
    const other = hashes.get(id)
    if (other === undefined) return [{ task: id, reason: 'only the first has it' }]
    return other === hash ? [] : [{ task: id, reason: 'its scenario or settings differ' }]
  })
  const known = new Set(a.tasks.map(({ id }) => id))
  const ofB = b.tasks
    .filter(({ id }) => !known.has(id))
    .map(({ id }) => ({ task: id, reason: 'only the second has it' }))
  return [...ofA, ...ofB]
}

/** Why two evaluations cannot be compared. */
function nothingCommon(a: StoredResults, b: StoredResults, omitted: EvaluationComparison['omitted']): string {
  const shown = omitted.slice(0, MAX_SHOWN_TASKS).map(({ task, reason }) => `\n  ${task}: ${reason}`)
  const more = omitted.length > shown.length ? `\n  and ${omitted.length - shown.length} more tasks` : ''
  return `${a.folder} and ${b.folder} have no episode in common${shown.join('')}${more}`
}

const MAX_SHOWN_TASKS = 10

function divergenceOf(a: StoredResults, left: EpisodeResult, b: StoredResults, right: EpisodeResult): Divergence {
  const [first, second] = [readTrace(a, left), readTrace(b, right)]
  if ('problem' in first) return { first: 'unknown', reason: `of A, ${first.problem}` }
  if ('problem' in second) return { first: 'unknown', reason: `of B, ${second.problem}` }
  return firstDivergence(first.calls, second.calls, { a: left.end, b: right.end })
}
