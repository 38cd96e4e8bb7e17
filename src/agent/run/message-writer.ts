import type { EventBody, ToolCall } from '../events.ts'

interface Listener {
  readonly subagent: boolean
  readonly signal: AbortSignal
  readonly newId: () => string
  readonly tell: (happening: EventBody) => void
  readonly finished: (message: Readonly<Draft>) => void
}

/** A message that is being made; it is changed in place, for it may have thousands of pieces. */
interface Draft {
  readonly id: string
  thinking: string
  text: string
  readonly calls: ToolCall[]
}

const PIECE = /.{1,24}/gsu

/** An agent's voice: it puts pieces together to messages, and tells each piece as it comes. */
export class MessageWriter {
  readonly subagent: boolean
  readonly signal: AbortSignal
  readonly #listener: Listener
  #draft: Draft | undefined
  #lastText = ''
  #earlierText = ''

  constructor(listener: Listener) {
    this.subagent = listener.subagent
    this.signal = listener.signal
    this.#listener = listener
  }

  /** The text of the newest message, finished or not. */
  get lastText(): string {
    return this.#draft?.text ?? this.#lastText
  }

  /** The text of all messages. */
  get allText(): string {
    return this.#earlierText + (this.#draft?.text ?? '')
  }

  think(text: string, closing: boolean | undefined): void {
    const draft = this.#open(closing)
    draft.thinking += text
    this.#listener.tell({ type: 'thinking_delta', messageId: draft.id, text })
  }

  say(text: string, closing: boolean | undefined): void {
    const draft = this.#open(closing)
    draft.text += text
    this.#listener.tell({ type: 'text_delta', messageId: draft.id, text })
  }

  call(call: ToolCall, pieces: readonly string[] = cut(JSON.stringify(call.args))): void {
    const draft = this.#open(false)
    draft.calls.push(call)
    const { tell } = this.#listener
    tell({ type: 'tool_call_start', messageId: draft.id, callId: call.id, tool: call.tool })
    for (const json of pieces)
      tell({ type: 'tool_call_delta', messageId: draft.id, callId: call.id, tool: call.tool, json })
    tell({ type: 'tool_call_end', callId: call.id, tool: call.tool })
  }

  /** Finishes the message that is being made, if there is one; `refused` are calls of it that are not made. */
  end(because: 'end' | 'calls' | 'stopped', refused: readonly string[] = []): void {
    const draft = this.#draft
    if (!draft) return
    this.#draft = undefined
    this.#lastText = draft.text
    this.#earlierText += draft.text
    const { id, thinking, text, calls } = draft
    this.#listener.finished(draft)
    this.#listener.tell({
      type: 'message_end',
      messageId: id,
      thinking,
      text,
      calls,
      because,
      ...(refused.length > 0 && { refused }),
    })
  }

  #open(closing: boolean | undefined): Draft {
    if (this.#draft) return this.#draft
    const draft: Draft = { id: this.#listener.newId(), thinking: '', text: '', calls: [] }
    this.#draft = draft
    this.#listener.tell({ type: 'message_start', messageId: draft.id, closing })
    return draft
  }
}

/** JSON in pieces of whole characters. */
const cut = (json: string): readonly string[] => json.match(PIECE)!
