import multipart from '@fastify/multipart'
import type { Agent } from '../../agent/engine.ts'
import type { ToolDescription } from '../../agent/toolbox.ts'
import { repeatEvery } from '../../base/clock.ts'
import type { Folder } from '../../stores/folder.ts'
import type { Store } from '../../stores/store.ts'
import { createApp } from '../http/app.ts'
import { routeHint, serveDocuments } from '../http/directory.ts'
import { addRoutes } from '../http/route.ts'
import { acceptSockets } from '../http/sockets.ts'
import { listen, type ProtocolListener } from '../protocol.ts'
import { SessionManager } from './connection.ts'
import { openSessionFiles, READ_FILE } from './files.ts'
import { naviApi, ROUTES } from './routes.ts'
import { errorBody, statusOf } from './wire.ts'

const loadApi = async () => naviApi

/** Options of the server. */
export interface NaviOptions {
  readonly agent: Agent
  readonly store: Store
  /** Uploads are stored in `session_files` below it. */
  readonly dataFolder: string
  /** The listed tools: built-in and user-defined. */
  readonly tools?: readonly ToolDescription[]
  /** The folder served below `/static/`. */
  readonly client?: Folder
  /** The largest upload in bytes. */
  readonly uploadLimit?: number
  /** The time after which the files of an inactive session are deleted. */
  readonly filesIdleMs?: number
  /** Origins of pages that may call, besides loopback ones. */
  readonly origins?: readonly string[]
  /** Host names of the server besides loopback ones. */
  readonly hosts?: readonly string[]
  /** The largest frame and JSON body in bytes. Pictures are inline. */
  readonly maxPayload?: number
  readonly onBug?: (cause: unknown) => void
}

const MAX_UPLOAD_BYTES = 200 * 1024 * 1024
const MAX_FRAME_BYTES = 64 * 1024 * 1024
const FILES_IDLE_MS = 24 * 3_600_000
const CLEAR_INTERVAL_MS = 10 * 60_000

const SOCKET_PATH = /^\/ws\/sessions\/([^/]+)$/

/** Adds the tool for uploads, unless another tool has its name. */
const listed = (tools: readonly ToolDescription[]): readonly ToolDescription[] =>
  tools.some(({ name }) => name === READ_FILE.name) ? tools : [...tools, READ_FILE]

/** The agent-session API of the Navi document. */
export function navi(options: NaviOptions): ProtocolListener {
  const { agent, store, onBug = () => {} } = options
  return {
    async listen(at) {
      const access = { origins: options.origins ?? [], hosts: options.hosts ?? [] }
      const maxPayload = options.maxPayload ?? MAX_FRAME_BYTES
      const uploadLimit = options.uploadLimit ?? MAX_UPLOAD_BYTES
      const files = openSessionFiles(options.dataFolder, uploadLimit)
      await files.clearUnfinished()
      const sessions = new SessionManager({ agent, store, files, onBug })
      const app = createApp({
        ...access,
        cors: options.origins !== undefined,
        bodyLimit: maxPayload,
        sendFault: (fault, reply) => reply.status(statusOf(fault)).send(errorBody(fault)),
        onBug,
      })
      await app.register(multipart, { limits: { fileSize: uploadLimit } })
      addRoutes(app, ROUTES, {
        agent,
        sessions,
        tools: listed(options.tools ?? []),
        client: options.client,
        uploadLimit,
      })
      serveDocuments(app, loadApi)
      app.setNotFoundHandler(async (request, reply) =>
        reply.status(404).send({ detail: 'Not Found', ...(await routeHint(loadApi, request)) }),
      )
      const endSockets = acceptSockets(app.server, {
        ...access,
        maxPayload,
        route: (path) => {
          const id = SOCKET_PATH.exec(path)?.[1]
          return id === undefined ? undefined : (socket) => sessions.connect(id, socket)
        },
        notFoundStatus: 404,
        forbiddenStatus: 403,
      })
      const stopClearing = repeatEvery(agent.clock, CLEAR_INTERVAL_MS, () => {
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
