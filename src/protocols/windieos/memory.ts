import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import type { Embedder } from '../../perception/perception.ts'
import { Embed, readBody, Summarize, Title } from './bodies.ts'
import type { House } from './house.ts'
import { identify, slashed } from './routes.ts'

/** How an embedder names the space of its vectors (WindieOS document, "Embeddings"). */
export const spaceOf = ({ provider, model, dimension }: Embedder) => ({
  provider_id: provider,
  model_id: model,
  model_name: model,
  dimension,
  embedding_space_version: `${provider}:${model}:${dimension}`,
})

/** The services a client's memory is made with (WindieOS document, "Memory services"). */
export function memoryRoutes(app: FastifyInstance, house: House, embedder: Embedder): void {
  for (const path of slashed('/api/embeddings'))
    app.post(path, async (request) => {
      identify(house, request)
      const { text } = readBody(Embed, request.body)
      const [embedding] = await embedder.embed([text]).catch((thrown) => {
        house.journal('EMBEDDING_ERROR', Fault.from(thrown).message)
        throw thrown
      })
      return { embedding, ...spaceOf(embedder) }
    })

  app.get('/api/embeddings/health', async (request) => {
    identify(house, request)
    return { status: 'healthy', ...spaceOf(embedder) }
  })

  app.post('/api/semantic/summarize', async (request) => {
    identify(house, request)
    const { conversations, user_id } = readBody(Summarize, request.body)
    admit(house, request, user_id)
    const facts = factsIn(conversations)
    return { summary: summaryOf(conversations, facts), facts, success: true }
  })

  app.post('/api/semantic/title', async (request) => {
    identify(house, request)
    const { user_id, user_message, assistant_message } = readBody(Title, request.body)
    admit(house, request, user_id)
    return { title: titleOf(user_message, assistant_message), success: true }
  })

  app.get('/api/semantic/health', async (request) => {
    identify(house, request)
    return { status: 'healthy', message: 'Semantic summarization service ready' }
  })
}

/** Throws `PermissionDenied` when somebody else's memory is asked about. */
export function admit(house: House, request: FastifyRequest, userId: string | null | undefined): void {
  const identity = identify(house, request)
  if (house.auth === 'install' && userId != null && userId !== identity.userId)
    throw new Fault('PermissionDenied', 'user_id is not the user of the token')
}

const FACTS_MOST = 20
const SUMMARY_SENTENCES = 5
const TITLE_WORDS = 7
const TITLE_CHARACTERS = 60

/** What people say of themselves. */
const SAYS_SOMETHING = /\b(?:i am|i'm|i like|i love|i prefer|i use|i work|i live|i need|my \w+ (?:is|are)|call me)\b/i

const sentencesIn = (text: string): readonly string[] =>
  (text.match(/[^.!?\n]+[.!?]?/g) ?? []).map((sentence) => sentence.trim()).filter((sentence) => sentence !== '')

const unnamed = (sentence: string): string => sentence.replace(/^(?:user|human|person)\s*:\s*/i, '')

function factsIn(conversations: readonly string[]): readonly string[] {
  const said = conversations
    .flatMap(sentencesIn)
    .filter((sentence) => SAYS_SOMETHING.test(sentence) && !/^assistant\s*:/i.test(sentence))
  return [...new Set(said.map(unnamed))].slice(0, FACTS_MOST)
}

/** The first sentence of each conversation, those with facts before the others. */
function summaryOf(conversations: readonly string[], facts: readonly string[]): string {
  const openings = conversations.flatMap((conversation) => sentencesIn(conversation).slice(0, 1))
  return [...new Set([...facts, ...openings.map(unnamed)])].slice(0, SUMMARY_SENTENCES).join(' ')
}

const FILLERS = new Set('please could can would you i me my the a an to of for'.split(' '))

/** A few words that say what a conversation is about: the person's own, without the courtesies. */
function titleOf(question: string, answer: string): string {
  const [opening = ''] = [...sentencesIn(question), ...sentencesIn(answer)]
  const words = opening.replace(/[.!?]+$/, '').split(/\s+/)
  const start = words.findIndex((word) => !FILLERS.has(word.toLowerCase()))
  const chosen = words
    .slice(Math.max(0, start), Math.max(0, start) + TITLE_WORDS)
    .join(' ')
    .slice(0, TITLE_CHARACTERS)
  return chosen === '' ? 'New conversation' : chosen[0]!.toUpperCase() + chosen.slice(1)
}
