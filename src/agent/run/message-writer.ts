import type { EventBody, ToolCall } from '../events.ts'

interface Listener {
  readonly subagent: boolean
  readonly signal: AbortSignal
  readonly newId: () => string
  readonly emit: (event: EventBody) => void
  readonly finished: (message: Readonly<Draft>) => void
}

/** An unfinished message. Mutable, because it may have thousands of pieces. */
interface Draft {
  readonly id: string
  thinking: string
  text: string
  readonly calls: ToolCall[]
}

const PIECE = /.{1,24}/gsu

/** Joins the pieces of an agent's output into messages, and emits an event for each piece. */
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
    this.#listener.emit({ type: 'thinking_delta', messageId: draft.id, text })
  }

  say(text: string, closing: boolean | undefined): void {
    const draft = this.#open(closing)
    draft.text += text
    this.#listener.emit({ type: 'text_delta', messageId: draft.id, text })
  }

  call(call: ToolCall, pieces: readonly string[] = cut(JSON.stringify(call.args))): void {
    const draft = this.#open(false)
    draft.calls.push(call)
    const { emit } = this.#listener
    emit({ type: 'tool_call_start', messageId: draft.id, callId: call.id, tool: call.tool })
    for (const json of pieces)
      emit({ type: 'tool_call_delta', messageId: draft.id, callId: call.id, tool: call.tool, json })
    emit({ type: 'tool_call_end', callId: call.id, tool: call.tool })
  }

  /** Finishes the current message, if any. `refused`: its calls that are not made. */
  end(because: 'end' | 'calls' | 'stopped', refused: readonly string[] = []): void {
    const draft = this.#draft
    if (!draft) return
    this.#draft = undefined
    this.#lastText = draft.text
    this.#earlierText += draft.text
    const { id, thinking, text, calls } = draft
    this.#listener.finished(draft)
    this.#listener.emit({
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
    this.#listener.emit({ type: 'message_start', messageId: draft.id, closing })
    return draft
  }
}

/** Splits JSON into pieces of whole characters. */
const cut = (json: string): readonly string[] => json.match(PIECE)!
