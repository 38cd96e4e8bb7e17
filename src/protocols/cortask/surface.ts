import * as z from 'zod'
import { byType, type HttpOperation, ServerInfo, type Surface } from '../http/document.ts'
import { ChannelMessage, Incoming, Outgoing } from './wire.ts'

const Problem = z.object({ error: z.string() })
const OfWorkspace = z.object({ workspaceId: z.string() })

const Workspace = z.object({ id: z.string(), name: z.string(), rootPath: z.string(), lastAccessedAt: z.null() })
const Session = z.object({ id: z.string(), title: z.string(), createdAt: z.string(), updatedAt: z.string() })
const Part = z.object({ role: z.enum(['user', 'assistant', 'tool']), content: z.unknown() })
const Running = z.object({ id: z.string(), running: z.boolean() })

const look = (path: string, summary: string, answer: z.ZodType, more: Partial<HttpOperation> = {}): HttpOperation => ({
  method: 'get',
  path,
  summary,
  ...more,
  responses: { 200: answer, ...more.responses },
})

const inWorkspace = (path: string, summary: string, answer: z.ZodType): HttpOperation =>
  look(`/api/workspaces/{id}/${path}`, summary, answer, { responses: { 404: Problem } })

/** The protocol as its documents for machines describe it. */
export const cortaskSurface: Surface = {
  title: 'Cortask WebSocket API',
  version: '0.1.0',
  description:
    'The socket that a conversation runs over, and the HTTP routes that the user interface asks for beside it.',
  url: 'http://127.0.0.1:3777',
  operations: [
    look('/', 'What is served, and what to say to the built-in agent.', ServerInfo),
    look(
      '/api/health',
      'Whether it is up.',
      z.object({ status: z.literal('ok'), version: z.string(), ready: z.boolean() }),
    ),
    look(
      '/api/onboarding/status',
      'Whether the set-up is complete.',
      z.object({ completed: z.boolean(), hasProvider: z.boolean(), hasWorkspace: z.boolean() }),
    ),
    look('/api/workspaces', 'All workspaces.', z.array(Workspace)),
    {
      method: 'post',
      path: '/api/workspaces/{id}/open',
      summary: 'Open a workspace.',
      responses: { 200: Workspace, 404: Problem },
    },
    inWorkspace('tree', 'The files of a workspace: none here.', z.object({ tree: z.array(z.unknown()) })),
    inWorkspace('list-files', 'The files of a workspace: none here.', z.object({ files: z.array(z.unknown()) })),
    inWorkspace('memory', 'What is remembered of a workspace: nothing here.', z.object({ content: z.null() })),
    look('/api/sessions', 'The conversations of a workspace, the newest first.', z.array(Session), {
      query: OfWorkspace,
      responses: { 400: Problem, 404: Problem },
    }),
    look('/api/sessions/{id}', 'A conversation and its messages.', Session.extend({ messages: z.array(Part) }), {
      query: OfWorkspace,
      responses: { 400: Problem, 404: Problem },
    }),
    {
      method: 'delete',
      path: '/api/sessions/{id}',
      summary: 'Delete a conversation; a run under way is stopped.',
      query: OfWorkspace,
      responses: { 204: null, 400: Problem, 404: Problem },
    },
    look(
      '/api/providers',
      'Who answers.',
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
    look('/api/config', 'Settings: none here.', z.object({})),
    look('/api/models/enabled', 'Enabled models: none here.', z.array(z.unknown())),
    look('/api/cron', 'Scheduled messages: none here.', z.array(z.unknown())),
    look('/api/templates', 'Templates of messages: none here.', z.array(z.unknown())),
    look('/api/channels', 'Chat apps that messages can come from.', z.array(Running.extend({ name: z.string() }))),
    {
      method: 'post',
      path: '/api/channels/{id}/start',
      summary: 'Start a channel; everyone is told.',
      responses: { 200: Running, 400: Problem },
    },
    {
      method: 'post',
      path: '/api/channels/{id}/stop',
      summary: 'Stop a channel; everyone is told.',
      responses: { 200: Running, 404: Problem },
    },
    {
      method: 'post',
      path: '/api/channels/{id}/message',
      summary: 'A message from a chat app; the answer is its own.',
      body: ChannelMessage,
      responses: { 200: z.object({ text: z.string() }), 400: Problem, 404: Problem },
    },
  ],
  channels: [{ name: 'chat', over: 'ws', address: '/ws', toServer: byType(Incoming), toClient: byType(Outgoing) }],
}
