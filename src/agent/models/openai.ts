import { type Clock, realClock } from '../../base/clock.ts'
import { type ChatMessage, contextTokens, type ModelContext } from '../history/history.ts'
import { SCRIPTED } from '../profiles/profiles.ts'
import { type CompletionCall, CompletionReader } from './completion.ts'
import { DEFAULT_TIMEOUTS, type Endpoint, type EndpointTimeouts, streamCompletion } from './endpoint.ts'
import { ModelFailure } from './failure.ts'
import type { CallRequest, Model, ModelRequest, ModelStep, ModelStepResult } from './model.ts'
import { offered, promptOf } from './prompt.ts'
import { fitContext, roomFor } from './window.ts'

/** A model behind an OpenAI-compatible chat completions endpoint. The key comes from the environment, never from a file. */
export interface OpenAiOptions {
  readonly baseUrl?: string
  /** The API key. Optional, since some endpoints need none. */
  readonly key?: string
  /** The default model, if neither the client nor the profile names one. */
  readonly model: string
  /** The maximum number of requests in one run. */
  readonly maxTurns?: number
  readonly retries?: number
  readonly clock?: Clock
  readonly timeouts?: Partial<EndpointTimeouts>
}

/** The default URL of the endpoint. */
export const OPENAI_URL = 'https://api.openai.com/v1'

const MAX_TURNS = 25
const MAX_RETRIES = 2

/** The model's text and calls. With calls, the next request sends their results. */
interface Answered {
  readonly text: string
  readonly calls: readonly CompletionCall[]
}

export function openAiModel(options: OpenAiOptions): Model {
  const { baseUrl = OPENAI_URL, key, maxTurns = MAX_TURNS, retries = MAX_RETRIES, clock = realClock() } = options
  const endpoint: Endpoint = { baseUrl, key, clock, retries, timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts } }

  async function* play(request: ModelRequest): AsyncGenerator<ModelStep, void, ModelStepResult> {
    const messages: ChatMessage[] = [...request.context.messages]
    for (let turn = 0; turn < maxTurns; turn++) {
      const { text, calls } = yield* askWithinWindow(messages, request, (context) =>
        answerTo(endpoint, nameOf(request, options), context, request),
      )
      if (calls.length === 0) return
      const { results }: ModelStepResult = yield { do: 'call', calls: calls.map(requested) }
      messages.push({
        role: 'assistant',
        text,
        calls: calls.map(({ id, tool, args }) => ({ id, tool, args })),
        atMs: 0,
      })
      for (const [at, { id, tool }] of calls.entries()) {
        const { ok = false, text = '', images } = results[at] ?? {}
        messages.push({ role: 'tool', callId: id, tool, ok, text, ...(images && { images }), atMs: 0 })
      }
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

const nameOf = ({ model, profile }: ModelRequest, options: OpenAiOptions): string =>
  model ?? (profile.model === SCRIPTED ? options.model : profile.model)

/** Sends the context that fits into the profile's window. Retries once with half of it if the model's window is smaller. */
async function* askWithinWindow(
  messages: readonly ChatMessage[],
  { context: { summary }, profile, tools }: ModelRequest,
  ask: (context: ModelContext) => AsyncGenerator<ModelStep, Answered, ModelStepResult>,
): AsyncGenerator<ModelStep, Answered, ModelStepResult> {
  const maxTokens = roomFor(profile.max_context_tokens, profile.system_prompt, tools)
  const fitted = fitContext({ summary, messages }, maxTokens)
  try {
    return yield* ask(fitted)
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure) || thrown.code !== 'model_context_length') throw thrown
    return yield* ask(fitContext(fitted, Math.floor(Math.min(maxTokens, contextTokens(fitted)) / 2)))
  }
}

/** Sends one request and yields thoughts and text as they arrive, then the usage. Throws `ModelFailure`. */
async function* answerTo(
  endpoint: Endpoint,
  model: string,
  context: ModelContext,
  { tools, signal, profile }: ModelRequest,
): AsyncGenerator<ModelStep, Answered, ModelStepResult> {
  const answer = new CompletionReader()
  const body = {
    model,
    messages: promptOf(profile.system_prompt, context),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length === 0 ? {} : { tools: tools.map(offered) }),
  }
  const pieces = streamCompletion(endpoint, { body, signal, finished: () => answer.finished })
  try {
    for (;;) {
      const { done, value } = await pieces.next()
      if (done) {
        if (answer.usage) yield { do: 'use', ...answer.usage }
        return { text: answer.text, calls: answer.end(value) }
      }
      const { thought, text } = answer.add(value)
      if (thought !== '') yield { do: 'think', text: thought }
      if (text !== '') yield { do: 'say', text }
    }
  } finally {
    await pieces.return(false)
  }
}

/** Converts a call for the engine. A call with a problem is refused. */
const requested = ({ id, tool, args, pieces, problem }: CompletionCall): CallRequest => ({
  providerId: id,
  tool,
  args,
  pieces,
  ...(problem !== undefined && { problem }),
})
