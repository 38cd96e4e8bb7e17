import type OpenAI from 'openai'
import * as z from 'zod'
import { Fault } from '../base/fault.ts'
import { loadOptional } from '../base/optional.ts'
import { trimEndWhere } from '../base/strings.ts'
import type { Summarizer } from './perception.ts'

/** A summarizer without a model. It extracts sentences of the conversation. */
export const extractiveSummarizer: Summarizer = {
  name: 'extractive',
  summarize: async (conversations) => {
    const facts = factsIn(conversations)
    return { summary: summaryOf(conversations, facts), facts }
  },
  title: async (question, answer) => titleOf(question, answer),
}

const MAX_FACTS = 20
const MAX_SUMMARY_SENTENCES = 5
const MAX_TITLE_WORDS = 7
const TITLE_CHARACTERS = 60

/** Phrases with which people state facts about themselves. */
const SAYS_SOMETHING = /\b(?:i am|i'm|i like|i love|i prefer|i use|i work|i live|i need|my \w+ (?:is|are)|call me)\b/i

const sentencesIn = (text: string): readonly string[] =>
  (text.match(/[^.!?\n]+[.!?]?/g) ?? []).map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')

const unnamed = (sentence: string): string => sentence.replace(/^(?:user|human|person)\s*:\s*/i, '')

function factsIn(conversations: readonly string[]): readonly string[] {
  const statements = conversations
    .flatMap(sentencesIn)
    .filter((sentence) => SAYS_SOMETHING.test(sentence) && !/^assistant\s*:/i.test(sentence))
  return [...new Set(statements.map(unnamed))].slice(0, MAX_FACTS)
}

/** The first sentence of each conversation, those with facts first. */
function summaryOf(conversations: readonly string[], facts: readonly string[]): string {
  const openings = conversations.flatMap((conversation) => sentencesIn(conversation).slice(0, 1))
  return [...new Set([...facts, ...openings.map(unnamed)])].slice(0, MAX_SUMMARY_SENTENCES).join(' ')
}

const FILLERS = new Set('please could can would you i me my the a an to of for'.split(' '))

/** A title of a few words from the person's own message, without courtesies. */
function titleOf(question: string, answer: string): string {
  const [opening = ''] = [...sentencesIn(question), ...sentencesIn(answer)]
  const words = opening.replace(/[.!?]+$/, '').split(/\s+/)
  const start = words.findIndex((word) => !FILLERS.has(word.toLowerCase()))
  const chosen = words
    .slice(Math.max(0, start), Math.max(0, start) + MAX_TITLE_WORDS)
    .join(' ')
    .slice(0, TITLE_CHARACTERS)
  return chosen === '' ? 'New conversation' : chosen[0]!.toUpperCase() + chosen.slice(1)
}

export interface SummaryModel {
  readonly model: string
  readonly key: string
  readonly baseUrl: string | undefined
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 30_000
/** For endpoints that need no key; the client requires one. */
const NO_KEY = 'none'

const SUMMARIZE =
  'You keep the memory of an assistant. Summarize the conversations in at most five sentences, and list what the person said of themselves that will matter later. Answer with JSON only: {"summary": string, "facts": string[]}.'
const ENTITLE =
  'Give this conversation a title of at most seven words, in its own language, without quotation marks or a full stop. Answer with the title only.'

const Written = z.object({ summary: z.string(), facts: z.array(z.string()).default([]) })

/** A summarizer behind an OpenAI-compatible chat completions endpoint. */
export function openaiSummarizer({ model, key, baseUrl, timeoutMs = TIMEOUT_MS }: SummaryModel): Summarizer {
  let client: Promise<OpenAI> | undefined
  const connect = async () => {
    const { OpenAI } = await loadOptional('summaries', () => import('openai'))
    return new OpenAI({
      apiKey: key || NO_KEY,
      timeout: timeoutMs,
      maxRetries: 1,
      ...(baseUrl && { baseURL: baseUrl }),
    })
  }

  async function ask(task: string, input: string): Promise<string> {
    client ??= connect()
    const messages = [
      { role: 'system' as const, content: task },
      { role: 'user' as const, content: input },
    ]
    const openai = await client
    const response = await openai.chat.completions.create({ model, messages }).catch((error: { status?: number }) => {
      const why = error.status === undefined ? 'cannot be reached' : `answered ${error.status}`
      throw new Fault('PlatformUnsupported', `the model that summarizes ${why}`)
    })
    const content = response.choices?.[0]?.message?.content?.trim()
    if (!content) throw new Fault('PlatformUnsupported', 'the model that summarizes returned no text')
    return content
  }

  return {
    name: `openai:${model}`,
    summarize: async (conversations) => {
      const text = await ask(
        SUMMARIZE,
        conversations.map((text, at) => `Conversation ${at + 1}:\n${text}`).join('\n\n'),
      )
      const { summary, facts } = written(text)
      return { summary, facts: facts.slice(0, MAX_FACTS) }
    },
    title: async (question, answer) => {
      const text = await ask(ENTITLE, `Person: ${question}\n\nAssistant: ${answer}`)
      const bare = text.split('\n')[0]!.replace(/^["“«']+/, '')
      return trimEndWhere(bare, (character) => /["”»'.]/.test(character)).slice(0, TITLE_CHARACTERS)
    },
  }
}

/** Models often fence their JSON. An answer without JSON is the summary. */
function written(text: string): z.infer<typeof Written> {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  try {
    const read = Written.safeParse(JSON.parse(json))
    if (read.success) return read.data
  } catch {
    // Plain prose.
  }
  return { summary: text, facts: [] }
}
