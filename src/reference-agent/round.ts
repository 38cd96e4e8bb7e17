import type { AnswerCall } from '../agent/models/answer.ts'
import { STOPPED } from '../agent/run/abort.ts'
import { type AgentDesktop, refusalText } from './desktop.ts'
import type { NativeReply, NativeTools } from './native.ts'
import { onScreen, type Screen } from './observation.ts'
import type { AgentRunEvent } from './report.ts'
import { clipResult } from './text.ts'

/** The executed calls of one answer. */
export interface Round {
  readonly results: readonly CallReply[]
  /** Whether any call could be executed. An answer without a call has none. */
  readonly isUsable: boolean
  readonly finished?: Executed['finished']
}

interface CallReply extends Executed {
  readonly call: AnswerCall
}

/** The result of a call as the model reads it. */
interface Executed extends NativeReply {
  /** Whether the call names no tool that exists, or has arguments that cannot be read. */
  readonly isInvalid?: boolean
  readonly finished?: { readonly status: 'done' | 'infeasible'; readonly text: string }
}

/** What executes the calls of an answer. */
export interface RoundOptions {
  readonly desktop: AgentDesktop
  readonly native: NativeTools | undefined
  /** The names of the offered functions. */
  readonly names: ReadonlySet<string>
  /** The screen in whose pixels the model gives its points. */
  readonly shown: Screen
  readonly step: number
  readonly signal: AbortSignal
  readonly report: (event: AgentRunEvent) => void
}

const SKIPPED: Executed = { ok: false, text: 'Not executed, because a call before it failed.', isInvalid: true }

/** Executes the calls of an answer in order. Calls after a failed one are not executed. Throws `STOPPED`. */
export async function executeRound(calls: readonly AnswerCall[], options: RoundOptions): Promise<Round> {
  const { step, signal, report } = options
  const results: CallReply[] = []
  for (const call of calls) {
    if (signal.aborted) throw STOPPED
    if (results.some(({ ok }) => !ok)) {
      results.push({ call, ...SKIPPED })
      continue
    }
    const { tool, args } = call
    report({ type: 'call', step, tool, args })
    const reply = await executeCall(call, options)
    report({ type: 'result', step, tool, ok: reply.ok, text: reply.text })
    results.push({ call, ...reply })
    if (reply.finished) return { results, isUsable: true, finished: reply.finished }
  }
  return { results, isUsable: results.some(({ isInvalid }) => !isInvalid) }
}

async function executeCall(
  { id, tool, args, problem }: AnswerCall,
  { desktop, native, names, shown }: RoundOptions,
): Promise<Executed> {
  if (problem !== undefined) return { ok: false, text: problem, isInvalid: true }
  if (native && !names.has(tool)) return native.run({ id, tool, args })
  if (!names.has(tool)) {
    const text = `There is no tool ${clipResult(tool)}. Use ${[...names].join(', ')}.`
    return { ok: false, text, isInvalid: true }
  }
  const converted = onScreen(args, shown.area)
  if (typeof converted === 'string') return { ok: false, text: `${converted}, so nothing was done.` }
  const reply = await desktop.call(tool, converted)
  if (!reply.ok) return { ok: false, text: refusalText(reply) }
  if (tool === 'finish') {
    const { finished } = reply.body as { readonly finished: NonNullable<Executed['finished']> }
    return { ok: true, text: finished.status, finished }
  }
  return { ok: true, text: summaryOf(reply.body) }
}

/** Fields of results for programs: the envelope, what the model wrote itself, and how the desktop performed an action. */
const NOT_FOR_MODELS: ReadonlySet<string> = new Set(
  `
  ok success step_id caused_by_step_id untrusted action dry_run via note scenario_reaction
  duration_ms x y button count modifiers length
  `.split(/\s+/),
)

/** A result as the model reads it. */
const summaryOf = (body: Readonly<Record<string, unknown>>): string =>
  clipResult(JSON.stringify(Object.fromEntries(Object.entries(body).filter(([key]) => !NOT_FOR_MODELS.has(key)))))
