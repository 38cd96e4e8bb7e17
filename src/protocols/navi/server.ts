import type { Agent } from '../../agent/engine.ts'
import { repeatEvery } from '../../agent/run/deadline.ts'
import type { ToolDescription } from '../../agent/tools/toolbox.ts'
import type { Folder } from '../../stores/folder.ts'
import type { Store } from '../../stores/store.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { acceptSockets } from '../http/sockets.ts'
import { listen, type Protocol } from '../protocol.ts'
import { SessionManager } from './connection.ts'
import { errorBody, statusOf } from './errors.ts'
import { READ_FILE } from './file-tools.ts'
import { openSessionFiles } from './files.ts'
import { routes } from './routes.ts'

/** Only documents and missing routes need it. */
const loadSurface = async () => (await import('./surface.ts')).naviSurface

export interface NaviOptions {
  readonly agent: Agent
  readonly store: Store
  /** Uploads go to `session_files` below it. */
  readonly dataFolder: string
  /** The tools that are listed: built-in and user-defined. */
  readonly tools?: readonly ToolDescription[]
  /** What is served below `/static/`. */
  readonly client?: Folder
  /** Largest upload in bytes. */
  readonly uploadLimit?: number
  /** Files of a session nobody uses go after this long. */
  readonly filesIdleMs?: number
  /** Origins of pages that may call, besides loopback ones. */
  readonly origins?: readonly string[]
  /** Host names the server is reached by, besides loopback ones. */
  readonly hosts?: readonly string[]
  /** Largest frame and JSON body in bytes; pictures travel inline. */
  readonly maxPayload?: number
  readonly onBug?: (cause: unknown) => void
}

const UPLOAD_LIMIT = 200 * 1024 * 1024
const MAX_PAYLOAD = 64 * 1024 * 1024
const FILES_IDLE_MS = 24 * 3_600_000
const CLEAR_EVERY_MS = 10 * 60_000

const SOCKET_PATH = /^\/ws\/sessions\/([^/]+)$/

/** The tools with the one for uploads, unless there is another of its name. */
const listed = (tools: readonly ToolDescription[]): readonly ToolDescription[] =>
  tools.some(({ name }) => name === READ_FILE.name) ? tools : [...tools, READ_FILE]

/** The agent-session API of the Navi document. */
export function navi(options: NaviOptions): Protocol {
  const { agent, store, onBug = () => {} } = options
  return {
    async listen(at) {
      const callers = { origins: options.origins ?? [], hosts: options.hosts ?? [] }
      const maxPayload = options.maxPayload ?? MAX_PAYLOAD
      const uploadLimit = options.uploadLimit ?? UPLOAD_LIMIT
      const files = openSessionFiles(options.dataFolder, uploadLimit)
      await files.clearUnfinished()
      const sessions = new SessionManager({ agent, store, files, onBug })
      const app = createApp({
        ...callers,
        cors: options.origins !== undefined,
        bodyLimit: maxPayload,
        sendFault: (fault, reply) => reply.status(statusOf(fault)).send(errorBody(fault)),
        onBug,
      })
      await routes(app, {
        agent,
        sessions,
        tools: listed(options.tools ?? []),
        client: options.client,
        uploadLimit,
      })
      serveDocuments(app, loadSurface)
      app.setNotFoundHandler(async (request, reply) =>
        reply.status(404).send({ detail: 'Not Found', ...(await routeHint(loadSurface, request)) }),
      )
      const endSockets = acceptSockets(app.server, {
        ...callers,
        maxPayload,
        route: (path) => {
          const id = SOCKET_PATH.exec(path)?.[1]
          return id === undefined ? undefined : (socket) => sessions.connect(id, socket)
        },
        notFoundStatus: 404,
        forbiddenStatus: 403,
      })
      const stopClearing = repeatEvery(agent.clock, CLEAR_EVERY_MS, () => {
        sessions.clearFiles(options.filesIdleMs ?? FILES_IDLE_MS).catch(onBug)
      })
      return listen(app, at, () => {
        stopClearing()
        endSockets()
        sessions.close()
      })
    },
  }
}
