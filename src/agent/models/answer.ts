import type * as z from 'zod'
import { isTooDeep } from '../../base/external-values.ts'
import type { ToolCallArguments } from '../events.ts'

const MAX_TEXT_CHARACTERS = 1024 * 1024
const MAX_ARGUMENTS_CHARACTERS = 256 * 1024
/** The maximum number of calls of one answer. */
export const MAX_CALLS = 64
const MAX_QUOTED_CHARACTERS = 200
/** The maximum number of emitted pieces of arguments, regardless of the endpoint's own pieces. */
const MAX_PIECES = 512

/** The content that a piece adds to an answer. */
export interface AnswerDelta {
  readonly thought: string
  readonly text: string
}

/** Reads a piece of an answer that arrives in pieces. Throws a `ModelFailure` for what does not have its shape. */
export function readPiece<Shape>(schema: z.ZodType<Shape>, value: unknown, noun = 'piece'): Shape {
  const read = isTooDeep(value) ? undefined : schema.safeParse(value)
  if (!read?.success) throw new ModelFailure('model_bad_answer', `it sent a malformed ${noun}`)
  return read.data
}

/** The tokens of a request and of its whole answer. */
export interface AnswerUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A tool call of an answer. */
export interface AnswerCall {
  readonly id: string
  readonly tool: string
  readonly args: ToolCallArguments
  /** The arguments as received, in pieces. */
  readonly pieces: readonly string[]
  /** The reason to refuse the call. */
  readonly problem: string | undefined
}

/** The parts of a finished answer that are known only at its end. */
export interface AnswerEnd {
  readonly calls: readonly AnswerCall[]
  /** Whether the model paused and continues when it receives its own answer. */
  readonly paused?: boolean
  /** The content in the form of the dialect, for models that require their own content back unchanged. */
  readonly native?: readonly unknown[]
}

/** Assembles an answer from the JSON values of a stream. */
export interface AnswerReader {
  readonly text: string
  /** The latest report. Some endpoints send the running total with every piece. */
  readonly usage: AnswerUsage | undefined
  /** Whether the answer is complete, even if the stream fails afterwards. */
  readonly finished: boolean
  /** Adds the next piece. Throws `ModelFailure` if it is malformed, reports an error, or exceeds a limit. */
  add(value: unknown): AnswerDelta
  /** Returns the end of the answer. `done`: the end marker arrived. Throws `ModelFailure` for an unusable answer. */
  end(done: boolean): AnswerEnd
}

/** The text of an answer, limited together with its thoughts and its refusal. */
export class AnswerText {
  #text = ''
  #refusal = ''
  #thoughts = 0

  get text(): string {
    return this.#text
  }

  /** Whether neither text nor thoughts were emitted, so that the request can be repeated. */
  get isEmpty(): boolean {
    return this.#text === '' && this.#thoughts === 0
  }

  add({ thought = '', text = '', refusal = '' }): AnswerDelta {
    this.#text += text
    this.#thoughts += thought.length
    this.#refusal += refusal
    if (this.#text.length + this.#thoughts + this.#refusal.length > MAX_TEXT_CHARACTERS)
      throw new ModelFailure('model_too_large', `more than ${MAX_TEXT_CHARACTERS} characters`)
    return { thought, text }
  }

  /** Throws `ModelFailure` with the words of a refusal. */
  assertNotRefused(): void {
    if (this.#refusal !== '') throw modelRefusal(this.#refusal)
  }
}

/** A refusal with the words of the model, if any. */
export const modelRefusal = (words: string): ModelFailure =>
  new ModelFailure('model_refusal', words.trim().slice(0, MAX_QUOTED_CHARACTERS))

/** A call while its answer is received. */
export interface StreamedCall {
  /** The id from the endpoint. */
  id: string | undefined
  name: string
  readonly pieces: string[]
}

/** The calls of an answer, limited in number and size. */
export class AnswerCalls<Call extends StreamedCall = StreamedCall> {
  readonly list: Call[] = []
  #arguments = 0

  open(call: Call): Call {
    if (this.list.length === MAX_CALLS) throw new ModelFailure('model_too_large', `more than ${MAX_CALLS} calls`)
    this.list.push(call)
    for (const piece of call.pieces) this.#count(piece)
    return call
  }

  append(call: Call, json: string): void {
    this.#count(json)
    call.pieces.push(json)
  }

  /** Returns the calls, in the order of `list`. */
  read(): readonly AnswerCall[] {
    return withUniqueIds(this.list).map(readCall)
  }

  #count(json: string): void {
    this.#arguments += json.length
    if (this.#arguments > MAX_ARGUMENTS_CHARACTERS)
      throw new ModelFailure('model_too_large', `arguments of more than ${MAX_ARGUMENTS_CHARACTERS} characters`)
  }
}

type IdentifiedCall = StreamedCall & { readonly id: string }

/** Gives each call a unique id. Replaces missing and duplicate ids. */
function withUniqueIds(calls: readonly StreamedCall[]): readonly IdentifiedCall[] {
  const taken = new Set<string>()
  return calls.map((call, at) => {
    let id = call.id ?? `tool_call_${at}`
    while (taken.has(id)) id += '_'
    taken.add(id)
    return { ...call, id }
  })
}

function limitPieces(pieces: readonly string[]): readonly string[] {
  const width = Math.ceil(pieces.length / MAX_PIECES)
  if (width <= 1) return pieces
  return Array.from({ length: Math.ceil(pieces.length / width) }, (_, at) =>
    pieces.slice(at * width, (at + 1) * width).join(''),
  )
}

function readCall({ id, name, pieces }: IdentifiedCall): AnswerCall {
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

/** Returns the arguments of a call, or undefined if the text is not a whole JSON object of limited depth. */
export function argumentsIn(text: string): ToolCallArguments | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && !isTooDeep(value) ? (value as ToolCallArguments) : undefined
  } catch {
    return undefined
  }
}

/** Failures of a model endpoint by code, each with the message that clients receive. */
const FAILURES = {
  model_unreachable: "the model's endpoint cannot be reached",
  model_timeout: "the model's endpoint took too long",
  model_rate_limited: "the model's endpoint is asked too often",
  model_unauthorized: "the model's endpoint does not accept the key",
  model_bad_request: "the model's endpoint does not accept the request",
  model_context_length: "the conversation is longer than the model's context, even when it is compressed",
  model_unavailable: "the model's endpoint does not work",
  model_bad_answer: "the model's endpoint did not send an answer that can be read",
  model_cut_off: "the model's answer ended before it was finished",
  model_empty: "the model's answer is empty",
  model_length: "the model's answer was cut off at its length limit",
  model_content_filter: "a content filter stopped the model's answer",
  model_refusal: 'the model refused',
  model_bad_call: 'the model wrote a call that its endpoint could not read',
  model_too_large: "the model's answer is larger than allowed",
} as const

export type ModelFailureCode = keyof typeof FAILURES

/** A failed request to an endpoint. Its message never quotes the request. */
export class ModelFailure extends Error {
  readonly code: ModelFailureCode
  /** Whether the same request may succeed later. */
  readonly retry: boolean
  /** The delay before a retry that the endpoint requested. */
  readonly retryAfterMs: number | undefined

  /** `detail` is appended to the message of the code. */
  constructor(
    code: ModelFailureCode,
    detail = '',
    retry: { readonly afterMs: number | undefined } | undefined = undefined,
  ) {
    super(detail === '' ? FAILURES[code] : `${FAILURES[code]}: ${detail}`)
    this.code = code
    this.retry = retry !== undefined
    this.retryAfterMs = retry?.afterMs
  }
}

/** Matches error texts of endpoints for a request that exceeds the context of the model. */
const TOO_LONG =
  /context[ _](?:length|window|size)|maximum context|(?:prompt|input|request|conversation) (?:is )?too (?:long|large)|too many (?:input )?tokens|exceeds? the (?:available )?context|exceeds? the maximum number of (?:input )?tokens/i

/** The failure that an error inside of an answer reports. A conversation cannot be shortened after text was emitted. */
export const failureInAnswer = (error: unknown, hasText: boolean): ModelFailure =>
  !hasText && isTooLongError(JSON.stringify(error) ?? '')
    ? new ModelFailure('model_context_length')
    : new ModelFailure('model_unavailable', 'it reported an error')

/** Returns whether an endpoint's error reports that the conversation is too long for its model. */
export const isTooLongError = (error: string): boolean => TOO_LONG.test(error)
