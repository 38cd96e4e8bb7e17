import { pickItems, requirementIds } from '../../client/flow.ts'
import type { RequirementSet } from '../../requirement.ts'
import { agentWebkitItems } from '../document.ts'

const TRANSPORT = 'wire protocol 1.0, Transport'
const AUTH = 'wire protocol 1.0, Auth'
const CREATE = 'wire protocol 1.0, POST /sessions'
const STREAM = 'wire protocol 1.0, GET /sessions/{session_id}/stream'
const INPUT = 'wire protocol 1.0, POST /sessions/{session_id}/input'
const DELETE = 'wire protocol 1.0, DELETE /sessions/{session_id}'
const INBOUND = 'wire protocol 1.0, Inbound message types'
const EVENTS = 'wire protocol 1.0, Outbound SSE event types'
const RACES = 'wire protocol 1.0, Race semantics'
const IDS = 'wire protocol 1.0, Dual ID scheme'
const JUDGEMENT = 'good sense; the document leaves it open'

/** The requirements of the agent-webkit wire protocol 1.0 for clients. */
export const agentWebkitClientSet = {
  protocol: 'agent-webkit-client',
  document: 'agent-webkit wire protocol 1.0, clients',
  groups: {
    'W-E': 'Endpoints',
    'W-M': 'Messages of the client',
    'W-V': 'Events',
    'W-X': 'Statuses and codes',
    'W-F': 'Frames',
    'W-R': 'Resuming',
    'W-T': 'Turns',
    'W-D': 'Implied by the document',
  },
  items: pickItems(
    agentWebkitItems,
    'W-E1 W-E2 W-E3 W-E4 W-E6 W-M1 W-M2 W-M3 W-M4 W-M5 W-M6 W-M7 W-V1 W-V2 W-V3 W-V4 W-V5 W-V6 W-V7 W-V8 W-V9 W-V10 W-V11 W-V12 W-X1 W-X2 W-X4 W-X5 W-X6 W-F1 W-F2 W-F4 W-F6 W-R4 W-R6 W-T1 W-T3 W-T5 W-T6 W-D1 W-D18 W-D20',
  ),
  requirements: {
    'agent-webkit-client:request:known': {
      level: 'SHOULD',
      text: 'Every request is one of the documented endpoints.',
      source: TRANSPORT,
      basis: { because: 'The document calls itself complete; a server may offer nothing beyond it.' },
      covers: ['W-E6'],
    },
    'agent-webkit-client:request:json': {
      level: 'MUST',
      text: 'Every POST has a JSON body.',
      source: TRANSPORT,
      basis: { states: 'All messages of a client are POST requests with a JSON body.' },
      covers: ['W-E1', 'W-E3'],
    },
    'agent-webkit-client:request:auth': {
      level: 'MUST',
      text: 'Every request of a client that has a token carries it as a bearer token.',
      source: AUTH,
      basis: { states: 'A bearer token is sent in the header Authorization, for the stream as well.' },
      covers: ['W-X6'],
    },
    'agent-webkit-client:request:session': {
      level: 'MUST',
      text: 'Requests name the session_id that the creation answered.',
      source: CREATE,
      basis: { states: 'POST /sessions answers the session_id that the paths of the other endpoints name.' },
      covers: ['W-X5'],
    },
    'agent-webkit-client:shape:create': {
      level: 'MUST',
      text: 'A creation is an object in which model, permission_mode and cwd are text.',
      source: CREATE,
      basis: { states: 'The body has model, permission_mode and cwd, all optional, all text.' },
      covers: ['W-E1'],
    },
    'agent-webkit-client:shape:type': {
      level: 'MUST',
      text: 'Every input has the type of a documented message.',
      source: INBOUND,
      basis: { states: 'Every message is an object whose type is one of the seven listed.' },
      covers: ['W-E3'],
    },
    'agent-webkit-client:shape:user_message': {
      level: 'MUST',
      text: 'A user_message has content: text, or blocks of text and images.',
      source: INBOUND,
      basis: { states: 'content is a string or a list of content blocks.' },
      covers: ['W-M1'],
    },
    'agent-webkit-client:shape:permission_response': {
      level: 'MUST',
      text: 'A permission_response has a correlation_id and a behavior of allow or deny; its further fields have their types.',
      source: INBOUND,
      basis: { states: 'correlation_id and behavior, with the fields that allow and deny may have.' },
      covers: ['W-M3'],
    },
    'agent-webkit-client:shape:question_response': {
      level: 'MUST',
      text: 'A question_response has a correlation_id and answers.',
      source: INBOUND,
      basis: { states: 'correlation_id and answers.' },
      covers: ['W-M4'],
    },
    'agent-webkit-client:shape:set_permission_mode': {
      level: 'MUST',
      text: 'A set_permission_mode has a mode.',
      source: INBOUND,
      basis: { states: 'mode is text.' },
      covers: ['W-M5'],
    },
    'agent-webkit-client:shape:set_model': {
      level: 'MUST',
      text: 'A set_model has a model, which may be null.',
      source: INBOUND,
      basis: { states: 'model is text or null.' },
      covers: ['W-M6'],
    },
    'agent-webkit-client:shape:stop_task': {
      level: 'MUST',
      text: 'A stop_task has a task_id.',
      source: INBOUND,
      basis: { states: 'task_id is text.' },
      covers: ['W-M7'],
    },
    'agent-webkit-client:turn:once': {
      level: 'SHOULD',
      text: 'The user’s text is sent once, unchanged.',
      source: JUDGEMENT,
      basis: { because: 'Each user_message is its own turn, which costs money and may act twice.' },
      covers: ['W-M1'],
    },
    'agent-webkit-client:turn:waits': {
      level: 'MUST',
      text: 'A client reads until result, which ends the turn, and then ends well.',
      source: EVENTS,
      basis: { states: 'result is the end of a turn; the events before it are not.' },
      covers: ['W-V9', 'W-T1'],
    },
    'agent-webkit-client:turn:deletes': {
      level: 'MAY',
      text: 'A client that is done deletes its session.',
      source: DELETE,
      basis: { because: 'DELETE ends a session gracefully; a client may also leave a session for another one.' },
      covers: ['W-E4'],
    },
    'agent-webkit-client:events:documented': {
      level: 'MUST',
      text: 'Every documented event may come in a turn and does not end it.',
      source: EVENTS,
      basis: { states: 'The catalogue lists twelve events, of which only result ends a turn.' },
      covers: ['W-V1', 'W-V2', 'W-V3', 'W-V4', 'W-V5', 'W-V8', 'W-V10', 'W-V11'],
    },
    'agent-webkit-client:events:unknown': {
      level: 'SHOULD',
      text: 'An event of an unknown name is passed over.',
      source: JUDGEMENT,
      basis: { because: 'Servers of a later version send more, and the document does not forbid it.' },
      covers: ['W-E2'],
    },
    'agent-webkit-client:events:unknown-fields': {
      level: 'SHOULD',
      text: 'Unknown fields of events and content blocks are passed over.',
      source: JUDGEMENT,
      basis: { because: 'The document leaves result open for more fields and does not close the other events.' },
      covers: ['W-V9', 'W-E2'],
    },
    'agent-webkit-client:events:done': {
      level: 'MUST',
      text: 'After done a client neither opens the stream again nor sends input.',
      source: EVENTS,
      basis: { states: 'done is the terminal event of a session.' },
      covers: ['W-V12', 'W-T6'],
    },
    'agent-webkit-client:stream:keepalive': {
      level: 'MUST',
      text: 'Keepalive comments are passed over.',
      source: STREAM,
      basis: { states: 'A :keepalive comment is sent every 15 s.' },
      covers: ['W-F2', 'W-D1'],
    },
    'agent-webkit-client:stream:chunks': {
      level: 'MUST',
      text: 'Frames are read at any speed and with any chunk boundaries, even within a character.',
      source: TRANSPORT,
      basis: { states: 'All streaming is SSE, whose frames end with a blank line, not with a packet.' },
      covers: ['W-F1', 'W-F4'],
    },
    'agent-webkit-client:permission:correlation': {
      level: 'MUST',
      text: 'A permission is answered by a permission_response that names its correlation_id.',
      source: INBOUND,
      basis: { states: 'correlation_id of a permission is the id of its tool use, by which replies are routed.' },
      covers: ['W-V6', 'W-M3'],
    },
    'agent-webkit-client:permission:once': {
      level: 'SHOULD',
      text: 'A permission_request is answered once.',
      source: RACES,
      basis: { because: 'The first reply wins, so that a second one can only be refused.' },
      covers: ['W-V6'],
    },
    'agent-webkit-client:permission:interrupt': {
      level: 'MUST',
      text: 'interrupt is not sent with allow.',
      source: INBOUND,
      basis: { states: 'interrupt must not be sent with allow.' },
      covers: ['W-T5'],
    },
    'agent-webkit-client:permission:replayed': {
      level: 'SHOULD',
      text: 'A permission_request that comes again with the same id is not answered again.',
      source: IDS,
      basis: { because: 'The id of an event shows that it was received before.' },
      covers: ['W-R6', 'W-D20'],
    },
    'agent-webkit-client:question:correlation': {
      level: 'MUST',
      text: 'A question is answered by a question_response that names its correlation_id.',
      source: INBOUND,
      basis: { states: 'correlation_id of a question is the id of its tool use, by which replies are routed.' },
      covers: ['W-V7', 'W-M4'],
    },
    'agent-webkit-client:question:once': {
      level: 'SHOULD',
      text: 'An ask_user_question is answered once.',
      source: RACES,
      basis: { because: 'The first reply wins, so that a second one can only be refused.' },
      covers: ['W-V7'],
    },
    'agent-webkit-client:conflict:resent': {
      level: 'SHOULD',
      text: 'A reply that was refused with 409 is not sent again.',
      source: RACES,
      basis: { because: 'Another subscriber has answered; the same reply can only be refused again.' },
      covers: ['W-X4'],
    },
    'agent-webkit-client:conflict:goes-on': {
      level: 'SHOULD',
      text: 'After a 409 a client reads the turn to its result and ends well.',
      source: INPUT,
      basis: { because: '409 means that another subscriber has replied, so the turn continues.' },
      covers: ['W-X4'],
    },
    'agent-webkit-client:interrupt:waits': {
      level: 'SHOULD',
      text: 'After an interrupt a client reads until the result of the turn.',
      source: INBOUND,
      basis: { because: 'An interrupt is a request; result is the end of the turn.' },
      covers: ['W-M2', 'W-T3'],
    },
    'agent-webkit-client:resume:reconnects': {
      level: 'SHOULD',
      text: 'A client whose stream was cut off within a turn opens it again.',
      source: STREAM,
      basis: { because: 'Last-Event-ID exists for this purpose; the turn continues without the client.' },
      covers: ['W-E2'],
    },
    'agent-webkit-client:resume:cursor': {
      level: 'MUST',
      text: 'A resumed stream carries Last-Event-ID with the id of the last event that was read.',
      source: STREAM,
      basis: { states: 'Last-Event-ID is the sequence number after which events are replayed.' },
      covers: ['W-R4', 'W-F6'],
    },
    'agent-webkit-client:resume:partial': {
      level: 'MUST',
      text: 'A frame that was cut off before its blank line does not count as read.',
      source: TRANSPORT,
      basis: { states: 'All streaming is SSE, in which an event without its blank line is discarded.' },
      covers: ['W-F1', 'W-R4'],
    },
    'agent-webkit-client:resume:integer': {
      level: 'MUST',
      text: 'Last-Event-ID is a whole number that is not negative.',
      source: STREAM,
      basis: { states: 'Last-Event-ID must be a non-negative integer.' },
      covers: ['W-X1'],
    },
    'agent-webkit-client:resume:resent': {
      level: 'SHOULD',
      text: 'After a resume neither the session is created again nor the message sent again.',
      source: STREAM,
      basis: { because: 'The session and its turn outlive the stream; a second message is a second turn.' },
      covers: ['W-M1', 'W-R4'],
    },
    'agent-webkit-client:evicted:gives-up': {
      level: 'SHOULD',
      text: 'A cursor that was refused with 412 is not tried again.',
      source: STREAM,
      basis: { because: 'The event has left the buffer and does not come back.' },
      covers: ['W-X2', 'W-D18'],
    },
    'agent-webkit-client:refusal:reported': {
      level: 'SHOULD',
      text: 'A client whose session cannot be created, or no longer exists, ends with an error.',
      source: JUDGEMENT,
      basis: { because: 'Otherwise the user mistakes a failed turn for a finished one.' },
      covers: ['W-X5', 'W-X6'],
    },
    'agent-webkit-client:refusal:hammering': {
      level: 'SHOULD',
      text: 'A refused request is not repeated more than five times per second.',
      source: JUDGEMENT,
      basis: { because: 'A server that refuses is not helped by more requests.' },
      covers: ['W-X5', 'W-X6'],
    },
  },
} as const satisfies RequirementSet

/** Ids of the set, without their first part. */
export type ClientRule = keyof (typeof agentWebkitClientSet)['requirements'] extends `agent-webkit-client:${infer Rest}`
  ? Rest
  : never

export const { ids, endsWell } = requirementIds<ClientRule>('agent-webkit-client')

/** Milliseconds to wait for unexpected messages of the client. */
export const TURN_WATCH_MS = 400

export const correlationProblem = (actual: unknown, expected: string): string | undefined =>
  actual === expected ? undefined : `the reply names ${JSON.stringify(actual)}, not "${expected}"`
