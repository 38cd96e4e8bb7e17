import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import { Fault } from '../../base/fault.ts'
import { MAX_FORM_OVERHEAD_BYTES, receiveFile } from '../http/upload.ts'
import type { Artifact } from './artifacts/artifacts.ts'
import type { ServerContext } from './context.ts'
import { Register, validateBody } from './requests.ts'
import type { Identity } from './users/identity.ts'

/** The identity of a caller. Throws `Unauthorized` if authentication is required and missing or wrong. */
export const identify = ({ installs, auth }: ServerContext, request: FastifyRequest): Identity =>
  installs.identify(request.headers.authorization, auth)

/** The user whose artifacts a request may read. Undefined without authentication. */
export const artifactReader = (server: ServerContext, { userId }: Identity): string | undefined =>
  server.auth === 'install' ? userId : undefined

/** An artifact in a response. Its URL uses the host of the request. */
export const artifactBody = ({ id, contentType, sizeBytes, sha256 }: Artifact, request: FastifyRequest) => ({
  artifact_id: id,
  content_type: contentType,
  size_bytes: sizeBytes,
  sha256,
  url: `${request.protocol}://${request.host}/api/artifacts/${id}`,
})

/** A path with and without a trailing slash, because clients use both. */
export const withTrailingSlash = (path: string): readonly string[] => [path, `${path}/`]

/** Registration and artifacts (WindieOS document, "HTTP API"). */
export function routes(app: FastifyInstance, server: ServerContext, artifactBytes: number): void {
  const { installs, artifacts } = server

  app.get('/', async () => ({
    protocol: 'windieos',
    socket: '/ws',
    transcription: '/ws/transcription',
    phrases: PHRASES,
  }))

  app.post('/api/install/register', async ({ body }) => {
    const { operating_system } = body === undefined || body === '' ? {} : validateBody(Register, body)
    const { userId, installId, token } = installs.register(operating_system ?? null)
    return { success: true, user_id: userId, install_id: installId, install_token: token }
  })

  app.get('/api/install/me', async (request) => {
    const { userId, installId } = identify(server, request)
    return { success: true, user_id: userId, install_id: installId }
  })

  const receive = async (request: FastifyRequest) => {
    const { userId } = identify(server, request)
    const tooLarge = () => new Fault('TooLarge', `an artifact has at most ${artifactBytes} bytes`)
    return receiveFile(request, { bytes: artifactBytes, tooLarge }, async (part) =>
      artifactBody(await artifacts.receive(part, userId), request),
    )
  }
  for (const path of withTrailingSlash('/api/artifacts'))
    app.post(path, { bodyLimit: artifactBytes + MAX_FORM_OVERHEAD_BYTES }, receive)

  app.get<{ Params: { id: string } }>('/api/artifacts/:id', { config: { pages: 'embed' } }, async (request, reply) => {
    const artifact = artifacts.find(request.params.id, artifactReader(server, identify(server, request)))
    const file = await artifacts.stream(artifact)
    return reply
      .type(artifact.contentType)
      .header('content-length', artifact.sizeBytes)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(file)
  })
}
