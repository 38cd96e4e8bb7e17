import * as z from 'zod'
import type { Contract, Operation, ResponseBody } from '../contract/contract.ts'

const text = z.string()
const id = text.min(1)
const when = z.iso.datetime({ offset: true })

export const AgentProfile = z.looseObject({
  id,
  name: text,
  description: text,
  enabled_tools: z.array(text),
  llm_backend: text,
  model: text,
})

export const CreatedSession = z.looseObject({ session_id: id, profile_id: id, created_at: when })

export const SessionRow = z.looseObject({
  session_id: id,
  profile_id: id,
  message_count: z.int().nonnegative(),
  preview: text,
  pinned: z.boolean(),
  created_at: when,
  last_active: when,
})

/** One item of a conversation; only `role` is required. */
export const HistoryItem = z.looseObject({
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  content: text.nullish(),
  images: z.array(text).nullish(),
  tool_calls: z.array(z.looseObject({ id, name: id, arguments: z.looseObject({}) })).nullish(),
  tool_call_id: text.nullish(),
  name: text.nullish(),
  created_at: when.nullish(),
  is_summary: z.boolean().nullish(),
})

export const Session = z.looseObject({
  session_id: id,
  profile_id: id,
  created_at: when,
  last_active: when,
  messages: z.array(HistoryItem),
})

export const SessionContext = z.looseObject({
  session_id: id,
  profile_id: id,
  message_count: z.int().nonnegative(),
  total_chars: z.int().nonnegative(),
  context: z.array(HistoryItem),
})

export const Upload = z.looseObject({ name: id, size: z.int().nonnegative(), path: id, content_type: text })
export const Health = z.looseObject({ status: z.literal('ok') })
export const PinResult = z.looseObject({ session_id: id, pinned: z.boolean() })
export const StopResult = z.union([
  z.looseObject({ ok: z.literal(true) }),
  z.looseObject({ ok: z.literal(false), reason: text }),
])
export const Reply = z.looseObject({ role: z.literal('assistant'), content: text })

const sub = z.boolean()

export const event = {
  stream_start: z.looseObject({ type: z.literal('stream_start') }),
  thinking_delta: z.looseObject({ type: z.literal('thinking_delta'), delta: text }),
  thinking_end: z.looseObject({ type: z.literal('thinking_end') }),
  turn_thinking: z.looseObject({ type: z.literal('turn_thinking'), thinking: text, is_subagent: sub }),
  plan_ready: z.looseObject({ type: z.literal('plan_ready'), plan: text.min(1) }),
  tool_started: z.looseObject({ type: z.literal('tool_started'), tool: id, args: z.looseObject({}), is_subagent: sub }),
  tool_call: z.looseObject({
    type: z.literal('tool_call'),
    tool: id,
    args: z.looseObject({}),
    result: z.unknown(),
    success: z.boolean(),
    is_subagent: sub,
  }),
  stream_delta: z.looseObject({ type: z.literal('stream_delta'), delta: text }),
  stream_end: z.looseObject({
    type: z.literal('stream_end'),
    content: text,
    context_tokens: z.int().nonnegative(),
    max_context_tokens: z.int().positive(),
  }),
  stream_stopped: z.looseObject({ type: z.literal('stream_stopped') }),
  profile_switched: z.looseObject({ type: z.literal('profile_switched'), profile_id: id, profile_name: text }),
  context_compressed: z.looseObject({
    type: z.literal('context_compressed'),
    messages_before: z.int().positive(),
    messages_after: z.int().positive(),
  }),
  error: z.looseObject({ type: z.literal('error'), message: text.min(1) }),
}

export const message = z.looseObject({
  type: z.literal('message'),
  content: text.min(1),
  images: z.array(text).optional(),
  files: z.array(z.looseObject({ name: text, size: z.number(), path: text })).optional(),
})

const REST = 'Navi session API, REST'
const SOCKET = 'Navi session API, WebSocket events'
const Trouble = z.looseObject({ detail: z.unknown() })

const operation = (covers: string, answers: Record<number, ResponseBody>, body?: z.ZodType): Operation => ({
  covers: [covers],
  source: REST,
  responses: { 400: Trouble, 403: Trouble, 404: Trouble, 413: Trouble, 422: Trouble, 500: Trouble, ...answers },
  ...(body && { body }),
})

const shown = (covers: string, schema: z.ZodType) => ({ covers: [covers], source: SOCKET, schema })

/** Navi's agent sessions: REST and the socket of a session. */
export const naviContract: Contract = {
  protocol: 'navi',
  shapes: {
    AgentProfile,
    CreatedSession,
    Health,
    HistoryItem,
    PinResult,
    Reply,
    Session,
    SessionContext,
    SessionRow,
    StopResult,
    Trouble,
    Upload,
  },
  errors: {
    because: 'The document names some statuses and no body; servers of its kind answer an object with a detail.',
    covers: ['N-X1', 'N-X2', 'N-X3'],
  },
  operations: {
    'GET /health': operation('N-E1', { 200: Health }),
    'GET /agents/profiles': operation('N-E2', { 200: z.array(AgentProfile).min(1) }),
    'GET /agents/tools': operation('N-E3', { 200: z.array(z.looseObject({ name: id, description: text })) }),
    'POST /sessions': operation('N-E4', { 201: CreatedSession }, z.looseObject({ profile_id: text })),
    'GET /sessions': operation('N-E5', { 200: z.array(SessionRow) }),
    'GET /sessions/{session_id}': operation('N-E6', { 200: Session }),
    'DELETE /sessions/{session_id}': operation('N-E7', { 204: 'empty' }),
    'PATCH /sessions/{session_id}/pin': operation('N-E8', { 200: PinResult }, z.looseObject({ pinned: z.boolean() })),
    'GET /sessions/{session_id}/context': operation('N-E9', { 200: SessionContext }),
    'POST /sessions/{session_id}/files': operation('N-E10', { 201: Upload }),
    'POST /sessions/{session_id}/stop': operation('N-E11', { 200: StopResult }),
    'POST /sessions/{session_id}/messages': operation('N-E12', { 200: Reply }, z.looseObject({ content: text })),
  },
  events: {
    stream_start: shown('N-V1', event.stream_start),
    thinking_delta: shown('N-V2', event.thinking_delta),
    thinking_end: shown('N-V3', event.thinking_end),
    turn_thinking: shown('N-V4', event.turn_thinking),
    plan_ready: shown('N-V5', event.plan_ready),
    tool_started: shown('N-V6', event.tool_started),
    tool_call: shown('N-V7', event.tool_call),
    stream_delta: shown('N-V8', event.stream_delta),
    stream_end: shown('N-V9', event.stream_end),
    stream_stopped: shown('N-V10', event.stream_stopped),
    profile_switched: shown('N-V11', event.profile_switched),
    context_compressed: shown('N-V12', event.context_compressed),
    error: shown('N-V13', event.error),
  },
  messages: { message: { covers: ['N-M1', 'N-M2', 'N-M3', 'N-M4'], source: SOCKET, schema: message } },
}
