import type OpenAI from 'openai'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { loadOptional } from '../../base/optional.ts'
import { trimEndWhere } from '../../base/text/trim.ts'
import type { Summarizer } from '../perception.ts'

export interface SummaryModel {
  readonly model: string
  readonly key: string
  readonly baseUrl: string | undefined
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 30_000
/** For endpoints that need no key; the client requires one. */
const NO_KEY = 'none'
const TITLE_CHARACTERS = 60
const MAX_FACTS = 20

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
