import * as z from 'zod'
import type { Contract, Operation } from '../contract/contract.ts'

const text = z.string()
const id = text.min(1)
const key = { sessionKey: text }

export const Question = z.looseObject({
  id,
  question: text,
  type: id,
  options: z.array(z.looseObject({ value: text, label: text })).optional(),
})

export const event = {
  thinking_delta: z.looseObject({ type: z.literal('thinking_delta'), ...key, text }),
  text_delta: z.looseObject({ type: z.literal('text_delta'), ...key, text }),
  tool_call_start: z.looseObject({ type: z.literal('tool_call_start'), ...key, toolName: id, toolCallId: id }),
  tool_call_delta: z.looseObject({ type: z.literal('tool_call_delta') }),
  tool_call_end: z.looseObject({ type: z.literal('tool_call_end') }),
  tool_result: z.looseObject({
    type: z.literal('tool_result'),
    ...key,
    toolCallId: id,
    toolName: id,
    toolArgs: z.looseObject({}),
    content: text,
    isError: z.boolean().optional(),
  }),
  permission_request: z.looseObject({
    type: z.literal('permission_request'),
    requestId: id,
    description: text,
    details: text.optional(),
  }),
  questionnaire_request: z.looseObject({
    type: z.literal('questionnaire_request'),
    requestId: id,
    data: z.looseObject({ title: text, description: text.optional(), questions: z.array(Question).min(1) }),
  }),
  done: z.looseObject({
    type: z.literal('done'),
    ...key,
    usage: z.looseObject({ inputTokens: z.number().nonnegative(), outputTokens: z.number().nonnegative() }),
  }),
  error: z.looseObject({ type: z.literal('error'), error: text.min(1) }),
  'channel:status': z.looseObject({
    type: z.literal('channel:status'),
    channelId: id,
    running: z.boolean(),
    authenticated: z.boolean().optional(),
  }),
  'session:refresh': z.looseObject({ type: z.literal('session:refresh'), workspaceId: id }),
}

export const message = {
  chat: z.looseObject({
    type: z.literal('chat'),
    sessionKey: text,
    message: text,
    workspaceId: text,
    attachments: z.array(z.looseObject({ mimeType: text, base64: text, name: text.optional() })).optional(),
    fileReferences: z.array(text).optional(),
  }),
  cancel: z.looseObject({ type: z.literal('cancel'), sessionKey: text }),
  permission_response: z.looseObject({
    type: z.literal('permission_response'),
    requestId: text,
    approved: z.boolean(),
  }),
  questionnaire_response: z.looseObject({
    type: z.literal('questionnaire_response'),
    requestId: text,
    responses: z.record(text, z.union([text, z.array(text)])),
  }),
}

const OUTGOING = 'Cortask WebSocket API, Outgoing Events'
const INCOMING = 'Cortask WebSocket API, Incoming Events'
const REST = 'Cortask gateway, REST of its own page'
const Trouble = z.looseObject({ error: text })

const rest = (covers: string, answer: z.ZodType | 'empty'): Operation => ({
  covers: [covers],
  source: REST,
  optional: true,
  responses: {
    [answer === 'empty' ? 204 : 200]: answer,
    400: Trouble,
    401: Trouble,
    403: Trouble,
    404: Trouble,
    500: Trouble,
  },
})

export const Workspace = z.looseObject({ id, name: text, rootPath: text })
export const SessionRow = z.looseObject({ id, title: text })

/** Cortask's socket, and the REST requests of its page. */
export const cortaskContract: Contract = {
  protocol: 'cortask',
  shapes: { Question, SessionRow, Trouble, Workspace },
  operations: {
    'GET /api/health': rest('C-H1', z.looseObject({ status: z.literal('ok'), version: text, ready: z.literal(true) })),
    'GET /api/onboarding/status': rest('C-H2', z.looseObject({ completed: z.boolean() })),
    'GET /api/workspaces': rest('C-H3', z.array(Workspace)),
    'POST /api/workspaces/{id}/open': rest('C-H4', Workspace),
    'GET /api/sessions': rest('C-H5', z.array(SessionRow)),
    'GET /api/sessions/{id}': rest('C-H6', SessionRow.extend({ messages: z.array(z.looseObject({ role: text })) })),
    'DELETE /api/sessions/{id}': rest('C-H7', 'empty'),
  },
  events: {
    thinking_delta: { covers: ['C-V1'], source: OUTGOING, schema: event.thinking_delta },
    text_delta: { covers: ['C-V2'], source: OUTGOING, schema: event.text_delta },
    tool_call_start: { covers: ['C-V3'], source: OUTGOING, schema: event.tool_call_start },
    tool_call_delta: { covers: ['C-V4'], source: OUTGOING, schema: event.tool_call_delta, optional: true },
    tool_call_end: { covers: ['C-V5'], source: OUTGOING, schema: event.tool_call_end, optional: true },
    tool_result: { covers: ['C-V6'], source: OUTGOING, schema: event.tool_result },
    permission_request: { covers: ['C-V7'], source: OUTGOING, schema: event.permission_request },
    questionnaire_request: { covers: ['C-V8'], source: OUTGOING, schema: event.questionnaire_request },
    done: { covers: ['C-V9'], source: OUTGOING, schema: event.done },
    error: { covers: ['C-V10'], source: OUTGOING, schema: event.error },
    'channel:status': { covers: ['C-V11'], source: OUTGOING, schema: event['channel:status'], optional: true },
    'session:refresh': { covers: ['C-V12'], source: OUTGOING, schema: event['session:refresh'], optional: true },
  },
  messages: {
    chat: { covers: ['C-M1'], source: INCOMING, schema: message.chat },
    cancel: { covers: ['C-M2'], source: INCOMING, schema: message.cancel },
    permission_response: { covers: ['C-M3'], source: INCOMING, schema: message.permission_response },
    questionnaire_response: { covers: ['C-M4'], source: INCOMING, schema: message.questionnaire_response },
  },
}
