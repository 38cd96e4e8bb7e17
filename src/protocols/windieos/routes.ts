import * as z from 'zod'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import { Fault } from '../../base/fault.ts'
import { type ApiDescription, ServerInfo } from '../http/document.ts'
import type { Route } from '../http/route.ts'
import { MAX_FORM_OVERHEAD_BYTES, receiveFile } from '../http/upload.ts'
import { Register } from './requests.ts'
import { ArtifactResponse, IdentityResponse, RegisterResponse } from './responses.ts'
import { answers, artifactBody, artifactReader, identify, type RouteContext, route } from './route.ts'
import { INTROSPECTION_ROUTES } from './routes/introspection.ts'
import { MEMORY_ROUTES } from './routes/memory.ts'
import { PERCEPTION_ROUTES } from './routes/perception.ts'
import { RUN_ROUTES } from './routes/runs.ts'
import { Transcribed, TranscriptionControl } from './transcription.ts'
import { Frames, Handshake, Messages } from './wire.ts'

/** All routes (WindieOS document, "HTTP API"). */
export const ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'get',
      path: '/',
      summary: 'The protocol, and the phrases of the built-in agent.',
      responses: answers(ServerInfo),
    },
    () => ({ protocol: 'windieos', socket: '/ws', transcription: '/ws/transcription', phrases: PHRASES }),
  ),
  route(
    {
      method: 'post',
      path: '/api/install/register',
      summary: 'Register an installation.',
      body: Register,
      bodyOptional: true,
      responses: answers(RegisterResponse),
    },
    ({ installs }, { body }) => {
      const { userId, installId, token } = installs.register(body().operating_system ?? null)
      return { success: true, user_id: userId, install_id: installId, install_token: token }
    },
  ),
  route(
    {
      method: 'get',
      path: '/api/install/me',
      summary: 'The identity of the token.',
      responses: answers(IdentityResponse),
    },
    (server, { request }) => {
      const { userId, installId } = identify(server, request)
      return { success: true, user_id: userId, install_id: installId }
    },
  ),
  ...MEMORY_ROUTES,
  route(
    {
      method: 'post',
      path: '/api/artifacts',
      summary: 'Upload a file.',
      body: z.object({ file: z.file() }),
      bodyType: 'multipart/form-data',
      responses: answers(ArtifactResponse, 413),
      trailingSlash: true,
      options: ({ artifactBytes }) => ({ bodyLimit: artifactBytes + MAX_FORM_OVERHEAD_BYTES }),
    },
    (server, { request }) => {
      const { userId } = identify(server, request)
      const { artifacts, artifactBytes } = server
      const tooLarge = () => new Fault('TooLarge', `an artifact has at most ${artifactBytes} bytes`)
      return receiveFile(request, { bytes: artifactBytes, tooLarge }, async (part) =>
        artifactBody(await artifacts.receive(part, userId), request),
      )
    },
  ),
  route(
    {
      method: 'get',
      path: '/api/artifacts/{id}',
      summary: 'An uploaded file.',
      responses: answers('application/octet-stream', 404),
      options: () => ({ config: { pages: 'embed' } }),
    },
    async (server, { params, request, reply }) => {
      const artifact = server.artifacts.find(params.id, artifactReader(server, identify(server, request)))
      const file = await server.artifacts.stream(artifact)
      return reply
        .type(artifact.contentType)
        .header('content-length', artifact.sizeBytes)
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(file)
    },
  ),
  ...PERCEPTION_ROUTES,
  ...INTROSPECTION_ROUTES,
  ...RUN_ROUTES,
]

/** The description from which the OpenAPI and AsyncAPI documents are generated. */
export const windieosApi: ApiDescription = {
  title: 'WindieOS backend',
  version: '1.0.0',
  description: 'An agent whose tools run on the client, with perception, memory and a control plane for runs.',
  url: 'http://127.0.0.1:8765',
  bearer: true,
  operations: ROUTES,
  channels: [
    {
      name: 'agent',
      over: 'ws',
      address: '/ws',
      toServer: { handshake: Handshake, ...Messages },
      toClient: Frames,
    },
    {
      name: 'transcription',
      over: 'ws',
      address: '/ws/transcription',
      toServer: { control: TranscriptionControl },
      toClient: { transcribed: Transcribed },
    },
  ],
}
