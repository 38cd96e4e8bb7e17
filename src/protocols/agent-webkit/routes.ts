import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PHRASES } from '../../agent/builtin.ts'
import type { Agent } from '../../agent/engine.ts'
import { Fault } from '../../base/fault.ts'
import { readBody, readJson } from '../app.ts'
import { bearerOf, isSecret } from '../guard.ts'
import { LOG_CAPACITY } from '../protocol.ts'
import { WireSession } from './connection.ts'
import { validationBody } from './errors.ts'
import { fromWire, genuiSchema } from './translate.ts'
import { type Component, CreateSession, Inbound, PROTOCOL_VERSION } from './wire.ts'

/** Who may call: everyone, or who knows the token. Without a token nobody is let in. */
export type Auth = { readonly disabled: true } | { readonly disabled: false; readonly token: string | undefined }

export interface RouteOptions {
  readonly agent: Agent
  readonly auth: Auth
  /** Frames held for each session. */
  readonly ringSize: number
  readonly components: readonly Component[]
  readonly sessions: Map<string, WireSession>
}

interface ById {
  Params: { id: string }
}

/** The endpoints of the document (agent-webkit document, "Endpoints"), and the components' list of the client packages. */
export function routes(app: FastifyInstance, { agent, auth, ringSize, components, sessions }: RouteOptions): void {
  const sessionOf = (request: FastifyRequest<ById>): WireSession => {
    const session = sessions.get(request.params.id)
    if (!session) throw new Fault('SessionNotFound', `there is no session ${JSON.stringify(request.params.id)}`)
    return session
  }

  app.addHook('onRequest', async (request) => {
    // A browser asks with OPTIONS whether it may send the token; that request carries none and does nothing.
    if (auth.disabled || request.method === 'OPTIONS') return
    // A path can be written in several ways, its route is one.
    const { url = request.url } = request.routeOptions
    if (url.startsWith('/sessions')) authorize(request.headers.authorization, auth.token)
  })

  app.post('/sessions', async (request, reply) => {
    const wanted = CreateSession.safeParse(jsonOrUndefined(request.body))
    if (!wanted.success) return reply.status(422).send(validationBody(wanted.error.issues))
    const { model, permission_mode } = wanted.data
    const session = agent.open({
      permissions: { mode: permission_mode ?? 'default' },
      logCapacity: LOG_CAPACITY,
      keepsAll: false,
    })
    session.askForModel(model ?? undefined)
    sessions.set(session.id, new WireSession(session, agent.clock, ringSize))
    return { session_id: session.id, protocol_version: PROTOCOL_VERSION }
  })

  // HEAD would keep a stream open that nobody reads.
  app.get<ById>('/sessions/:id/stream', { exposeHeadRoute: false }, async (request, reply) => {
    const session = sessionOf(request)
    const cursor = session.cursor(lastEventId(request.headers['last-event-id']))
    reply.hijack()
    await session.stream(cursor, reply.raw)
  })

  app.post<ById>('/sessions/:id/input', async (request, reply) => {
    const session = sessionOf(request)
    session.obey(fromWire(readBody(Inbound, request.body)))
    return reply.status(204).send()
  })

  app.delete<ById>('/sessions/:id', async (request, reply) => {
    sessions.get(request.params.id)?.close()
    sessions.delete(request.params.id)
    return reply.status(204).send()
  })

  app.get('/', async () => ({ protocol: 'agent-webkit', protocol_version: PROTOCOL_VERSION, phrases: PHRASES }))

  app.get('/genui/schema', async (_request, reply) => {
    if (components.length === 0) return reply.status(404).send({ detail: 'Not Found' })
    return genuiSchema(components)
  })
}

/** Throws `Unauthorized` unless the header is `Bearer` and the token. */
function authorize(header: string | undefined, token: string | undefined): void {
  const given = bearerOf(header)
  if (given === undefined) throw new Fault('Unauthorized', 'Missing bearer token')
  if (token === undefined || !isSecret(given, token)) throw new Fault('Unauthorized', 'Invalid token')
}

function lastEventId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  if (typeof header !== 'string' || !/^[0-9]{1,15}$/.test(header))
    throw new Fault('BadRequest', `Last-Event-ID must be a whole number, not ${JSON.stringify(header)}`)
  return Number(header)
}

function jsonOrUndefined(body: unknown): unknown {
  try {
    return readJson(body)
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'TooLarge') throw thrown
    return undefined
  }
}
