import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import { Fault } from '../../base/fault.ts'
import { readJson } from '../http/app.ts'
import { type ApiDescription, ServerInfo } from '../http/document.ts'
import { bearerToken, matchesSecret } from '../http/guard.ts'
import { type Route, routesFor } from '../http/route.ts'
import type { Auth } from './auth.ts'
import type { SessionManager } from './connection.ts'
import { fromWire, genuiSchema } from './translate.ts'
import {
  type Component,
  CreateSession,
  Inbound,
  Outbound,
  PROTOCOL_VERSION,
  SessionCreated,
  validationBody,
} from './wire.ts'

/** What the routes share. */
export interface RouteContext {
  readonly components: readonly Component[]
  readonly sessions: SessionManager
}

/** Refuses requests below `/sessions` that do not carry the token. */
export function requireToken(app: FastifyInstance, auth: Auth): void {
  app.addHook('onRequest', async (request) => {
    // A preflight request carries no token and has no effect.
    if (auth.disabled || request.method === 'OPTIONS') return
    // A path has several spellings, but only one route.
    const { url = request.url } = request.routeOptions
    if (url.startsWith('/sessions')) authorize(request.headers.authorization, auth.token)
  })
}

const Problem = z.object({ detail: z.string() })

const route = routesFor<RouteContext>()

/** The endpoints (agent-webkit document, "Endpoints"), and the component list of the client packages. */
export const ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'get',
      path: '/',
      summary: 'The protocol, and the phrases of the built-in agent.',
      responses: { 200: ServerInfo },
    },
    () => ({ protocol: 'agent-webkit', protocol_version: PROTOCOL_VERSION, phrases: PHRASES }),
  ),
  route(
    {
      method: 'post',
      path: '/sessions',
      summary: 'Open a session.',
      body: CreateSession,
      bodyOptional: true,
      responses: { 200: SessionCreated, 401: Problem, 422: z.object({ detail: z.array(z.unknown()) }) },
    },
    ({ sessions }, { request, reply }) => {
      // A body that is not JSON is refused like one that does not fit.
      const wanted = CreateSession.safeParse(isEmpty(request.body) ? {} : jsonOrUndefined(request.body))
      if (!wanted.success) return reply.status(422).send(validationBody(wanted.error.issues))
      const { session } = sessions.create(wanted.data)
      return { session_id: session.id, protocol_version: PROTOCOL_VERSION }
    },
  ),
  route(
    {
      method: 'get',
      path: '/sessions/{id}/stream',
      summary: 'Follow the events of a session.',
      responses: { 200: 'text/event-stream', 400: Problem, 401: Problem, 404: Problem, 412: Problem },
      // HEAD would keep an unread stream open.
      options: () => ({ exposeHeadRoute: false }),
    },
    async ({ sessions }, { params, request, reply }) => {
      const session = sessions.get(params.id)
      const cursor = session.cursor(lastEventId(request.headers['last-event-id']))
      reply.hijack()
      await session.stream(cursor, reply.raw)
    },
  ),
  route(
    {
      method: 'post',
      path: '/sessions/{id}/input',
      summary: 'Send a message, or answer a pending request.',
      body: Inbound,
      responses: {
        204: null,
        400: Problem,
        401: Problem,
        404: Problem,
        409: Problem,
        413: Problem,
        503: z.object({ detail: z.string(), code: z.literal('backpressure') }),
      },
    },
    ({ sessions }, { params, body }) => sessions.get(params.id).execute(fromWire(body())),
  ),
  route(
    { method: 'delete', path: '/sessions/{id}', summary: 'End a session.', responses: { 204: null, 401: Problem } },
    ({ sessions }, { params }) => sessions.remove(params.id),
  ),
  route(
    {
      method: 'get',
      path: '/genui/schema',
      summary: 'The components that the agent can display.',
      responses: { 200: z.object({ version: z.string(), tools: z.array(z.unknown()) }), 404: Problem },
    },
    ({ components }, { reply }) =>
      components.length === 0 ? reply.status(404).send({ detail: 'Not Found' }) : genuiSchema(components),
  ),
]

/** The description from which the OpenAPI and AsyncAPI documents are generated. */
export const agentWebkitApi: ApiDescription = {
  title: 'agent-webkit wire protocol',
  version: PROTOCOL_VERSION,
  description: 'Sessions with an agent: messages over HTTP, events as server-sent events.',
  url: 'http://127.0.0.1:8010',
  bearer: true,
  operations: ROUTES,
  channels: [{ name: 'stream', over: 'sse', address: '/sessions/{id}/stream', toServer: {}, toClient: Outbound }],
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
