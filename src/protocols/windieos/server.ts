import multipart from '@fastify/multipart'
import type { Agent } from '../../agent/engine.ts'
import { NO_TOOLS, type Toolbox } from '../../agent/toolbox.ts'
import { systemIds } from '../../base/ids.ts'
import { loadOptional } from '../../base/optional.ts'
import type { Embedder, Perception, SpeechSynthesizer, Summarizer, Transcriber } from '../../perception/perception.ts'
import type { Store } from '../../stores/store.ts'
import { openApp } from '../app.ts'
import { routeHint, serveDocuments } from '../directory.ts'
import { listen, type Protocol } from '../protocol.ts'
import { acceptSockets } from '../sockets.ts'
import { openArtifacts } from './artifacts.ts'
import { Connection } from './connection.ts'
import { errorBody, type Journal, status } from './errors.ts'
import { type House, LIMITS, type Limits } from './house.ts'
import { type AuthMode, openInstalls } from './identity.ts'
import { introspectionRoutes } from './introspection.ts'
import { memoryRoutes } from './memory.ts'
import { CATALOGUE, type Catalogue } from './models.ts'
import { Parser } from './parser.ts'
import { perceptionRoutes } from './perception-routes.ts'
import { routes } from './routes.ts'
import { Runs } from './runs.ts'
import { type RunKeys, runRoutes } from './runs-routes.ts'
import { defaultConfig } from './settings.ts'
import { transcribe } from './transcription.ts'
import { Users } from './users.ts'

/** Only documents and missing routes need it. */
const loadSurface = async () => (await import('./surface.ts')).windieosSurface

const loadTokenizer = () => loadOptional('tokens', () => import('./tokens.ts'))

export interface WindieosOptions {
  readonly agent: Agent
  readonly store: Store
  /** Artifacts are kept below it. */
  readonly dataFolder: string
  readonly perception: Perception
  readonly speaker: SpeechSynthesizer
  readonly embedder: Embedder
  readonly scribe: Summarizer
  readonly transcriber: Transcriber
  /** The tools that run here, `web_search` for example; all others are carried out by clients. */
  readonly backend?: Toolbox
  /** `none` unless told otherwise: everybody on this machine is let in. */
  readonly auth?: AuthMode
  readonly catalogue?: Catalogue
  /** Origins of pages that may call, besides loopback ones. */
  readonly origins?: readonly string[]
  /** Host names the server is reached by, besides loopback ones. */
  readonly hosts?: readonly string[]
  readonly limits?: Partial<Limits>
  /** Largest artifact in bytes. */
  readonly artifactBytes?: number
  readonly toolTimeoutMs?: number
  /** A long message that takes longer to read is refused. */
  readonly parseTimeoutMs?: number
  /** Without them the control plane for runs is closed. */
  readonly runKeys?: RunKeys
  /** Runs of a workspace that may be active at once (`WINDIE_VM_MAX_ACTIVE_RUNS_PER_WORKSPACE`). */
  readonly activeRunsMost?: number
  readonly countTokens?: (text: string) => number
  readonly journal?: Journal
  readonly onBug?: (cause: unknown) => void
}

const ARTIFACT_BYTES = 25 * 1024 * 1024
const BODY_BYTES = 40 * 1024 * 1024
const MAX_ACTIVE_RUNS = 1
const TOOL_TIMEOUT_MS = 300_000
/** Above the largest message, so that one that is too large can still be refused in words. */
const FRAME_SLACK = 4

/** The WindieOS backend: its routes, its socket and its services. */
export function windieos(options: WindieosOptions): Protocol {
  return {
    async listen(at) {
      const house = furnish(options, options.countTokens ?? (await loadTokenizer()).tokensIn)
      await house.artifacts.clearUnfinished()
      const users = new Users(house.auth === 'none', defaultConfig(house.catalogue))
      const callers = { origins: options.origins ?? [], hosts: options.hosts ?? [] }
      const app = openApp({
        ...callers,
        cors: true,
        bodyLimit: BODY_BYTES,
        answer: (fault, reply) => reply.status(status[fault.code]).send(errorBody(fault)),
        onBug: house.onBug,
      })
      const artifactBytes = options.artifactBytes ?? ARTIFACT_BYTES
      await app.register(multipart, { limits: { fileSize: artifactBytes } })
      routes(app, house, artifactBytes)
      perceptionRoutes(app, house, options.perception)
      memoryRoutes(app, house, options)
      introspectionRoutes(app, house, users)
      const runs = new Runs({
        ids: systemIds,
        nowMs: () => options.agent.clock.now(),
        activeMost: Math.max(1, options.activeRunsMost ?? MAX_ACTIVE_RUNS),
      })
      runRoutes(app, house, runs, options.runKeys ?? {})
      serveDocuments(app, loadSurface)
      app.setNotFoundHandler(async (request, reply) =>
        reply.status(404).send({ detail: 'Not Found', ...(await routeHint(loadSurface, request)) }),
      )
      const ear = {
        transcriber: options.transcriber,
        ids: systemIds,
        warn: (message: string) => house.journal('PARSE_VALIDATION_ERROR', message),
      }
      const endSockets = acceptSockets(app.server, {
        ...callers,
        maxPayload: house.limits.messageBytes * FRAME_SLACK,
        at: (path, headers) => {
          if (path === '/ws') return (socket) => void new Connection(house, users, socket, headers.authorization)
          if (path === '/ws/transcription') return (socket) => transcribe(socket, ear)
          return undefined
        },
        nowhere: 404,
        foreign: 403,
      })
      return listen(app, at, () => {
        users.close()
        endSockets()
        house.parser.close()
      })
    },
  }
}

function furnish(options: WindieosOptions, countTokens: (text: string) => number): House {
  const auth = options.auth ?? 'none'
  const { agent, store, dataFolder, catalogue = CATALOGUE, journal = () => {}, onBug = () => {} } = options
  return {
    agent,
    auth,
    // Tokens and artifact ids must not be guessed, whatever the agent's ids are drawn from.
    installs: openInstalls(store, systemIds),
    artifacts: openArtifacts({ root: dataFolder, store, ids: systemIds }),
    backend: options.backend ?? NO_TOOLS,
    catalogue,
    parser: new Parser(options.parseTimeoutMs),
    speaker: options.speaker,
    journal,
    limits: { ...LIMITS, ...options.limits },
    toolTimeoutMs: options.toolTimeoutMs ?? TOOL_TIMEOUT_MS,
    countTokens,
    timestamp: timestamps(() => agent.clock.now()),
    onBug,
  }
}

/** Many frames share a millisecond, and writing it out costs more than most of them. */
function timestamps(nowMs: () => number): () => string {
  let latestMs = Number.NaN
  let latest = ''
  return () => {
    const ms = nowMs()
    if (ms !== latestMs) latest = new Date(ms).toISOString()
    latestMs = ms
    return latest
  }
}
