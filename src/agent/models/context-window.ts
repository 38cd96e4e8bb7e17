import {
  type ChatMessage,
  contextTokens,
  estimateTokens,
  type ModelContext,
  summariseMessages,
} from '../history/history.ts'
import type { ToolDescription } from '../toolbox.ts'

/** The maximum number of images besides those of the newest user message. */
export const MAX_IMAGES = 3
/** Results of earlier rounds are cut to this length if space is short. Newer results keep at least this length. */
const MIN_RESULT_CHARACTERS = 200
const CHARACTERS_PER_TOKEN = 4
const MAX_SUMMARY_SHARE = 0.1
/** The share of the window that a request may fill. The rest is for the answer. */
const MAX_REQUEST_SHARE = 0.8
/** The minimum share of the window for messages, regardless of the system prompt and the tools. */
const MIN_MESSAGES_SHARE = 0.2

/** Estimates the tokens of tool definitions. */
export const toolTokens = (tools: readonly ToolDescription[]): number =>
  tools.length === 0
    ? 0
    : estimateTokens(JSON.stringify(tools.map(({ name, description, input }) => ({ name, description, input }))))

/** Returns the number of tokens for messages beside this system prompt and these tools. */
export function roomFor(maxTokens: number, systemPrompt = '', tools: readonly ToolDescription[] = []): number {
  const left = maxTokens * MAX_REQUEST_SHARE - estimateTokens(systemPrompt) - toolTokens(tools)
  return Math.floor(Math.max(left, maxTokens * MIN_MESSAGES_SHARE))
}

/**
 * Reduces a conversation to at most `maxTokens`. Always replaces old images by a line. If that is not enough,
 * shortens results of earlier rounds, then summarises the oldest messages, then shortens the newest results.
 * The newest user message stays whole.
 */
export function fitContext(context: ModelContext, maxTokens: number, maxImages = MAX_IMAGES): ModelContext {
  const steps = [briefResults, summariseOldest, cutResults]
  return steps.reduce(
    (fitted, step) => (contextTokens(fitted) <= maxTokens ? fitted : step(fitted, maxTokens)),
    withoutOldPictures(context, maxImages),
  )
}

/** Returns the index of the newest user message, and of the first message of the newest round of calls. */
const newestQuestion = (messages: readonly ChatMessage[]): number =>
  messages.findLastIndex(({ role }) => role === 'user')
function newestRound(messages: readonly ChatMessage[]): number {
  const round = messages.findLastIndex(({ role }) => role === 'assistant')
  return round > newestQuestion(messages) ? round : messages.length
}

/** Keeps the newest images and those of the newest user message. Replaces each other image by a line. */
function withoutOldPictures(context: ModelContext, most: number): ModelContext {
  const { messages } = context
  const question = newestQuestion(messages)
  let left = most
  const kept = messages
    .map((message, index) => ({ message, index }))
    .toReversed()
    .map(({ message, index }): ChatMessage => {
      if (message.role === 'assistant' || !message.images?.length || index === question) return message
      const images = message.images.slice(Math.max(0, message.images.length - left))
      left -= images.length
      const gone = message.images.length - images.length
      if (gone === 0) return message
      const line = gone === 1 ? '(A picture is not shown any more.)' : `(${gone} pictures are not shown any more.)`
      return { ...withText(message, (text) => (text === '' ? line : `${text}\n${line}`)), images }
    })
  return { ...context, messages: kept.toReversed() }
}

/** Returns the message with another text for the model. */
function withText<T extends ChatMessage>(message: T, change: (text: string) => string): T {
  if (message.role === 'user' && message.modelText !== undefined)
    return { ...message, modelText: change(message.modelText) }
  return { ...message, text: change(message.text) }
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  // Do not split a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most
  return `${text.slice(0, end)}… (${text.length - end} more characters are not shown)`
}

/** Shortens the results of all rounds but the newest. */
function briefResults(context: ModelContext): ModelContext {
  const from = newestRound(context.messages)
  const brief = (message: ChatMessage, index: number) =>
    message.role === 'tool' && index < from
      ? withText(message, (text) => shortened(text, MIN_RESULT_CHARACTERS))
      : message
  return { ...context, messages: context.messages.map(brief) }
}

/** Replaces as few of the oldest messages by a summary as needed. Keeps the newest user message and the newest round. */
function summariseOldest(context: ModelContext, maxTokens: number): ModelContext {
  const { messages } = context
  const question = newestQuestion(messages)
  const round = newestRound(messages)
  const summaryTokens = Math.floor(maxTokens * MAX_SUMMARY_SHARE)
  const isKept = (index: number, cut: number) => index >= cut || index === question
  let tokens = contextTokens({ summary: undefined, messages }) + summaryTokens
  let cut = 0
  while (cut < round && (tokens > maxTokens || messages[cut]?.role === 'tool')) {
    if (cut !== question) tokens -= contextTokens({ summary: undefined, messages: [messages[cut]!] })
    cut += 1
  }
  const gone = messages.filter((_, index) => !isKept(index, cut))
  if (gone.length === 0) return context
  const most = summaryTokens * CHARACTERS_PER_TOKEN
  const text = summariseMessages({ summary: context.summary, messages: gone }, gone.length, most)
  return {
    summary: { text, covers: 0, atMs: context.summary?.atMs ?? 0 },
    messages: messages.filter((_, index) => isKept(index, cut)),
  }
}

/** Gives each of the newest results an equal share of the remaining space, and keeps only the newest image. */
function cutResults(context: ModelContext, maxTokens: number): ModelContext {
  const { messages, ...rest } = withoutOldPictures(context, 1)
  const question = newestQuestion(messages)
  const isCut = (message: ChatMessage, index: number) => index !== question && message.role !== 'user'
  const emptied = messages.map((message, index) => (isCut(message, index) ? withText(message, () => '') : message))
  const left = Math.max(0, maxTokens - contextTokens({ ...rest, messages: emptied })) * CHARACTERS_PER_TOKEN
  const share = Math.max(MIN_RESULT_CHARACTERS, Math.floor(left / Math.max(1, messages.filter(isCut).length)))
  return {
    ...rest,
    messages: messages.map((message, index) =>
      isCut(message, index) ? withText(message, (text) => shortened(text, share)) : message,
    ),
  }
}
