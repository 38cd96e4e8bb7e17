import * as z from 'zod'
import { isBase64 } from '../../agent/history/attachments.ts'
import type { Fault, FaultCode } from '../../base/fault.ts'
import { HTTP_STATUS } from '../http/status.ts'

/** Body of `POST /sessions`. */
export const CreateSession = z.looseObject({ profile_id: z.string() })

/** Body of `PATCH /sessions/{id}/pin`. */
export const PinSession = z.looseObject({ pinned: z.boolean() })

const Content = z.string().refine((text) => text.trim() !== '', 'content must not be empty')

/** Body of `POST /sessions/{id}/messages`. */
export const PostMessage = z.looseObject({ content: Content })

const FileReference = z.looseObject({ name: z.string(), size: z.number(), path: z.string() })

/** The only message that clients send over the socket (Navi document, "WS /ws/sessions/{session_id}"). */
export const Incoming = z.looseObject({
  type: z.literal('message'),
  content: Content,
  images: z.array(z.string().refine(isBase64, 'expected a picture in base64')).nullish(),
  files: z.array(FileReference).nullish(),
})
export type Incoming = z.infer<typeof Incoming>

const ToolUse = { tool: z.string(), args: z.record(z.string(), z.unknown()), is_subagent: z.boolean() }

/** The server messages of a socket, in the order of the document. */
export const Outgoing = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stream_start') }),
  z.object({ type: z.literal('thinking_delta'), delta: z.string() }),
  z.object({ type: z.literal('thinking_end') }),
  z.object({ type: z.literal('turn_thinking'), thinking: z.string(), is_subagent: z.boolean() }),
  z.object({ type: z.literal('plan_ready'), plan: z.string().describe('Markdown') }),
  z.object({ type: z.literal('tool_started'), ...ToolUse }),
  z.object({ type: z.literal('tool_call'), ...ToolUse, result: z.string(), success: z.boolean() }),
  z.object({ type: z.literal('stream_delta'), delta: z.string() }),
  z.object({
    type: z.literal('stream_end'),
    content: z.string(),
    context_tokens: z.int(),
    max_context_tokens: z.int(),
  }),
  z.object({ type: z.literal('stream_stopped') }),
  z.object({ type: z.literal('profile_switched'), profile_id: z.string(), profile_name: z.string() }),
  z.object({ type: z.literal('context_compressed'), messages_before: z.int(), messages_after: z.int() }),
  z.object({ type: z.literal('error'), message: z.string() }),
])
export type Outgoing = z.infer<typeof Outgoing>

/** An item of a session's messages or context. Only the role is required. */
export const Item = z.object({
  role: z.enum(['user', 'assistant', 'tool', 'system']),
  content: z.string().nullable().optional(),
  images: z.array(z.string()).optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .optional(),
  tool_call_id: z.string().optional(),
  name: z.string().optional(),
  created_at: z.string().optional(),
  is_summary: z.boolean().optional(),
})
export type Item = z.infer<typeof Item>

/** An uploaded file. */
export const StoredFile = z.object({ name: z.string(), size: z.int(), path: z.string(), content_type: z.string() })
export type StoredFile = z.infer<typeof StoredFile>

const status: Record<FaultCode, number> = { ...HTTP_STATUS, BadRequest: 422 }

/** The status of a fault: 422 for an invalid body, 400 only for a blocked file type (Navi document, "Errors"). */
export const statusOf = (fault: Fault): number => (fault.context.blocked === undefined ? status[fault.code] : 400)

/** The body of an error over HTTP. */
export const errorBody = (fault: Fault) => ({ detail: fault.message })

/** The close code of a socket whose session does not exist or was deleted (Navi document, "Errors"). */
export const SESSION_NOT_FOUND = 4004
