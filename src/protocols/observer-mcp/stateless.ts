import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { FastifyRequest } from 'fastify'
import { Fault } from '../../base/fault.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { Audience } from '../../observer/tool.ts'
import { callTool, instructionsFor, listTools, watchOf } from './connection.ts'
import { readResource, resourcesFor } from './resources.ts'

/** The revision in which requests stand for themselves. */
export const PROTOCOL_VERSION = '2026-07-28'

/** The tools and resources of a caller never change. Those of the harness are not for all. */
const LISTED = { ttlMs: 3_600_000, cacheScope: 'private' } as const

/** The desktop that a request is for, and what its caller may do. */
interface ServedDesktop {
  readonly session: DesktopSession
  readonly audience: Audience
}

/** The desktop of a request over HTTP. */
interface RequestDesktop extends ServedDesktop {
  /** Whether the address opens desktops, which this revision has no word for. */
  readonly isEntrance: boolean
}

/** Serves MCP from revision 2026-07-28 on: an address is a desktop, and each request stands for itself. */
export interface Stateless {
  /** @param hangUp Aborts when the client is gone. */
  readonly answer: (
    request: FastifyRequest,
    body: unknown,
    desktop: RequestDesktop,
    hangUp: AbortSignal,
  ) => Promise<Response>
  /** Ends all streams. */
  readonly close: () => Promise<void>
}

/** @param info The name and version that the server reports. */
export function createStateless(info: { readonly name: string; readonly version: string }): Stateless {
  const desktops = new WeakMap<object, RequestDesktop>()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const desktop = desktops.get(authInfo!)!
      return desktop.isEntrance ? entranceServer(info) : desktopServer(info, desktop)
    },
    { legacy: 'reject' },
  )
  return {
    answer: (request, parsedBody, desktop, hangUp) => {
      // What the library passes on to the server of a request.
      const authInfo = { token: '', clientId: '', scopes: [] }
      desktops.set(authInfo, desktop)
      return handler.fetch(toWebRequest(request, hangUp), { authInfo, ...(parsedBody !== undefined && { parsedBody }) })
    },
    close: () => handler.close(),
  }
}

/** Serves a desktop over a channel, to requests that name their revision. Ends with `close`. */
export const serveStatelessStdio = (
  info: { readonly name: string; readonly version: string },
  desktop: ServedDesktop,
  channel: Transport,
): { close(): Promise<void> } =>
  serveStdio(() => desktopServer(info, desktop), { legacy: 'reject', transport: channel })

/** The server of a desktop: for one request over HTTP, for all of standard input. */
function desktopServer(info: { readonly name: string; readonly version: string }, desktop: ServedDesktop): Server {
  const { session, audience } = desktop
  const reader = { audience, protocolVersion: PROTOCOL_VERSION }
  const server = new Server(info, {
    capabilities: { tools: {}, resources: {} },
    instructions: instructionsFor(session),
    cacheHints: { 'tools/list': LISTED, 'resources/list': LISTED },
  })
  server.setRequestHandler('tools/list', async () => ({ tools: listTools(session, reader) }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: { signal, notify, _meta } }) =>
    asParams(callTool(session, params, reader, watchOf(signal, notify, _meta?.progressToken))),
  )
  server.setRequestHandler('resources/list', async () => ({ resources: [...resourcesFor(audience)] }))
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params }) => ({
    contents: [await asParams(readResource(session, params.uri, audience))],
  }))
  return server
}

const ENTRANCE =
  'A client of revision 2025-11-25 gets a desktop of its own at this address. From revision 2026-07-28 on, an address is one desktop: ' +
  'open it with POST /sessions and the same choices as JSON, such as {"scenario": "login", "seed": 7}, and connect to /sessions/ID/mcp.'

/** The server of an address that opens desktops: it says where to open one. */
function entranceServer(info: { readonly name: string; readonly version: string }): Server {
  const server = new Server(info, { capabilities: { tools: {} }, instructions: ENTRANCE })
  server.setRequestHandler('tools/list', async () => ({ tools: [] }))
  server.setRequestHandler('tools/call', () => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, ENTRANCE)
  })
  return server
}

/** Faults of a request are invalid-params errors. */
async function asParams<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (thrown) {
    const fault = Fault.from(thrown)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, fault.message, { code: fault.code })
  }
}

function toWebRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') copied.set(name, value)
  copied.set('content-type', (headers['content-type'] ?? '').toLowerCase())
  return new Request('http://localhost/mcp', { method, headers: copied, signal })
}
