import type { ToolArguments } from '../observer/result.ts'

/** How a run ended. */
export type AgentOutcome =
  | 'done'
  | 'infeasible'
  | 'out_of_steps'
  | 'out_of_tokens'
  | 'stuck'
  | 'refused'
  | 'failed'
  /** The model's endpoint did not answer, after retries. */
  | 'unavailable'
  | 'stopped'

/** The end of a run. */
export interface AgentRunResult {
  readonly outcome: AgentOutcome
  /** The answer of the model, or the reason. */
  readonly text: string
  /** The number of requests to the model. */
  readonly steps: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What happens in a run, in order. */
export type AgentRunEvent =
  | { readonly type: 'task'; readonly text: string; readonly model: string; readonly dialect: string }
  | { readonly type: 'thought' | 'text' | 'problem'; readonly step: number; readonly text: string }
  | { readonly type: 'call'; readonly step: number; readonly tool: string; readonly args: ToolArguments }
  | {
      readonly type: 'result'
      readonly step: number
      readonly tool: string
      readonly ok: boolean
      readonly text: string
    }
  | {
      readonly type: 'usage'
      readonly step: number
      readonly inputTokens: number
      readonly outputTokens: number
      /** The tokens of the whole run so far. */
      readonly totalTokens: number
      /** How long the model took, in milliseconds of real time. */
      readonly latencyMs: number
    }
  | ({ readonly type: 'end' } & AgentRunResult)

const MAX_LINE_CHARACTERS = 300

/** Formats an event as one line for people. */
export function formatAgentEvent(event: AgentRunEvent): string {
  switch (event.type) {
    case 'task':
      return line('', 'task', `${event.text} [${event.model}, ${event.dialect}]`)
    case 'call':
      return line(event.step, 'call', `${event.tool} ${JSON.stringify(event.args)}`)
    case 'result':
      return line(event.step, event.ok ? 'ok' : 'error', `${event.tool}: ${event.text}`)
    case 'usage':
      return line(
        event.step,
        'tokens',
        `${event.inputTokens} in, ${event.outputTokens} out, ${event.totalTokens} in all`,
      )
    case 'end':
      return line('', 'end', event.text === '' ? event.outcome : `${event.outcome}: ${event.text}`)
    case 'text':
    case 'thought':
    case 'problem':
      return line(event.step, event.type, event.text)
  }
}

function line(step: number | '', kind: string, text: string): string {
  const flat = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  const cut = flat.length > MAX_LINE_CHARACTERS ? `${flat.slice(0, MAX_LINE_CHARACTERS)}…` : flat
  return `${String(step).padStart(3)}  ${kind.padEnd(8)} ${cut}`
}
