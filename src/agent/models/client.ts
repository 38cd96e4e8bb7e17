import { type Clock, realClock } from '../../base/clock.ts'
import { contextTokens, type ModelContext } from '../history/history.ts'
import type { ToolDescription } from '../tools/toolbox.ts'
import type { AnswerEnd } from './answer.ts'
import type { ModelDialect } from './dialect.ts'
import { openAiDialect } from './dialects/openai.ts'
import { DEFAULT_TIMEOUTS, type Endpoint, type EndpointTimeouts, streamCompletion } from './endpoint.ts'
import { ModelFailure } from './failure.ts'
import type { ModelStep } from './model.ts'
import { fitContext, MAX_IMAGES, roomFor } from './window.ts'

/** The endpoint of models. The key comes from the environment, never from a file. */
export interface ModelClientOptions {
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
