import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { toRefusal } from '../../observer/result.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'
import { type Door, type DoorContext, type DoorDefinition, withDoors } from '../door.ts'
import { createBareApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import {
  type AccessPolicy,
  audienceOf,
  bearerToken,
  checkAccess,
  HARNESS_HEADER,
  type HarnessAccess,
  isAllowedOrigin,
  matchesSecret,
  type ServerAccess,
} from '../http/guard.ts'
import { parseJson } from '../http/json.ts'
import { acceptSockets } from '../http/sockets.ts'
import { requestFault } from '../http/status.ts'
import { logWire } from '../http/wire-log.ts'
import { sendReply } from './reply.ts'
import { failureReply, LEGACY_PATHS, observerRoutes } from './routes.ts'
import { sessionOf, sessionRoutes } from './sessions.ts'
import { SOCKET_PATH, serveCalls, socketSession } from './socket.ts'

/** Room for the largest file that a tool writes. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
/** The longest path parameter. */
const MAX_PARAM_LENGTH = 500

export interface ObserverRestOptions {
  readonly sessions: DesktopSessions
  readonly access: ServerAccess
  readonly config: { readonly path: string; readonly error: string | null }
  /** Further ways to call the tools. None by default. */
  readonly doors?: readonly DoorDefinition[]
  /** The name and version that doors report. */
  readonly info?: { readonly name: string; readonly version: string }
  /** Called with unexpected internal errors. */
  readonly report: (bug: unknown) => void
}

/** Creates the REST server of the observer (observer document). It does not listen yet. */
export async function observerRest(options: ObserverRestOptions): Promise<FastifyInstance> {
  const { sessions, config, report, doors = [], info = { name: 'observer', version: '0' } } = options
  const { token, harnessToken, harnessOnly, ...listed } = options.access
  const harness: HarnessAccess = { harnessToken, harnessOnly: harnessOnly === true }
  const policy: AccessPolicy = { ...listed, pages: 'own' }
  const app = createBareApp({
    bodyLimit: MAX_BODY_BYTES,
    maxParamLength: MAX_PARAM_LENGTH,
    mergesSlashes: true,
    sendFault: (fault, reply) => sendReply(reply, failureReply(fault, false)),
    clientErrorHandler: rejectUnreadable,
  })
  const methodsOf = recordRoutes(app)
  // Loaded only for documents and missing routes.
  const loadApi = withDoors(async () => (await import('./api-description.ts')).observerApi, doors)
  acceptJsonOnly(app)
  allowListedOrigins(app, policy, doors)
  app.addHook('onRequest', (request, _reply, done) => {
    checkAccess(request.headers, policy, request.routeOptions.config?.pages)
    if (
      token !== undefined &&
      needsToken(request, doors) &&
      !matchesSecret(bearerToken(request.headers.authorization) ?? '', token)
    )
      throw new Fault('Unauthorized', 'send the token as Authorization: Bearer …')
    done()
  })
  app.options('/*', async (request, reply) => {
    const methods = methodsOf(pathOf(request))
    if (methods.length === 0) return reply.callNotFound()
    const allow = methods.join(', ')
    if (reply.hasHeader('access-control-allow-origin'))
      reply.headers({ ...preflightHeaders(doors), 'access-control-allow-methods': allow })
    return reply.code(204).header('allow', allow).send()
  })
  app.setErrorHandler((error, request, reply) => {
    const fault = requestFault(error, request)
    if (fault.code === 'Internal' || fault.code === 'StorageFailed') report(error)
    return sendReply(reply, failureReply(fault, isLegacy(pathOf(request))))
  })
  const opened: { readonly path: string; readonly door: Door }[] = []
  const doorOf = ({ routeOptions: { url } }: FastifyRequest) => opened.find(({ path }) => url?.endsWith(path))?.door
  if (sessions.first.context.settings.tracing.wire_log)
    logWire(app, {
      sessionFor: (request) => {
        const door = doorOf(request)
        return door?.calledSession ? door.calledSession(request) : sessionOf(sessions)(request)
      },
      isProgram: (request) => doorOf(request)?.hasWords === true,
    })
  serveDocuments(app, loadApi)
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request)
    const methods = methodsOf(path)
    const refuse = (code: number, message: string) =>
      sendReply(reply, { status: code, body: failureReply(new Fault('BadRequest', message), isLegacy(path)).body })
    if (methods.length > 0) {
      reply.header('allow', methods.join(', '))
      return refuse(405, `${path} takes ${methods.join(' or ')}, not ${request.method}`)
    }
    const { hint = 'GET /openapi.json lists all routes' } = await routeHint(loadApi, request)
    return refuse(404, `there is no ${request.method} ${path}; ${hint}`)
  })

  const desktopRoutes = async (scope: FastifyInstance) => {
    observerRoutes(scope, { sessionOf: sessionOf(sessions), config, harness })
    scope.get('/api/metrics', async (request, reply) => {
      // Loaded on demand, because most servers never serve metrics.
      const { metricsOf } = await import('./metrics.ts')
      return reply
        .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
        .send(await metricsOf(sessionOf(sessions)(request), sessions))
    })
    scope.get(SOCKET_PATH, async (_request, reply) => {
      const fault = new Fault('BadRequest', `${SOCKET_PATH} is a WebSocket: connect to it with ws://`)
      return sendReply(reply.header('upgrade', 'websocket'), { status: 426, body: failureReply(fault, false).body })
    })
  }
  await app.register(desktopRoutes)
  await app.register(desktopRoutes, { prefix: '/sessions/:sessionId' })
  const context: DoorContext = {
    sessions,
    sessionOf: sessionOf(sessions),
    audienceOf: (session, headers) => audienceOf(session, headers, harness),
    info,
    report,
  }
  for (const definition of doors) {
    const door = definition.open(context)
    opened.push({ path: definition.path, door })
    const doorRoutes = async (scope: FastifyInstance) => door.addRoutes(scope)
    await app.register(doorRoutes)
    await app.register(doorRoutes, { prefix: '/sessions/:sessionId' })
    app.addHook('preClose', () => door.close())
  }
  sessionRoutes(app, sessions, harness)
  const endSockets = acceptSockets(app.server, {
    ...policy,
    maxPayload: MAX_BODY_BYTES,
    route: (path, headers) => {
      if (token !== undefined && !matchesSecret(bearerToken(headers.authorization) ?? '', token)) return 401
      const session = socketSession(sessions, path)
      return session && ((socket) => serveCalls(socket, { sessions, own: session, headers, harness }))
    },
    notFoundStatus: 404,
    forbiddenStatus: 403,
  })
  app.addHook('preClose', async () => endSockets())
  return app
}

/**
 * Returns whether a request needs the token. A browser can send it with requests of a page, but not with the page itself or with
 * a preflight request; neither reveals data of a desktop. A path has several spellings, but only one route.
 */
const needsToken = (request: FastifyRequest, doors: readonly DoorDefinition[]): boolean => {
  if (request.routeOptions.config?.pages === 'link') return false
  const path = request.routeOptions.url ?? pathOf(request)
  const guarded = ['/api', '/sessions', '/scenarios', ...doors.map((door) => door.path)]
  return request.method !== 'OPTIONS' && guarded.some((root) => path.startsWith(root))
}

/** The time after which the connection of an unreadable request is destroyed. */
const GRACE_MS = 1000

/** Responds to malformed, too large or too slow HTTP, for which Fastify has no request. */
function rejectUnreadable({ code, message }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const json = JSON.stringify(toRefusal(new Fault('BadRequest', `the request cannot be read: ${message}`)).body)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  )
  socket.setTimeout(GRACE_MS, () => socket.destroy())
}

/** Accepts JSON bodies. An empty body means no arguments. Forms and plain text, which any page may send, are rejected. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    if (text.trim() === '') return done(null, undefined)
    try {
      done(null, parseJson(text))
    } catch (error) {
      done(
        error instanceof Fault ? error : new Fault('BadRequest', `the body is not JSON: ${(error as Error).message}`),
      )
    }
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const given = request.headers['content-type'] ?? 'no Content-Type'
    done(new Fault('BadRequest', `send JSON with Content-Type: application/json, not ${given}`))
  })
}

/** The headers of a preflight response. */
const preflightHeaders = (doors: readonly DoorDefinition[]) => ({
  'access-control-allow-headers': [
    ...['content-type', 'authorization', HARNESS_HEADER],
    ...doors.flatMap(({ headers }) => headers?.request ?? []),
  ].join(', '),
  'access-control-max-age': '600',
})

/** Sends CORS headers to listed origins only. */
function allowListedOrigins(app: FastifyInstance, policy: AccessPolicy, doors: readonly DoorDefinition[]): void {
  if (policy.origins.length === 0) return
  const exposed = doors.flatMap(({ headers }) => headers?.response ?? [])
  app.addHook('onRequest', ({ headers }, reply, done) => {
    const { origin } = headers
    if (origin !== undefined && isAllowedOrigin(headers, policy))
      reply.headers({
        'access-control-allow-origin': origin,
        vary: 'Origin',
        ...(exposed.length > 0 && { 'access-control-expose-headers': exposed.join(', ') }),
      })
    done()
  })
}

/** Records all routes. Returns a function that lists the methods of a path. */
function recordRoutes(app: FastifyInstance): (path: string) => readonly string[] {
  const routes: { readonly methods: readonly string[]; readonly steps: readonly string[] }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    if (!url.includes('*')) routes.push({ methods: [method].flat(), steps: url.split('/') })
  })
  return (path) => {
    const steps = path.split('/')
    const matching = routes.filter((route) => matches(route.steps, steps))
    return [...new Set(matching.flatMap(({ methods }) => methods))].sort()
  }
}

const matches = (route: readonly string[], path: readonly string[]): boolean =>
  route.length === path.length &&
  route.every((step, at) => step === path[at] || (step.startsWith(':') && path[at] !== ''))

/** Returns whether a path, at the root or below `/sessions/ID`, has version 1 errors. */
const isLegacy = (path: string): boolean =>
  LEGACY_PATHS.some((legacy) => path === legacy || (path.startsWith('/sessions/') && path.endsWith(legacy)))

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!
