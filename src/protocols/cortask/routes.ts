import * as z from 'zod'
import type { SessionRecord } from '../../agent/history/archive.ts'
import { PHRASES } from '../../agent/script/builtin-script.ts'
import { Fault } from '../../base/fault.ts'
import { type ApiDescription, byType, ServerInfo } from '../http/document.ts'
import { type Route, routesFor } from '../http/route.ts'
import type { SessionManager } from './connection.ts'
import { toHistoryMessage } from './translate.ts'
import { ChannelMessage, HistoryMessage, Incoming, Outgoing, type Workspace } from './wire.ts'

/** What the routes share. */
export interface RouteContext {
  readonly sessions: SessionManager
  readonly workspaces: readonly Workspace[]
  /** Channels that can be started and stopped. */
  readonly channels: readonly string[]
  /** The channels that have been started. */
  readonly running: Set<string>
  readonly version: string
}

const Problem = z.object({ error: z.string() })
const OfWorkspace = z.object({ workspaceId: z.string() })

const OpenedWorkspace = z.object({ id: z.string(), name: z.string(), rootPath: z.string(), lastAccessedAt: z.null() })
const Session = z.object({ id: z.string(), title: z.string(), createdAt: z.string(), updatedAt: z.string() })
const Running = z.object({ id: z.string(), running: z.boolean() })

const route = routesFor<RouteContext>()

/** A route of a workspace, whose answer is always the same. */
const constantOfWorkspace = <Schema extends z.ZodType>(
  path: string,
  summary: string,
  schema: Schema,
  answer: z.input<Schema>,
) =>
  route(
    {
      method: 'get',
      path: `/api/workspaces/{id}/${path}`,
      summary,
      responses: { 200: schema as z.ZodType, 404: Problem },
    },
    (context, { params }) => workspaceOf(context, params.id) && answer,
  )

/** A list that the user interface requests at startup. It is empty here. */
const emptyList = (path: string, summary: string) =>
  route({ method: 'get', path, summary, responses: { 200: z.array(z.unknown()) } }, () => [])

/** The HTTP routes that the user interface needs beside its socket. */
export const ROUTES: readonly Route<RouteContext>[] = [
  route(
    {
      method: 'get',
      path: '/',
      summary: 'The protocol, and the phrases of the built-in agent.',
      responses: { 200: ServerInfo },
    },
    ({ workspaces }) => ({ protocol: 'cortask', socket: '/ws', workspaces, phrases: PHRASES }),
  ),
  route(
    {
      method: 'get',
      path: '/api/health',
      summary: 'The health of the server.',
      responses: { 200: z.object({ status: z.literal('ok'), version: z.string(), ready: z.boolean() }) },
    },
    ({ version }) => ({ status: 'ok', version, ready: true }),
  ),
  route(
    {
      method: 'get',
      path: '/api/onboarding/status',
      summary: 'The state of the setup.',
      responses: {
        200: z.object({ completed: z.boolean(), hasProvider: z.boolean(), hasWorkspace: z.boolean() }),
      },
    },
    ({ workspaces }) => ({ completed: true, hasProvider: true, hasWorkspace: workspaces.length > 0 }),
  ),
  route(
    {
      method: 'get',
      path: '/api/workspaces',
      summary: 'All workspaces.',
      responses: { 200: z.array(OpenedWorkspace) },
    },
    ({ workspaces }) => workspaces.map(shownWorkspace),
  ),
  route(
    {
      method: 'post',
      path: '/api/workspaces/{id}/open',
      summary: 'Open a workspace.',
      responses: { 200: OpenedWorkspace, 404: Problem },
    },
    (context, { params }) => shownWorkspace(workspaceOf(context, params.id)),
  ),
  constantOfWorkspace('tree', 'The files of a workspace. Always empty.', z.object({ tree: z.array(z.unknown()) }), {
    tree: [],
  }),
  constantOfWorkspace(
    'list-files',
    'The files of a workspace. Always empty.',
    z.object({ files: z.array(z.unknown()) }),
    { files: [] },
  ),
  constantOfWorkspace('memory', 'The memory of a workspace. Always empty.', z.object({ content: z.null() }), {
    content: null,
  }),
  route(
    {
      method: 'get',
      path: '/api/sessions',
      summary: 'The conversations of a workspace, newest first.',
      query: OfWorkspace,
      responses: { 200: z.array(Session), 400: Problem, 404: Problem },
    },
    (context, { request }) =>
      context.sessions
        .sessions(workspaceIn(context, request.query).id)
        // Of conversations with the same time, the newest comes first.
        .toReversed()
        .toSorted((one, other) => other.lastActiveAtMs - one.lastActiveAtMs)
        .map(shownSession),
  ),
  route(
    {
      method: 'get',
      path: '/api/sessions/{id}',
      summary: 'A conversation and its messages.',
      query: OfWorkspace,
      responses: { 200: Session.extend({ messages: z.array(HistoryMessage) }), 400: Problem, 404: Problem },
    },
    (context, { params, request }) => {
      const { record } = sessionOf(context, params.id, request.query)
      const { messages } = context.sessions.archive.history(record.id)
      return { ...shownSession(record), messages: messages.map(toHistoryMessage) }
    },
  ),
  route(
    {
      method: 'delete',
      path: '/api/sessions/{id}',
      summary: 'Delete a conversation and stop its run.',
      query: OfWorkspace,
      responses: { 204: null, 400: Problem, 404: Problem },
    },
    (context, { params, request }) => {
      const { workspace } = sessionOf(context, params.id, request.query)
      context.sessions.remove(params.id, workspace.id)
    },
  ),
  route(
    {
      method: 'get',
      path: '/api/providers',
      summary: 'The model providers.',
      responses: {
        200: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            defaultModel: z.string(),
            configured: z.boolean(),
            isDefault: z.boolean(),
          }),
        ),
      },
    },
    () => [{ id: 'scripted', name: 'Scripted', defaultModel: 'scripted', configured: true, isDefault: true }],
  ),
  route(
    { method: 'get', path: '/api/config', summary: 'Settings. Always empty.', responses: { 200: z.object({}) } },
    () => ({}),
  ),
  emptyList('/api/models/enabled', 'Enabled models. Always empty.'),
  emptyList('/api/cron', 'Scheduled messages. Always empty.'),
  emptyList('/api/templates', 'Message templates. Always empty.'),
  route(
    {
      method: 'get',
      path: '/api/channels',
      summary: 'Chat apps that can send messages.',
      responses: { 200: z.array(Running.extend({ name: z.string() })) },
    },
    ({ channels, running }) => channels.map((id) => ({ id, name: id, running: running.has(id) })),
  ),
  route(
    {
      method: 'post',
      path: '/api/channels/{id}/start',
      summary: 'Start a channel and notify every client.',
      responses: { 200: Running, 400: Problem },
    },
    (context, { params }) => switchChannel(context, channelOf(context, params.id, 'BadRequest'), true),
  ),
  route(
    {
      method: 'post',
      path: '/api/channels/{id}/stop',
      summary: 'Stop a channel and notify every client.',
      responses: { 200: Running, 404: Problem },
    },
    (context, { params }) => switchChannel(context, channelOf(context, params.id, 'SessionNotFound'), false),
  ),
  route(
    {
      method: 'post',
      path: '/api/channels/{id}/message',
      summary: 'Send a message as a chat app.',
      body: ChannelMessage,
      responses: { 200: z.object({ text: z.string() }), 400: Problem, 404: Problem },
    },
    async (context, { params, body }) => {
      const { workspaceId, text } = body()
      const channel = channelOf(context, params.id, 'SessionNotFound')
      return { text: await context.sessions.channelMessage(channel, workspaceOf(context, workspaceId).id, text) }
    },
  ),
]

/** The description from which the OpenAPI and AsyncAPI documents are generated. */
export const cortaskApi: ApiDescription = {
  title: 'Cortask WebSocket API',
  version: '0.1.0',
  description: 'The socket of a conversation, and the HTTP routes of the user interface.',
  url: 'http://127.0.0.1:3777',
  operations: ROUTES,
  channels: [{ name: 'chat', over: 'ws', address: '/ws', toServer: byType(Incoming), toClient: byType(Outgoing) }],
}

function workspaceOf({ sessions }: RouteContext, id: string | undefined): Workspace {
  if (id === undefined) throw new Fault('BadRequest', 'workspaceId is required')
  const workspace = sessions.workspace(id)
  if (!workspace) throw new Fault('SessionNotFound', 'Workspace not found')
  return workspace
}

/** The workspace that a query names. */
const workspaceIn = (context: RouteContext, query: unknown): Workspace =>
  workspaceOf(context, (query as { readonly workspaceId?: string }).workspaceId)

function sessionOf(
  context: RouteContext,
  sessionKey: string,
  query: unknown,
): { readonly record: SessionRecord; readonly workspace: Workspace } {
  const workspace = workspaceIn(context, query)
  const record = context.sessions.session(sessionKey, workspace.id)
  if (!record) throw new Fault('SessionNotFound', 'Session not found')
  return { record, workspace }
}

function channelOf({ channels }: RouteContext, id: string, code: 'BadRequest' | 'SessionNotFound'): string {
  if (!channels.includes(id)) throw new Fault(code, `there is no channel ${JSON.stringify(id)}`)
  return id
}

function switchChannel({ running, sessions }: RouteContext, channelId: string, on: boolean) {
  if (on) running.add(channelId)
  else running.delete(channelId)
  sessions.broadcast({ type: 'channel:status', channelId, running: on, authenticated: on })
  return { id: channelId, running: on }
}

const shownWorkspace = ({ id, name, rootPath }: Workspace) => ({ id, name, rootPath, lastAccessedAt: null })

const shownSession = ({ id, owner = '', title, createdAtMs, lastActiveAtMs }: SessionRecord) => ({
  id: id.slice(owner.length + 1),
  title: title ?? '',
  createdAt: new Date(createdAtMs).toISOString(),
  updatedAt: new Date(lastActiveAtMs).toISOString(),
})
