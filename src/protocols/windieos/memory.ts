import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import type { Embedder, Summarizer } from '../../perception/perception.ts'
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

export interface Memory {
  readonly embedder: Embedder
  readonly scribe: Summarizer
}

/** The services a client's memory is made with (WindieOS document, "Memory services"). */
export function memoryRoutes(app: FastifyInstance, house: House, { embedder, scribe }: Memory): void {
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
    return { ...(await scribe.summarize(conversations)), success: true }
  })

  app.post('/api/semantic/title', async (request) => {
    identify(house, request)
    const { user_id, user_message, assistant_message } = readBody(Title, request.body)
    admit(house, request, user_id)
    return { title: await scribe.title(user_message, assistant_message), success: true }
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
