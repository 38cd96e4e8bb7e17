import * as z from 'zod'
import { isBase64, isPicture } from '../../agent/history/attachments.ts'
import type { Fault } from '../../base/fault.ts'

const Attachment = z
  .looseObject({
    mimeType: z.string(),
    base64: z.string().describe('Without a data: prefix'),
    name: z.string().optional(),
  })
  .refine(({ mimeType, base64 }) => isBase64(base64) || (base64 === '' && !isPicture(mimeType)), {
    path: ['base64'],
    message: 'expected base64',
  })

/** Client messages (Cortask document, "Incoming Events"). */
export const Incoming = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('chat'),
    sessionKey: z.string().min(1),
    message: z.string(),
    workspaceId: z.string(),
    attachments: z.array(Attachment).nullish(),
    fileReferences: z.array(z.string()).nullish(),
  }),
  z.looseObject({ type: z.literal('cancel'), sessionKey: z.string() }),
  z.looseObject({ type: z.literal('permission_response'), requestId: z.string(), approved: z.unknown().optional() }),
  z.looseObject({
    type: z.literal('questionnaire_response'),
    requestId: z.string(),
    responses: z.unknown().optional(),
  }),
])
export type Incoming = z.infer<typeof Incoming>
export type Chat = Extract<Incoming, { type: 'chat' }>

export const INCOMING_TYPES: readonly string[] = Incoming.options.map((option) => option.shape.type.value)

const Option = z.object({ value: z.string(), label: z.string(), description: z.string().optional() })

const Question = z.object({
  id: z.string(),
  question: z.string(),
  type: z.enum(['single', 'multiple', 'text', 'textarea']),
  options: z.array(Option).optional(),
  required: z.boolean().optional(),
  placeholder: z.string().optional(),
  allowOther: z.boolean().optional(),
})

const Questionnaire = z.object({
  title: z.string(),
  description: z.string().optional(),
  questions: z.array(Question),
})
export type Questionnaire = z.infer<typeof Questionnaire>

const ofRun = { sessionKey: z.string() }
const ofCall = { ...ofRun, toolCallId: z.string(), toolName: z.string() }
/** Present only with the option `namedRequests`. The document's requests have no session key. */
const optionalSessionKey = { sessionKey: z.string().optional() }

/** Server messages (Cortask document, "Outgoing Events"). */
export const Outgoing = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thinking_delta'), ...ofRun, text: z.string() }),
  z.object({ type: z.literal('text_delta'), ...ofRun, text: z.string() }),
  z.object({ type: z.literal('tool_call_start'), ...ofCall }),
  z.object({
    type: z.literal('tool_call_delta'),
    ...ofCall,
    text: z.string().describe('A piece of the arguments as JSON'),
  }),
  z.object({ type: z.literal('tool_call_end'), ...ofCall }),
  z.object({
    type: z.literal('tool_result'),
    ...ofCall,
    toolArgs: z.record(z.string(), z.unknown()),
    content: z.string(),
    isError: z.boolean(),
  }),
  z.object({
    type: z.literal('permission_request'),
    requestId: z.string(),
    description: z.string(),
    details: z.string().optional(),
    ...optionalSessionKey,
  }),
  z.object({
    type: z.literal('questionnaire_request'),
    requestId: z.string(),
    data: Questionnaire,
    ...optionalSessionKey,
  }),
  z.object({
    type: z.literal('done'),
    ...ofRun,
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }),
  }),
  z.object({ type: z.literal('error'), ...ofRun, error: z.string() }),
  z.object({
    type: z.literal('channel:status'),
    channelId: z.string(),
    running: z.boolean(),
    authenticated: z.boolean().optional(),
  }),
  z.object({ type: z.literal('session:refresh'), workspaceId: z.string() }),
])
export type Outgoing = z.infer<typeof Outgoing>

/** Body of `POST /api/channels/{id}/message`, which simulates a message from a chat app. */
export const ChannelMessage = z.looseObject({ workspaceId: z.string(), text: z.string().min(1) })

/** A folder to which sessions belong. */
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly rootPath: string
}

/** A message of a conversation, as `GET /api/sessions/{id}` returns it. */
export const HistoryMessage = z.object({ role: z.enum(['user', 'assistant', 'tool']), content: z.unknown() })
export type HistoryMessage = z.infer<typeof HistoryMessage>

/** The HTTP status of each code. Errors on the socket have only a message. */
export { HTTP_STATUS as status } from '../http/status.ts'

/** The body of an error over HTTP. */
export const errorBody = (fault: Fault) => ({ error: fault.message })
