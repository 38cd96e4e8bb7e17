import * as z from 'zod'
import { byType, ServerInfo, type Surface } from '../http/document.ts'
import { CreateSession, Incoming, Item, Outgoing, PinSession, PostMessage, StoredFile } from './wire.ts'

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

/** The surface from which the OpenAPI and AsyncAPI documents are generated. */
export const naviSurface: Surface = {
  title: 'Navi agent-session API',
  version: '1.0.0',
  description: 'Sessions with an agent: sessions, files and settings over HTTP, the conversation over a socket.',
  url: 'http://127.0.0.1:8000',
  operations: [
    {
      method: 'get',
      path: '/',
      summary: 'The protocol, and the phrases of the built-in agent.',
      responses: { 200: ServerInfo },
    },
    {
      method: 'get',
      path: '/health',
      summary: 'The health of the server.',
      responses: { 200: z.object({ status: z.string() }) },
    },
    {
      method: 'get',
      path: '/agents/profiles',
      summary: 'The profiles of the agent.',
      responses: { 200: z.array(Profile) },
    },
    {
      method: 'get',
      path: '/agents/tools',
      summary: 'The tools of the agent.',
      responses: { 200: z.array(z.object({ name: z.string(), description: z.string() })) },
    },
    {
      method: 'post',
      path: '/sessions',
      summary: 'Open a session.',
      body: CreateSession,
      responses: { 201: Session.omit({ last_active: true }), 404: Problem, 413: Problem, 422: Problem },
    },
    {
      method: 'get',
      path: '/sessions',
      summary: 'All sessions, pinned first, then by activity.',
      responses: {
        200: z.array(Session.extend({ message_count: z.int(), preview: z.string(), pinned: z.boolean() })),
      },
    },
    {
      method: 'get',
      path: '/sessions/{id}',
      summary: 'A session and its messages.',
      responses: { 200: Session.extend({ messages: z.array(Item) }), 404: Problem },
    },
    { method: 'delete', path: '/sessions/{id}', summary: 'Delete a session.', responses: { 204: null, 404: Problem } },
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
    {
      method: 'post',
      path: '/sessions/{id}/files',
      summary: 'Upload a file.',
      body: Upload,
      bodyType: 'multipart/form-data',
      responses: { 201: StoredFile, 400: Problem, 404: Problem, 413: Problem, 422: Problem },
    },
    {
      method: 'post',
      path: '/sessions/{id}/stop',
      summary: 'Stop the current run.',
      responses: { 200: z.object({ ok: z.boolean(), reason: z.string().optional() }), 404: Problem },
    },
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
    {
      method: 'get',
      path: '/static/{path}',
      summary: 'A file of the user interface.',
      responses: { 200: 'application/octet-stream', 404: Problem },
    },
  ],
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
