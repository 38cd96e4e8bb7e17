import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isTooDeep } from '../../base/depth.ts'
import { Fault } from '../../base/fault.ts'
import { HARNESS_HINT } from '../../observer/gates/audience.ts'
import type { Session } from '../../observer/session/session.ts'
import type { Audience } from '../../observer/tool.ts'
import type { DoorContext } from '../door.ts'
import { parseJson } from '../http/json.ts'
import { HTTP_STATUS } from '../http/status.ts'
import { observerMcp } from './connection.ts'
import { readDesktopQuery } from './desktop-query.ts'
import { type HttpClient, HttpClients } from './http-clients.ts'
import { StreamEvents } from './stream-events.ts'

export const SESSION_HEADER = 'mcp-session-id'

/** How long a client waits before it resumes a stream, in milliseconds. */
const RETRY_MS = 1_000

/** MCP over Streamable HTTP (Model Context Protocol 2025-11-25, "Transports"). */
export interface McpHttp {
  readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly close: () => Promise<void>
}

export function createMcpHttp({ sessions, sessionOf, audienceOf, info }: DoorContext): McpHttp {
  const clients = new HttpClients(sessions, audienceOf)

  const initialize = async (request: FastifyRequest): Promise<HttpClient> => {
    await clients.admit()
    const { session, entry, audience } = await desktopFor(request)
    const id = session.context.secretIds.hex(32)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new StreamEvents(),
      retryInterval: RETRY_MS,
      onsessionclosed: () => clients.end(id),
    })
    await observerMcp({ session, audience, ...info }).connect(transport)
    return clients.add({ id, session, entry, audience, transport })
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
    const web = toWebRequest(request)
    if (typeof id === 'string') {
      const client = await clients.find(id, sessionAt(request), request.headers)
      if (!client) return refusal(404, -32001, 'Session not found: it was closed or has expired; send initialize again')
      return tracked(client, await client.transport.handleRequest(web, { parsedBody: body }))
    }
    if (!isInitialize(body))
      return refusal(
        400,
        -32000,
        `Bad Request: send initialize first, then its ${SESSION_HEADER} header with each request`,
      )
    const client = await initialize(request)
    const response = await client.transport.handleRequest(web, { parsedBody: body })
    // A rejected initialize, for example without an Accept header, leaves no client behind.
    if (!response.ok) await clients.end(client.id)
    return tracked(client, response)
  }

  const sessionAt = (request: FastifyRequest): Session | undefined => {
    try {
      return sessionOf(request)
    } catch (thrown) {
      if (thrown instanceof Fault) return undefined
      throw thrown
    }
  }

  return {
    handle: async (request, reply) => {
      const response = await respond(request).catch(refusalOf)
      return reply.send(response)
    },
    close: () => clients.endAll(),
  }
}

function toWebRequest({ method, headers }: FastifyRequest): Request {
  const copied = new Headers()
  for (const name of ['accept', 'content-type', 'last-event-id', 'mcp-protocol-version', SESSION_HEADER]) {
    const value = headers[name]
    if (typeof value === 'string') copied.set(name, value)
  }
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

const isInitialize = (body: unknown): boolean =>
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

/** Counts the response as open until its body ends or its reader is gone. */
function tracked(client: HttpClient, response: Response): Response {
  if (!response.body) return response
  client.openResponses++
  let isOpen = true
  const done = () => {
    if (isOpen) client.openResponses--
    isOpen = false
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
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
