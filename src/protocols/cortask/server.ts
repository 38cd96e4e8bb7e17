import type { Agent } from '../../agent/engine.ts'
import type { Store } from '../../stores/store.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { addRoutes } from '../http/route.ts'
import { acceptSockets } from '../http/sockets.ts'
import { type Address, LOOPBACK, listen, type ProtocolListener, type ProtocolServer } from '../protocol.ts'
import { SessionManager } from './connection.ts'
import { cortaskApi, ROUTES } from './routes.ts'
import { errorBody, status, type Workspace } from './wire.ts'

const loadApi = async () => cortaskApi

/** Options of the server. */
export interface CortaskOptions {
  readonly agent: Agent
  readonly store: Store
  readonly workspaces: readonly Workspace[]
  readonly channels?: readonly string[]
  /** An allowed origin besides local ones, exactly as a browser sends it. */
  readonly origin?: string
  /** Host names of the server besides loopback ones. */
  readonly hosts?: readonly string[]
  /** The largest frame in bytes. */
  readonly maxPayload?: number
  /** Whether argument deltas and the end of a tool call are sent. The original server omits both. */
  readonly callDetails?: boolean
  /** Whether requests include their session key. The document's do not. */
  readonly namedRequests?: boolean
  /** Whether a cancelled run ends with `done`. The original server sends nothing. */
  readonly doneAfterCancel?: boolean
  /** Whether the server answers an unknown message type with an error. */
  readonly strict?: boolean
  readonly spendingLimitUsd?: number
  readonly permissionTimeoutMs?: number
  readonly onBug?: (cause: unknown) => void
}

const MAX_FRAME_BYTES = 100 * 1024 * 1024
const MAX_BODY_BYTES = 10 * 1024 * 1024
const PERMISSION_TIMEOUT_MS = 60_000
const MAX_PORT_ATTEMPTS = 10

/** The Cortask WebSocket API. */
export function cortask(options: CortaskOptions): ProtocolListener {
  return {
    async listen(at = {}) {
      const { host = LOOPBACK, port = 0 } = at
      for (let candidate = port; ; candidate++) {
        try {
          return await open(options, { host, port: candidate })
        } catch (thrown) {
          const isInUse = (thrown as { readonly code?: unknown }).code === 'EADDRINUSE'
          if (!isInUse || candidate >= port + MAX_PORT_ATTEMPTS) throw thrown
        }
      }
    },
  }
}

async function open(options: CortaskOptions, at: Required<Address>): Promise<ProtocolServer> {
  const { agent, store, workspaces, onBug = () => {} } = options
  const access = {
    origins: options.origin === undefined ? [] : [options.origin],
    pages: ['localhost', '127.0.0.1', at.host],
    hosts: options.hosts ?? [],
  }
  const sessions = new SessionManager({
    agent,
    store,
    workspaces,
    callDetails: options.callDetails ?? true,
    namedRequests: options.namedRequests ?? false,
    doneAfterCancel: options.doneAfterCancel ?? true,
    strict: options.strict ?? false,
    spendingLimitUsd: options.spendingLimitUsd ?? Number.POSITIVE_INFINITY,
    permissionTimeoutMs: options.permissionTimeoutMs ?? PERMISSION_TIMEOUT_MS,
    onBug,
  })
  const app = createApp({
    ...access,
    cors: true,
    bodyLimit: MAX_BODY_BYTES,
    sendFault: (fault, reply) => reply.status(status[fault.code]).send(errorBody(fault)),
    onBug,
  })
  addRoutes(app, ROUTES, {
    sessions,
    workspaces,
    channels: options.channels ?? ['telegram', 'discord', 'whatsapp'],
    running: new Set<string>(),
    version: '0.1.0',
  })
  serveDocuments(app, loadApi)
  app.setNotFoundHandler(async (request, reply) =>
    reply.status(404).send({ error: 'Not found', ...(await routeHint(loadApi, request)) }),
  )
  const endSockets = acceptSockets(app.server, {
    ...access,
    maxPayload: options.maxPayload ?? MAX_FRAME_BYTES,
    route: (path) => (path === '/ws' ? (socket) => sessions.connect(socket) : undefined),
    notFoundStatus: 400,
    forbiddenStatus: 401,
  })
  return listen(app, at, () => {
    endSockets()
    sessions.close()
  })
}
