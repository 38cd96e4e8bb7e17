import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { Agent } from '../../agent/engine.ts'
import type { SessionRecord } from '../../agent/history/archive.ts'
import { contextLength } from '../../agent/history/history.ts'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import { engineTools } from '../../agent/tools/engine-tools.ts'
import type { ToolDescription } from '../../agent/tools/toolbox.ts'
import { Fault } from '../../base/fault.ts'
import type { Folder } from '../../stores/folder.ts'
import { readBody } from '../http/app.ts'
import { receiveFile } from '../http/upload.ts'
import { CAPABILITIES, type SessionManager } from './connection.ts'
import { tooLarge } from './files.ts'
import { contextItems, previewOf, timestamp, toItem } from './translate.ts'
import { CreateSession, PinSession, PostMessage } from './wire.ts'

/** Options of the routes. */
export interface RouteOptions {
  readonly agent: Agent
  readonly sessions: SessionManager
  readonly tools: readonly ToolDescription[]
  /** The folder served below `/static/`. */
  readonly client: Folder | undefined
  /** The largest upload in bytes. */
  readonly uploadLimit: number
}

interface ById {
  Params: { id: string }
}

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
])

/** The endpoints of the document (Navi document). */
export async function routes(app: FastifyInstance, options: RouteOptions): Promise<void> {
  const { agent, sessions, tools, client, uploadLimit } = options
  await app.register(multipart, { limits: { fileSize: uploadLimit } })

  app.get('/', async () => ({ protocol: 'navi', socket: '/ws/sessions/{session_id}', phrases: PHRASES }))
  app.get('/health', async () => ({ status: 'ok' }))

  app.get('/agents/profiles', async () =>
    agent.profiles.map(({ id, name, description, enabled_tools, llm_backend, model }) => ({
      id,
      name,
      description,
      enabled_tools: enabled_tools ?? allTools(tools).map((tool) => tool.name),
      llm_backend,
      model,
    })),
  )
  app.get('/agents/tools', async () => allTools(tools).map(({ name, description }) => ({ name, description })))

  app.post('/sessions', async (request, reply) => {
    const { profile_id } = readBody(CreateSession, request.body)
    const record = sessions.create(profile_id)
    return reply.status(201).send({ session_id: record.id, profile_id, created_at: timestamp(record.createdAtMs) })
  })
  app.get('/sessions', async () =>
    sessions.archive
      .sessions()
      .toSorted((one, other) => Number(other.pinned) - Number(one.pinned) || other.lastActiveAtMs - one.lastActiveAtMs)
      .map((record) => {
        const { count, lastText } = sessions.archive.preview(record.id)
        return {
          ...shown(record),
          message_count: count,
          preview: previewOf(lastText),
          pinned: record.pinned,
        }
      }),
  )
  app.get<ById>('/sessions/:id', async ({ params }) => {
    const record = sessions.record(params.id)
    return { ...shown(record), messages: sessions.archive.history(record.id).messages.map(toItem) }
  })
  app.delete<ById>('/sessions/:id', async ({ params }, reply) => {
    await sessions.remove(params.id)
    return reply.status(204).send()
  })
  app.patch<ById>('/sessions/:id/pin', async ({ params, body }) => {
    const record = sessions.record(params.id)
    const { pinned } = readBody(PinSession, body)
    sessions.archive.save({ ...record, pinned })
    return { session_id: record.id, pinned }
  })
  app.get<ById>('/sessions/:id/context', async ({ params }) => {
    const { context } = sessions.channel(params.id).session
    const items = contextItems(context)
    return {
      session_id: params.id,
      profile_id: sessions.record(params.id).profileId,
      message_count: contextLength(context),
      total_chars: items.reduce((sum, item) => sum + (item.content?.length ?? 0), 0),
      context: items,
    }
  })

  app.post<ById>('/sessions/:id/files', async (request, reply) => {
    const { id } = request.params
    sessions.touch(id)
    const limit = { bytes: uploadLimit, tooLarge: () => tooLarge(uploadLimit) }
    const stored = await receiveFile(request, limit, (part) => sessions.storeUpload(id, part))
    return reply.status(201).send(stored)
  })

  app.post<ById>('/sessions/:id/stop', async ({ params }) =>
    sessions.channel(params.id).session.stop() ? { ok: true } : { ok: false, reason: 'no active run' },
  )
  app.post<ById>('/sessions/:id/messages', async ({ params, body }, reply) => {
    const channel = sessions.channel(params.id)
    const end = await channel.send(readBody(PostMessage, body).content).ended
    // The session may have been deleted meanwhile.
    sessions.record(params.id)
    if (end.outcome === 'failed') return reply.status(500).send({ detail: end.failure })
    return { role: 'assistant', content: end.text }
  })

  app.get<{ Params: { '*': string } }>('/static/*', { config: { pages: 'embed' } }, async ({ params }, reply) => {
    const path = params['*']
    const bytes = await client?.readBytes(path, 'any').catch(() => undefined)
    if (!bytes) throw new Fault('SessionNotFound', 'Not Found')
    const type = CONTENT_TYPES.get(path.split('.').at(-1)!) ?? 'application/octet-stream'
    return reply.header('cache-control', 'no-store').type(type).send(bytes)
  })
}

const allTools = (tools: readonly ToolDescription[]): readonly ToolDescription[] => [
  ...tools,
  ...engineTools(CAPABILITIES),
]

const shown = ({ id, profileId, createdAtMs, lastActiveAtMs }: SessionRecord) => ({
  session_id: id,
  profile_id: profileId,
  created_at: timestamp(createdAtMs),
  last_active: timestamp(lastActiveAtMs),
})
