import type { ToolCall } from '../events.ts'
import { isPicture, noteOfFile } from '../history/attachments.ts'
import type { ChatMessage, ImageContent, ModelContext } from '../history/history.ts'
import type { ToolDescription } from '../toolbox.ts'
import type { AnswerReader } from './answer.ts'

/** One request to a model, in no dialect. */
export interface ModelPrompt {
  readonly model: string
  readonly systemPrompt: string | undefined
  readonly context: ModelContext
  readonly tools: readonly ToolDescription[]
}

/** The HTTP API of a vendor of models: how a request is written and how its answer is read. */
export interface ModelDialect {
  readonly name: string
  /** The base URL of the vendor. */
  readonly defaultUrl: string
  /** The environment variables of the base URL and of the key. */
  readonly urlVariable: string
  readonly keyVariable: string
  /** The ends of paths below the base URL that users paste by mistake. */
  readonly pastedPaths: readonly string[]
  /** An example of a base URL, for errors. */
  readonly exampleUrl: string
  /** The path and query below the base URL. */
  readonly path: (model: string) => string
  /** The headers, besides those of every JSON request. Without a key, none of them authorizes. */
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>
  readonly body: (prompt: ModelPrompt) => object
  readonly openReader: () => AnswerReader
}

/** The result of a call as a model receives it. Empty if the call has no result. */
export interface PromptResult {
  readonly ok: boolean
  readonly text: string
  readonly images: readonly ImageContent[]
}

export type PromptTurn =
  | { readonly role: 'user'; readonly text: string; readonly images: readonly ImageContent[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly calls: readonly (ToolCall & { readonly result: PromptResult })[]
      /** The content in the form of the dialect that received it. */
      readonly native: readonly unknown[] | undefined
    }

const NO_RESULT: PromptResult = { ok: true, text: '', images: [] }

type ResultMessage = Extract<ChatMessage, { readonly role: 'tool' }>

/**
 * Converts a conversation for dialects. Endpoints refuse calls without results and results without calls: each call has
 * its result, a missing one is empty, and a result without its call is a user message.
 * @param dialect The name of the dialect, whose own content is kept.
 */
export function promptTurns({ messages }: ModelContext, dialect: string): readonly PromptTurn[] {
  const turns: PromptTurn[] = []
  let results = new Map<string, ResultMessage>()
  messages.forEach((message, index) => {
    if (message.role === 'user') {
      turns.push({ role: 'user', ...describeFiles(message.modelText ?? message.text, message.images) })
    } else if (message.role === 'assistant') {
      results = resultsAfter(messages, index)
      const calls = message.calls.map((call) => ({ ...call, result: resultOf(results.get(call.id)) }))
      const native = message.native?.dialect === dialect ? message.native.content : undefined
      turns.push({ role: 'assistant', text: message.text, calls, native })
    } else if (results.get(message.callId) !== message) {
      turns.push({ role: 'user', ...describeFiles(`${message.tool}: ${message.text}`, message.images) })
    }
  })
  return turns
}

/** Returns the system prompt with the summary of the older part of the conversation. Empty without either. */
export const systemTextOf = (systemPrompt: string | undefined, { summary }: ModelContext): string =>
  [systemPrompt, summary?.text].filter((part) => part !== undefined && part !== '').join('\n\n')

/** Returns the first result of each call of a message, up to the next message of the assistant. */
function resultsAfter(messages: readonly ChatMessage[], index: number): Map<string, ResultMessage> {
  const found = new Map<string, ResultMessage>()
  const message = messages[index]
  const ids = new Set(message?.role === 'assistant' ? message.calls.map(({ id }) => id) : [])
  for (const later of messages.slice(index + 1)) {
    if (later.role === 'assistant') break
    if (later.role === 'tool' && ids.has(later.callId) && !found.has(later.callId)) found.set(later.callId, later)
  }
  return found
}

const resultOf = (message: ResultMessage | undefined): PromptResult =>
  message ? { ok: message.ok, ...describeFiles(message.text, message.images) } : NO_RESULT

/** Keeps the pictures that models accept. Describes each other file in the text. */
function describeFiles(text: string, images: readonly ImageContent[] = []): Pick<PromptResult, 'text' | 'images'> {
  const others = images.filter(({ mimeType }) => !isPicture(mimeType))
  if (others.length === 0) return { text, images }
  return {
    text: [text, ...others.map((image) => noteOfFile(image))].join('\n'),
    images: images.filter(({ mimeType }) => isPicture(mimeType)),
  }
}
