import type { FastifyRequest } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import type { Embedder } from '../../../perception/perception.ts'
import type { Route } from '../../http/route.ts'
import type { ServerContext } from '../context.ts'
import { Embed, Summarize, TitleRequest } from '../requests.ts'
import { EmbeddingHealth, EmbeddingResponse, SemanticHealth, SummaryResponse, TitleResponse } from '../responses.ts'
import { answers, identify, type RouteContext, route } from '../route.ts'

/** The identification of an embedder's vector space (WindieOS document, "Embeddings"). */
export const embeddingSpace = ({ provider, model, dimension }: Embedder) => ({
  provider_id: provider,
  model_id: model,
  model_name: model,
  dimension,
  embedding_space_version: `${provider}:${model}:${dimension}`,
})

/** The embedding and summarization routes (WindieOS document, "Memory services"). */
export const MEMORY_ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'post',
      path: '/api/embeddings',
      summary: 'Embed a text.',
      body: Embed,
      responses: answers(EmbeddingResponse),
      trailingSlash: true,
    },
    async (server, { body, request }) => {
      identify(server, request)
      const { text } = body()
      const { embedder } = server
      const [embedding] = await embedder.embed([text]).catch((thrown) => {
        server.logFailure('EMBEDDING_ERROR', Fault.from(thrown).message)
        throw thrown
      })
      return { embedding: embedding!, ...embeddingSpace(embedder) }
    },
  ),
  route(
    {
      method: 'get',
      path: '/api/embeddings/health',
      summary: 'The embedding model.',
      responses: answers(EmbeddingHealth),
    },
    (server, { request }) => {
      identify(server, request)
      return { status: 'healthy', ...embeddingSpace(server.embedder) }
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/semantic/summarize',
      summary: 'Summarize conversations.',
      body: Summarize,
      responses: answers(SummaryResponse),
    },
    async (server, { body, request }) => {
      identify(server, request)
      const { conversations, user_id } = body()
      authorizeUser(server, request, user_id)
      return { ...(await server.summarizer.summarize(conversations)), success: true }
    },
  ),
  route(
    {
      method: 'post',
      path: '/api/semantic/title',
      summary: 'Create a title for a conversation.',
      body: TitleRequest,
      responses: answers(TitleResponse),
    },
    async (server, { body, request }) => {
      identify(server, request)
      const { user_id, user_message, assistant_message } = body()
      authorizeUser(server, request, user_id)
      return { title: await server.summarizer.title(user_message, assistant_message), success: true }
    },
  ),
  route(
    {
      method: 'get',
      path: '/api/semantic/health',
      summary: 'The health of the summarization service.',
      responses: answers(SemanticHealth),
    },
    (server, { request }) => {
      identify(server, request)
      return { status: 'healthy', message: 'Semantic summarization service ready' }
    },
  ),
]

/** Throws `PermissionDenied` if the request names another user. */
export function authorizeUser(server: ServerContext, request: FastifyRequest, userId: string | null | undefined): void {
  const identity = identify(server, request)
  if (server.auth === 'install' && userId != null && userId !== identity.userId)
    throw new Fault('PermissionDenied', 'user_id is not the user of the token')
}
