import type { AgentEvent } from '../../agent/events.ts'
import { type Attachment, readAttachments, withNotes } from '../../agent/history/attachments.ts'
import type { ChatMessage, ModelContext } from '../../agent/history/history.ts'
import type { Profile } from '../../agent/profiles.ts'
import type { UserInput } from '../../agent/run/run-context.ts'
import type { Incoming, Item, Outgoing } from './wire.ts'

/** The sent and the held-back parts of a run. */
export interface StreamState {
  /**
   * Whether the deltas of the current message are held back. If the message is known to end in tool calls, they are sent as one
   * `turn_thinking`; otherwise each delta is sent immediately.
   */
  readonly held: boolean
  readonly thinking: readonly string[]
  readonly text: readonly string[]
  /** Whether deltas of a thought have been sent, but not its end. */
  readonly thinkingOpen: boolean
  /** Whether text of the current message has been sent. The protocol has no place for thoughts after it. */
  readonly hasText: boolean
  /** The sent part of the answer. */
  readonly answer: string
}

/** The state before a run. */
export const INITIAL_STREAM_STATE: StreamState = {
  held: false,
  thinking: [],
  text: [],
  thinkingOpen: false,
  hasText: false,
  answer: '',
}

/** Translates an event. Returns the next state and the messages. */
export function toWire(
  state: StreamState,
  event: AgentEvent,
  profile: Profile,
): readonly [StreamState, readonly Outgoing[]] {
  const is_subagent = event.subagent
  const emit = (...messages: readonly Outgoing[]) => [state, messages] as const
  switch (event.type) {
    case 'run_started':
      return [INITIAL_STREAM_STATE, [{ type: 'stream_start' }]]
    case 'plan':
      return profile.planning_enabled ? emit({ type: 'plan_ready', plan: event.text }) : emit()
    case 'tool_started':
      return emit({ type: 'tool_started', tool: event.tool, args: { ...event.args }, is_subagent })
    case 'tool_result': {
      const { tool, args, text, ok } = event
      return emit({ type: 'tool_call', tool, args: { ...args }, result: text, success: ok, is_subagent })
    }
    case 'profile_switched':
      return emit({ type: 'profile_switched', profile_id: event.profileId, profile_name: event.profileName })
    case 'context_compressed':
      return emit({ type: 'context_compressed', messages_before: event.before, messages_after: event.after })
    case 'error':
      return emit({ type: 'error', message: event.message })
    case 'run_ended':
      return emit(...endOf(event, state.answer))
    case 'message_end':
      if (is_subagent)
        return emit(...turnThinking(event.thinking, event.because === 'calls' ? event.text : '', true, profile))
      return endMessage(state, event.because, profile)
  }
  if (is_subagent) return emit()
  switch (event.type) {
    case 'message_start':
      return [{ ...INITIAL_STREAM_STATE, held: event.closing === false, answer: state.answer }, []]
    case 'thinking_delta':
      if (!state.held) return emitThinking(state, event.text, profile)
      return [{ ...state, thinking: [...state.thinking, event.text] }, []]
    case 'text_delta':
      if (!state.held) return emitText(state, event.text)
      return [{ ...state, text: [...state.text, event.text] }, []]
    case 'tool_call_start':
    case 'tool_call_delta':
    case 'tool_call_end':
    case 'permission_request':
    case 'permission_decided':
    case 'question':
    case 'question_answered':
    case 'hook_request':
    case 'usage':
    case 'server_status':
    case 'disconnect':
      return emit()
  }
}

function emitThinking(state: StreamState, delta: string, profile: Profile): readonly [StreamState, Outgoing[]] {
  if (!profile.thinking_enabled || state.hasText) return [state, []]
  return [{ ...state, thinkingOpen: true }, [{ type: 'thinking_delta', delta }]]
}

function emitText(state: StreamState, text: string): readonly [StreamState, Outgoing[]] {
  const isJoined = state.hasText || state.answer === '' || /\s$/.test(state.answer) || /^\s/.test(text)
  const delta = isJoined ? text : `${PARAGRAPH}${text}`
  const after = { ...state, thinkingOpen: false, hasText: true, answer: state.answer + delta }
  return [after, [...thinkingEnd(state), { type: 'stream_delta', delta }]]
}

/** The separator between the texts of two messages of a run. */
const PARAGRAPH = '\n\n'

const thinkingEnd = ({ thinkingOpen }: StreamState): Outgoing[] => (thinkingOpen ? [{ type: 'thinking_end' }] : [])

/** Sends a held-back message. If it was cut off, no further text follows. */
function endMessage(
  state: StreamState,
  because: 'end' | 'calls' | 'stopped',
  profile: Profile,
): readonly [StreamState, readonly Outgoing[]] {
  const after = { ...INITIAL_STREAM_STATE, answer: state.answer }
  if (!state.held) return [after, because === 'stopped' ? [] : thinkingEnd(state)]
  const [thinking, text] = [state.thinking.join(''), state.text.join('')]
  if (because !== 'end') return [after, turnThinking(thinking, text, false, profile)]
  const [thought, thoughts] = thinking === '' ? [after, []] : emitThinking(after, thinking, profile)
  const [next, texts] = text === '' ? [thought, thinkingEnd(thought)] : emitText(thought, text)
  return [{ ...INITIAL_STREAM_STATE, answer: next.answer }, [...thoughts, ...texts]]
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
      // The error was sent; nothing follows it.
      return []
  }
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,]{0,200})?;base64,/

/** A picture with or without its `data:` prefix, which may say that it is something else. */
function attachmentOf(given: string): Attachment {
  const prefix = DATA_URL.exec(given)
  return { mimeType: prefix?.[1] ?? 'image/png', base64: prefix ? given.slice(prefix[0].length) : given }
}

/** Converts a message into engine input. The model receives the paths of existing files, and a note for each other one. */
export function inputOf(
  { content, images: given }: Incoming,
  paths: readonly string[],
  existing: readonly string[],
): UserInput {
  const { images, notes } = readAttachments((given ?? []).map(attachmentOf))
  const files = existing.length === 0 ? [] : [`Attached files:\n${existing.map((path) => `- ${path}`).join('\n')}`]
  const withheld = paths.filter((path) => !existing.includes(path)).map(withheldNote)
  const modelText = withNotes(content, [...notes, ...files, ...withinLimit(withheld)])
  return { text: content, images, ...(modelText !== undefined && { modelText }) }
}

const MAX_SHOWN_PATH = 200
const MAX_WITHHELD_NOTES = 20

const withheldNote = (path: string): string =>
  `[File ${path.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_SHOWN_PATH)} is not a file of this session and is not attached]`

/** One note stands for those beyond the limit. */
const withinLimit = (notes: readonly string[]): readonly string[] =>
  notes.length <= MAX_WITHHELD_NOTES
    ? notes
    : [...notes.slice(0, MAX_WITHHELD_NOTES), `[${notes.length - MAX_WITHHELD_NOTES} more files are not attached]`]

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

/** The model's context, including summary and file paths. */
export function contextItems({ summary, messages }: ModelContext): readonly Item[] {
  const seen = messages.map((message) => {
    const item = toItem(message)
    return message.role === 'user' && message.modelText !== undefined ? { ...item, content: message.modelText } : item
  })
  if (!summary) return seen
  return [{ role: 'system', content: summary.text, is_summary: true, created_at: timestamp(summary.atMs) }, ...seen]
}

const MAX_PREVIEW_CHARACTERS = 60

/** The end of a text, cut between characters. */
export const previewOf = (text: string): string =>
  // A character has at most two UTF-16 units.
  [...text.slice(-2 * MAX_PREVIEW_CHARACTERS)].slice(-MAX_PREVIEW_CHARACTERS).join('')
