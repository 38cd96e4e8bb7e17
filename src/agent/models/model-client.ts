import { type Clock, realClock } from '../../base/clock.ts'
import { type ChatMessage, contextTokens, type ModelContext } from '../history/history.ts'
import { SCRIPTED } from '../profiles.ts'
import type { ToolDescription } from '../toolbox.ts'
import { type AnswerCall, type AnswerEnd, ModelFailure } from './answer.ts'
import { fitContext, MAX_IMAGES, roomFor } from './context-window.ts'
import type { ModelDialect } from './dialect.ts'
import { anthropicDialect } from './dialects/anthropic.ts'
import { geminiDialect } from './dialects/gemini.ts'
import { openAiDialect } from './dialects/openai.ts'
import { DEFAULT_TIMEOUTS, type Endpoint, type EndpointTimeouts, streamCompletion } from './endpoint.ts'
import type { CallRequest, CallResult, Model, ModelRequest, ModelStep, ModelStepResult } from './model.ts'

/** The endpoint of models. The key comes from the environment, never from a file. */
interface ModelClientOptions {
  /** The API that the endpoint speaks. OpenAI's chat completions by default. */
  readonly dialect?: ModelDialect
  readonly baseUrl?: string
  /** The API key. Optional, since some endpoints need none. */
  readonly key?: string
  /** The maximum number of retries of a temporary failure. */
  readonly retries?: number
  readonly clock?: Clock
  readonly timeouts?: Partial<EndpointTimeouts>
  /** The maximum number of images besides those of the newest user message. */
  readonly maxImages?: number
}

/** One request to a model. */
export interface ModelQuestion {
  readonly model: string
  readonly systemPrompt: string | undefined
  readonly context: ModelContext
  readonly tools: readonly ToolDescription[]
  /** The context window, in tokens. */
  readonly maxContextTokens: number
  readonly signal: AbortSignal
}

/** The model's text and calls. */
export interface ModelAnswer extends AnswerEnd {
  readonly text: string
}

/** The steps while an answer arrives: thoughts, text, and the usage at its end. */
export type AnswerStep = Extract<ModelStep, { readonly do: 'think' | 'say' | 'use' }>

/** Sends requests to an endpoint in its dialect. */
export interface ModelClient {
  readonly dialect: ModelDialect
  /**
   * Sends what fits into the window, and yields the answer as it arrives. Retries once with half of the context if the
   * model's window is smaller. Throws `ModelFailure`.
   */
  ask(question: ModelQuestion): AsyncGenerator<AnswerStep, ModelAnswer>
}

const MAX_RETRIES = 2

export function createModelClient(options: ModelClientOptions): ModelClient {
  const { dialect = openAiDialect, key, retries = MAX_RETRIES, clock = realClock(), maxImages = MAX_IMAGES } = options
  const baseUrl = (options.baseUrl ?? dialect.defaultUrl).replace(/\/+$/, '')
  const endpointOf = (model: string): Endpoint => ({
    url: baseUrl + dialect.path(model),
    headers: dialect.headers(key),
    urlVariable: dialect.urlVariable,
    clock,
    retries,
    timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts },
  })
  return {
    dialect,
    async *ask(question) {
      const { model, systemPrompt, context, tools, maxContextTokens, signal } = question
      const send = (fitted: ModelContext) =>
        answerTo(endpointOf(model), dialect, dialect.body({ model, systemPrompt, context: fitted, tools }), signal)
      const maxTokens = roomFor(maxContextTokens, systemPrompt, tools)
      const fitted = fitContext(context, maxTokens, maxImages)
      try {
        return yield* send(fitted)
      } catch (thrown) {
        if (!(thrown instanceof ModelFailure) || thrown.code !== 'model_context_length') throw thrown
        const half = Math.floor(Math.min(maxTokens, contextTokens(fitted)) / 2)
        return yield* send(fitContext(fitted, half, maxImages))
      }
    },
  }
}

/** Sends one request and yields thoughts and text as they arrive, then the usage. Throws `ModelFailure`. */
async function* answerTo(
  endpoint: Endpoint,
  dialect: ModelDialect,
  body: object,
  signal: AbortSignal,
): AsyncGenerator<AnswerStep, ModelAnswer> {
  const answer = dialect.openReader()
  const pieces = streamCompletion(endpoint, { body, signal, finished: () => answer.finished })
  try {
    for (;;) {
      const { done, value } = await pieces.next()
      if (done) {
        if (answer.usage) yield { do: 'use', ...answer.usage }
        return { text: answer.text, ...answer.end(value) }
      }
      const { thought, text } = answer.add(value)
      if (thought !== '') yield { do: 'think', text: thought }
      if (text !== '') yield { do: 'say', text }
    }
  } finally {
    await pieces.return(false)
  }
}

/** A model behind an endpoint. */
export interface EndpointModelOptions extends ModelClientOptions {
  /** The default model, if neither the client nor the profile names one. */
  readonly model: string
  /** The maximum number of requests in one run. */
  readonly maxTurns?: number
}

const MAX_TURNS = 25

/** Creates a model that sends the conversation to an endpoint, until it answers without calls. */
export function endpointModel(options: EndpointModelOptions): Model {
  const { maxTurns = MAX_TURNS } = options
  const client = createModelClient(options)

  async function* play(request: ModelRequest): AsyncGenerator<ModelStep, void, ModelStepResult> {
    const { context, profile, tools, signal } = request
    const messages: ChatMessage[] = [...context.messages]
    for (let turn = 0; turn < maxTurns; turn++) {
      const answer = yield* client.ask({
        model: nameOf(request, options),
        systemPrompt: profile.system_prompt,
        context: { summary: context.summary, messages },
        tools,
        maxContextTokens: profile.max_context_tokens,
        signal,
      })
      const { calls, paused } = answer
      if (calls.length === 0 && !paused) return
      messages.push(answerMessage(answer, client.dialect.name))
      if (calls.length === 0) continue
      const { results }: ModelStepResult = yield { do: 'call', calls: calls.map(requested) }
      for (const [at, call] of calls.entries()) messages.push(resultMessage(call, results[at]))
    }
    yield { do: 'say', text: `(Stopped after ${maxTurns} rounds of tool calls without an answer.)`, closing: true }
  }

  return {
    name: options.model,
    async *run(request) {
      try {
        yield* play(request)
      } catch (thrown) {
        if (!(thrown instanceof ModelFailure)) throw thrown
        yield { do: 'fail', code: thrown.code, message: thrown.message, fatal: true }
      }
    },
  }
}

const nameOf = ({ model, profile }: ModelRequest, options: EndpointModelOptions): string =>
  model ?? (profile.model === SCRIPTED ? options.model : profile.model)

/** The message of an answer, for the next request. */
export const answerMessage = ({ text, calls, native }: ModelAnswer, dialect: string): ChatMessage => ({
  role: 'assistant',
  text,
  calls: calls.map(({ id, tool, args }) => ({ id, tool, args })),
  ...(native && { native: { dialect, content: native } }),
  atMs: 0,
})

/** The message of a result, for the next request. */
export function resultMessage(
  { id, tool }: Pick<AnswerCall, 'id' | 'tool'>,
  result: Partial<Pick<CallResult, 'ok' | 'text' | 'images'>> = {},
): ChatMessage {
  const { ok = false, text = '', images } = result
  return { role: 'tool', callId: id, tool, ok, text, ...(images && { images }), atMs: 0 }
}

/** Converts a call for the engine. A call with a problem is refused. */
const requested = ({ id, tool, args, pieces, problem }: AnswerCall): CallRequest => ({
  providerId: id,
  tool,
  args,
  pieces,
  ...(problem !== undefined && { problem }),
})

/** The dialects by name. A dialect is one row. */
const DIALECTS: readonly ModelDialect[] = [openAiDialect, anthropicDialect, geminiDialect]

export const DIALECT_NAMES: readonly string[] = DIALECTS.map(({ name }) => name)

export const findDialect = (name: string): ModelDialect | undefined => DIALECTS.find((dialect) => dialect.name === name)
