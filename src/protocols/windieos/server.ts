import multipart from '@fastify/multipart'
import type { Agent } from '../../agent/engine.ts'
import { NO_TOOLS, type Toolbox } from '../../agent/toolbox.ts'
import { systemIds } from '../../base/ids.ts'
import { loadOptional } from '../../base/optional.ts'
import type { Embedder, Perception, SpeechSynthesizer, Summarizer, Transcriber } from '../../perception/perception.ts'
import type { Store } from '../../stores/store.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { addRoutes } from '../http/route.ts'
import { acceptSockets } from '../http/sockets.ts'
import { listen, type ProtocolListener } from '../protocol.ts'
import { openArtifacts } from './artifacts.ts'
import { Connection } from './connection.ts'
import {
  type AuthMode,
  type ConnectionLimits,
  DEFAULT_LIMITS,
  openInstallations,
  type ServerContext,
} from './context.ts'
import { errorBody, type FailureLog, status } from './errors.ts'
import { JsonParser } from './parser.ts'
import type { RunKeys } from './route.ts'
import { ocrReader } from './routes/perception.ts'
import { ROUTES, windieosApi } from './routes.ts'
import { RunStore } from './runs.ts'
import { CATALOGUE, type Catalogue, defaultSettings } from './settings.ts'
import { serveTranscription } from './transcription.ts'
import { UserRegistry } from './users.ts'

const loadApi = async () => windieosApi

const loadTokenizer = () => loadOptional('tokens', () => import('./conversation/token-count.ts'))

/** Options of the server. */
export interface WindieosOptions {
  readonly agent: Agent
  readonly store: Store
  /** Artifacts are stored below it. */
  readonly dataFolder: string
  readonly perception: Perception
  readonly speechSynthesizer: SpeechSynthesizer
  readonly embedder: Embedder
  readonly summarizer: Summarizer
  readonly transcriber: Transcriber
  /** The tools that run in the server, such as `web_search`. Clients execute all others. */
  readonly backendTools?: Toolbox
  /** `none` by default: no authentication. */
  readonly auth?: AuthMode
  readonly catalogue?: Catalogue
  /** Origins of pages that may call, besides loopback ones. */
  readonly origins?: readonly string[]
  /** Host names of the server besides loopback ones. */
  readonly hosts?: readonly string[]
  readonly limits?: Partial<ConnectionLimits>
  /** The largest artifact in bytes. */
  readonly maxArtifactBytes?: number
  readonly toolTimeoutMs?: number
  /** The time limit for parsing a long message. */
  readonly parseTimeoutMs?: number
  /** Without them, the control plane for runs is disabled. */
  readonly runKeys?: RunKeys
  /** The most active runs of a workspace (`WINDIE_VM_MAX_ACTIVE_RUNS_PER_WORKSPACE`). */
  readonly maxActiveRuns?: number
  readonly countTokens?: (text: string) => number
  readonly logFailure?: FailureLog
  readonly onBug?: (cause: unknown) => void
}

const MAX_ARTIFACT_BYTES = 25 * 1024 * 1024
const MAX_BODY_BYTES = 40 * 1024 * 1024
const MAX_ACTIVE_RUNS = 1
const TOOL_TIMEOUT_MS = 300_000
/** Frames may exceed the largest message by this factor, so that the server can still answer with an error. */
const MAX_FRAME_FACTOR = 4

/** The WindieOS backend: its routes, its socket and its services. */
export function windieos(options: WindieosOptions): ProtocolListener {
  return {
    async listen(at) {
      const server = createContext(options, options.countTokens ?? (await loadTokenizer()).countTextTokens)
      await server.artifacts.clearUnfinished()
      const users = new UserRegistry(server.auth === 'none', defaultSettings(server.catalogue))
      const access = { origins: options.origins ?? [], hosts: options.hosts ?? [] }
      const app = createApp({
        ...access,
        cors: true,
        bodyLimit: MAX_BODY_BYTES,
        sendFault: (fault, reply) => reply.status(status[fault.code]).send(errorBody(fault)),
        onBug: server.onBug,
      })
      const artifactBytes = options.maxArtifactBytes ?? MAX_ARTIFACT_BYTES
      await app.register(multipart, { limits: { fileSize: artifactBytes } })
      addRoutes(app, ROUTES, {
        ...server,
        users,
        artifactBytes,
        embedder: options.embedder,
        summarizer: options.summarizer,
        readRows: ocrReader(options.perception.ocr),
        locator: options.perception.locator,
        runs: new RunStore({
          ids: systemIds,
          nowMs: () => options.agent.clock.now(),
          maxActiveRuns: Math.max(1, options.maxActiveRuns ?? MAX_ACTIVE_RUNS),
        }),
        runKeys: options.runKeys ?? {},
      })
      serveDocuments(app, loadApi)
      app.setNotFoundHandler(async (request, reply) =>
        reply.status(404).send({ detail: 'Not Found', ...(await routeHint(loadApi, request)) }),
      )
      const transcription = {
        transcriber: options.transcriber,
        ids: systemIds,
        warn: (message: string) => server.logFailure('PARSE_VALIDATION_ERROR', message),
      }
      const endSockets = acceptSockets(app.server, {
        ...access,
        maxPayload: server.limits.messageBytes * MAX_FRAME_FACTOR,
        route: (path, headers) => {
          if (path === '/ws') return (socket) => void new Connection(server, users, socket, headers.authorization)
          if (path === '/ws/transcription') return (socket) => serveTranscription(socket, transcription)
          return undefined
        },
        notFoundStatus: 404,
        forbiddenStatus: 403,
      })
      return listen(app, at, () => {
        users.close()
        endSockets()
        server.parser.close()
      })
    },
  }
}

function createContext(options: WindieosOptions, countTokens: (text: string) => number): ServerContext {
  const auth = options.auth ?? 'none'
  const { agent, store, dataFolder, catalogue = CATALOGUE, logFailure = () => {}, onBug = () => {} } = options
  return {
    agent,
    auth,
    // Tokens and artifact ids must be unguessable, regardless of the agent's id source.
    installs: openInstallations(store, systemIds),
    artifacts: openArtifacts({ root: dataFolder, store, ids: systemIds }),
    backendTools: options.backendTools ?? NO_TOOLS,
    catalogue,
    parser: new JsonParser(options.parseTimeoutMs),
    speechSynthesizer: options.speechSynthesizer,
    logFailure,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    toolTimeoutMs: options.toolTimeoutMs ?? TOOL_TIMEOUT_MS,
    countTokens,
    timestamp: timestamps(() => agent.clock.now()),
    onBug,
  }
}

/** Caches the formatted time, because many frames share a millisecond and formatting costs more than most of them. */
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
