import { memorySession } from '../../compose/memory-session.ts'
import { loadScenario } from '../../compose/preview.ts'
import { call } from '../../observer/call.ts'
import type { TraceRow } from '../../observer/trace/trace-row.ts'
import { compareAnswers } from '../../observer/trace/verify.ts'
import type { EpisodeEndReason, EpisodeResult } from '../episode/result.ts'
import { readTrace, type StoredCall, type StoredResults } from './stored-results.ts'

/** Where two traces of the same episode part, and whether the agent or the environment was first. */

/** A call of a trace, as far as it is compared. */
export type TracedCall = Pick<StoredCall, 'tool' | 'args' | 'result_summary' | 'tree_hash_before' | 'tree_hash_after'>

/** The first difference of two traces. Calls count from 1. */
export type Divergence =
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
export type ReplayProof =
  | { readonly outcome: 'repeats'; readonly calls: number }
  | { readonly outcome: 'differs'; readonly call: number; readonly tool: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

const TRACE = 'trace.jsonl'

/** Makes the calls of an episode's trace again, on a new desktop, and compares every answer. */
export async function proveByReplay(stored: StoredResults, result: EpisodeResult): Promise<ReplayProof> {
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
