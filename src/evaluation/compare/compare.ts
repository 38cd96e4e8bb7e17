import type { EpisodeResult, FailureCategory } from '../episode/result.ts'
import { type Share, shareOf } from '../results/summary.ts'
import { mcnemarTest, type SignedRankTest, signedRankTest } from '../statistics/paired-tests.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'
import { type Divergence, firstDivergence, readTracedCalls } from './divergence.ts'
import { proveByReplay, type ReplayProof } from './replay-proof.ts'
import { type StoredResults, traceText } from './stored-results.ts'

/** An episode that one of two evaluations solved. */
export interface Flip {
  readonly episode: string
  readonly task: string
  /** The evaluation that solved it. */
  readonly solvedBy: 'a' | 'b'
  /** Why the other one failed. */
  readonly failure: FailureCategory | null
  /** Undefined where a trace is missing. */
  readonly divergence: Divergence | undefined
  /** Whether each trace, replayed now, gets the answers that it recorded. */
  readonly replays: { readonly a: ReplayProof; readonly b: ReplayProof }
}

/** Two evaluations on the episodes that both have. */
export interface EvaluationComparison {
  readonly a: string
  readonly b: string
  /** Tasks that are left out, with the reason. */
  readonly omitted: readonly { readonly task: string; readonly reason: string }[]
  readonly episodes: number
  readonly success: { readonly a: Share; readonly b: Share; readonly p: number }
  readonly score: { readonly a: number; readonly b: number; readonly test: SignedRankTest }
  readonly steps: { readonly a: number; readonly b: number }
  readonly flips: readonly Flip[]
}

/**
 * Compares two evaluations episode by episode: McNemar's test on success, Wilcoxon's signed-rank test on the mean scores of
 * tasks, and where the runs of each flipped episode part.
 */
export async function compareResults(a: StoredResults, b: StoredResults): Promise<EvaluationComparison> {
  const omitted = omittedTasks(a.manifest, b.manifest)
  const isCompared = ({ task }: EpisodeResult) => !omitted.some((each) => each.task === task)
  const ofB = new Map(b.results.filter(isCompared).map((result) => [result.episode, result]))
  const pairs = a.results
    .filter((result) => isCompared(result) && ofB.has(result.episode))
    .map((result) => ({ a: result, b: ofB.get(result.episode)! }))
  const flipped = pairs.filter((pair) => pair.a.success !== pair.b.success)
  const onlyA = flipped.filter((pair) => pair.a.success).length
  const meanOf = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const side = (name: 'a' | 'b', field: 'score' | 'steps') => meanOf(pairs.map((pair) => pair[name][field]))
  const tasks = [...new Set(pairs.map((pair) => pair.a.task))]
  const differences = tasks.map((task) => {
    const own = pairs.filter((pair) => pair.a.task === task)
    return rounded(meanOf(own.map((pair) => pair.b.score - pair.a.score)))
  })
  const flips: Flip[] = []
  for (const pair of flipped)
    flips.push({
      episode: pair.a.episode,
      task: pair.a.task,
      solvedBy: pair.a.success ? 'a' : 'b',
      failure: pair.a.success ? pair.b.failure : pair.a.failure,
      divergence: divergenceOf(a, pair.a, b, pair.b),
      replays: { a: await proveByReplay(a, pair.a), b: await proveByReplay(b, pair.b) },
    })
  return {
    a: nameOf(a),
    b: nameOf(b),
    omitted,
    episodes: pairs.length,
    success: {
      a: shareOf(pairs.map((pair) => pair.a)),
      b: shareOf(pairs.map((pair) => pair.b)),
      p: mcnemarTest(onlyA, flipped.length - onlyA),
    },
    score: { a: side('a', 'score'), b: side('b', 'score'), test: signedRankTest(differences) },
    steps: { a: side('a', 'steps'), b: side('b', 'steps') },
    flips,
  }
}

/** Sums of scores differ in their last bits, which would make equal differences unequal. */
const rounded = (value: number): number => Math.round(value * 1e9) / 1e9

const nameOf = ({ folder, manifest }: StoredResults): string => `${manifest.agent} (${folder})`

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

function divergenceOf(
  a: StoredResults,
  left: EpisodeResult,
  b: StoredResults,
  right: EpisodeResult,
): Divergence | undefined {
  const [first, second] = [traceText(a, left), traceText(b, right)]
  if (first === undefined || second === undefined) return undefined
  return firstDivergence(readTracedCalls(first), readTracedCalls(second))
}
