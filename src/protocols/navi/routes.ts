import * as z from 'zod'
import type { Agent } from '../../agent/engine.ts'
import { engineTools } from '../../agent/engine-tools.ts'
import type { SessionRecord } from '../../agent/history/archive.ts'
import { contextLength } from '../../agent/history/history.ts'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import type { ToolDescription } from '../../agent/toolbox.ts'
import { Fault } from '../../base/fault.ts'
import type { Folder } from '../../stores/folder.ts'
import { type ApiDescription, byType, ServerInfo } from '../http/document.ts'
import { type Route, routesFor } from '../http/route.ts'
import { receiveFile } from '../http/upload.ts'
import { CAPABILITIES, type SessionManager } from './connection.ts'
import { tooLarge } from './files.ts'
import { contextItems, previewOf, timestamp, toItem } from './translate.ts'
import { CreateSession, Incoming, Item, Outgoing, PinSession, PostMessage, StoredFile } from './wire.ts'

/** What the routes share. */
export interface RouteContext {
  readonly agent: Agent
  readonly sessions: SessionManager
  readonly tools: readonly ToolDescription[]
  /** The folder served below `/static/`. */
  readonly client: Folder | undefined
  /** The largest upload in bytes. */
  readonly uploadLimit: number
}

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
])

const Problem = z.object({ detail: z.string() })

/** A form with the file. */
const Upload = z.object({ file: z.file() })

const Session = z.object({
  session_id: z.string(),
  profile_id: z.string(),
  created_at: z.string(),
  last_active: z.string(),
})

const Profile = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  enabled_tools: z.array(z.string()),
  llm_backend: z.string(),
  model: z.string(),
})

const route = routesFor<RouteContext>()

/** The endpoints of the document (Navi document). */
export const ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'get',
      path: '/',
      summary: 'The protocol, and the phrases of the built-in agent.',
      responses: { 200: ServerInfo },
    },
    () => ({ protocol: 'navi', socket: '/ws/sessions/{session_id}', phrases: PHRASES }),
  ),
  route(
    {
      method: 'get',
      path: '/health',
      summary: 'The health of the server.',
      responses: { 200: z.object({ status: z.string() }) },
    },
    () => ({ status: 'ok' }),
  ),
  route(
    {
      method: 'get',
      path: '/agents/profiles',
      summary: 'The profiles of the agent.',
      responses: { 200: z.array(Profile) },
    },
    ({ agent, tools }) =>
      agent.profiles.map(({ id, name, description, enabled_tools, llm_backend, model }) => ({
        id,
        name,
        description,
        enabled_tools: enabled_tools ?? allTools(tools).map((tool) => tool.name),
        llm_backend,
        model,
      })),
  ),
  route(
    {
      method: 'get',
      path: '/agents/tools',
      summary: 'The tools of the agent.',
      responses: { 200: z.array(z.object({ name: z.string(), description: z.string() })) },
    },
    ({ tools }) => allTools(tools).map(({ name, description }) => ({ name, description })),
  ),
  route(
    {
      method: 'post',
      path: '/sessions',
      summary: 'Open a session.',
      body: CreateSession,
      responses: { 201: Session.omit({ last_active: true }), 404: Problem, 413: Problem, 422: Problem },
    },
    ({ sessions }, { body }) => {
      const { profile_id } = body()
      const record = sessions.create(profile_id)
      return { session_id: record.id, profile_id, created_at: timestamp(record.createdAtMs) }
    },
  ),
  route(
    {
      method: 'get',
      path: '/sessions',
      summary: 'All sessions, pinned first, then by activity.',
      responses: {
        200: z.array(Session.extend({ message_count: z.int(), preview: z.string(), pinned: z.boolean() })),
      },
    },
    ({ sessions }) =>
      sessions.archive
        .sessions()
        .toSorted(
          (one, other) => Number(other.pinned) - Number(one.pinned) || other.lastActiveAtMs - one.lastActiveAtMs,
        )
        .map((record) => {
          const { count, lastText } = sessions.archive.preview(record.id)
          return {
            ...shown(record),
            message_count: count,
            preview: previewOf(lastText),
            pinned: record.pinned,
          }
        }),
  ),
  route(
    {
      method: 'get',
      path: '/sessions/{id}',
      summary: 'A session and its messages.',
      responses: { 200: Session.extend({ messages: z.array(Item) }), 404: Problem },
    },
    ({ sessions }, { params }) => {
      const record = sessions.record(params.id)
      return { ...shown(record), messages: sessions.archive.history(record.id).messages.map(toItem) }
    },
  ),
  route(
    { method: 'delete', path: '/sessions/{id}', summary: 'Delete a session.', responses: { 204: null, 404: Problem } },
    ({ sessions }, { params }) => sessions.remove(params.id),
  ),
  route(
    {
      method: 'patch',
      path: '/sessions/{id}/pin',
      summary: 'Pin or unpin a session.',
      body: PinSession,
      responses: {
        200: z.object({ session_id: z.string(), pinned: z.boolean() }),
        404: Problem,
        413: Problem,
        422: Problem,
      },
    },
    ({ sessions }, { params, body }) => {
      const record = sessions.record(params.id)
      const { pinned } = body()
      sessions.archive.save({ ...record, pinned })
      return { session_id: record.id, pinned }
    },
  ),
  route(
    {
      method: 'get',
      path: '/sessions/{id}/context',
      summary: 'The context of the model.',
      responses: {
        200: z.object({
          session_id: z.string(),
          profile_id: z.string(),
          message_count: z.int(),
          total_chars: z.int(),
          context: z.array(Item),
        }),
        404: Problem,
      },
    },
    ({ sessions }, { params }) => {
      const { context } = sessions.channel(params.id).session
      const items = contextItems(context)
      return {
        session_id: params.id,
        profile_id: sessions.record(params.id).profileId!,
        message_count: contextLength(context),
        total_chars: items.reduce((sum, item) => sum + (item.content?.length ?? 0), 0),
        context: items,
      }
    },
  ),
  route(
    {
      method: 'post',
      path: '/sessions/{id}/files',
      summary: 'Upload a file.',
      body: Upload,
      bodyType: 'multipart/form-data',
      responses: { 201: StoredFile, 400: Problem, 404: Problem, 413: Problem, 422: Problem },
    },
    ({ sessions, uploadLimit }, { params: { id }, request }) => {
      sessions.touch(id)
      const limit = { bytes: uploadLimit, tooLarge: () => tooLarge(uploadLimit) }
      return receiveFile(request, limit, (part) => sessions.storeUpload(id, part))
    },
  ),
  route(
    {
      method: 'post',
      path: '/sessions/{id}/stop',
      summary: 'Stop the current run.',
      responses: { 200: z.object({ ok: z.boolean(), reason: z.string().optional() }), 404: Problem },
    },
    ({ sessions }, { params }) =>
      sessions.channel(params.id).session.stop() ? { ok: true } : { ok: false, reason: 'no active run' },
  ),
  route(
    {
      method: 'post',
      path: '/sessions/{id}/messages',
      summary: 'Send a message and wait for the answer.',
      body: PostMessage,
      responses: {
        200: z.object({ role: z.literal('assistant'), content: z.string() }),
        404: Problem,
        413: Problem,
        422: Problem,
        500: Problem,
        503: Problem,
      },
    },
    async ({ sessions }, { params, body, reply }) => {
      const channel = sessions.channel(params.id)
      const end = await channel.send(body().content).ended
      // The session may have been deleted meanwhile.
      sessions.record(params.id)
      if (end.outcome === 'failed') return reply.status(500).send({ detail: end.failure })
      return { role: 'assistant', content: end.text }
    },
  ),
  route(
    {
      method: 'get',
      path: '/static/{path}',
      summary: 'A file of the user interface.',
      responses: { 200: 'application/octet-stream', 404: Problem },
      wildcard: true,
      options: () => ({ config: { pages: 'embed' } }),
    },
    async ({ client }, { params: { path }, reply }) => {
      const bytes = await client?.readBytes(path, 'any').catch(() => undefined)
      if (!bytes) throw new Fault('SessionNotFound', 'Not Found')
      const type = CONTENT_TYPES.get(path.split('.').at(-1)!) ?? 'application/octet-stream'
      return reply.header('cache-control', 'no-store').type(type).send(bytes)
    },
  ),
]

/** The description from which the OpenAPI and AsyncAPI documents are generated. */
export const naviApi: ApiDescription = {
  title: 'Navi agent-session API',
  version: '1.0.0',
  description: 'Sessions with an agent: sessions, files and settings over HTTP, the conversation over a socket.',
  url: 'http://127.0.0.1:8000',
  operations: ROUTES,
  channels: [
    {
      name: 'session',
      over: 'ws',
      address: '/ws/sessions/{id}',
      toServer: { message: Incoming },
      toClient: byType(Outgoing),
    },
  ],
}

const allTools = (tools: readonly ToolDescription[]): readonly ToolDescription[] => [
  ...tools,
  ...engineTools(CAPABILITIES),
]

/** Every session was created with a profile. */
const shown = ({ id, profileId, createdAtMs, lastActiveAtMs }: SessionRecord) => ({
  session_id: id,
  profile_id: profileId!,
  created_at: timestamp(createdAtMs),
  last_active: timestamp(lastActiveAtMs),
})
