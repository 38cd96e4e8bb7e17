import type { Agent } from '../../agent/engine.ts'
import type { Store } from '../../stores/store.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { acceptSockets } from '../http/sockets.ts'
import { type Address, LOOPBACK, listen, type Protocol, type ProtocolServer } from '../protocol.ts'
import { SessionManager } from './connection.ts'
import { errorBody, status } from './errors.ts'
import { routes } from './routes.ts'
import type { Workspace } from './wire.ts'

/** Only documents and missing routes need it. */
const loadSurface = async () => (await import('./surface.ts')).cortaskSurface

export interface CortaskOptions {
  readonly agent: Agent
  readonly store: Store
  readonly workspaces: readonly Workspace[]
  readonly channels?: readonly string[]
  /** An origin allowed besides local ones, exactly as a browser sends it. */
  readonly origin?: string
  /** Host names the server is reached by, besides loopback ones. */
  readonly hosts?: readonly string[]
  /** Largest frame in bytes. */
  readonly maxPayload?: number
  /** Whether the pieces and the end of a call's arguments are told; the original server keeps both to itself. */
  readonly callDetails?: boolean
  /** Whether requests name their session, which the document's do not. */
  readonly namedRequests?: boolean
  /** Whether a cancelled run ends with `done`; the original server says nothing. */
  readonly doneAfterCancel?: boolean
  /** Whether a message of an unknown type is answered with an error. */
  readonly strict?: boolean
  readonly spendingLimitUsd?: number
  readonly permissionTimeoutMs?: number
  readonly onBug?: (cause: unknown) => void
}

const MAX_PAYLOAD = 100 * 1024 * 1024
const BODY_LIMIT = 10 * 1024 * 1024
const PERMISSION_TIMEOUT_MS = 60_000
const PORTS_TRIED = 10

/** The Cortask WebSocket API. */
export function cortask(options: CortaskOptions): Protocol {
  return {
    async listen(at = {}) {
      const { host = LOOPBACK, port = 0 } = at
      for (let candidate = port; ; candidate++) {
        try {
          return await open(options, { host, port: candidate })
        } catch (thrown) {
          const taken = (thrown as { readonly code?: unknown }).code === 'EADDRINUSE'
          if (!taken || candidate >= port + PORTS_TRIED) throw thrown
        }
      }
    },
  }
}

async function open(options: CortaskOptions, at: Required<Address>): Promise<ProtocolServer> {
  const { agent, store, workspaces, onBug = () => {} } = options
  const callers = {
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
    ...callers,
    cors: true,
    bodyLimit: BODY_LIMIT,
    sendFault: (fault, reply) => reply.status(status[fault.code]).send(errorBody(fault)),
    onBug,
  })
  routes(app, {
    sessions,
    workspaces,
    channels: options.channels ?? ['telegram', 'discord', 'whatsapp'],
    version: '0.1.0',
  })
  serveDocuments(app, loadSurface)
  app.setNotFoundHandler(async (request, reply) =>
    reply.status(404).send({ error: 'Not found', ...(await routeHint(loadSurface, request)) }),
  )
  const endSockets = acceptSockets(app.server, {
    ...callers,
    maxPayload: options.maxPayload ?? MAX_PAYLOAD,
    route: (path) => (path === '/ws' ? (socket) => sessions.connect(socket) : undefined),
    notFoundStatus: 400,
    forbiddenStatus: 401,
  })
  return listen(app, at, () => {
    endSockets()
    sessions.close()
  })
}
