import type { IncomingHttpHeaders, Server } from 'node:http'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { audienceOf, bearerToken, matchesSecret } from '../http/guard.ts'
import { addRoutes } from '../http/route.ts'
import { acceptSockets } from '../http/sockets.ts'
import { logWire } from '../http/wire-log.ts'
import { listen, type ProtocolListener, type SessionProtocolContext } from '../protocol.ts'
import { DEVTOOLS_PATH, MAX_DEVTOOLS_BYTES, serveChromium } from './chromium.ts'
import { BinaryFiles, type ServerContext } from './commands.ts'
import type { ToolCaller } from './machine.ts'
import { Programs } from './programs.ts'
import { createScreenRecorder } from './recording/screen-recorder.ts'
import { osworldApi, ROUTES, recordScreen } from './routes/routes.ts'
import { ScoreCommands } from './score-command.ts'
import { errorBody, statusOf } from './wire.ts'

const MAX_BODY_BYTES = 8 * 1024 * 1024
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024
const DOCUMENTS: readonly string[] = ['/openapi.json', '/asyncapi.json']

const loadApi = async () => osworldApi

/** The server inside of OSWorld's machines, over the tools of a session. */
export const osworld = (options: SessionProtocolContext): ProtocolListener => ({
  listen: async (at) => listen(await osworldApp(options), at),
})

/** The HTTP server. It does not listen; `inject` sends requests to it. */
export async function osworldApp({
  session,
  access,
  onBug,
}: Pick<SessionProtocolContext, 'session' | 'access' | 'onBug'>): Promise<FastifyInstance> {
  const { hosts, origins, token, ...harness } = access
  const app = createApp({
    hosts,
    origins,
    pages: 'own',
    cors: origins.length > 0,
    bodyLimit: MAX_BODY_BYTES,
    sendFault: (fault, reply) => reply.code(statusOf(fault)).send(errorBody(fault)),
    onBug,
  })
  app.addHook('onRequest', async ({ method, routeOptions, headers }) => {
    if (token === undefined || method === 'OPTIONS' || DOCUMENTS.includes(routeOptions.url ?? '')) return
    if (!matchesSecret(bearerToken(headers.authorization) ?? '', token))
      throw new Fault('Unauthorized', 'send the token as Authorization: Bearer …')
  })
  if (session.context.settings.tracing.wire_log) logWire(app, { sessionFor: () => session, isProgram: () => true })
  const routes = recordRoutes(app)
  await app.register(multipart, { limits: { fileSize: MAX_UPLOAD_BYTES, files: 1, fields: 20, fieldSize: 64 * 1024 } })
  const closing = new AbortController()
  const recorder = createScreenRecorder({ signal: closing.signal })
  app.addHook('preClose', async () => closing.abort())
  const callerWith = (headers: IncomingHttpHeaders, request: string): ToolCaller => ({
    session,
    audience: audienceOf(session, headers, harness),
    source: { request },
    signal: closing.signal,
    onAction: async () => {
      try {
        await recordScreen(recorder, session)
      } catch (thrown) {
        // The action was done, so that its caller must not see it fail.
        if (!(thrown instanceof Fault)) onBug(thrown)
      }
    },
  })
  const context: ServerContext = {
    callerOf: ({ headers, method, routeOptions }) => callerWith(headers, `${method} ${routeOptions.url}`),
    recorder,
    programs: new Programs(),
    scores: new ScoreCommands(() => {
      context.wallpaper = undefined
    }),
    binaries: new BinaryFiles(),
    wallpaper: undefined,
  }
  addRoutes(app, ROUTES, context)
  const closeSockets = acceptSockets(app.server as Server, {
    hosts,
    origins,
    pages: 'own',
    maxPayload: MAX_DEVTOOLS_BYTES,
    notFoundStatus: 404,
    forbiddenStatus: 403,
    route: (path, headers) => {
      if (path !== DEVTOOLS_PATH) return undefined
      if (token !== undefined && !matchesSecret(bearerToken(headers.authorization) ?? '', token)) return 401
      return (socket) => serveChromium(socket, callerWith(headers, 'DevTools'), onBug)
    },
  })
  app.addHook('preClose', async () => closeSockets())
  serveDocuments(app, loadApi)
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    const allowed = routes.filter((route) => route.path === path).map(({ method }) => method)
    if (allowed.length > 0) {
      const message = `${path} takes ${allowed.join(' or ')}, not ${request.method}`
      return reply.code(405).header('allow', allowed.join(', ')).send(errorBody({ message }))
    }
    const { hint } = await routeHint(loadApi, request)
    const message = [`there is no ${request.method} ${path}`, ...(hint === undefined ? [] : [hint])].join('; ')
    return reply
      .code(404)
      .send({ ...errorBody({ message }), routes: routes.map((route) => `${route.method} ${route.path}`) })
  })
  return app
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!

/** Lists the routes that are added later. */
function recordRoutes(app: FastifyInstance): readonly { readonly method: string; readonly path: string }[] {
  const routes: { method: string; path: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD' && !url.includes('*')) routes.push({ method: one, path: url })
  })
  return routes
}
