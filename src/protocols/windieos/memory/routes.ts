import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import type { Embedder, Summarizer } from '../../../perception/perception.ts'
import type { ServerContext } from '../context.ts'
import { Embed, Summarize, TitleRequest, validateBody } from '../requests.ts'
import { identify, withTrailingSlash } from '../routes.ts'

/** The identification of an embedder's vector space (WindieOS document, "Embeddings"). */
export const embeddingSpace = ({ provider, model, dimension }: Embedder) => ({
  provider_id: provider,
  model_id: model,
  model_name: model,
  dimension,
  embedding_space_version: `${provider}:${model}:${dimension}`,
})

/** The services behind the routes. */
export interface MemoryServices {
  readonly embedder: Embedder
  readonly summarizer: Summarizer
}

/** The embedding and summarization routes (WindieOS document, "Memory services"). */
export function memoryRoutes(
  app: FastifyInstance,
  server: ServerContext,
  { embedder, summarizer }: MemoryServices,
): void {
  for (const path of withTrailingSlash('/api/embeddings'))
    app.post(path, async (request) => {
      identify(server, request)
      const { text } = validateBody(Embed, request.body)
      const [embedding] = await embedder.embed([text]).catch((thrown) => {
        server.logFailure('EMBEDDING_ERROR', Fault.from(thrown).message)
        throw thrown
      })
      return { embedding, ...embeddingSpace(embedder) }
    })

  app.get('/api/embeddings/health', async (request) => {
    identify(server, request)
    return { status: 'healthy', ...embeddingSpace(embedder) }
  })

  app.post('/api/semantic/summarize', async (request) => {
    identify(server, request)
    const { conversations, user_id } = validateBody(Summarize, request.body)
    authorizeUser(server, request, user_id)
    return { ...(await summarizer.summarize(conversations)), success: true }
  })

  app.post('/api/semantic/title', async (request) => {
    identify(server, request)
    const { user_id, user_message, assistant_message } = validateBody(TitleRequest, request.body)
    authorizeUser(server, request, user_id)
    return { title: await summarizer.title(user_message, assistant_message), success: true }
  })

  app.get('/api/semantic/health', async (request) => {
    identify(server, request)
    return { status: 'healthy', message: 'Semantic summarization service ready' }
  })
}

/** Throws `PermissionDenied` if the request names another user. */
export function authorizeUser(server: ServerContext, request: FastifyRequest, userId: string | null | undefined): void {
  const identity = identify(server, request)
  if (server.auth === 'install' && userId != null && userId !== identity.userId)
    throw new Fault('PermissionDenied', 'user_id is not the user of the token')
}
