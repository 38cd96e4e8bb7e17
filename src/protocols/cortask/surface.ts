import * as z from 'zod'
import { byType, type HttpOperation, ServerInfo, type Surface } from '../http/document.ts'
import { ChannelMessage, Incoming, Outgoing } from './wire.ts'

const Problem = z.object({ error: z.string() })
const OfWorkspace = z.object({ workspaceId: z.string() })

const Workspace = z.object({ id: z.string(), name: z.string(), rootPath: z.string(), lastAccessedAt: z.null() })
const Session = z.object({ id: z.string(), title: z.string(), createdAt: z.string(), updatedAt: z.string() })
const Part = z.object({ role: z.enum(['user', 'assistant', 'tool']), content: z.unknown() })
const Running = z.object({ id: z.string(), running: z.boolean() })

const getRoute = (
  path: string,
  summary: string,
  answer: z.ZodType,
  more: Partial<HttpOperation> = {},
): HttpOperation => ({
  method: 'get',
  path,
  summary,
  ...more,
  responses: { 200: answer, ...more.responses },
})

const inWorkspace = (path: string, summary: string, answer: z.ZodType): HttpOperation =>
  getRoute(`/api/workspaces/{id}/${path}`, summary, answer, { responses: { 404: Problem } })

/** The surface from which the OpenAPI and AsyncAPI documents are generated. */
export const cortaskSurface: Surface = {
  title: 'Cortask WebSocket API',
  version: '0.1.0',
  description: 'The socket of a conversation, and the HTTP routes of the user interface.',
  url: 'http://127.0.0.1:3777',
  operations: [
    getRoute('/', 'The protocol, and the phrases of the built-in agent.', ServerInfo),
    getRoute(
      '/api/health',
      'The health of the server.',
      z.object({ status: z.literal('ok'), version: z.string(), ready: z.boolean() }),
    ),
    getRoute(
      '/api/onboarding/status',
      'The state of the setup.',
      z.object({ completed: z.boolean(), hasProvider: z.boolean(), hasWorkspace: z.boolean() }),
    ),
    getRoute('/api/workspaces', 'All workspaces.', z.array(Workspace)),
    {
      method: 'post',
      path: '/api/workspaces/{id}/open',
      summary: 'Open a workspace.',
      responses: { 200: Workspace, 404: Problem },
    },
    inWorkspace('tree', 'The files of a workspace. Always empty.', z.object({ tree: z.array(z.unknown()) })),
    inWorkspace('list-files', 'The files of a workspace. Always empty.', z.object({ files: z.array(z.unknown()) })),
    inWorkspace('memory', 'The memory of a workspace. Always empty.', z.object({ content: z.null() })),
    getRoute('/api/sessions', 'The conversations of a workspace, newest first.', z.array(Session), {
      query: OfWorkspace,
      responses: { 400: Problem, 404: Problem },
    }),
    getRoute('/api/sessions/{id}', 'A conversation and its messages.', Session.extend({ messages: z.array(Part) }), {
      query: OfWorkspace,
      responses: { 400: Problem, 404: Problem },
    }),
    {
      method: 'delete',
      path: '/api/sessions/{id}',
      summary: 'Delete a conversation and stop its run.',
      query: OfWorkspace,
      responses: { 204: null, 400: Problem, 404: Problem },
    },
    getRoute(
      '/api/providers',
      'The model providers.',
      z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          defaultModel: z.string(),
          configured: z.boolean(),
          isDefault: z.boolean(),
        }),
      ),
    ),
    getRoute('/api/config', 'Settings. Always empty.', z.object({})),
    getRoute('/api/models/enabled', 'Enabled models. Always empty.', z.array(z.unknown())),
    getRoute('/api/cron', 'Scheduled messages. Always empty.', z.array(z.unknown())),
    getRoute('/api/templates', 'Message templates. Always empty.', z.array(z.unknown())),
    getRoute('/api/channels', 'Chat apps that can send messages.', z.array(Running.extend({ name: z.string() }))),
    {
      method: 'post',
      path: '/api/channels/{id}/start',
      summary: 'Start a channel and notify every client.',
      responses: { 200: Running, 400: Problem },
    },
    {
      method: 'post',
      path: '/api/channels/{id}/stop',
      summary: 'Stop a channel and notify every client.',
      responses: { 200: Running, 404: Problem },
    },
    {
      method: 'post',
      path: '/api/channels/{id}/message',
      summary: 'Send a message as a chat app.',
      body: ChannelMessage,
      responses: { 200: z.object({ text: z.string() }), 400: Problem, 404: Problem },
    },
  ],
  channels: [{ name: 'chat', over: 'ws', address: '/ws', toServer: byType(Incoming), toClient: byType(Outgoing) }],
}
