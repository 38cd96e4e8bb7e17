import type { FastifyInstance } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { audienceOf, bearerToken, matchesSecret } from '../http/guard.ts'
import { addRoutes } from '../http/route.ts'
import { acceptSockets } from '../http/sockets.ts'
import { listen, type ProtocolListener, type SessionProtocolContext } from '../protocol.ts'
import { serveEpisodes, serveTools } from './connection.ts'
import { Environments } from './environments.ts'
import { OPEN_PATHS, openenvApi, ROUTES } from './routes.ts'
import { errorBody, harnessOnly, statusOf } from './wire.ts'

/** A frame with the largest scenario as text. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024

const loadApiDescription = async () => openenvApi

/** OpenEnv's server: each connection has a desktop of its own. */
export const openenv = (context: SessionProtocolContext): ProtocolListener => ({
  listen: async (at) => {
    const { app, closeSockets } = openenvApp(context)
    return listen(app, at, closeSockets)
  },
})

function openenvApp({ sessions, access, version, livePage, onBug }: SessionProtocolContext): {
  readonly app: FastifyInstance
  readonly closeSockets: () => void
} {
  const { hosts, origins, token, ...harness } = access
  const policy = { hosts, origins, pages: 'own' } as const
  const environments = new Environments(sessions)
  const app = createApp({
    ...policy,
    cors: origins.length > 0,
    bodyLimit: MAX_FRAME_BYTES,
    sendFault: (fault, reply) => reply.code(statusOf(fault)).send(errorBody(fault)),
    onBug,
  })
  app.addHook('onRequest', async ({ method, routeOptions, headers }) => {
    if (method === 'OPTIONS' || OPEN_PATHS.includes(routeOptions.url ?? '')) return
    if (token !== undefined && !matchesSecret(bearerToken(headers.authorization) ?? '', token))
      throw new Fault('Unauthorized', 'send the token as Authorization: Bearer …')
    if (audienceOf(sessions.first, headers, harness) !== 'harness') throw harnessOnly()
  })
  addRoutes(app, ROUTES, {
    environments,
    sessions,
    version,
    livePage: ({ hostname }) => {
      const page = livePage()
      if (page === undefined) return undefined
      // A caller reaches the page under the name by which it reaches this server.
      const url = new URL(page)
      url.hostname = hostname
      return url
    },
  })
  serveDocuments(app, loadApiDescription)
  app.setNotFoundHandler(async (request, reply) => {
    const { hint } = await routeHint(loadApiDescription, request)
    return reply.code(404).send({ detail: 'Not Found', ...(hint !== undefined && { hint }) })
  })
  const context = { environments, sessions, onBug }
  const closeSockets = acceptSockets(app.server, {
    ...policy,
    maxPayload: MAX_FRAME_BYTES,
    notFoundStatus: 404,
    forbiddenStatus: 403,
    route: (path, headers, query) => {
      if (path !== '/ws' && path !== '/mcp') return undefined
      if (token !== undefined && !matchesSecret(bearerToken(headers.authorization) ?? '', token)) return 401
      if (audienceOf(sessions.first, headers, harness) !== 'harness') return 403
      return (socket) =>
        path === '/mcp' ? serveTools(socket, context) : serveEpisodes(socket, query.get('session_id'), context)
    },
  })
  return { app, closeSockets }
}
