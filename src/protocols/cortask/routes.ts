import type { FastifyInstance } from 'fastify'
import type { SessionRecord } from '../../agent/history/archive.ts'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import { Fault } from '../../base/fault.ts'
import { readBody } from '../http/app.ts'
import type { SessionManager } from './connection.ts'
import { toHistoryMessage } from './translate.ts'
import { ChannelMessage, type Workspace } from './wire.ts'

/** Options of the routes. */
export interface RouteOptions {
  readonly sessions: SessionManager
  readonly workspaces: readonly Workspace[]
  /** Channels that can be started and stopped. */
  readonly channels: readonly string[]
  readonly version: string
}

interface ById {
  Params: { id: string }
  Querystring: { workspaceId?: string }
}

/** Lists that the user interface requests at startup. They are empty here. */
const EMPTY_LISTS = ['/api/models/enabled', '/api/cron', '/api/templates']

/** The HTTP routes that the user interface needs beside its socket. */
export function routes(app: FastifyInstance, { sessions, workspaces, channels, version }: RouteOptions): void {
  const running = new Set<string>()

  const workspaceOf = (id: string | undefined): Workspace => {
    if (id === undefined) throw new Fault('BadRequest', 'workspaceId is required')
    const workspace = sessions.workspace(id)
    if (!workspace) throw new Fault('SessionNotFound', 'Workspace not found')
    return workspace
  }
  const sessionOf = (sessionKey: string, workspaceId: string | undefined): SessionRecord => {
    const record = sessions.session(sessionKey, workspaceOf(workspaceId).id)
    if (!record) throw new Fault('SessionNotFound', 'Session not found')
    return record
  }
  const channelOf = (id: string, code: 'BadRequest' | 'SessionNotFound'): string => {
    if (!channels.includes(id)) throw new Fault(code, `there is no channel ${JSON.stringify(id)}`)
    return id
  }

  app.get('/', async () => ({ protocol: 'cortask', socket: '/ws', workspaces, phrases: PHRASES }))
  app.get('/api/health', async () => ({ status: 'ok', version, ready: true }))
  app.get('/api/onboarding/status', async () => ({
    completed: true,
    hasProvider: true,
    hasWorkspace: workspaces.length > 0,
  }))

  app.get('/api/workspaces', async () => workspaces.map(shownWorkspace))
  app.post<ById>('/api/workspaces/:id/open', async (request) => shownWorkspace(workspaceOf(request.params.id)))
  app.get<ById>('/api/workspaces/:id/tree', async (request) => workspaceOf(request.params.id) && { tree: [] })
  app.get<ById>('/api/workspaces/:id/list-files', async (request) => workspaceOf(request.params.id) && { files: [] })
  app.get<ById>('/api/workspaces/:id/memory', async (request) => workspaceOf(request.params.id) && { content: null })

  app.get<ById>('/api/sessions', async (request) =>
    sessions
      .sessions(workspaceOf(request.query.workspaceId).id)
      // Of conversations with the same time, the newest comes first.
      .toReversed()
      .toSorted((one, other) => other.lastActiveAtMs - one.lastActiveAtMs)
      .map(shownSession),
  )
  app.get<ById>('/api/sessions/:id', async (request) => {
    const record = sessionOf(request.params.id, request.query.workspaceId)
    return { ...shownSession(record), messages: sessions.archive.history(record.id).messages.map(toHistoryMessage) }
  })
  app.delete<ById>('/api/sessions/:id', async (request, reply) => {
    sessionOf(request.params.id, request.query.workspaceId)
    sessions.remove(request.params.id, request.query.workspaceId!)
    return reply.status(204).send()
  })

  app.get('/api/providers', async () => [
    { id: 'scripted', name: 'Scripted', defaultModel: 'scripted', configured: true, isDefault: true },
  ])
  app.get('/api/config', async () => ({}))
  for (const path of EMPTY_LISTS) app.get(path, async () => [])

  app.get('/api/channels', async () => channels.map((id) => ({ id, name: id, running: running.has(id) })))
  const switchChannel = (channelId: string, on: boolean) => {
    if (on) running.add(channelId)
    else running.delete(channelId)
    sessions.broadcast({ type: 'channel:status', channelId, running: on, authenticated: on })
    return { id: channelId, running: on }
  }
  app.post<ById>('/api/channels/:id/start', async ({ params }) =>
    switchChannel(channelOf(params.id, 'BadRequest'), true),
  )
  app.post<ById>('/api/channels/:id/stop', async ({ params }) =>
    switchChannel(channelOf(params.id, 'SessionNotFound'), false),
  )
  app.post<ById>('/api/channels/:id/message', async ({ params, body }) => {
    const { workspaceId, text } = readBody(ChannelMessage, body)
    return {
      text: await sessions.channelMessage(channelOf(params.id, 'SessionNotFound'), workspaceOf(workspaceId).id, text),
    }
  })
}

const shownWorkspace = ({ id, name, rootPath }: Workspace) => ({ id, name, rootPath, lastAccessedAt: null })

const shownSession = ({ id, owner = '', title, createdAtMs, lastActiveAtMs }: SessionRecord) => ({
  id: id.slice(owner.length + 1),
  title: title ?? '',
  createdAt: new Date(createdAtMs).toISOString(),
  updatedAt: new Date(lastActiveAtMs).toISOString(),
})
