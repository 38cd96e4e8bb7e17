import {
  type ChatMessage,
  contextTokens,
  estimateTokens,
  type ModelContext,
  summariseMessages,
} from '../history/history.ts'
import type { ToolDescription } from '../tools/toolbox.ts'
import { offered } from './prompt.ts'

/** How many pictures a model is shown besides those of the newest message of the person. */
const MAX_PICTURES = 3
/** How much of the result of an earlier round is sent where room is short, and the least that is left of a newer one. */
const BRIEF_CHARACTERS = 200
const CHARACTERS_PER_TOKEN = 4
const SUMMARY_SHARE = 0.1
/** The part of a window that a request may fill; the rest is for the answer. */
const FILLED = 0.8
/** The part of a window that messages get however much the system prompt and the tools take. */
const MIN_SHARE = 0.2

/** How many tokens the definitions of tools take. */
export const toolTokens = (tools: readonly ToolDescription[]): number =>
  tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools.map(offered)))

/** How many tokens of messages fit into a window beside this system prompt and these tools. */
export function roomFor(maxTokens: number, systemPrompt = '', tools: readonly ToolDescription[] = []): number {
  const left = maxTokens * FILLED - estimateTokens(systemPrompt) - toolTokens(tools)
  return Math.floor(Math.max(left, maxTokens * MIN_SHARE))
}

/**
 * What a model is sent of a conversation so that it fits into so many tokens. Old pictures become a line in any case. Where
 * room is short, results of earlier rounds are shortened, then the oldest messages are summarised, then the newest results
 * are shortened. What the person said last stays whole.
 */
export function fitContext(context: ModelContext, room: number): ModelContext {
  const steps = [briefResults, summariseOldest, cutResults]
  return steps.reduce(
    (fitted, step) => (contextTokens(fitted) <= room ? fitted : step(fitted, room)),
    withoutOldPictures(context, MAX_PICTURES),
  )
}

/** Where the newest message of the person is, and where the newest round of calls begins. */
const newestQuestion = (messages: readonly ChatMessage[]): number =>
  messages.findLastIndex(({ role }) => role === 'user')
function newestRound(messages: readonly ChatMessage[]): number {
  const round = messages.findLastIndex(({ role }) => role === 'assistant')
  return round > newestQuestion(messages) ? round : messages.length
}

/** Keeps the newest pictures, and those of the person's newest message; of the others a line remains. */
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

/** A message with another text in the place of what the model reads. */
function withText<T extends ChatMessage>(message: T, change: (text: string) => string): T {
  if (message.role === 'user' && message.modelText !== undefined)
    return { ...message, modelText: change(message.modelText) }
  return { ...message, text: change(message.text) }
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  // No half character at the end.
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most
  return `${text.slice(0, end)}… (${text.length - end} more characters are not shown)`
}

/** Shortens the results of all rounds but the newest. */
function briefResults(context: ModelContext): ModelContext {
  const from = newestRound(context.messages)
  const brief = (message: ChatMessage, index: number) =>
    message.role === 'tool' && index < from ? withText(message, (text) => shortened(text, BRIEF_CHARACTERS)) : message
  return { ...context, messages: context.messages.map(brief) }
}

/** Replaces as many of the oldest messages by a summary as must go. The newest question and the newest round stay. */
function summariseOldest(context: ModelContext, room: number): ModelContext {
  const { messages } = context
  const question = newestQuestion(messages)
  const round = newestRound(messages)
  const summaryTokens = Math.floor(room * SUMMARY_SHARE)
  const isKept = (index: number, cut: number) => index >= cut || index === question
  let tokens = contextTokens({ summary: undefined, messages }) + summaryTokens
  let cut = 0
  while (cut < round && (tokens > room || messages[cut]?.role === 'tool')) {
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

/** Gives the newest results an equal share of what is left, and keeps the newest picture alone. */
function cutResults(context: ModelContext, room: number): ModelContext {
  const { messages, ...rest } = withoutOldPictures(context, 1)
  const question = newestQuestion(messages)
  const isCut = (message: ChatMessage, index: number) => index !== question && message.role !== 'user'
  const emptied = messages.map((message, index) => (isCut(message, index) ? withText(message, () => '') : message))
  const left = Math.max(0, room - contextTokens({ ...rest, messages: emptied })) * CHARACTERS_PER_TOKEN
  const share = Math.max(BRIEF_CHARACTERS, Math.floor(left / Math.max(1, messages.filter(isCut).length)))
  return {
    ...rest,
    messages: messages.map((message, index) =>
      isCut(message, index) ? withText(message, (text) => shortened(text, share)) : message,
    ),
  }
}
