import type { AgentEvent } from '../../agent/events.ts'
import { type ChatMessage, estimateTokens, type ImageContent } from '../../agent/history/history.ts'
import type { HistoryEntry, Payload, StreamedEvent } from './wire.ts'

/** The result of a tool call that a client executed. */
export interface ClientToolResult {
  readonly ok: boolean
  readonly result: unknown
  /** The attached picture, as an artifact or in base64. */
  readonly screenshot?: Screenshot
  /** The title of the foreground window after the call. */
  readonly activeWindow?: string
}

/** A picture as an artifact or in base64. */
export type Screenshot = { readonly ref: string } | { readonly base64: string }

type Shots = Pick<Payload<'tool-bundle-result'>, 'screenshot_ref' | 'screenshot' | 'system_state'>

/** The attached picture. An artifact takes precedence over an inline picture. */
const screenshotOf = ({ screenshot_ref: ref, screenshot: base64 }: Shots): Pick<ClientToolResult, 'screenshot'> =>
  ref ? { screenshot: { ref } } : base64 ? { screenshot: { base64 } } : {}

/** The attached picture and the title of the foreground window. */
function attachmentsOf(shots: Shots): Pick<ClientToolResult, 'screenshot' | 'activeWindow'> {
  const window = shots.system_state?.active_window
  return { ...screenshotOf(shots), ...(typeof window === 'string' && { activeWindow: window }) }
}

/** The clients' message for a tool without output. */
const silentOutput = (tool: string): string => `Tool ${tool} executed successfully (no output).`

/** Converts the result of a call. */
export function toToolResult(tool: string, { success, data, error }: Payload<'tool-result'>): ClientToolResult {
  const output = data?.output ?? (success ? undefined : error)
  const result = output ?? (success ? silentOutput(tool) : `Tool ${tool} failed.`)
  return { ok: success, result, ...attachmentsOf(data ?? {}) }
}

/** The results of a bundle's calls, in order. A missing step is a failure. The picture belongs to the last call. */
export function toToolResults(
  tools: readonly string[],
  { step_results, ...shots }: Payload<'tool-bundle-result'>,
): readonly ClientToolResult[] {
  return tools.map((tool, index): ClientToolResult => {
    const step = step_results[index]
    if (!step) return { ok: false, result: `Tool ${tool} was not run.` }
    const ok = step.status === 'ok'
    const result = step.output ?? (ok ? silentOutput(tool) : `Tool ${tool} failed.`)
    return { ok, result, ...(index === tools.length - 1 ? attachmentsOf(shots) : {}) }
  })
}

/** Converts the history of a client for the engine. `imageOf` returns undefined for a missing picture. */
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

/** A message as transparency events show it. */
export interface FullMessage {
  readonly content: string
  readonly query: string
  readonly injectedContext: string
  readonly activeWindow: string | null
  readonly hasMemory: boolean
}

/** The payload of `user-message-full`. */
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

/** The output of a turn so far, for token counts. */
export interface TurnOutput {
  readonly text: string
  readonly thinking: string
  /** Whether the model reported its own usage. */
  readonly counted: boolean
}

/**
 * The token counts of a turn. `frameTokens` are those of the system prompt and the tools. The total is prompt plus output; the
 * output is visible text plus thoughts.
 */
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
  // The engine estimates only the conversation.
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

/** Translates events that need no further context. `Conversation` sends the others. */
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
    case 'tool_result':
    case 'run_started':
    case 'message_start':
    case 'tool_call_start':
    case 'tool_call_delta':
    case 'tool_call_end':
    case 'message_end':
    case 'permission_request':
    case 'permission_decided':
    case 'question':
    case 'question_answered':
    case 'hook_request':
    case 'tool_started':
    case 'usage':
    case 'disconnect':
    case 'run_ended':
    case 'context_compressed':
      return []
  }
}

const trace = (path: string, stage: string, status: 'failed' | 'succeeded', message: string): StreamedEvent => ({
  type: 'trace-event',
  payload: { path, stage, status, message },
})
