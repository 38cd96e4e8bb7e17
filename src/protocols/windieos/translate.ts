import type { AgentEvent } from '../../agent/events.ts'
import { type ChatMessage, estimateTokens, type ImageContent } from '../../agent/history/history.ts'
import type { FullMessage } from './conversation/prompt.ts'
import type { HistoryEntry, Payload, StreamedEvent } from './wire.ts'

/** What a client answers to a call of a tool. */
export interface ClientToolResult {
  readonly ok: boolean
  readonly result: unknown
  /** The picture that went with it, as an artifact or in base64. */
  readonly screenshot?: Screenshot
  /** The title of the window in front when it was done. */
  readonly activeWindow?: string
}

export type Screenshot = { readonly ref: string } | { readonly base64: string }

type Shots = Pick<Payload<'tool-bundle-result'>, 'screenshot_ref' | 'screenshot' | 'system_state'>

/** An artifact is better than a picture inside of the message. */
const screenshotOf = ({ screenshot_ref: ref, screenshot: base64 }: Shots): Pick<ClientToolResult, 'screenshot'> =>
  ref ? { screenshot: { ref } } : base64 ? { screenshot: { base64 } } : {}

/** What went with the output: a picture, and the window in front. */
function sidelightOf(shots: Shots): Pick<ClientToolResult, 'screenshot' | 'activeWindow'> {
  const window = shots.system_state?.active_window
  return { ...screenshotOf(shots), ...(typeof window === 'string' && { activeWindow: window }) }
}

/** The words of the clients for a tool that has done its work in silence. */
const silentOutput = (tool: string): string => `Tool ${tool} executed successfully (no output).`

export function toToolResult(tool: string, { success, data, error }: Payload<'tool-result'>): ClientToolResult {
  const said = data?.output ?? (success ? undefined : error)
  const result = said ?? (success ? silentOutput(tool) : `Tool ${tool} failed.`)
  return { ok: success, result, ...sidelightOf(data ?? {}) }
}

/** The answers to a bundle's calls, in order; a step that was not reached is a failure, the picture belongs to the last. */
export function toToolResults(
  tools: readonly string[],
  { step_results, ...shots }: Payload<'tool-bundle-result'>,
): readonly ClientToolResult[] {
  return tools.map((tool, index): ClientToolResult => {
    const step = step_results[index]
    if (!step) return { ok: false, result: `Tool ${tool} was not run.` }
    const ok = step.status === 'ok'
    const result = step.output ?? (ok ? silentOutput(tool) : `Tool ${tool} failed.`)
    return { ok, result, ...(index === tools.length - 1 ? sidelightOf(shots) : {}) }
  })
}

/** What a client remembers, as the engine keeps it; `imageOf` gives nothing for a picture that is gone. */
export function historyOf(
  entries: readonly HistoryEntry[],
  atMs: number,
  imageOf: (ref: string) => ImageContent | undefined,
): readonly ChatMessage[] {
  return entries.map((entry) => messageOf(entry, atMs, imageOf))
}

function messageOf(entry: HistoryEntry, atMs: number, imageOf: (ref: string) => ImageContent | undefined): ChatMessage {
  const text = typeof entry.content === 'string' ? entry.content : JSON.stringify(entry.content ?? '')
  const image = entry.screenshot_ref ? imageOf(entry.screenshot_ref) : undefined
  const shown = image && { images: [image] }
  switch (entry.role) {
    case 'user':
      return { role: 'user', text, atMs, ...shown }
    case 'assistant':
      return { role: 'assistant', text, calls: [], atMs }
    case 'tool': {
      const { correlation_id: callId, tool_name: tool } = entry
      return { role: 'tool', callId: callId ?? '', tool: tool ?? 'tool', ok: true, text, atMs, ...shown }
    }
  }
}

export const userMessageFull = (message: FullMessage, hasScreenshot: boolean) => ({
  content: message.content,
  metadata: {
    has_screenshot: hasScreenshot,
    has_memory: message.hasMemory,
    original_query: message.query,
    context_type: 'initial' as const,
    injected_context: message.injectedContext,
    active_window: message.activeWindow,
  },
})

type Ended = Extract<AgentEvent, { type: 'run_ended' }>

/** What a turn has said so far, for counting. */
export interface TurnOutput {
  readonly text: string
  readonly thinking: string
  /** Whether the model itself told what it used. */
  readonly counted: boolean
}

/** The count of a turn; `frameTokens` are those of system prompt and tools. The total is prompt and output, and the output what is seen and what was thought. */
export function tokenCount(
  { usage, contextTokens }: Ended,
  { text, thinking, counted }: TurnOutput,
  frameTokens: number,
) {
  const seen = estimateTokens(text)
  const thought = thinking === '' ? null : estimateTokens(thinking)
  const visible = !counted ? seen : thought === null ? usage.outputTokens : Math.min(seen, usage.outputTokens)
  const hidden = thought === null ? null : counted ? usage.outputTokens - visible : thought
  const output = visible + (hidden ?? 0)
  // The engine's estimate is of the conversation alone.
  const prompt = counted ? usage.inputTokens : frameTokens + usage.inputTokens
  return {
    prompt_tokens: prompt,
    visible_output_tokens: visible,
    thinking_tokens: hidden,
    output_tokens_total: output,
    total_tokens: prompt + output,
    conversation_tokens: contextTokens,
    usage_source: counted ? ('provider' as const) : ('estimated' as const),
  }
}

/** The events that stand for themselves; what needs to know more than the event is told by the conversation. */
export function toWire(event: AgentEvent): readonly StreamedEvent[] {
  if (event.subagent) return []
  switch (event.type) {
    case 'thinking_delta':
      return [{ type: 'llm-thought', payload: { status: event.text } }]
    case 'text_delta':
      return [{ type: 'streaming-response', payload: { text: event.text } }]
    case 'plan':
      return [{ type: 'llm-thought', payload: { status: event.text } }]
    case 'error':
      return event.fatal ? [] : [trace('model', event.code, 'failed', event.message)]
    case 'server_status':
      return [trace('servers', event.server, event.status === 'failed' ? 'failed' : 'succeeded', event.status)]
    case 'profile_switched':
      return [trace('profile', event.profileId, 'succeeded', event.profileName)]
    default:
      return []
  }
}

const trace = (path: string, stage: string, status: 'failed' | 'succeeded', message: string): StreamedEvent => ({
  type: 'trace-event',
  payload: { path, stage, status, message },
})
