import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import type { Embedder } from '../../perception/perception.ts'
import { createApp } from '../http/app.ts'
import { matchesSecret } from '../http/guard.ts'
import { listen, type ProtocolListener } from '../protocol.ts'
import { errorBody, status } from './errors.ts'
import { EmbedMany, validateBody } from './requests.ts'
import { embeddingSpace } from './routes/memory.ts'

/** Options of the embedding service. */
export interface EmbeddingServiceOptions {
  readonly embedder: Embedder
  /** The key that callers must send (`WINDIE_EMBEDDING_SERVICE_API_KEY`). Without one, the service is disabled. */
  readonly key: string | undefined
  /** The current time in milliseconds, for timings. */
  readonly nowMs: () => number
  readonly onBug?: (cause: unknown) => void
}

const MAX_BODY_BYTES = 1024 * 1024

/** The internal embedding service (WindieOS document, "Embedding service"). Requests are processed one at a time. */
export function embeddingService({
  embedder,
  key,
  nowMs,
  onBug = () => {},
}: EmbeddingServiceOptions): ProtocolListener {
  return {
    async listen(at) {
      const app = createApp({
        origins: [],
        hosts: [],
        cors: false,
        bodyLimit: MAX_BODY_BYTES,
        sendFault: (fault, reply) => reply.status(status[fault.code]).send(errorBody(fault)),
        onBug,
      })
      const space = { ...embeddingSpace(embedder), ...serviceName(embedder) }
      const requests = new SerialQueue()

      app.get('/health', async () => ({ status: 'healthy', ...space }))
      app.post('/embed', async (request) => {
        if (key === undefined) throw new Fault('PlatformUnsupported', 'the embedding service has no key')
        if (!matchesSecret(request.headers['x-windie-embedding-key'], key))
          throw new Fault('Unauthorized', 'a valid x-windie-embedding-key is required')
        const { texts } = validateBody(EmbedMany, request.body)
        const receivedMs = nowMs()
        return requests.run(async () => {
          const startedMs = nowMs()
          const embeddings = await embedder.embed(texts)
          return { embeddings, ...space, queue_wait_ms: startedMs - receivedMs, service_time_ms: nowMs() - startedMs }
        })
      })
      app.setNotFoundHandler((_request, reply) => reply.status(404).send({ detail: 'Not Found' }))
      return listen(app, at)
    },
  }
}

/** Callers see the service itself as the provider. */
const serviceName = ({ model, dimension }: Embedder) => ({
  provider_id: 'embedding-service',
  embedding_space_version: `embedding-service:${model}:${dimension}`,
})
