import type { AgentEvent } from '../../agent/events.ts'
import { type Attachment, readAttachments, withNotes } from '../../agent/history/attachments.ts'
import type { ChatMessage, ModelContext } from '../../agent/history/history.ts'
import type { Profile } from '../../agent/profiles/profiles.ts'
import type { UserInput } from '../../agent/run/run-context.ts'
import type { Incoming, Item, Outgoing } from './wire.ts'

/** What has been sent of a run, and what is held back. */
export interface StreamState {
  /**
   * Whether the pieces of the message under way are held back: those of a message that is known to end in tool calls are
   * sent as one `turn_thinking`, all others as they come.
   */
  readonly held: boolean
  readonly thinking: readonly string[]
  readonly text: readonly string[]
  /** The pieces of a thought have been sent and its end has not. */
  readonly thinkingOpen: boolean
  /** Whether a text of the message under way has been sent; thoughts that come after it have no place in the protocol. */
  readonly speaking: boolean
  /** All of the answer that has been sent. */
  readonly answer: string
}

export const INITIAL_STREAM_STATE: StreamState = {
  held: false,
  thinking: [],
  text: [],
  thinkingOpen: false,
  speaking: false,
  answer: '',
}

/** What is told of an event, and how far the telling is then. */
export function toWire(
  telling: StreamState,
  event: AgentEvent,
  profile: Profile,
): readonly [StreamState, readonly Outgoing[]] {
  const is_subagent = event.subagent
  const told = (...messages: readonly Outgoing[]) => [telling, messages] as const
  switch (event.type) {
    case 'run_started':
      return [INITIAL_STREAM_STATE, [{ type: 'stream_start' }]]
    case 'plan':
      return profile.planning_enabled ? told({ type: 'plan_ready', plan: event.text }) : told()
    case 'tool_started':
      return told({ type: 'tool_started', tool: event.tool, args: { ...event.args }, is_subagent })
    case 'tool_result': {
      const { tool, args, text, ok } = event
      return told({ type: 'tool_call', tool, args: { ...args }, result: text, success: ok, is_subagent })
    }
    case 'profile_switched':
      return told({ type: 'profile_switched', profile_id: event.profileId, profile_name: event.profileName })
    case 'context_compressed':
      return told({ type: 'context_compressed', messages_before: event.before, messages_after: event.after })
    case 'error':
      return told({ type: 'error', message: event.message })
    case 'run_ended':
      return told(...endOf(event, telling.answer))
    case 'message_end':
      if (is_subagent)
        return told(...turnThinking(event.thinking, event.because === 'calls' ? event.text : '', true, profile))
      return endMessage(telling, event.because, profile)
  }
  if (is_subagent) return told()
  switch (event.type) {
    case 'message_start':
      return [{ ...INITIAL_STREAM_STATE, held: event.closing === false, answer: telling.answer }, []]
    case 'thinking_delta':
      if (!telling.held) return tellThinking(telling, event.text, profile)
      return [{ ...telling, thinking: [...telling.thinking, event.text] }, []]
    case 'text_delta':
      if (!telling.held) return tellText(telling, event.text)
      return [{ ...telling, text: [...telling.text, event.text] }, []]
    default:
      return told()
  }
}

function tellThinking(telling: StreamState, delta: string, profile: Profile): readonly [StreamState, Outgoing[]] {
  if (!profile.thinking_enabled || telling.speaking) return [telling, []]
  return [{ ...telling, thinkingOpen: true }, [{ type: 'thinking_delta', delta }]]
}

function tellText(telling: StreamState, text: string): readonly [StreamState, Outgoing[]] {
  const isJoined = telling.speaking || telling.answer === '' || /\s$/.test(telling.answer) || /^\s/.test(text)
  const delta = isJoined ? text : `${PARAGRAPH}${text}`
  const after = { ...telling, thinkingOpen: false, speaking: true, answer: telling.answer + delta }
  return [after, [...thinkingEnd(telling), { type: 'stream_delta', delta }]]
}

/** Between the texts of two messages of one run. */
const PARAGRAPH = '\n\n'

const thinkingEnd = ({ thinkingOpen }: StreamState): Outgoing[] => (thinkingOpen ? [{ type: 'thinking_end' }] : [])

/** A message that was held back is sent; of one that was cut off this is all there will be. */
function endMessage(
  telling: StreamState,
  because: 'end' | 'calls' | 'stopped',
  profile: Profile,
): readonly [StreamState, readonly Outgoing[]] {
  const after = { ...INITIAL_STREAM_STATE, answer: telling.answer }
  if (!telling.held) return [after, because === 'stopped' ? [] : thinkingEnd(telling)]
  const [thinking, text] = [telling.thinking.join(''), telling.text.join('')]
  if (because !== 'end') return [after, turnThinking(thinking, text, false, profile)]
  const [thought, thoughts] = thinking === '' ? [after, []] : tellThinking(after, thinking, profile)
  const [said, texts] = text === '' ? [thought, thinkingEnd(thought)] : tellText(thought, text)
  return [{ ...INITIAL_STREAM_STATE, answer: said.answer }, [...thoughts, ...texts]]
}

function turnThinking(thinking: string, text: string, is_subagent: boolean, profile: Profile): Outgoing[] {
  const whole = [profile.thinking_enabled ? thinking : '', text].filter((part) => part !== '').join('\n\n')
  return whole === '' ? [] : [{ type: 'turn_thinking', thinking: whole, is_subagent }]
}

function endOf(end: Extract<AgentEvent, { type: 'run_ended' }>, content: string): Outgoing[] {
  switch (end.outcome) {
    case 'finished':
      return [
        {
          type: 'stream_end',
          content,
          context_tokens: end.contextTokens,
          max_context_tokens: end.maxContextTokens,
        },
      ]
    case 'stopped':
      return [{ type: 'stream_stopped' }]
    case 'failed':
      // The error was told; nothing follows it.
      return []
  }
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,]{0,200})?;base64,/

/** A picture with or without its `data:` prefix, which may say that it is something else. */
function attachmentOf(given: string): Attachment {
  const prefix = DATA_URL.exec(given)
  return { mimeType: prefix?.[1] ?? 'image/png', base64: prefix ? given.slice(prefix[0].length) : given }
}

/** What a message says; `paths` are the files that the model is told of. */
export function inputOf({ content, images: given }: Incoming, paths: readonly string[]): UserInput {
  const { images, notes } = readAttachments((given ?? []).map(attachmentOf))
  const files = paths.length === 0 ? [] : [`Attached files:\n${paths.map((path) => `- ${path}`).join('\n')}`]
  const modelText = withNotes(content, [...notes, ...files])
  return { text: content, images, ...(modelText !== undefined && { modelText }) }
}

/** Milliseconds since the epoch as the document writes times. */
export const timestamp = (atMs: number): string => new Date(atMs).toISOString().replace('Z', '+00:00')

/** A message as it is displayed. */
export function toItem(message: ChatMessage): Item {
  const created_at = timestamp(message.atMs)
  switch (message.role) {
    case 'user': {
      const images = message.images?.map(({ base64 }) => base64)
      return { role: 'user', content: message.text, ...(images?.length ? { images } : {}), created_at }
    }
    case 'assistant': {
      const { text, calls } = message
      const tool_calls = calls.map(({ id, tool, args }) => ({ id, name: tool, arguments: { ...args } }))
      const content = text === '' && calls.length > 0 ? {} : { content: text }
      return { role: 'assistant', ...content, ...(calls.length > 0 ? { tool_calls } : {}), created_at }
    }
    case 'tool':
      return { role: 'tool', content: message.text, tool_call_id: message.callId, name: message.tool, created_at }
  }
}

/** What the model sees, summary and file paths included. */
export function contextItems({ summary, messages }: ModelContext): readonly Item[] {
  const seen = messages.map((message) => {
    const item = toItem(message)
    return message.role === 'user' && message.modelText !== undefined ? { ...item, content: message.modelText } : item
  })
  if (!summary) return seen
  return [{ role: 'system', content: summary.text, is_summary: true, created_at: timestamp(summary.atMs) }, ...seen]
}

const PREVIEW_CHARACTERS = 60

/** The end of a text. */
export const previewOf = (text: string): string =>
  // A character is two units at most.
  [...text.slice(-2 * PREVIEW_CHARACTERS)].slice(-PREVIEW_CHARACTERS).join('')
