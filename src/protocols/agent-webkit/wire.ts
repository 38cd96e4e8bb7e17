import * as z from 'zod'
import { isBase64 } from '../../agent/history/attachments.ts'
import { PERMISSION_MODES } from '../../agent/profiles.ts'
import { problemWords } from '../../base/external-values.ts'
import type { Fault } from '../../base/fault.ts'

/** The version of the protocol (agent-webkit document, "Wire protocol"). */
export const PROTOCOL_VERSION = '1.0'

/** Body of `POST /sessions`. Unknown keys are allowed (agent-webkit document, "POST /sessions"). */
export const CreateSession = z.looseObject({
  model: z.string().nullish(),
  permission_mode: z.enum(PERMISSION_MODES).nullish(),
  cwd: z.string().nullish(),
})
export type CreateSession = z.infer<typeof CreateSession>

export const SessionCreated = z.object({ session_id: z.string(), protocol_version: z.literal(PROTOCOL_VERSION) })

const TextBlock = z.looseObject({ type: z.literal('text'), text: z.string() })
const ImageType = z.string().regex(/^image\//i, 'expected the type of an image, such as image/png')
const Base64 = z.string().refine(isBase64, 'expected base64')

const ImageBlock = z.looseObject({
  type: z.literal('image'),
  source: z.looseObject({ type: z.literal('base64'), media_type: ImageType, data: Base64 }),
})
const ToolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
})
const ToolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown().optional(),
})

export const ContentBlock = z.discriminatedUnion('type', [TextBlock, ImageBlock, ToolUseBlock, ToolResultBlock])
export type ContentBlock = z.infer<typeof ContentBlock>

const Json = z.record(z.string(), z.unknown())

const EMPTY = 'a message needs content'

/** Returns whether blocks say anything: texts of no length do not. */
const hasContent = (blocks: readonly ContentBlock[]): boolean =>
  blocks.some((block) => block.type !== 'text' || block.text !== '')

/** Body of `POST /sessions/{id}/input` (agent-webkit document, "Inbound message types"). */
export const Inbound = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('user_message'),
    content: z.union([z.string().min(1, EMPTY), z.array(ContentBlock).min(1, EMPTY).refine(hasContent, EMPTY)]),
  }),
  z.looseObject({ type: z.literal('interrupt') }),
  z.looseObject({
    type: z.literal('permission_response'),
    correlation_id: z.string(),
    behavior: z.enum(['allow', 'deny']),
    updated_input: Json.nullish(),
    updated_permissions: z.array(Json).nullish(),
    message: z.string().nullish(),
    interrupt: z.boolean().nullish(),
  }),
  z.looseObject({ type: z.literal('question_response'), correlation_id: z.string(), answers: z.json() }),
  z.looseObject({ type: z.literal('set_permission_mode'), mode: z.enum(PERMISSION_MODES) }),
  z.looseObject({ type: z.literal('set_model'), model: z.string().nullish() }),
  z.looseObject({ type: z.literal('stop_task'), task_id: z.string() }),
])
export type Inbound = z.infer<typeof Inbound>

const ThinkingBlock = z.object({ type: z.literal('thinking'), thinking: z.string() })

const AssistantMessage = z.object({
  id: z.string(),
  role: z.literal('assistant'),
  content: z.array(z.discriminatedUnion('type', [ThinkingBlock, TextBlock, ToolUseBlock])),
  model: z.string().nullable(),
  stop_reason: z.string().nullable(),
})

const Delta = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  ThinkingBlock,
  z.object({
    type: z.literal('input_json_delta'),
    tool_use_id: z.string(),
    name: z.string(),
    partial_json: z.string(),
  }),
])

/** The questions of an AskUserQuestion call, which are its input. */
const Questions = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      header: z.string().optional(),
      multiSelect: z.boolean(),
      options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
    }),
  ),
})
export type Questions = z.infer<typeof Questions>

/** The data of each event of the stream, by its name (agent-webkit document, "Outbound SSE event types"). */
export const Outbound = {
  session_ready: SessionCreated,
  message_delta: z.object({ message_id: z.string(), delta: Delta }),
  message_complete: z.object({ message_id: z.string(), message: AssistantMessage }),
  tool_use: z.object({ message_id: z.string(), tool_use_id: z.string(), tool_name: z.string(), input: Json }),
  tool_result: z.object({ tool_use_id: z.string(), output: z.unknown(), is_error: z.boolean() }),
  permission_request: z.object({ correlation_id: z.string(), tool_name: z.string(), input: Json, context: Json }),
  ask_user_question: z.object({ correlation_id: z.string(), questions: Questions }),
  hook_decision_request: z.object({ correlation_id: z.string(), hook_event: z.string(), hook_input: Json }),
  result: z.object({
    session_id: z.string(),
    subtype: z.enum(['success', 'interrupted', 'error_during_execution']),
    total_cost_usd: z.number(),
    is_error: z.boolean(),
    duration_ms: z.number(),
    num_turns: z.int(),
    usage: z.object({ input_tokens: z.int(), output_tokens: z.int() }),
    result: z.string(),
  }),
  error: z.object({ code: z.string(), message: z.string() }),
  mcp_status_change: z.object({ server_name: z.string(), status: z.string() }),
  done: z.object({}),
} as const

export type EventName = keyof typeof Outbound

/** An event of the stream before it has a number. */
export type WireEvent = {
  [Name in EventName]: { readonly event: Name; readonly data: z.infer<(typeof Outbound)[Name]> }
}[EventName]

/** A component that the agent can display, for clients with generative user interfaces. */
export interface Component {
  /** Matches `^[a-z][a-z0-9_]*$`. */
  readonly name: string
  readonly description: string
  /** JSON Schema of its properties. */
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * The HTTP status of each code (agent-webkit document, "Endpoints" and "Race semantics"): 409 for a reply to a decided
 * request, 412 for a `Last-Event-ID` older than the buffer, 503 for a full queue.
 */
export { HTTP_STATUS as status } from '../http/status.ts'

/** The body of an error. A full queue has a code, so that clients can retry. */
export const errorBody = (fault: Fault) =>
  fault.code === 'Busy' ? { detail: fault.message, code: 'backpressure' } : { detail: fault.message }

/** The error body of an invalid create request, with one entry per problem. */
export const validationBody = (issues: readonly z.core.$ZodIssue[]) => ({
  detail: issues.map((issue) => ({
    loc: ['body', ...issue.path.map(String)],
    msg: problemWords(issue),
    type: 'value_error',
  })),
})
