import type { ChatMessage } from '../history/history.ts'
import { SCRIPTED } from '../profiles/profiles.ts'
import type { AnswerCall } from './answer.ts'
import { createModelClient, type ModelAnswer, type ModelClientOptions } from './client.ts'
import { ModelFailure } from './failure.ts'
import type { CallRequest, CallResult, Model, ModelRequest, ModelStep, ModelStepResult } from './model.ts'

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
