import { contextTokens, estimateTokens } from '../agent/history/history.ts'
import type { ModelAnswer, ModelClient, ModelQuestion } from '../agent/models/client.ts'
import { ModelFailure, type ModelFailureCode } from '../agent/models/failure.ts'
import { toolTokens } from '../agent/models/window.ts'

/** What came of one question to the model. */
export type Attempt = AttemptCost &
  (
    | { readonly kind: 'answer'; readonly answer: ModelAnswer }
    /** The answer cannot be used, and another attempt may succeed. */
    | {
        readonly kind: 'unusable'
        readonly reason: string
        /** Whether the model caused it and should read the reason. */
        readonly isModelsFault: boolean
      }
    /** Another attempt would fail too. */
    | { readonly kind: 'over'; readonly outcome: 'refused' | 'failed' | 'unavailable'; readonly reason: string }
  )

/** What a question cost, and what the model thought. */
interface AttemptCost {
  readonly thought: string
  readonly text: string
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The failures after which asking again may succeed: of the model, which reads the reason, or of its endpoint. */
const MODELS_FAULTS: ReadonlySet<ModelFailureCode> = new Set([
  'model_bad_call',
  'model_empty',
  'model_length',
  'model_too_large',
])
const ENDPOINTS_FAULTS: ReadonlySet<ModelFailureCode> = new Set([
  'model_unavailable',
  'model_bad_answer',
  'model_cut_off',
  'model_timeout',
])
const REFUSALS: ReadonlySet<ModelFailureCode> = new Set(['model_refusal', 'model_content_filter'])

/** A request that the endpoint has not accepted costs nothing. */
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 }

/** Asks the model once. The client has already retried rate limits and lost connections. */
export async function askModel(client: ModelClient, question: ModelQuestion): Promise<Attempt> {
  let thought = ''
  let text = ''
  let usage: { readonly inputTokens?: number; readonly outputTokens?: number } | undefined
  // Some endpoints report zeros, which no request costs.
  const cost = (calls: ModelAnswer['calls'] = []): AttemptCost => ({
    thought,
    text,
    inputTokens: usage?.inputTokens || requestTokens(question),
    outputTokens: usage?.outputTokens || estimateTokens(thought + text) + callTokens(calls),
  })
  try {
    const steps = client.ask(question)
    for (;;) {
      const { done, value } = await steps.next()
      if (done) return { kind: 'answer', answer: value, ...cost(value.calls) }
      if (value.do === 'use') usage = value
      else if (value.do === 'think') thought += [value.text].flat().join('')
      else text += [value.text].flat().join('')
    }
  } catch (thrown) {
    if (!(thrown instanceof ModelFailure)) throw thrown
    const { code, message: reason } = thrown
    if (REFUSALS.has(code)) return { kind: 'over', outcome: 'refused', reason, ...cost() }
    const isModelsFault = MODELS_FAULTS.has(code)
    if (isModelsFault || ENDPOINTS_FAULTS.has(code)) return { kind: 'unusable', reason, isModelsFault, ...cost() }
    const outcome = code === 'model_context_length' ? 'failed' : 'unavailable'
    return { kind: 'over', outcome, reason, ...cost(), ...(!usage && NO_TOKENS) }
  }
}

const requestTokens = ({ systemPrompt = '', tools, context }: ModelQuestion): number =>
  estimateTokens(systemPrompt) + toolTokens(tools) + contextTokens(context)

const callTokens = (calls: ModelAnswer['calls']): number =>
  estimateTokens(calls.map(({ tool, args }) => tool + JSON.stringify(args)).join(''))
