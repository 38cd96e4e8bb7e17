import * as z from 'zod'
import type { Contract } from '../contract/contract.ts'

const id = z.string().min(1)

/** `{"detail": …}`; `detail` is a list of problems when the request body is invalid. */
export const Detail = z.looseObject({ detail: z.union([z.string(), z.array(z.unknown())]) })

export const CreateReply = z.looseObject({ session_id: id, protocol_version: z.literal('1.0') })

export const ContentBlock = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('image'),
    source: z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  }),
])

/** A message as the official client reads it; the document leaves its form open. */
export const AssistantMessage = z.looseObject({
  id,
  role: z.literal('assistant'),
  content: z.array(
    z.union([
      z.looseObject({ type: z.literal('text'), text: z.string() }),
      z.looseObject({ type: z.literal('tool_use'), id, name: id, input: z.looseObject({}) }),
      z.looseObject({ type: z.literal('thinking') }),
    ]),
  ),
})

/** The input of AskUserQuestion, as the official client reads it. */
export const Questions = z.looseObject({
  questions: z
    .array(z.looseObject({ question: z.string(), options: z.array(z.looseObject({ label: z.string() })) }))
    .min(1),
})

export const event = {
  session_ready: z.looseObject({ session_id: id, protocol_version: z.literal('1.0') }),
  message_delta: z.looseObject({ message_id: id, delta: z.looseObject({}) }),
  message_complete: z.looseObject({ message_id: id, message: z.looseObject({}) }),
  tool_use: z.looseObject({ message_id: id, tool_use_id: id, tool_name: id, input: z.looseObject({}) }),
  tool_result: z.looseObject({ tool_use_id: id, output: z.unknown(), is_error: z.boolean() }),
  permission_request: z.looseObject({
    correlation_id: id,
    tool_name: id,
    input: z.looseObject({}),
    context: z.looseObject({}).nullish(),
  }),
  ask_user_question: z.looseObject({
    correlation_id: id,
    questions: z.union([z.looseObject({}), z.array(z.looseObject({}))]),
  }),
  hook_decision_request: z.looseObject({ correlation_id: id, hook_event: id, hook_input: z.looseObject({}) }),
  result: z.looseObject({ session_id: id, subtype: id, total_cost_usd: z.number().nonnegative().nullish() }),
  error: z.looseObject({ code: id, message: z.string() }),
  mcp_status_change: z.looseObject({ server_name: id, status: id }),
  done: z.looseObject({}),
}

export const message = {
  user_message: z.looseObject({
    type: z.literal('user_message'),
    content: z.union([z.string(), z.array(ContentBlock)]),
  }),
  interrupt: z.looseObject({ type: z.literal('interrupt') }),
  permission_response: z.looseObject({
    type: z.literal('permission_response'),
    correlation_id: z.string(),
    behavior: z.enum(['allow', 'deny']),
    updated_input: z.looseObject({}).optional(),
    updated_permissions: z.array(z.unknown()).optional(),
    message: z.string().optional(),
    interrupt: z.boolean().optional(),
  }),
  question_response: z.looseObject({
    type: z.literal('question_response'),
    correlation_id: z.string(),
    answers: z.unknown(),
  }),
  set_permission_mode: z.looseObject({ type: z.literal('set_permission_mode'), mode: z.string() }),
  set_model: z.looseObject({ type: z.literal('set_model'), model: z.string().nullable() }),
  stop_task: z.looseObject({ type: z.literal('stop_task'), task_id: z.string() }),
}

const EVENTS = 'wire protocol 1.0, Outbound SSE event types'
const INPUTS = 'wire protocol 1.0, Inbound message types'

/** The wire protocol of agent-webkit, version 1.0. */
export const agentWebkitContract: Contract = {
  protocol: 'agent-webkit',
  shapes: { AssistantMessage, ContentBlock, CreateReply, Detail, Questions },
  errors: {
    because: 'The document names some statuses and no body; servers of its kind answer an object with a detail.',
    covers: ['W-X3', 'W-X5', 'W-X6'],
  },
  operations: {
    'POST /sessions': {
      covers: ['W-E1'],
      source: 'wire protocol 1.0, POST /sessions',
      body: z.looseObject({
        model: z.string().optional(),
        permission_mode: z.string().optional(),
        cwd: z.string().optional(),
      }),
      responses: {
        200: CreateReply,
        201: CreateReply,
        400: Detail,
        401: Detail,
        403: Detail,
        413: Detail,
        422: Detail,
      },
    },
    'GET /sessions/{session_id}/stream': {
      covers: ['W-E2'],
      source: 'wire protocol 1.0, GET /sessions/{session_id}/stream',
      responses: { 200: 'sse', 400: Detail, 401: Detail, 403: Detail, 404: Detail, 412: Detail },
    },
    'POST /sessions/{session_id}/input': {
      covers: ['W-E3'],
      source: 'wire protocol 1.0, POST /sessions/{session_id}/input',
      body: z.discriminatedUnion('type', Object.values(message) as never),
      responses: {
        204: 'empty',
        400: Detail,
        401: Detail,
        403: Detail,
        404: Detail,
        409: Detail,
        413: Detail,
        422: Detail,
        503: Detail,
      },
    },
    'DELETE /sessions/{session_id}': {
      covers: ['W-E4'],
      source: 'wire protocol 1.0, DELETE /sessions/{session_id}',
      responses: { 204: 'empty', 401: Detail, 403: Detail, 404: Detail },
    },
    'GET /genui/schema': {
      covers: ['W-E5'],
      source: 'reference server, generative UI',
      optional: true,
      responses: {
        200: z.looseObject({
          version: z.string(),
          server_name: z.string(),
          prefix: z.string(),
          tools: z.array(z.looseObject({ name: z.string(), description: z.string(), schema: z.looseObject({}) })),
        }),
        404: Detail,
      },
    },
  },
  events: {
    session_ready: { covers: ['W-V1'], source: EVENTS, schema: event.session_ready },
    message_delta: { covers: ['W-V2'], source: EVENTS, schema: event.message_delta, optional: true },
    message_complete: { covers: ['W-V3'], source: EVENTS, schema: event.message_complete },
    tool_use: { covers: ['W-V4'], source: EVENTS, schema: event.tool_use },
    tool_result: { covers: ['W-V5'], source: EVENTS, schema: event.tool_result },
    permission_request: { covers: ['W-V6'], source: EVENTS, schema: event.permission_request },
    ask_user_question: { covers: ['W-V7'], source: EVENTS, schema: event.ask_user_question },
    hook_decision_request: { covers: ['W-V8'], source: EVENTS, schema: event.hook_decision_request, optional: true },
    result: { covers: ['W-V9'], source: EVENTS, schema: event.result },
    error: { covers: ['W-V10'], source: EVENTS, schema: event.error, optional: true },
    mcp_status_change: { covers: ['W-V11'], source: EVENTS, schema: event.mcp_status_change, optional: true },
    done: { covers: ['W-V12'], source: EVENTS, schema: event.done },
  },
  messages: {
    user_message: { covers: ['W-M1'], source: INPUTS, schema: message.user_message },
    interrupt: { covers: ['W-M2'], source: INPUTS, schema: message.interrupt },
    permission_response: { covers: ['W-M3'], source: INPUTS, schema: message.permission_response },
    question_response: { covers: ['W-M4'], source: INPUTS, schema: message.question_response },
    set_permission_mode: { covers: ['W-M5'], source: INPUTS, schema: message.set_permission_mode },
    set_model: { covers: ['W-M6'], source: INPUTS, schema: message.set_model },
    stop_task: { covers: ['W-M7'], source: INPUTS, schema: message.stop_task },
  },
}
