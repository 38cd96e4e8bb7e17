import type { AgentEvent } from '../../agent/events.ts'
import type { Context, Image, Message } from '../../agent/history.ts'
import type { Profile } from '../../agent/profiles.ts'
import type { Input } from '../../agent/stage.ts'
import type { Incoming, Item, Outgoing } from './wire.ts'

/**
 * How far the telling of a run has come. The protocol knows text only as the final answer, so what an agent says is
 * held back until it is known whether a tool call follows, in which case it was thinking.
 */
export interface Telling {
  readonly closing: boolean
  readonly thinking: readonly string[]
  readonly text: readonly string[]
  /** Thoughts have been told whose end has not. */
  readonly thinkingOpen: boolean
  /** All that was told of the answer. */
  readonly answer: string
}

export const NOTHING_TOLD: Telling = { closing: false, thinking: [], text: [], thinkingOpen: false, answer: '' }

/** What is told of an event, and how far the telling is then. */
export function toWire(telling: Telling, event: AgentEvent, profile: Profile): readonly [Telling, readonly Outgoing[]] {
  const is_subagent = event.subagent
  const told = (...messages: readonly Outgoing[]) => [telling, messages] as const
  switch (event.type) {
    case 'run_started':
      return [NOTHING_TOLD, [{ type: 'stream_start' }]]
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
      return [{ ...telling, closing: event.closing, thinking: [], text: [], thinkingOpen: false }, []]
    case 'thinking_delta':
      if (telling.closing) return tellThinking(telling, [event.text], profile)
      return [{ ...telling, thinking: [...telling.thinking, event.text] }, []]
    case 'text_delta':
      if (telling.closing) return tellText(telling, [event.text])
      return [{ ...telling, text: [...telling.text, event.text] }, []]
    default:
      return told()
  }
}

/** Thoughts come before the answer; those that come later have no place in the protocol. */
function tellThinking(telling: Telling, pieces: readonly string[], profile: Profile): readonly [Telling, Outgoing[]] {
  if (!profile.thinking_enabled || telling.answer !== '' || pieces.length === 0) return [telling, []]
  return [{ ...telling, thinkingOpen: true }, pieces.map((delta) => ({ type: 'thinking_delta', delta }))]
}

function tellText(telling: Telling, pieces: readonly string[]): readonly [Telling, Outgoing[]] {
  const before: Outgoing[] = telling.thinkingOpen ? [{ type: 'thinking_end' }] : []
  const after = { ...telling, thinkingOpen: false, answer: telling.answer + pieces.join('') }
  return [after, [...before, ...pieces.map((delta): Outgoing => ({ type: 'stream_delta', delta }))]]
}

function endMessage(
  telling: Telling,
  because: 'end' | 'calls' | 'stopped',
  profile: Profile,
): readonly [Telling, readonly Outgoing[]] {
  const { thinking, text } = telling
  const empty = { ...telling, thinking: [], text: [], thinkingOpen: false }
  if (because === 'stopped') return [empty, []]
  if (because === 'calls') return [empty, turnThinking(thinking.join(''), text.join(''), false, profile)]
  const [thought, thoughts] = tellThinking(telling, thinking, profile)
  const [said, texts] = tellText(thought, text)
  return [{ ...said, thinking: [], text: [] }, [...thoughts, ...texts]]
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

/** A picture with or without its `data:` prefix. */
function imageOf(given: string): Image {
  const prefix = DATA_URL.exec(given)
  return { mimeType: prefix?.[1] ?? 'image/png', base64: prefix ? given.slice(prefix[0].length) : given }
}

/** What a message says; `paths` are the files that the model is told of. */
export function inputOf({ content, images }: Incoming, paths: readonly string[]): Input {
  const attached = paths.length === 0 ? '' : `\n\nAttached files:\n${paths.map((path) => `- ${path}`).join('\n')}`
  return {
    text: content,
    images: (images ?? []).map(imageOf),
    ...(attached === '' ? {} : { modelText: content + attached }),
  }
}

/** Milliseconds since the epoch as the document writes times. */
export const timestamp = (atMs: number): string => new Date(atMs).toISOString().replace('Z', '+00:00')

/** A message as it is displayed. */
export function toItem(message: Message): Item {
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
export function contextItems({ summary, messages }: Context): readonly Item[] {
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
