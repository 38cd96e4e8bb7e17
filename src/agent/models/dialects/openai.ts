import type OpenAI from 'openai'
import * as z from 'zod'
import type { ImageContent } from '../../history/history.ts'
import {
  AnswerCalls,
  type AnswerDelta,
  type AnswerEnd,
  type AnswerReader,
  AnswerText,
  type AnswerUsage,
  argumentsIn,
  failureInAnswer,
  MAX_CALLS,
  ModelFailure,
  readPiece,
  type StreamedCall,
} from '../answer.ts'
import { type ModelDialect, type ModelPrompt, type PromptTurn, promptTurns, systemTextOf } from '../dialect.ts'

type CompletionMessage = OpenAI.ChatCompletionMessageParam

/** OpenAI's chat completions, which many other endpoints implement too. */
export const openAiDialect: ModelDialect = {
  name: 'openai',
  defaultUrl: 'https://api.openai.com/v1',
  exampleUrl: 'http://127.0.0.1:11434/v1',
  urlVariable: 'OPENAI_BASE_URL',
  keyVariable: 'OPENAI_API_KEY',
  pastedPaths: ['/chat/completions'],
  path: () => '/chat/completions',
  headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ model, systemPrompt, context, tools }: ModelPrompt) => {
    const system = systemTextOf(systemPrompt, context)
    const messages = promptTurns(context, 'openai').flatMap(completionMessages)
    return {
      model,
      messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages],
      stream: true,
      stream_options: { include_usage: true },
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, input }) => ({
          type: 'function',
          function: { name, description, parameters: { ...input } },
        })),
      }),
    }
  },
  openReader: () => new CompletionReader(),
}

function completionMessages(turn: PromptTurn): CompletionMessage[] {
  if (turn.role === 'user') return [userMessage(turn.text, turn.images)]
  const { text, calls } = turn
  const images = calls.flatMap(({ result }) => result.images)
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, tool, args }) => ({
          id,
          type: 'function' as const,
          function: { name: tool, arguments: JSON.stringify(args) },
        })),
      }),
    },
    ...calls.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result.text })),
    // Endpoints accept images only in user messages, so images of tools follow the results of all calls.
    ...(images.length === 0 ? [] : [userMessage('What the tools show:', images)]),
  ]
}

function userMessage(text: string, images: readonly ImageContent[]): CompletionMessage {
  if (images.length === 0) return { role: 'user', content: text }
  const pictures = images.map(({ mimeType, base64 }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mimeType};base64,${base64}` },
  }))
  return { role: 'user', content: [{ type: 'text', text }, ...pictures] }
}

const Text = z.string().nullish().catch(undefined)
/** A text, or a list of parts that includes text parts. */
const Content = z
  .union([
    z.string(),
    z.array(z.looseObject({ text: Text })).transform((parts) => parts.map(({ text }) => text ?? '').join('')),
  ])
  .nullish()

const CallPiece = z.looseObject({
  index: z.int().min(0).nullish().catch(undefined),
  id: Text,
  function: z
    .looseObject({
      name: Text,
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown()).transform((args) => JSON.stringify(args))])
        .nullish(),
    })
    .nullish(),
})
type CallPiece = z.infer<typeof CallPiece>

const Delta = z.looseObject({
  content: Content,
  refusal: Text,
  reasoning_content: Text,
  reasoning: Text,
  tool_calls: z.array(CallPiece).nullish(),
})

const tokens = z.int().min(0).catch(0)

/** A chunk of a streamed completion, or a whole completion. */
const Piece = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        index: z.number().nullish().catch(undefined),
        delta: Delta.nullish(),
        message: Delta.nullish(),
        finish_reason: Text,
      }),
    )
    .nullish(),
  usage: z.looseObject({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(undefined),
  error: z.unknown().optional(),
})

interface CompletionCall extends StreamedCall {
  readonly index: number | undefined
  /** How often its arguments were checked for completeness. */
  checks: number
}

/** The finish reasons that are failures. All others end the answer normally. */
const BROKEN_FINISHES = {
  length: 'model_length',
  max_tokens: 'model_length',
  content_filter: 'model_content_filter',
  error: 'model_cut_off',
} as const

/** Assembles a chat completion from its pieces. */
class CompletionReader implements AnswerReader {
  #finish: string | undefined
  #usage: AnswerUsage | undefined
  #isCompletion = false
  #hasBegun = false
  readonly #said = new AnswerText()
  readonly #calls = new AnswerCalls<CompletionCall>()

  get text(): string {
    return this.#said.text
  }

  get usage(): AnswerUsage | undefined {
    return this.#usage
  }

  get finished(): boolean {
    return this.#finish !== undefined
  }

  add(value: unknown): AnswerDelta {
    const { choices, usage, error } = readPiece(Piece, value)
    this.#hasBegun = true
    if (error) throw failureInAnswer(error, !this.#said.isEmpty)
    this.#isCompletion ||= choices != null
    const choice = choices?.find(({ index }) => !index)
    const delta = choice?.delta ?? choice?.message
    const said = this.#said.add({
      thought: delta?.reasoning_content || delta?.reasoning || '',
      text: delta?.content ?? '',
      refusal: delta?.refusal ?? '',
    })
    for (const piece of delta?.tool_calls ?? []) this.#addCall(piece)
    this.#finish = choice?.finish_reason || this.#finish
    if (usage) this.#usage = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }
    return said
  }

  end(done: boolean): AnswerEnd {
    this.#said.assertNotRefused()
    const finish = this.#finish
    if (finish !== undefined && Object.hasOwn(BROKEN_FINISHES, finish))
      throw new ModelFailure(BROKEN_FINISHES[finish as keyof typeof BROKEN_FINISHES])
    if (!this.#hasBegun) throw new ModelFailure('model_empty', 'nothing was sent')
    if (finish === undefined && !done) throw new ModelFailure('model_cut_off')
    if (!this.#isCompletion) throw new ModelFailure('model_bad_answer', 'nothing of it had `choices`')
    if (this.#calls.list.length === 0 && this.text.trim() === '') throw new ModelFailure('model_empty')
    return { calls: this.#calls.read() }
  }

  #addCall(piece: CallPiece): void {
    const { name, arguments: json } = piece.function ?? {}
    const call = this.#callOf(piece)
    // Some endpoints repeat the name with every piece.
    if (name && call.name !== name && call.pieces.length === 0) call.name += name
    if (json) this.#calls.append(call, json)
  }

  /** Returns the call of a piece. Some endpoints omit the index, or use the same index for several calls. */
  #callOf(piece: CallPiece): CompletionCall {
    const index = piece.index ?? undefined
    const id = piece.id || undefined
    const known = this.#calls.list.findLast((call) =>
      index === undefined ? !id || call.id === id : call.index === index && (!id || !call.id || call.id === id),
    )
    if (known && !startsNewCall(piece, known)) {
      known.id ??= id
      return known
    }
    return this.#calls.open({ index, id, name: '', pieces: [], checks: 0 })
  }
}

/** Returns whether a piece starts a new call, despite the index or position of an existing one. */
function startsNewCall(piece: CallPiece, known: CompletionCall): boolean {
  const name = piece.function?.name
  if (!name || known.name === '' || (piece.id && piece.id === known.id)) return false
  if (piece.index == null && (known.name !== name || known.pieces.length === 0)) return true
  return isWhole(known)
}

/** Returns whether the arguments of a call are complete. Limits the number of checks, since each reads all arguments. */
const isWhole = (call: CompletionCall): boolean =>
  call.checks++ < MAX_CALLS && argumentsIn(call.pieces.join('')) !== undefined
