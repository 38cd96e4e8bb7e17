import { type ChatMessage, contextTokens, estimateTokens, type ImageContent } from '../agent/history/history.ts'
import { type AnswerCall, ModelFailure, type ModelFailureCode } from '../agent/models/answer.ts'
import { toolTokens } from '../agent/models/context-window.ts'
import {
  answerMessage,
  type ModelAnswer,
  type ModelClient,
  type ModelQuestion,
  resultMessage,
} from '../agent/models/model-client.ts'
import type { Screen } from './desktop.ts'

/** A result as the model receives it. */
interface ShownResult {
  readonly ok: boolean
  readonly text: string
  readonly images?: readonly ImageContent[] | undefined
}

/** A message, and what is kept of the screen that it shows. */
interface Entry {
  readonly message: ChatMessage
  readonly screen?: Pick<Screen, 'text' | 'image'> | undefined
}

/** The messages to the model, with a limited number of screenshots. */
export class AgentConversation {
  #entries: readonly Entry[] = []
  readonly #maxScreenshots: number

  constructor(maxScreenshots: number) {
    this.#maxScreenshots = maxScreenshots
  }

  addUser(text: string, screen?: Screen): void {
    this.#add({ role: 'user', text, atMs: 0 }, screen)
  }

  addAnswer(answer: ModelAnswer, dialect: string): void {
    this.#add(answerMessage(answer, dialect))
  }

  addResult(call: AnswerCall, { ok, text, images }: ShownResult, screen?: Screen): void {
    this.#add(resultMessage(call, { ok, text, ...(images && { images }) }), screen)
  }

  /** Returns the messages. The newest screens keep their pictures, and the newest one its tree. */
  messages(): readonly ChatMessage[] {
    return this.#entries.map(({ message, screen }) => {
      if (!screen || message.role === 'assistant') return message
      const { text, image } = screen
      return {
        ...message,
        text: [message.text, text].filter((part) => part !== '').join('\n\n'),
        ...(image && { images: [...(message.images ?? []), image] }),
      }
    })
  }

  /** Adds a message. A new screen replaces what older ones must not show any more, so that it is not kept. */
  #add(message: ChatMessage, screen?: Screen): void {
    const entry: Entry = { message, screen: screen && this.#limited(screen, 0) }
    if (!screen) {
      this.#entries = [...this.#entries, entry]
      return
    }
    let age = this.#entries.filter((each) => each.screen).length
    const older = this.#entries.map((each) =>
      each.screen ? { ...each, screen: this.#limited(each.screen, age--) } : each,
    )
    this.#entries = [...older, entry]
  }

  /** What is shown of a screen after `age` newer ones. */
  #limited({ text, image }: Pick<Screen, 'text' | 'image'>, age: number): Pick<Screen, 'text' | 'image'> {
    const hasPicture = image !== undefined && age < this.#maxScreenshots
    const shown = age === 0 ? text : hasPicture ? 'The screen at this time:' : OLD_SCREEN
    return { text: shown, image: hasPicture ? image : undefined }
  }
}

const OLD_SCREEN = '(The screen of this time is not shown any more.)'

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
