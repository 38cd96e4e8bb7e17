import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Agent } from '../../agent/engine.ts'
import { repeatEvery } from '../../base/clock.ts'
import type { Store } from '../../stores/store.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { addRoutes } from '../http/route.ts'
import { listen, type ProtocolListener } from '../protocol.ts'
import type { Auth } from './auth.ts'
import { SessionManager } from './connection.ts'
import { agentWebkitApi, ROUTES, requireToken } from './routes.ts'
import { type Component, errorBody, status } from './wire.ts'

const loadApi = async () => agentWebkitApi

/** Options of the server. */
export interface AgentWebkitOptions {
  readonly agent: Agent
  /** Stores sessions beyond the life of the server. Without it, sessions end with the server. */
  readonly store?: Store
  /** No authentication by default. */
  readonly auth?: Auth
  /** Origins of pages that may call, besides loopback ones. If given, responses carry CORS headers. */
  readonly origins?: readonly string[]
  /** Host names of the server besides loopback ones. */
  readonly hosts?: readonly string[]
  /** The number of frames held for each session, so that streams can resume. */
  readonly ringSize?: number
  /** The largest body in bytes. */
  readonly bodyLimit?: number
  /** The time after which a session without input and streams ends. */
  readonly idleMs?: number
  readonly components?: readonly Component[]
  readonly onBug?: (cause: unknown) => void
}

const DEFAULT_RING_SIZE = 1000
const MAX_BODY_BYTES = 32 * 1024 * 1024
const IDLE_MS = 300_000
const IDLE_CHECK_INTERVAL_MS = 30_000

/** The agent-webkit wire protocol 1.0. */
export function agentWebkit(options: AgentWebkitOptions): ProtocolListener {
  const { agent, origins = [], hosts = [], idleMs = IDLE_MS, onBug = () => {} } = options
  return {
    async listen(at) {
      const app = createApp({
        origins,
        hosts,
        cors: options.origins !== undefined,
        bodyLimit: options.bodyLimit ?? MAX_BODY_BYTES,
        sendFault: (fault, reply) => {
          if (fault.code === 'Busy') reply.header('retry-after', '1')
          return reply.status(status[fault.code]).send(errorBody(fault))
        },
        onBug,
      })
      const ringSize = options.ringSize ?? DEFAULT_RING_SIZE
      const sessions = new SessionManager({ agent, ringSize, store: options.store, onBug })
      requireToken(app, options.auth ?? { disabled: true })
      addRoutes(app, ROUTES, { sessions, components: options.components ?? [] })
      serveDocuments(app, loadApi)
      app.setNotFoundHandler(async (request, reply) =>
        isKnownPath(request.url)
          ? reply.status(405).send({ detail: 'Method Not Allowed' })
          : reply.status(404).send({ detail: 'Not Found', ...(await routeHint(loadApi, request)) }),
      )
      const stopIdleChecks = repeatEvery(agent.clock, IDLE_CHECK_INTERVAL_MS, () => sessions.removeIdle(idleMs))
      return listen(app, at, async () => {
        stopIdleChecks()
        sessions.close()
        // A stream yields once before it writes. Slow readers do not delay the shutdown.
        await yieldToEventLoop()
        await yieldToEventLoop()
      })
    },
  }
}

const PATHS = [
  /^\/$/,
  /^\/sessions$/,
  /^\/sessions\/[^/]+$/,
  /^\/sessions\/[^/]+\/(?:stream|input)$/,
  /^\/genui\/schema$/,
]

const isKnownPath = (url: string): boolean => PATHS.some((path) => path.test(url.split('?')[0]!))
