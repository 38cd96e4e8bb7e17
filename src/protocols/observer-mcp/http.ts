import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { isTooDeep } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { HARNESS_HINT } from '../../observer/gates/audience.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { SessionRequest } from '../../observer/session/sessions.ts'
import { type Audience, describeProblems } from '../../observer/tool.ts'
import type { DoorContext } from '../door.ts'
import { parseJson } from '../http/json.ts'
import { HTTP_STATUS } from '../http/status.ts'
import { negotiatedVersion, observerMcp } from './connection.ts'
import {
  EventMemory,
  type HttpClient,
  HttpClients,
  type NewHttpClient,
  type StreamEvent,
  StreamEvents,
} from './http-clients.ts'
import type { Stateless } from './stateless.ts'

export const SESSION_HEADER = 'mcp-session-id'

/** How long a client waits before it resumes a stream, in milliseconds. */
const RETRY_MS = 1_000

/** MCP over Streamable HTTP (Model Context Protocol 2025-11-25, "Transports"). */
export interface McpHttp {
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** The session of the client that sent a request. Undefined for an unknown client. */
  readonly sessionOf: (request: FastifyRequest) => DesktopSession | undefined
  readonly close: () => Promise<void>
}

export function createMcpHttp({ sessions, sessionOf, audienceOf, info, report }: DoorContext): McpHttp {
  const clients = new HttpClients({ sessions, audienceOf, report })
  const memory = new EventMemory()
  let stateless: Promise<Stateless> | undefined

  const open = async (request: FastifyRequest, message: InitializeMessage): Promise<NewHttpClient> => {
    const { session, entry, audience } = await desktopFor(request)
    const id = session.context.secretIds.hex(32)
    const events = new StreamEvents(memory)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: events,
      retryInterval: RETRY_MS,
      onsessionclosed: () => clients.end(id),
    })
    await observerMcp({ session, audience, ...info }).connect(transport)
    return { id, session, entry, audience, transport, events, protocolVersion: negotiatedVersion(message) }
  }

  /** The session of the path, or a new one if the query names a scenario, a seed or other options of a desktop. */
  const desktopFor = async (request: FastifyRequest) => {
    const entry = sessionOf(request)
    const { desktop, tools } = readDesktopQuery(request.query)
    const caller = audienceOf(entry, request.headers)
    const audience: Audience = tools === 'agent' ? 'agent' : caller
    if (!desktop) return { session: entry, entry, audience }
    if (caller !== 'harness')
      throw new Fault('PermissionDenied', `only the harness may open a desktop of its own; ${HARNESS_HINT}`)
    const session = await sessions.open({ ...desktop, ...(tools && { audience: tools }) })
    return { session, entry, audience }
  }

  const respond = async (request: FastifyRequest): Promise<Response> => {
    const { [SESSION_HEADER]: id } = request.headers
    const body = request.method === 'POST' ? readMessage(request.body) : undefined
    if (Array.isArray(body) && body.length === 0) return refusal(400, -32600, 'Invalid Request: the batch is empty')
    if (typeof id === 'string') {
      const client = await clients.find(id, sessionAt(request), request.headers)
      if (!client) return refusal(404, -32001, 'Session not found: it was closed or has expired; send initialize again')
      return answer(client, request, body)
    }
    if (!isInitialize(body))
      return refusal(
        400,
        -32000,
        `Bad Request: send initialize first, then its ${SESSION_HEADER} header with each request`,
      )
    const client = await clients.open(() => open(request, body))
    let isAccepted = false
    try {
      const response = await answer(client, request, body)
      isAccepted = response.ok
      return response
    } finally {
      // A rejected initialize, for example without an Accept header, leaves no client behind.
      if (!isAccepted) await clients.end(client.id)
    }
  }

  /** Serves revision 2026-07-28, whose requests know of no other. The library is loaded by the first of them. */
  const respondStateless = async (request: FastifyRequest, hangUp: AbortSignal): Promise<Response> => {
    stateless ??= import('./stateless.ts').then(({ createStateless }) => createStateless(info))
    const { answer } = await stateless
    const body = request.method === 'POST' ? readMessage(request.body) : undefined
    const session = sessionOf(request)
    const { desktop, tools } = readDesktopQuery(request.query)
    const audience: Audience = tools === 'agent' ? 'agent' : audienceOf(session, request.headers)
    const release = sessions.hold(session.id)
    try {
      const response = await answer(request, body, { session, audience, isEntrance: desktop !== undefined }, hangUp)
      return tracked(response, release)
    } catch (thrown) {
      release()
      throw thrown
    }
  }

  const answer = async (client: HttpClient, request: FastifyRequest, body: unknown): Promise<Response> => {
    const done = clients.holdOpen(client)
    try {
      const { 'last-event-id': lastEvent } = request.headers
      const resumed = request.method === 'GET' && typeof lastEvent === 'string' ? lastEvent : undefined
      if (resumed !== undefined && !client.events.has(resumed)) {
        done()
        return refusal(400, -32000, `Bad Request: there is no event ${JSON.stringify(resumed)} to resume from`)
      }
      client.events.expect(requestIdsOf(body))
      const response = await client.transport.handleRequest(toWebRequest(request, client), { parsedBody: body })
      const rest = resumed !== undefined && response.ok ? client.events.completionAfter(resumed) : undefined
      if (rest) return closedStream(response, rest, done)
      return tracked(response, done, request.method === 'GET' ? OPEN_COMMENT : undefined)
    } catch (thrown) {
      done()
      throw thrown
    }
  }

  const sessionAt = (request: FastifyRequest): DesktopSession | undefined => {
    try {
      return sessionOf(request)
    } catch (thrown) {
      if (thrown instanceof Fault) return undefined
      throw thrown
    }
  }

  return {
    handle: async (request, reply) => {
      const response = isStateless(request) ? respondStateless(request, hangUpOf(reply)) : respond(request)
      return reply.send(await response.catch(refusalOf))
    },
    sessionOf: (request) => {
      const { [SESSION_HEADER]: id } = request.headers
      if (isStateless(request)) return sessionAt(request)
      return typeof id === 'string' ? clients.sessionOf(id) : undefined
    },
    close: async () => {
      await clients.endAll()
      await (await stateless)?.close()
    },
  }
}

/**
 * Whether a request is of a revision without sessions. It has `Mcp-Method`, or a version from 2026 on. A client of an older revision
 * may send that header too, but names its revision.
 */
const isStateless = ({
  headers: { 'mcp-protocol-version': version, 'mcp-method': method },
}: FastifyRequest): boolean => {
  if (typeof version !== 'string') return method !== undefined
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return false
  return method !== undefined || (version >= STATELESS_SINCE && /^\d{4}-/.test(version))
}

const STATELESS_SINCE = '2026-'

/** A client that hangs up cancels its request. */
function hangUpOf({ raw }: FastifyReply): AbortSignal {
  const ended = new AbortController()
  raw.once('close', () => ended.abort())
  return ended.signal
}

const MEDIA_TYPES = ['application/json', 'text/event-stream']

function toWebRequest({ method, headers }: FastifyRequest, { protocolVersion }: HttpClient): Request {
  // Without the header, the version is that of the initialize request.
  const copied = new Headers({ 'mcp-protocol-version': protocolVersion })
  for (const name of ['last-event-id', 'mcp-protocol-version', SESSION_HEADER]) {
    const value = headers[name]
    if (typeof value === 'string') copied.set(name, value)
  }
  // The transport compares letters, where media types have wildcards, weights and any case.
  copied.set('accept', MEDIA_TYPES.filter((type) => acceptsType(headers.accept, type)).join(', '))
  copied.set('content-type', (headers['content-type'] ?? '').toLowerCase())
  // The transport reads neither the URL nor the body, which is parsed already.
  return new Request('http://localhost/mcp', { method, headers: copied })
}

/** The JSON of a body. Throws `ParseError` for anything else. */
function readMessage(body: unknown): unknown {
  let value: unknown
  try {
    value = parseJson(typeof body === 'string' ? body : '')
  } catch (thrown) {
    throw new ParseError(thrown instanceof Fault ? thrown.message : 'Parse error: the body is not JSON')
  }
  if (isTooDeep(value)) throw new ParseError('Parse error: the body is nested too deep')
  return value
}

class ParseError extends Error {}

interface InitializeMessage {
  readonly method: 'initialize'
  readonly params?: { readonly protocolVersion?: unknown } | null
}

const isInitialize = (body: unknown): body is InitializeMessage =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'initialize'

const INTERNAL_ERROR = -32603

/** Converts a fault to a JSON-RPC error. Any other error is a bug. */
export function refusalOf(thrown: unknown): Response {
  if (thrown instanceof ParseError) return refusal(400, -32700, thrown.message)
  const fault = Fault.from(thrown)
  if (fault.cause !== undefined) throw thrown
  const code = fault.code === 'Internal' || fault.code === 'StorageFailed' ? INTERNAL_ERROR : -32000
  return refusal(HTTP_STATUS[fault.code], code, fault.message, fault.code)
}

function refusal(status: number, code: number, message: string, fault?: string): Response {
  const error = { code, message, ...(fault && { data: { code: fault } }) }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status })
}

/** The ids of the requests of a message or batch. */
function requestIdsOf(body: unknown): (string | number)[] {
  return (Array.isArray(body) ? body : [body]).flatMap((message) => {
    const id = typeof message === 'object' && message !== null && 'method' in message && message.id
    return typeof id === 'string' || typeof id === 'number' ? [id] : []
  })
}

/** The rest of a complete stream. The library's transport would keep a resumed stream open for ever. */
async function closedStream(response: Response, rest: readonly StreamEvent[], done: () => void): Promise<Response> {
  await response.body?.cancel()
  done()
  const events = rest.map(
    ({ number, message }) => `event: message\nid: ${number}\ndata: ${JSON.stringify(message)}\n\n`,
  )
  return new Response(events.join(''), { headers: response.headers })
}

/** Sent at once on a stream that may have no events for long, because the headers are sent with the first bytes. */
const OPEN_COMMENT = new TextEncoder().encode(': open\n\n')

/** Calls `done` when the body of a response has ended or its reader is gone. The body starts with `first`. */
function tracked(response: Response, done: () => void, first?: Uint8Array): Response {
  if (!response.body) {
    done()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (first && response.ok) controller.enqueue(first)
    },
    pull: async (controller) => {
      try {
        const { done: ended, value } = await reader.read()
        if (!ended) return controller.enqueue(value)
        done()
        controller.close()
      } catch (error) {
        done()
        controller.error(error)
      }
    },
    cancel: async (reason) => {
      done()
      await reader.cancel(reason)
    },
  })
  return new Response(body, response)
}

/** Returns whether an `Accept` header allows a media type (RFC 9110, 12.5.1). Without a header every type is allowed. */
export function acceptsType(header: string | undefined, mediaType: string): boolean {
  if (header === undefined || header.trim() === '') return true
  const [type] = mediaType.split('/')
  // The most specific range that matches decides, whatever its place.
  const ranges = [mediaType, `${type}/*`, '*/*']
  const weights = new Map(header.split(',').map(readRange))
  const weight = ranges.map((range) => weights.get(range)).find((found) => found !== undefined)
  return weight !== undefined && weight > 0
}

/** A range and its weight. Names are case-insensitive. A weight that cannot be read counts as 1. */
function readRange(text: string): readonly [range: string, weight: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1]
  const weight = given === undefined ? 1 : Number(given)
  return [range, Number.isNaN(weight) ? 1 : weight]
}

const MAX_LENGTH = 1_000
const Text = z.string().min(1).max(MAX_LENGTH)
/** Only digits: an empty value or 1e3 is more likely a mistake. */
const Integer = z.preprocess(
  (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value),
  z.int(),
)
const Repeated = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(Text).max(100))

/** The query of an initialize request. With any of them but `tools`, the client gets a desktop of its own. */
export const DesktopQuery = z.strictObject({
  scenario: Text.refine((text) => !/[\r\n]/.test(text), 'is a name or a path, not the text of a scenario')
    .optional()
    .describe('A name of the gallery, or a path below the folders that this server may read'),
  seed: Integer.optional().describe('The seed of the run'),
  variant: Repeated.optional().describe('AXIS=VALUE; may be repeated'),
  faults: Repeated.optional().describe('Names of faults, with commas between them'),
  tools: z.enum(['agent', 'all']).optional().describe('agent: only the tools of agents'),
})

/** The desktop that a client asks for. Undefined for the one at the path. */
export interface DesktopChoice {
  readonly desktop: SessionRequest | undefined
  readonly tools: 'agent' | 'all' | undefined
}

/** Reads the query of an initialize request. Throws `BadRequest` with every problem. */
export function readDesktopQuery(query: unknown): DesktopChoice {
  const parsed = DesktopQuery.safeParse(query)
  if (!parsed.success) {
    const problems = describeProblems(DesktopQuery, query, parsed.error)
    throw new Fault('BadRequest', problems.join('; '), { problems })
  }
  const { scenario, seed, variant, faults, tools } = parsed.data
  if (scenario === undefined && seed === undefined && !variant && !faults) return { desktop: undefined, tools }
  return {
    desktop: {
      scenario,
      seed,
      ...(variant && { variant: readChoices(variant) }),
      ...(faults && { faults: faults.flatMap((names) => names.split(',')) }),
    },
    tools,
  }
}

function readChoices(texts: readonly string[]): Record<string, string> {
  const choices = new Map<string, string>()
  for (const [axis, value] of texts.map(readChoice)) {
    if (choices.has(axis)) throw new Fault('BadRequest', `variant: ${JSON.stringify(axis)} is given twice`)
    choices.set(axis, value)
  }
  return Object.fromEntries(choices)
}

function readChoice(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Fault('BadRequest', `variant: ${JSON.stringify(text)} is not AXIS=VALUE, such as theme=dark`)
  return [text.slice(0, at), text.slice(at + 1)]
}
