import * as z from 'zod'
import { isTooDeep } from '../../base/depth.ts'
import type { ToolCallArguments } from '../events.ts'
import { isTooLongError, ModelFailure } from './failure.ts'

const MAX_TEXT_CHARACTERS = 1024 * 1024
const MAX_ARGUMENTS_CHARACTERS = 256 * 1024
const MAX_CALLS = 64
const MAX_QUOTED_CHARACTERS = 200

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

/** The content that a piece adds to an answer. */
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
  /** The arguments as received, in pieces. */
  readonly pieces: readonly string[]
  /** The reason to refuse the call. */
  readonly problem: string | undefined
}

interface Call {
  readonly index: number | undefined
  /** The id from the endpoint. */
  id: string | undefined
  name: string
  readonly pieces: string[]
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

/** Assembles an answer of an endpoint from its pieces, with limits on its size. */
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

  /** The latest report. Some endpoints send the running total with every piece. */
  get usage(): CompletionUsage | undefined {
    return this.#usage
  }

  get finished(): boolean {
    return this.#finish !== undefined
  }

  /** Adds the next piece. Throws `ModelFailure` if it is malformed, reports an error, or exceeds a limit. */
  add(value: unknown): CompletionDelta {
    const read = isTooDeep(value) ? undefined : Piece.safeParse(value)
    if (!read?.success) throw new ModelFailure('model_bad_answer', 'it sent a malformed piece')
    const { choices, usage, error } = read.data
    this.#hasBegun = true
    if (error) {
      // After emitted text, a retry is too late.
      if (this.#text === '' && this.#thoughts === 0 && isTooLongError(JSON.stringify(error)))
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
    const length = this.#text.length + this.#thoughts + this.#refusal.length
    if (length > MAX_TEXT_CHARACTERS)
      throw new ModelFailure('model_too_large', `more than ${MAX_TEXT_CHARACTERS} characters`)
    for (const piece of delta?.tool_calls ?? []) this.#addCall(piece)
    this.#finish = choice?.finish_reason || this.#finish
    if (usage) this.#usage = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }
    return { thought, text }
  }

  /** Returns the calls of the finished answer. `done`: the end marker arrived. Throws `ModelFailure` for an unusable answer. */
  end(done: boolean): readonly CompletionCall[] {
    if (this.#refusal !== '') throw new ModelFailure('model_refusal', this.#refusal.slice(0, MAX_QUOTED_CHARACTERS))
    const finish = this.#finish
    if (finish !== undefined && Object.hasOwn(BROKEN_FINISHES, finish))
      throw new ModelFailure(BROKEN_FINISHES[finish as keyof typeof BROKEN_FINISHES])
    if (!this.#hasBegun) throw new ModelFailure('model_empty', 'nothing was sent')
    if (finish === undefined && !done) throw new ModelFailure('model_cut_off')
    if (!this.#isCompletion) throw new ModelFailure('model_bad_answer', 'nothing of it had `choices`')
    if (this.#calls.length === 0 && this.#text.trim() === '') throw new ModelFailure('model_empty')
    return withUniqueIds(this.#calls).map(readCall)
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

  /** Returns the call of a piece. Some endpoints omit the index, or use the same index for several calls. */
  #callOf(piece: CallPiece): Call {
    const index = piece.index ?? undefined
    const id = piece.id || undefined
    const known = this.#calls.findLast((call) =>
      index === undefined ? !id || call.id === id : call.index === index && (!id || !call.id || call.id === id),
    )
    if (known && !startsNewCall(piece, known)) {
      known.id ??= id
      return known
    }
    if (this.#calls.length === MAX_CALLS) throw new ModelFailure('model_too_large', `more than ${MAX_CALLS} calls`)
    const call: Call = { index, id, name: '', pieces: [], checks: 0 }
    this.#calls.push(call)
    return call
  }
}

/** Returns whether a piece starts a new call, despite the index or position of an existing one. */
function startsNewCall(piece: CallPiece, known: Call): boolean {
  const name = piece.function?.name
  if (!name || known.name === '' || (piece.id && piece.id === known.id)) return false
  if (piece.index == null && (known.name !== name || known.pieces.length === 0)) return true
  return isWhole(known)
}

/** Returns whether the arguments of a call are complete. Limits the number of checks, since each reads all arguments. */
const isWhole = (call: Call): boolean => call.checks++ < MAX_CALLS && argumentsIn(call.pieces.join('')) !== undefined

/** Gives each call a unique id. Replaces missing and duplicate ids. */
function withUniqueIds(calls: readonly Call[]): readonly (Call & { readonly id: string })[] {
  const taken = new Set<string>()
  return calls.map((call, at) => {
    let id = call.id ?? `tool_call_${at}`
    while (taken.has(id)) id += '_'
    taken.add(id)
    return { ...call, id }
  })
}

/** The maximum number of emitted pieces of arguments, regardless of the endpoint's own pieces. */
const MAX_PIECES = 512

function limitPieces(pieces: readonly string[]): readonly string[] {
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
    const quoted = JSON.stringify(text.slice(0, MAX_QUOTED_CHARACTERS))
    const problem = `The arguments are not a whole JSON object, so nothing was done: ${quoted}. Call the tool again.`
    return { ...refused, problem }
  }
  return { id, tool: name, args, pieces: text.trim() === '' ? ['{}'] : limitPieces(pieces), problem: undefined }
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
