import type { Session } from '../observer/session/session.ts'
import type { AgentRunEvent } from '../reference-agent/report.ts'
import { costOf, type ModelPrice } from './model-price.ts'

/** The turn of a model that is being collected. */
interface OpenTurn {
  /** The rows of the trace before it. */
  readonly after: number
  readonly step: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly latencyMs: number
  readonly calls: { readonly tool: string; readonly args: unknown }[]
  readonly message: string
  readonly reasoning: string
}

/**
 * Writes each turn of the model of the reference agent into `model.jsonl` beside the active trace of a session.
 * @param price The price of the model. Without it, the lines have no cost.
 * @returns A listener of the events of a run, which passes them on to `report`.
 */
export function writeModelTurns(
  { context: { tracing } }: Session,
  report: (event: AgentRunEvent) => void,
  price?: ModelPrice,
): (event: AgentRunEvent) => void {
  if (!tracing.active) return report
  let model = ''
  let said = { message: '', reasoning: '' }
  let turn: OpenTurn | undefined
  // A turn is written after its calls, when the trace knows the texts that it hides.
  const write = () => {
    if (!turn) return
    const { after, step, inputTokens, outputTokens, latencyMs, message, reasoning, calls } = turn
    const texts = { ...(message !== '' && { message }), ...(reasoning !== '' && { reasoning }) }
    const costUsd = costOf(price, turn)
    turn = undefined
    const used = { input_tokens: inputTokens, output_tokens: outputTokens, latency_ms: latencyMs }
    const cost = costUsd === undefined ? {} : { cost_usd: costUsd }
    tracing.note('model', { after, turn: step, model, ...texts, calls, ...used, ...cost })
  }
  return (event) => {
    if (event.type === 'task') model = event.model
    if (event.type === 'thought') said = { ...said, reasoning: said.reasoning + event.text }
    if (event.type === 'text') said = { ...said, message: said.message + event.text }
    if (event.type === 'thought' || event.type === 'end') write()
    if (event.type === 'usage') {
      write()
      const { step, inputTokens, outputTokens, latencyMs } = event
      turn = { after: tracing.rows, step, inputTokens, outputTokens, latencyMs, calls: [], ...said }
      said = { message: '', reasoning: '' }
    }
    if (event.type === 'call') turn?.calls.push({ tool: event.tool, args: event.args })
    report(event)
  }
}
