import { type Clock, realClock } from '../../base/clock.ts'
import { type ChatMessage, contextTokens, type ModelContext } from '../history/history.ts'
import { SCRIPTED } from '../profiles/profiles.ts'
import { type CompletionCall, CompletionReader } from './completion.ts'
import { DEFAULT_TIMEOUTS, type Endpoint, type EndpointTimeouts, streamCompletion } from './endpoint.ts'
import { ModelFailure } from './failure.ts'
import type { CallRequest, Model, ModelRequest, ModelStep, ModelStepResult } from './model.ts'
import { offered, promptOf } from './prompt.ts'
import { fitContext, roomFor } from './window.ts'

/** A model behind an endpoint that speaks OpenAI's chat completions. The key comes from the environment, never from a file. */
export interface OpenAiOptions {
  readonly baseUrl?: string
  /** Left out for an endpoint that asks for none. */
  readonly key?: string
  /** Used when neither the client nor the profile names one. */
  readonly model: string
  /** How often the model may be asked in one run. */
  readonly turnLimit?: number
  readonly retries?: number
  readonly clock?: Clock
  readonly timeouts?: Partial<EndpointTimeouts>
}

/** Where the endpoint is unless it is named. */
export const OPENAI_URL = 'https://api.openai.com/v1'

const TURN_LIMIT = 25
const RETRIES = 2

/** What the model answered, and whether it is to be asked again with what its calls brought. */
interface Answered {
  readonly text: string
  readonly calls: readonly CompletionCall[]
}

export function openAiModel(options: OpenAiOptions): Model {
  const { baseUrl = OPENAI_URL, key, turnLimit = TURN_LIMIT, retries = RETRIES, clock = realClock() } = options
  const endpoint: Endpoint = { baseUrl, key, clock, retries, timeouts: { ...DEFAULT_TIMEOUTS, ...options.timeouts } }

  async function* play(request: ModelRequest): AsyncGenerator<ModelStep, void, ModelStepResult> {
    const said: ChatMessage[] = [...request.context.messages]
    for (let turn = 0; turn < turnLimit; turn++) {
      const { text, calls } = yield* fittingly(said, request, (context) =>
        answerTo(endpoint, nameOf(request, options), context, request),
      )
      if (calls.length === 0) return
      const { results }: ModelStepResult = yield { do: 'call', calls: calls.map(requested) }
      said.push({ role: 'assistant', text, calls: calls.map(({ id, tool, args }) => ({ id, tool, args })), atMs: 0 })
      for (const [at, { id, tool }] of calls.entries()) {
        const { ok = false, text = '', images } = results[at] ?? {}
        said.push({ role: 'tool', callId: id, tool, ok, text, ...(images && { images }), atMs: 0 })
      }
    }
    yield { do: 'say', text: `(Stopped after ${turnLimit} rounds of tool calls without an answer.)`, closing: true }
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

/** Asks with what fits into the profile's window, and once more with half of it when the model's is smaller. */
async function* fittingly(
  messages: readonly ChatMessage[],
  { context: { summary }, profile, tools }: ModelRequest,
  ask: (context: ModelContext) => AsyncGenerator<ModelStep, Answered, ModelStepResult>,
): AsyncGenerator<ModelStep, Answered, ModelStepResult> {
  const room = roomFor(profile.max_context_tokens, profile.system_prompt, tools)
  const fitted = fitContext({ summary, messages }, room)
  try {
    return yield* ask(fitted)
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure) || thrown.code !== 'model_context_length') throw thrown
    return yield* ask(fitContext(fitted, Math.floor(Math.min(room, contextTokens(fitted)) / 2)))
  }
}

/** Asks once and yields thoughts and text as they come, then the usage. Throws `ModelFailure`. */
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

/** A call as the engine makes it; one with a problem is only answered. */
const requested = ({ id, tool, args, pieces, problem }: CompletionCall): CallRequest => ({
  providerId: id,
  tool,
  args,
  pieces,
  ...(problem !== undefined && { problem }),
})
