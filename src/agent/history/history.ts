import type { ToolCall } from '../events.ts'

export interface ImageContent {
  readonly mimeType: string
  readonly base64: string
}

/** A message of a conversation. */
export type ChatMessage =
  | {
      readonly role: 'user'
      readonly text: string
      /** The text for the model if it is more than the user wrote, such as the paths of attached files. */
      readonly modelText?: string
      readonly images?: readonly ImageContent[]
      readonly atMs: number
    }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly thinking?: string
      readonly calls: readonly ToolCall[]
      /** The content in the dialect of the model that wrote it. Kept for the rest of a run only. */
      readonly native?: { readonly dialect: string; readonly content: readonly unknown[] }
      readonly atMs: number
    }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly tool: string
      readonly ok: boolean
      readonly text: string
      /** The images that the tool returned. */
      readonly images?: readonly ImageContent[]
      readonly atMs: number
    }

/** Replaces the first `covers` messages in the model's context. */
export interface ChatSummary {
  readonly text: string
  readonly covers: number
  readonly atMs: number
}

/** All messages of a conversation, including those that a summary covers. */
export interface ChatHistory {
  readonly messages: readonly ChatMessage[]
  readonly summary?: ChatSummary
}

/** Returns the model's view: the summary, if any, and the messages after it. */
export interface ModelContext {
  readonly summary: ChatSummary | undefined
  readonly messages: readonly ChatMessage[]
}

export const contextOf = ({ messages, summary }: ChatHistory): ModelContext => ({
  summary,
  messages: messages.slice(summary?.covers ?? 0),
})

/** Returns the number of items in the model's view. */
export const contextLength = ({ messages, summary }: ModelContext): number => messages.length + (summary ? 1 : 0)

const CHARACTERS_PER_TOKEN = 4
const IMAGE_TOKENS = 800

/** Estimates tokens for a usage bar, at four characters per token. */
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

/** Called with the history at the end of each run. */
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

/** Compression starts above the first share of the window. The newest messages keep at most the second. */
const MAX_FILLED_SHARE = 0.8
const MAX_KEPT_SHARE = 0.4
const MAX_SUMMARY_SHARE = 0.1

export const isFull = (tokens: number, maxTokens: number): boolean => tokens / maxTokens >= MAX_FILLED_SHARE

/**
 * Summarises the older messages and keeps the newest unchanged. The cut lies before a message of the
 * user, so that every tool result keeps its call. Returns the same history if it would not get shorter.
 */
export function compress(
  history: ChatHistory,
  maxTokens: number,
  atMs: number,
  keptTokens: number = maxTokens * MAX_KEPT_SHARE,
): ChatHistory {
  const context = contextOf(history)
  const kept = keptFrom(context.messages, keptTokens)
  const covers = (history.summary?.covers ?? 0) + kept
  if (contextLength(context) < 2 || kept === 0) return history
  const text = summariseMessages(context, kept, Math.floor(maxTokens * MAX_SUMMARY_SHARE * CHARACTERS_PER_TOKEN))
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

/** Returns the first sentence of each message. Drops the oldest messages if the limit is exceeded. */
export function summariseMessages({ summary, messages }: ModelContext, until: number, most: number): string {
  const earlier = summary?.text.split('\n').slice(1) ?? []
  const lines = messages
    .slice(0, until)
    .filter((message) => message.text !== '')
    .map((message) => `${message.role}: ${firstSentence(message.text)}`)
  const kept: string[] = []
  let remaining = most - HEADING.length
  for (const line of [...earlier, ...lines].toReversed()) {
    remaining -= line.length + 1
    if (remaining < 0) break
    kept.unshift(line)
  }
  return [HEADING, ...kept].join('\n')
}

function firstSentence(text: string): string {
  const end = text.search(/[.!?\n]/)
  return (end < 0 ? text : text.slice(0, end + 1)).slice(0, 200).trim()
}

/** Stores a conversation beyond the life of the process. */
export interface HistoryStore {
  message(message: ChatMessage): void
  summary(summary: ChatSummary): void
  profile(profileId: string): void
}
