import { setImmediate as breathe } from 'node:timers/promises'
import type { Agent } from '../../agent/engine.ts'
import { repeatEvery } from '../../agent/run/deadline.ts'
import type { Store } from '../../stores/store.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { listen, type Protocol } from '../protocol.ts'
import type { Auth } from './auth.ts'
import { errorBody, status } from './errors.ts'
import { routes } from './routes.ts'
import { SessionManager } from './sessions.ts'
import type { Component } from './wire.ts'

/** Only documents and missing routes need it. */
const loadSurface = async () => (await import('./surface.ts')).agentWebkitSurface

export interface AgentWebkitOptions {
  readonly agent: Agent
  /** Where sessions are kept beyond the life of the server; left out, they end with it. */
  readonly store?: Store
  /** Nobody is asked for a token when left out. */
  readonly auth?: Auth
  /** Origins of pages that may call, besides loopback ones. Given at all, answers carry CORS headers. */
  readonly origins?: readonly string[]
  /** Host names the server is reached by, besides loopback ones. */
  readonly hosts?: readonly string[]
  /** Frames held for each session, for those who come back. */
  readonly ringSize?: number
  /** Largest body in bytes. */
  readonly bodyLimit?: number
  /** A session nobody talks or listens to goes after this long. */
  readonly idleMs?: number
  readonly components?: readonly Component[]
  readonly onBug?: (cause: unknown) => void
}

const RING_SIZE = 1000
const BODY_LIMIT = 32 * 1024 * 1024
const IDLE_MS = 300_000
const REAP_EVERY_MS = 30_000

/** The agent-webkit wire protocol 1.0. */
export function agentWebkit(options: AgentWebkitOptions): Protocol {
  const { agent, origins = [], hosts = [], idleMs = IDLE_MS, onBug = () => {} } = options
  return {
    async listen(at) {
      const app = createApp({
        origins,
        hosts,
        cors: options.origins !== undefined,
        bodyLimit: options.bodyLimit ?? BODY_LIMIT,
        sendFault: (fault, reply) => {
          if (fault.code === 'Busy') reply.header('retry-after', '1')
          return reply.status(status[fault.code]).send(errorBody(fault))
        },
        onBug,
      })
      const ringSize = options.ringSize ?? RING_SIZE
      const sessions = new SessionManager({ agent, ringSize, store: options.store, onBug })
      routes(app, {
        sessions,
        auth: options.auth ?? { disabled: true },
        components: options.components ?? [],
      })
      serveDocuments(app, loadSurface)
      app.setNotFoundHandler(async (request, reply) =>
        isKnownPath(request.url)
          ? reply.status(405).send({ detail: 'Method Not Allowed' })
          : reply.status(404).send({ detail: 'Not Found', ...(await routeHint(loadSurface, request)) }),
      )
      const stopReaping = repeatEvery(agent.clock, REAP_EVERY_MS, () => sessions.reap(idleMs))
      return listen(app, at, async () => {
        stopReaping()
        sessions.close()
        // A stream takes one breath before it writes; nobody who reads slowly is waited for.
        await breathe()
        await breathe()
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
