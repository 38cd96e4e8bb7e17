import type { FastifyInstance } from 'fastify'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import { Fault } from '../../base/fault.ts'
import { readBody, readJson } from '../http/app.ts'
import { bearerToken, matchesSecret } from '../http/guard.ts'
import type { Auth } from './auth.ts'
import { validationBody } from './errors.ts'
import type { SessionManager } from './sessions.ts'
import { fromWire, genuiSchema } from './translate.ts'
import { type Component, CreateSession, Inbound, PROTOCOL_VERSION } from './wire.ts'

/** Options of the routes. */
export interface RouteOptions {
  readonly auth: Auth
  readonly components: readonly Component[]
  readonly sessions: SessionManager
}

interface ById {
  Params: { id: string }
}

/** The endpoints (agent-webkit document, "Endpoints"), and the component list of the client packages. */
export function routes(app: FastifyInstance, { auth, components, sessions }: RouteOptions): void {
  app.addHook('onRequest', async (request) => {
    // A preflight request carries no token and has no effect.
    if (auth.disabled || request.method === 'OPTIONS') return
    // A path has several spellings, but only one route.
    const { url = request.url } = request.routeOptions
    if (url.startsWith('/sessions')) authorize(request.headers.authorization, auth.token)
  })

  app.post('/sessions', async (request, reply) => {
    const wanted = CreateSession.safeParse(isEmpty(request.body) ? {} : jsonOrUndefined(request.body))
    if (!wanted.success) return reply.status(422).send(validationBody(wanted.error.issues))
    const { session } = sessions.create(wanted.data)
    return { session_id: session.id, protocol_version: PROTOCOL_VERSION }
  })

  // HEAD would keep an unread stream open.
  app.get<ById>('/sessions/:id/stream', { exposeHeadRoute: false }, async (request, reply) => {
    const session = sessions.get(request.params.id)
    const cursor = session.cursor(lastEventId(request.headers['last-event-id']))
    reply.hijack()
    await session.stream(cursor, reply.raw)
  })

  app.post<ById>('/sessions/:id/input', async (request, reply) => {
    const session = sessions.get(request.params.id)
    session.execute(fromWire(readBody(Inbound, request.body)))
    return reply.status(204).send()
  })

  app.delete<ById>('/sessions/:id', async (request, reply) => {
    sessions.remove(request.params.id)
    return reply.status(204).send()
  })

  app.get('/', async () => ({ protocol: 'agent-webkit', protocol_version: PROTOCOL_VERSION, phrases: PHRASES }))

  app.get('/genui/schema', async (_request, reply) => {
    if (components.length === 0) return reply.status(404).send({ detail: 'Not Found' })
    return genuiSchema(components)
  })
}

/** Throws `Unauthorized` unless the header carries the bearer token. */
function authorize(header: string | undefined, token: string | undefined): void {
  const given = bearerToken(header)
  if (given === undefined) throw new Fault('Unauthorized', 'Missing bearer token')
  if (token === undefined || !matchesSecret(given, token)) throw new Fault('Unauthorized', 'Invalid token')
}

function lastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  if (typeof header !== 'string' || !/^[0-9]+$/.test(header))
    throw new Fault('BadRequest', `Last-Event-ID must be a whole number, not ${JSON.stringify(header)}`)
  // No event has a number this large, so capping it makes no difference.
  return Math.min(Number(header), Number.MAX_SAFE_INTEGER)
}

const isEmpty = (body: unknown): boolean => body === undefined || body === ''

function jsonOrUndefined(body: unknown): unknown {
  try {
    return readJson(body)
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'TooLarge') throw thrown
    return undefined
  }
}
