import { memorySession } from '../../compose/memory-session.ts'
import { loadScenario } from '../../compose/preview.ts'
import { call } from '../../observer/call.ts'
import type { TraceRow } from '../../observer/trace/trace-row.ts'
import { compareAnswers } from '../../observer/trace/verify.ts'
import {
  meanIntervalText,
  pointsText,
  probabilityText,
  shareWords,
  unitsText,
} from '../../viewer/model/report-words.ts'
import { type EpisodeEndReason, type EpisodeResult, type FailureCategory, isMeasured } from '../episode/result.ts'
import { readTrace, type StoredCall, type StoredResults } from '../results/stored-results.ts'
import { type Mean, meanOf, type Share, shareOf, unitsOf } from '../results/summary.ts'
import { clusteredInterval, clusteredSignFlipTest, type SignFlipTest, type UnitValue } from '../statistics.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'

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

/** Where two traces of the same episode part, and whether the agent or the environment was first. */

/** A call of a trace, as far as it is compared. */
export type TracedCall = Pick<StoredCall, 'tool' | 'args' | 'result_summary' | 'tree_hash_before' | 'tree_hash_after'>

/** The first difference of two traces. Calls count from 1. */
type Divergence =
  | { readonly first: 'agent'; readonly call: number; readonly a: string; readonly b: string }
  | { readonly first: 'environment'; readonly call: number; readonly a: string; readonly b: string }
  | { readonly first: 'none' }
  /** A trace is missing or cut. */
  | { readonly first: 'unknown'; readonly reason: string }

/**
 * The first difference of two traces of one episode. With equal calls so far, another screen or another answer is the
 * environment's doing; with equal screens and answers so far, another call is the agent's. A trace that ends before the
 * other is shown with the reason, which may be a limit.
 */
export function firstDivergence(
  a: readonly TracedCall[],
  b: readonly TracedCall[],
  ends: { readonly a: EpisodeEndReason; readonly b: EpisodeEndReason },
): Divergence {
  const calls = Math.max(a.length, b.length)
  for (let index = 0; index < calls; index++) {
    const [left, right] = [a[index], b[index]]
    const call = index + 1
    if (left && right && left.tree_hash_before !== right.tree_hash_before)
      return {
        first: 'environment',
        call,
        a: `before the call, ${hashText(left.tree_hash_before)}`,
        b: `before the call, ${hashText(right.tree_hash_before)}`,
      }
    if (!left || !right || callText(left) !== callText(right))
      return {
        first: 'agent',
        call,
        a: left ? callText(left) : `ends (${ends.a})`,
        b: right ? callText(right) : `ends (${ends.b})`,
      }
    if (left.tree_hash_after !== right.tree_hash_after)
      return {
        first: 'environment',
        call,
        a: `after ${callText(left)}, ${hashText(left.tree_hash_after)}`,
        b: `after ${callText(right)}, ${hashText(right.tree_hash_after)}`,
      }
    const [answer] = compareAnswers(left as TraceRow, right.result_summary)
    if (answer)
      return {
        first: 'environment',
        call,
        a: `${callText(left)} is answered with ${answer.path} ${JSON.stringify(answer.want)}`,
        b: `${callText(right)} is answered with ${answer.path} ${JSON.stringify(answer.got)}`,
      }
  }
  return { first: 'none' }
}

const hashText = (hash: string | null): string => `tree ${hash ?? 'unknown'}`

/** A call on one line, with its arguments in the order of their names. */
const callText = ({ tool, args }: TracedCall): string =>
  `${tool} ${JSON.stringify(args, (_, value: unknown) => (isRecord(value) ? sorted(value) : value))}`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sorted = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Whether the environment still answers the calls of an episode as it did. */
type ReplayProof =
  | { readonly outcome: 'repeats'; readonly calls: number }
  | { readonly outcome: 'differs'; readonly call: number; readonly tool: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

const TRACE = 'trace.jsonl'

/** Makes the calls of an episode's trace again, on a new desktop, and compares every answer. */
async function proveByReplay(stored: StoredResults, result: EpisodeResult): Promise<ReplayProof> {
  const trace = readTrace(stored, result)
  if ('problem' in trace) return { outcome: 'unknown', reason: trace.problem }
  const task = stored.manifest.tasks.find(({ id }) => id === result.task)
  try {
    const scenario = await loadScenario(task?.scenario ?? '', { seed: result.seed, variant: result.variant })
    return await replay(scenario, trace.text)
  } catch (error) {
    return { outcome: 'unknown', reason: (error as Error).message }
  }
}

async function replay(scenario: Awaited<ReturnType<typeof loadScenario>>, text: string): Promise<ReplayProof> {
  const { session } = memorySession(scenario, { files: { [TRACE]: text } })
  const ask = async (tool: string, args: Readonly<Record<string, unknown>>) => {
    const { body, fault } = await call(session, tool, args)
    if (fault) throw fault
    return body
  }
  const { replay_id, total } = await ask('replay_start', { path: TRACE, mode: 'verify', on_divergence: 'stop' })
  for (let position = 0; position < Number(total); ) {
    const step = await ask('replay_step', { replay_id })
    position = Number(step.position)
    if (Array.isArray(step.divergence) && step.divergence.length > 0)
      return { outcome: 'differs', call: position, tool: String(step.tool) }
    if (step.finished === true) break
  }
  return { outcome: 'repeats', calls: Number(total) }
}

const counted = (episodes: number): string => `${episodes} ${episodes === 1 ? 'episode' : 'episodes'}`

const onlyText = ({ a, b }: EvaluationComparison['unpaired']): string =>
  a + b === 0 ? '' : `; left out: ${a} only in A, ${b} only in B`

/** A comparison for a terminal. */
export function comparisonText(comparison: EvaluationComparison): string {
  const { a, b, omitted, episodes, noResult, unpaired, versions, success, score, steps, flips } = comparison
  const lines = [
    `A: ${a}`,
    `B: ${b}`,
    ...(versions.a === versions.b ? [] : [`played by different versions of backlot: A ${versions.a}, B ${versions.b}`]),
    `${counted(episodes)} in both, ${unitsText(comparison)}${onlyText(unpaired)}`,
    ...(noResult.a + noResult.b === 0
      ? []
      : [`without a result, and left out: ${counted(noResult.a)} of A, ${counted(noResult.b)} of B`]),
    ...omitted.map(({ task, reason }) => `left out: ${task}, because ${reason}`),
    '',
    `success  A ${success.a.count} of ${success.a.of}, ${shareWords(success.a)}`,
    `         B ${success.b.count} of ${success.b.of}, ${shareWords(success.b)}`,
    `         ${pointsText(success.change.mean)} (${meanIntervalText(success.change, pointsText)}), sign-flip test ${probabilityText(success.test.p)}`,
    `score    A ${score.a.toFixed(3)}, B ${score.b.toFixed(3)} (${meanIntervalText(score.change, signed)}), sign-flip test ${probabilityText(score.test.p)}`,
    `steps    A ${steps.a.toFixed(1)}, B ${steps.b.toFixed(1)}`,
    '',
    ...flipLines(flips),
  ]
  return lines.join('\n')
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`

function flipLines(flips: readonly Flip[]): readonly string[] {
  if (flips.length === 0) return ['no flips: both solve the same episodes']
  const tasks = [...new Set(flips.map(({ task }) => task))]
  return [
    `${flips.length} ${flips.length === 1 ? 'flip' : 'flips'}`,
    ...tasks.flatMap((task) => {
      const own = flips.filter((flip) => flip.task === task)
      const [byA, byB] = (['a', 'b'] as const).map((side) => own.filter(({ solvedBy }) => solvedBy === side).length)
      return [`  ${task}: ${byA} solved by A only, ${byB} by B only`, ...own.flatMap(flipText)]
    }),
  ]
}

const MAX_SHOWN_CALL = 160
const shown = (call: string): string => (call.length > MAX_SHOWN_CALL ? `${call.slice(0, MAX_SHOWN_CALL)}…` : call)

function flipText({ episode, solvedBy, failure, divergence, replays }: Flip): readonly string[] {
  const head = `    ${episode}: solved by ${solvedBy.toUpperCase()}, the other ${failure ?? 'failed'}`
  if (divergence.first === 'unknown') return [`${head}; the traces cannot be compared: ${divergence.reason}`]
  if (divergence.first === 'none')
    return [`${head}; the calls and their answers are the same, so that only the end or the verdict differs`]
  const { first, call, a, b } = divergence
  return [
    `${head}; the ${first} differs first, at call ${call}`,
    `      A ${shown(a)}`,
    `      B ${shown(b)}`,
    `      replayed now: A ${proofText(replays.a)}, B ${proofText(replays.b)}`,
  ]
}

function proofText(proof: ReplayProof): string {
  if (proof.outcome === 'repeats') return `repeats in all ${proof.calls} calls`
  return proof.outcome === 'differs' ? `differs at call ${proof.call} (${proof.tool})` : `is not known: ${proof.reason}`
}
