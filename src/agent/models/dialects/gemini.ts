import * as z from 'zod'
import type { ImageContent } from '../../history/history.ts'
import type { ToolDescription } from '../../toolbox.ts'
import {
  AnswerCalls,
  type AnswerDelta,
  type AnswerEnd,
  type AnswerReader,
  AnswerText,
  type AnswerUsage,
  failureInAnswer,
  ModelFailure,
  modelRefusal,
  readPiece,
  type StreamedCall,
} from '../answer.ts'
import { type ModelDialect, type ModelPrompt, type PromptTurn, promptTurns, systemTextOf } from '../dialect.ts'

/** Google's Gemini API. */
export const geminiDialect: ModelDialect = {
  name: 'gemini',
  defaultUrl: 'https://generativelanguage.googleapis.com',
  exampleUrl: 'http://127.0.0.1:8080',
  urlVariable: 'GEMINI_BASE_URL',
  keyVariable: 'GEMINI_API_KEY',
  pastedPaths: ['/v1beta', '/v1'],
  // The API lists names with this prefix.
  path: (model) => `/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}:streamGenerateContent?alt=sse`,
  headers: (key): Record<string, string> => (key === undefined ? {} : { 'x-goog-api-key': key }),
  body: ({ systemPrompt, context, tools }: ModelPrompt) => {
    const system = systemTextOf(systemPrompt, context)
    return {
      ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
      contents: mergeContents(promptTurns(context, 'gemini').flatMap(geminiContents)),
      ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(declarationOf) }] }),
    }
  },
  openReader: () => new GeminiReader(),
}

type Part = Readonly<Record<string, unknown>>
interface GeminiContent {
  readonly role: 'user' | 'model'
  readonly parts: readonly Part[]
}

function declarationOf({ name, description, input }: ToolDescription): Part {
  const { $schema: _, ...schema } = input
  return { name, description, parametersJsonSchema: schema }
}

const textParts = (text: string): readonly Part[] => (text === '' ? [] : [{ text }])

const imageParts = (images: readonly ImageContent[]): readonly Part[] =>
  images.map(({ mimeType, base64 }) => ({ inlineData: { mimeType, data: base64 } }))

/** The responses of all calls belong to the one content that follows it. Images follow the responses. */
function geminiContents(turn: PromptTurn): GeminiContent[] {
  if (turn.role === 'user') return [{ role: 'user', parts: [...imageParts(turn.images), ...textParts(turn.text)] }]
  const { text, calls, native } = turn
  const written = (native as readonly Part[] | undefined) ?? [
    ...textParts(text),
    ...calls.map(({ tool, args }) => ({ functionCall: { name: tool, args } })),
  ]
  const ids = written.flatMap(({ functionCall }) =>
    functionCall === undefined ? [] : [(functionCall as { readonly id?: string }).id],
  )
  const responses = calls.map(({ tool, result }, at) => ({
    functionResponse: {
      ...(ids[at] !== undefined && { id: ids[at] }),
      name: tool,
      response: result.ok ? { output: result.text } : { error: result.text },
    },
  }))
  return [
    { role: 'model', parts: written },
    { role: 'user', parts: [...responses, ...imageParts(calls.flatMap(({ result }) => result.images))] },
  ]
}

/** Joins neighbours of one role and drops empty contents. A conversation must begin with the user. */
function mergeContents(contents: readonly GeminiContent[]): readonly GeminiContent[] {
  const merged: GeminiContent[] = []
  for (const content of contents.filter(({ parts }) => parts.length > 0)) {
    const last = merged.at(-1)
    if (last?.role === content.role) merged[merged.length - 1] = { ...last, parts: [...last.parts, ...content.parts] }
    else merged.push(content)
  }
  if (merged[0]?.role === 'model') merged.unshift({ role: 'user', parts: [{ text: '(Continued.)' }] })
  return merged
}

const Text = z.string().nullish().catch(undefined)
const tokens = z.int().min(0).nullish().catch(undefined)

const ResponsePart = z.looseObject({
  text: Text,
  thought: z.boolean().nullish().catch(undefined),
  thoughtSignature: Text,
  functionCall: z.looseObject({ id: Text, name: Text, args: z.record(z.string(), z.unknown()).nullish() }).nullish(),
})
type ResponsePart = z.infer<typeof ResponsePart>

/** A piece of a stream, or a whole response. */
const GeminiResponse = z.looseObject({
  candidates: z
    .array(
      z.looseObject({
        content: z.looseObject({ parts: z.array(ResponsePart).nullish() }).nullish(),
        finishReason: Text,
      }),
    )
    .nullish(),
  promptFeedback: z.looseObject({ blockReason: Text }).nullish().catch(undefined),
  usageMetadata: z
    .looseObject({ promptTokenCount: tokens, candidatesTokenCount: tokens, thoughtsTokenCount: tokens })
    .nullish()
    .catch(undefined),
  error: z.unknown().optional(),
})

/** The finish reasons of normal answers and those that are failures. All others are the vendor's filters. */
const NORMAL_FINISHES: ReadonlySet<string> = new Set(['STOP', 'FINISH_REASON_UNSPECIFIED'])
const BROKEN_FINISHES: Readonly<Record<string, 'model_length' | 'model_bad_call' | 'model_cut_off'>> = {
  MAX_TOKENS: 'model_length',
  MALFORMED_FUNCTION_CALL: 'model_bad_call',
  UNEXPECTED_TOOL_CALL: 'model_bad_call',
  MISSING_THOUGHT_SIGNATURE: 'model_bad_call',
  TOO_MANY_TOOL_CALLS: 'model_bad_call',
  MALFORMED_RESPONSE: 'model_cut_off',
  OTHER: 'model_cut_off',
}

class GeminiReader implements AnswerReader {
  #finish: string | undefined
  #blocked: string | undefined
  #usage: AnswerUsage | undefined
  #hasBegun = false
  #isResponse = false
  readonly #said = new AnswerText()
  readonly #calls = new AnswerCalls()
  /** The parts of the answer as received. A call is completed from the arguments at the end. */
  readonly #parts: { part: ResponsePart; readonly call: StreamedCall | undefined }[] = []

  get text(): string {
    return this.#said.text
  }

  get usage(): AnswerUsage | undefined {
    return this.#usage
  }

  get finished(): boolean {
    return this.#finish !== undefined
  }

  add(value: unknown): AnswerDelta {
    const { candidates, promptFeedback, usageMetadata, error } = readPiece(GeminiResponse, value)
    this.#hasBegun = true
    if (error) throw failureInAnswer(error, !this.#said.isEmpty)
    this.#isResponse ||= candidates != null || promptFeedback != null || usageMetadata != null
    this.#blocked = promptFeedback?.blockReason || this.#blocked
    if (usageMetadata)
      this.#usage = {
        inputTokens: usageMetadata.promptTokenCount ?? 0,
        outputTokens: (usageMetadata.candidatesTokenCount ?? 0) + (usageMetadata.thoughtsTokenCount ?? 0),
      }
    const candidate = candidates?.[0]
    this.#finish = candidate?.finishReason || this.#finish
    const said = (candidate?.content?.parts ?? []).map((part) => this.#addPart(part))
    return { thought: said.map(({ thought }) => thought).join(''), text: said.map(({ text }) => text).join('') }
  }

  end(): AnswerEnd {
    const finish = this.#finish
    if (this.#blocked !== undefined) throw modelRefusal(`the prompt was blocked (${wordOf(this.#blocked)})`)
    if (!this.#hasBegun) throw new ModelFailure('model_empty', 'nothing was sent')
    if (!this.#isResponse) throw new ModelFailure('model_bad_answer', 'nothing of it had `candidates`')
    if (finish === undefined) throw new ModelFailure('model_cut_off')
    if (Object.hasOwn(BROKEN_FINISHES, finish)) throw new ModelFailure(BROKEN_FINISHES[finish]!)
    if (!NORMAL_FINISHES.has(finish)) throw new ModelFailure('model_content_filter', wordOf(finish))
    const calls = this.#calls.read()
    if (calls.length === 0 && this.text.trim() === '') throw new ModelFailure('model_empty')
    return { calls, native: this.#native(calls) }
  }

  #addPart(part: ResponsePart): AnswerDelta {
    const { text, thought, functionCall } = part
    const call =
      functionCall &&
      this.#calls.open({
        id: functionCall.id || undefined,
        name: functionCall.name ?? '',
        pieces: [JSON.stringify(functionCall.args ?? {})],
      })
    const last = this.#parts.at(-1)
    // The pieces of a text arrive as parts. Only a signature separates them.
    if (last && isPlainText(last.part) && isPlainText(part))
      last.part = { ...last.part, text: `${last.part.text}${text}` }
    else this.#parts.push({ part, call: call ?? undefined })
    return this.#said.add(thought ? { thought: text ?? '' } : { text: text ?? '' })
  }

  /** The parts as the model wrote them, without thoughts: a signature must be sent back with its part. */
  #native(calls: AnswerEnd['calls']): readonly Part[] {
    return this.#parts.flatMap(({ part, call }): readonly Part[] => {
      const signed = part.thoughtSignature ? { thoughtSignature: part.thoughtSignature } : {}
      if (call) {
        const { tool, args, id } = calls[this.#calls.list.indexOf(call)]!
        return [{ functionCall: { ...(call.id !== undefined && { id }), name: tool, args }, ...signed }]
      }
      if (part.thought || part.text == null) return []
      return part.text === '' && !part.thoughtSignature ? [] : [{ text: part.text, ...signed }]
    })
  }
}

const isPlainText = ({ text, thought, thoughtSignature, functionCall }: ResponsePart): boolean =>
  text != null && !thought && !thoughtSignature && !functionCall

/** A reason as one word, since an error quotes nothing else of an endpoint. */
const wordOf = (reason: string): string => (/^[A-Z_]{1,40}$/.test(reason) ? reason : 'another reason')
