import type { ToolCall } from '../events.ts'

export interface ImageContent {
  readonly mimeType: string
  readonly base64: string
}

/** One item of a conversation. */
export type ChatMessage =
  | {
      readonly role: 'user'
      readonly text: string
      /** What the model reads when it is more than the person wrote, such as the paths of attached files. */
      readonly modelText?: string
      readonly images?: readonly ImageContent[]
      readonly atMs: number
    }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly thinking?: string
      readonly calls: readonly ToolCall[]
      readonly atMs: number
    }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly tool: string
      readonly ok: boolean
      readonly text: string
      /** What the tool shows. */
      readonly images?: readonly ImageContent[]
      readonly atMs: number
    }

/** What stands in the model's context for the first `covers` messages. */
export interface ChatSummary {
  readonly text: string
  readonly covers: number
  readonly atMs: number
}

/** A conversation as it is shown; nothing is ever taken out of it. */
export interface ChatHistory {
  readonly messages: readonly ChatMessage[]
  readonly summary?: ChatSummary
}

/** What the model sees: the summary, if there is one, and the messages after it. */
export interface ModelContext {
  readonly summary: ChatSummary | undefined
  readonly messages: readonly ChatMessage[]
}

export const contextOf = ({ messages, summary }: ChatHistory): ModelContext => ({
  summary,
  messages: messages.slice(summary?.covers ?? 0),
})

/** How many items the model sees. */
export const contextLength = ({ messages, summary }: ModelContext): number => messages.length + (summary ? 1 : 0)

const CHARACTERS_PER_TOKEN = 4
const IMAGE_TOKENS = 800

/** An estimate good enough for a usage bar: four characters are a token. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

function messageTokens(message: ChatMessage): number {
  switch (message.role) {
    case 'user':
      return estimateTokens(message.modelText ?? message.text) + (message.images?.length ?? 0) * IMAGE_TOKENS
    case 'assistant':
      return estimateTokens(message.text) + (message.calls.length === 0 ? 0 : tokensOfCalls(message.calls))
    case 'tool':
      return estimateTokens(message.text) + (message.images?.length ?? 0) * IMAGE_TOKENS
  }
}

const ofCalls = new WeakMap<readonly ToolCall[], number>()

/** Asked at the end of every run about all that was said before. */
function tokensOfCalls(calls: readonly ToolCall[]): number {
  const known = ofCalls.get(calls)
  if (known !== undefined) return known
  const tokens = estimateTokens(calls.map((call) => JSON.stringify(call)).join(''))
  ofCalls.set(calls, tokens)
  return tokens
}

export function contextTokens({ summary, messages }: ModelContext): number {
  const spoken = messages.reduce((sum, message) => sum + messageTokens(message), 0)
  return spoken + (summary ? estimateTokens(summary.text) : 0)
}

/** The share of the window above which the context is compressed, and how much of it newest messages may keep. */
const FULL = 0.8
const KEPT = 0.4
const SUMMARY_SHARE = 0.1

export const isFull = (tokens: number, maxTokens: number): boolean => tokens / maxTokens >= FULL

/**
 * The history with its older messages summarised, the newest kept as they are. The cut lies before a message of the
 * person, so that no tool result is left without its call. The same history when nothing would get shorter.
 */
export function compress(
  history: ChatHistory,
  maxTokens: number,
  atMs: number,
  keptTokens: number = maxTokens * KEPT,
): ChatHistory {
  const context = contextOf(history)
  const kept = keptFrom(context.messages, keptTokens)
  const covers = (history.summary?.covers ?? 0) + kept
  if (contextLength(context) < 2 || kept === 0) return history
  const text = summariseMessages(context, kept, Math.floor(maxTokens * SUMMARY_SHARE * CHARACTERS_PER_TOKEN))
  const after: ChatHistory = { messages: history.messages, summary: { text, covers, atMs } }
  return contextLength(contextOf(after)) < contextLength(context) ? after : history
}

function keptFrom(messages: readonly ChatMessage[], budget: number): number {
  let left = budget
  let cut = messages.length
  for (let index = messages.length - 1; index > 0; index--) {
    left -= messageTokens(messages[index]!)
    if (left < 0) return cut
    if (messages[index]!.role === 'user') cut = index
  }
  return cut
}

const HEADING = 'Summary of the earlier conversation:'

/** The first sentence of each message, without the oldest when there is no room for all. */
export function summariseMessages({ summary, messages }: ModelContext, until: number, most: number): string {
  const earlier = summary?.text.split('\n').slice(1) ?? []
  const lines = messages
    .slice(0, until)
    .filter((message) => message.text !== '')
    .map((message) => `${message.role}: ${firstSentence(message.text)}`)
  const kept: string[] = []
  let room = most - HEADING.length
  for (const line of [...earlier, ...lines].toReversed()) {
    room -= line.length + 1
    if (room < 0) break
    kept.unshift(line)
  }
  return [HEADING, ...kept].join('\n')
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?\n]/)
  return (end < 0 ? text : text.slice(0, end + 1)).slice(0, 200).trim()
}
