import * as z from 'zod'
import { ServerInfo, type Surface } from '../http/document.ts'
import { CreateSession, Inbound, Outbound, PROTOCOL_VERSION, SessionCreated } from './wire.ts'

const Problem = z.object({ detail: z.string() })

/** The surface from which the OpenAPI and AsyncAPI documents are generated. */
export const agentWebkitSurface: Surface = {
  title: 'agent-webkit wire protocol',
  version: PROTOCOL_VERSION,
  description: 'Sessions with an agent: messages over HTTP, events as server-sent events.',
  url: 'http://127.0.0.1:8010',
  bearer: true,
  operations: [
    {
      method: 'get',
      path: '/',
      summary: 'The protocol, and the phrases of the built-in agent.',
      responses: { 200: ServerInfo },
    },
    {
      method: 'post',
      path: '/sessions',
      summary: 'Open a session.',
      body: CreateSession,
      bodyOptional: true,
      responses: { 200: SessionCreated, 401: Problem, 422: z.object({ detail: z.array(z.unknown()) }) },
    },
    {
      method: 'get',
      path: '/sessions/{id}/stream',
      summary: 'Follow the events of a session.',
      responses: { 200: 'text/event-stream', 400: Problem, 401: Problem, 404: Problem, 412: Problem },
    },
    {
      method: 'post',
      path: '/sessions/{id}/input',
      summary: 'Send a message, or answer a pending request.',
      body: Inbound,
      responses: {
        204: null,
        400: Problem,
        401: Problem,
        404: Problem,
        409: Problem,
        413: Problem,
        503: z.object({ detail: z.string(), code: z.literal('backpressure') }),
      },
    },
    { method: 'delete', path: '/sessions/{id}', summary: 'End a session.', responses: { 204: null, 401: Problem } },
    {
      method: 'get',
      path: '/genui/schema',
      summary: 'The components that the agent can display.',
      responses: { 200: z.object({ version: z.string(), tools: z.array(z.unknown()) }), 404: Problem },
    },
  ],
  channels: [{ name: 'stream', over: 'sse', address: '/sessions/{id}/stream', toServer: {}, toClient: Outbound }],
}
