import * as z from 'zod'
import { isTooDeep } from '../../base/depth.ts'
import type { ToolCallArguments } from '../events.ts'
import { ModelFailure, saysTooLong } from './failure.ts'

const MAX_TEXT_CHARACTERS = 1024 * 1024
const MAX_ARGUMENTS_CHARACTERS = 256 * 1024
const MAX_CALLS = 64
const QUOTED_CHARACTERS = 200

const Text = z.string().nullish().catch(undefined)
/** A text, or a list of parts of which some are text. */
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

/** A piece of a streamed completion, or a whole one. */
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

/** What a piece adds to an answer. */
export interface CompletionDelta {
  readonly thought: string
  readonly text: string
}

/** The tokens of a whole answer. */
export interface CompletionUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A tool call of an answer. */
export interface CompletionCall {
  readonly id: string
  readonly tool: string
  readonly args: ToolCallArguments
  /** The arguments in the pieces in which they came. */
  readonly pieces: readonly string[]
  /** Why it must not be made. */
  readonly problem: string | undefined
}

interface Call {
  readonly index: number | undefined
  /** As the endpoint gave it. */
  id: string | undefined
  name: string
  readonly pieces: string[]
  /** How often it was looked whether its arguments are whole. */
  looks: number
}

/** Finishes that are failures; every other word is an end. */
const BROKEN_FINISHES = {
  length: 'model_length',
  max_tokens: 'model_length',
  content_filter: 'model_content_filter',
  error: 'model_cut_off',
} as const

/** One answer of an endpoint, put together from its pieces; its size is limited. */
export class CompletionReader {
  #text = ''
  #thoughts = 0
  #refusal = ''
  #finish: string | undefined
  #usage: CompletionUsage | undefined
  #arguments = 0
  #isCompletion = false
  #hasBegun = false
  readonly #calls: Call[] = []

  get text(): string {
    return this.#text
  }

  /** As it was reported last: some endpoints send with every piece the total so far. */
  get usage(): CompletionUsage | undefined {
    return this.#usage
  }

  get finished(): boolean {
    return this.#finish !== undefined
  }

  /** Takes the next piece. Throws `ModelFailure` when it is malformed, tells of an error, or is too much. */
  add(value: unknown): CompletionDelta {
    const read = isTooDeep(value) ? undefined : Piece.safeParse(value)
    if (!read?.success) throw new ModelFailure('model_bad_answer', 'it sent a malformed piece')
    const { choices, usage, error } = read.data
    this.#hasBegun = true
    if (error) {
      // Behind a text it is too late to ask again.
      if (this.#text === '' && this.#thoughts === 0 && saysTooLong(JSON.stringify(error)))
        throw new ModelFailure('model_context_length')
      throw new ModelFailure('model_unavailable', 'it reported an error')
    }
    this.#isCompletion ||= choices != null
    const choice = choices?.find(({ index }) => !index)
    const delta = choice?.delta ?? choice?.message
    const thought = delta?.reasoning_content || delta?.reasoning || ''
    const text = delta?.content ?? ''
    this.#text += text
    this.#thoughts += thought.length
    this.#refusal += delta?.refusal ?? ''
    const said = this.#text.length + this.#thoughts + this.#refusal.length
    if (said > MAX_TEXT_CHARACTERS)
      throw new ModelFailure('model_too_large', `more than ${MAX_TEXT_CHARACTERS} characters`)
    for (const piece of delta?.tool_calls ?? []) this.#addCall(piece)
    this.#finish = choice?.finish_reason || this.#finish
    if (usage) this.#usage = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }
    return { thought, text }
  }

  /** The calls of the finished answer; `done`: the endpoint said so. Throws `ModelFailure` for an answer that is none. */
  end(done: boolean): readonly CompletionCall[] {
    if (this.#refusal !== '') throw new ModelFailure('model_refusal', this.#refusal.slice(0, QUOTED_CHARACTERS))
    const finish = this.#finish
    if (finish !== undefined && Object.hasOwn(BROKEN_FINISHES, finish))
      throw new ModelFailure(BROKEN_FINISHES[finish as keyof typeof BROKEN_FINISHES])
    if (!this.#hasBegun) throw new ModelFailure('model_empty', 'nothing was sent')
    if (finish === undefined && !done) throw new ModelFailure('model_cut_off')
    if (!this.#isCompletion) throw new ModelFailure('model_bad_answer', 'nothing of it had `choices`')
    if (this.#calls.length === 0 && this.#text.trim() === '') throw new ModelFailure('model_empty')
    return named(this.#calls).map(readCall)
  }

  #addCall(piece: CallPiece): void {
    const { name, arguments: json } = piece.function ?? {}
    const call = this.#callOf(piece)
    // Some endpoints repeat the name with every piece.
    if (name && call.name !== name && call.pieces.length === 0) call.name += name
    if (!json) return
    this.#arguments += json.length
    if (this.#arguments > MAX_ARGUMENTS_CHARACTERS)
      throw new ModelFailure('model_too_large', `arguments of more than ${MAX_ARGUMENTS_CHARACTERS} characters`)
    call.pieces.push(json)
  }

  /** The call that a piece belongs to. Endpoints leave out its index, or give several calls the same one. */
  #callOf(piece: CallPiece): Call {
    const index = piece.index ?? undefined
    const id = piece.id || undefined
    const known = this.#calls.findLast((call) =>
      index === undefined ? !id || call.id === id : call.index === index && (!id || !call.id || call.id === id),
    )
    if (known && !begins(piece, known)) {
      known.id ??= id
      return known
    }
    if (this.#calls.length === MAX_CALLS) throw new ModelFailure('model_too_large', `more than ${MAX_CALLS} calls`)
    const call: Call = { index, id, name: '', pieces: [], looks: 0 }
    this.#calls.push(call)
    return call
  }
}

/** Whether a piece begins another call than the one that its index, or its place, tells. */
function begins(piece: CallPiece, known: Call): boolean {
  const name = piece.function?.name
  if (!name || known.name === '' || (piece.id && piece.id === known.id)) return false
  if (piece.index == null && (known.name !== name || known.pieces.length === 0)) return true
  return isWhole(known)
}

/** Whether the arguments of a call are complete. It is not looked at too often, since each look reads all of them. */
const isWhole = (call: Call): boolean => call.looks++ < MAX_CALLS && argumentsIn(call.pieces.join('')) !== undefined

/** The calls with an id each; an id that is missing or taken is replaced. */
function named(calls: readonly Call[]): readonly (Call & { readonly id: string })[] {
  const taken = new Set<string>()
  return calls.map((call, at) => {
    let id = call.id ?? `tool_call_${at}`
    while (taken.has(id)) id += '_'
    taken.add(id)
    return { ...call, id }
  })
}

/** Arguments are reported in at most this many pieces, however small the endpoint's own are. */
const MAX_PIECES = 512

function fewer(pieces: readonly string[]): readonly string[] {
  const width = Math.ceil(pieces.length / MAX_PIECES)
  if (width <= 1) return pieces
  return Array.from({ length: Math.ceil(pieces.length / width) }, (_, at) =>
    pieces.slice(at * width, (at + 1) * width).join(''),
  )
}

function readCall({ id, name, pieces }: Call & { readonly id: string }): CompletionCall {
  const text = pieces.join('')
  const args = text.trim() === '' ? {} : argumentsIn(text)
  const refused = { id, tool: name, args: {}, pieces: ['{}'] }
  if (name === '') return { ...refused, tool: 'unnamed', problem: 'The call names no tool, so nothing was done.' }
  if (args === undefined) {
    const quoted = JSON.stringify(text.slice(0, QUOTED_CHARACTERS))
    const problem = `The arguments are not a whole JSON object, so nothing was done: ${quoted}. Call the tool again.`
    return { ...refused, problem }
  }
  return { id, tool: name, args, pieces: text.trim() === '' ? ['{}'] : fewer(pieces), problem: undefined }
}

function argumentsIn(text: string): ToolCallArguments | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && !isTooDeep(value) ? (value as ToolCallArguments) : undefined
  } catch {
    return undefined
  }
}
