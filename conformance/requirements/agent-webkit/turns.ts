import type { Requirements } from '../../requirement.ts'

const STREAM = 'wire protocol 1.0, GET /sessions/{session_id}/stream'
const INPUT = 'wire protocol 1.0, POST /sessions/{session_id}/input'
const MESSAGES = 'wire protocol 1.0, Inbound message types'
const EVENTS = 'wire protocol 1.0, Outbound SSE event types'
const RACES = 'wire protocol 1.0, Race semantics'
const IDS = 'wire protocol 1.0, Dual ID scheme'
const LIMITS = 'wire protocol 1.0, Known limitations'
const REFERENCE = 'reference server 0.2.0'
const CLIENT = 'official client @agent-webkit/core 0.2.0'

/** What is said in a session: inputs, turns, decisions. */
export const turnRequirements = {
  'agent-webkit:input:text': {
    level: 'MUST',
    says: 'A user_message of text answers 204 without a body and starts a turn.',
    source: INPUT,
    covers: ['W-E3', 'W-M1'],
  },
  'agent-webkit:input:blocks': {
    level: 'MUST',
    says: 'A user_message may carry text and image blocks.',
    source: MESSAGES,
    covers: ['W-M1'],
  },
  'agent-webkit:input:generated': {
    level: 'MUST',
    says: 'Whatever fits the schema of a message is accepted.',
    source: MESSAGES,
    covers: ['W-M1', 'W-M2', 'W-M5', 'W-M6', 'W-M7'],
  },
  'agent-webkit:input:interrupt-idle': {
    level: 'MUST',
    says: 'An interrupt is accepted also when no turn runs.',
    source: MESSAGES,
    covers: ['W-M2', 'W-T3'],
  },
  'agent-webkit:input:mode': {
    level: 'MUST',
    says: 'set_permission_mode is accepted.',
    source: MESSAGES,
    covers: ['W-M5'],
  },
  'agent-webkit:input:model': {
    level: 'MUST',
    says: 'set_model is accepted with a name and with null.',
    source: MESSAGES,
    covers: ['W-M6'],
  },
  'agent-webkit:input:stop-task': {
    level: 'MUST',
    says: 'stop_task is accepted, also for a task that does not run.',
    source: MESSAGES,
    covers: ['W-M7'],
  },
  'agent-webkit:input:unknown-type': {
    level: 'MUST',
    says: 'A message with an unknown type, or none, answers 400.',
    source: REFERENCE,
    covers: ['W-X3'],
  },
  'agent-webkit:input:not-json': {
    level: 'MUST',
    says: 'A body that is empty or not JSON answers 400.',
    source: REFERENCE,
    covers: ['W-X3'],
  },
  'agent-webkit:input:missing-field': {
    level: 'MUST',
    says: 'A message without one of its required fields answers 400.',
    source: MESSAGES,
    covers: ['W-X3', 'W-M1', 'W-M3', 'W-M4', 'W-M5', 'W-M7'],
  },
  'agent-webkit:input:not-object': {
    level: 'MUST',
    says: 'A JSON body that is not an object answers 400.',
    source: INPUT,
    covers: ['W-X8'],
  },
  'agent-webkit:input:content-type': {
    level: 'SHOULD',
    says: 'Content that is neither text nor blocks answers 400, and the session goes on.',
    source: MESSAGES,
    covers: ['W-D10'],
  },
  'agent-webkit:input:unknown-session': {
    level: 'MUST',
    says: 'An input to an unknown session answers 404.',
    source: REFERENCE,
    covers: ['W-X5'],
  },
  'agent-webkit:input:large': {
    level: 'SHOULD',
    says: 'An input of 8 MB is accepted, since images travel inline.',
    source: MESSAGES,
    covers: ['W-D11'],
    tier: 'sdk',
  },
  'agent-webkit:input:backpressure': {
    level: 'SHOULD',
    says: 'When 128 messages wait behind a parked turn, the next is refused with 503, a Retry-After and the code "backpressure".',
    source: REFERENCE,
    covers: ['W-X7'],
    tier: 'sdk',
  },
  'agent-webkit:turn:order': {
    level: 'MUST',
    says: 'In a turn a message_complete comes before its tool_use events, these before their results, and result is last.',
    source: EVENTS,
    covers: ['W-T1', 'W-V3', 'W-V4', 'W-V5'],
  },
  'agent-webkit:turn:result': {
    level: 'MUST',
    says: 'A turn ends with exactly one result.',
    source: EVENTS,
    covers: ['W-V9', 'W-T1'],
  },
  'agent-webkit:turn:deltas': {
    level: 'MUST',
    says: 'The deltas of a message joined are its text, and none comes after its message_complete.',
    source: EVENTS,
    covers: ['W-V2', 'W-V3'],
  },
  'agent-webkit:turn:delta-form': {
    level: 'SHOULD',
    says: 'A delta of text is {text} or a text block, as the official reducer folds it.',
    source: CLIENT,
    covers: ['W-V2'],
    tier: 'sdk',
  },
  'agent-webkit:turn:message-ids': {
    level: 'MUST',
    says: 'Each assistant message has a message_id of its own, and the message inside carries the same id.',
    source: IDS,
    covers: ['W-V3'],
  },
  'agent-webkit:turn:tool': {
    level: 'MUST',
    says: 'Every tool_use block of a message is announced by a tool_use event and answered by one tool_result.',
    source: EVENTS,
    covers: ['W-V4', 'W-V5'],
  },
  'agent-webkit:turn:serial': {
    level: 'MUST',
    says: 'Two messages sent at once give two whole turns, one after the other.',
    source: LIMITS,
    covers: ['W-T2'],
  },
  'agent-webkit:turn:session-id': {
    level: 'SHOULD',
    says: 'A result names the session it belongs to.',
    source: EVENTS,
    covers: ['W-D14', 'W-V9'],
  },
  'agent-webkit:turn:interrupt': {
    level: 'MUST',
    says: 'An interrupt ends the running turn with a result.',
    source: MESSAGES,
    covers: ['W-T3', 'W-M2'],
  },
  'agent-webkit:turn:interrupt-keeps': {
    level: 'MUST',
    says: 'An interrupt does not drop messages that wait.',
    source: LIMITS,
    covers: ['W-T3'],
  },
  'agent-webkit:turn:interrupt-parked': {
    level: 'SHOULD',
    says: 'An interrupt while a permission is pending ends the turn, and the late reply answers 409.',
    source: RACES,
    covers: ['W-T3'],
  },
  'agent-webkit:turn:error': {
    level: 'MUST',
    says: 'A failing turn emits an error and still ends with a result.',
    source: EVENTS,
    covers: ['W-V10', 'W-X9', 'W-D15'],
    tier: 'full',
  },
  'agent-webkit:turn:mcp': {
    level: 'MAY',
    says: 'A change of an MCP server is told by mcp_status_change.',
    source: EVENTS,
    covers: ['W-V11'],
    tier: 'full',
  },
  'agent-webkit:permission:request': {
    level: 'MUST',
    says: 'A permission_request carries the tool_use_id of the tool it asks for as correlation_id, after that tool_use.',
    source: MESSAGES,
    covers: ['W-V6'],
  },
  'agent-webkit:permission:waits': {
    level: 'MUST',
    says: 'The turn waits until a permission is answered.',
    source: EVENTS,
    covers: ['W-V6'],
  },
  'agent-webkit:permission:allow': {
    level: 'MUST',
    says: 'After allow the tool runs and the turn ends with its result.',
    source: MESSAGES,
    covers: ['W-M3', 'W-V6'],
  },
  'agent-webkit:permission:deny': {
    level: 'MUST',
    says: 'After deny the turn goes on without the tool having succeeded.',
    source: MESSAGES,
    covers: ['W-M3', 'W-T4'],
  },
  'agent-webkit:permission:deny-interrupt': {
    level: 'MUST',
    says: 'Deny with interrupt ends the turn without another assistant message.',
    source: MESSAGES,
    covers: ['W-T4', 'W-M3'],
  },
  'agent-webkit:permission:allow-interrupt': {
    level: 'MAY',
    says: 'Interrupt sent with allow, which a client must not do, does not abort the turn.',
    source: MESSAGES,
    covers: ['W-T5', 'W-D9'],
  },
  'agent-webkit:permission:second': {
    level: 'MUST',
    says: 'A second reply to the same permission answers 409.',
    source: RACES,
    covers: ['W-X4'],
  },
  'agent-webkit:permission:never-asked': {
    level: 'SHOULD',
    says: 'A reply to a correlation_id that was never asked answers 409.',
    source: REFERENCE,
    covers: ['W-X4'],
  },
  'agent-webkit:permission:race': {
    level: 'MUST',
    says: 'Of many simultaneous replies exactly one answers 204 and all others 409.',
    source: RACES,
    covers: ['W-T9', 'W-X4'],
  },
  'agent-webkit:permission:wrong-kind': {
    level: 'SHOULD',
    says: 'A question_response to a permission answers 409 and leaves it pending.',
    source: RACES,
    covers: ['W-D8'],
  },
  'agent-webkit:permission:behavior': {
    level: 'SHOULD',
    says: 'A behavior other than allow and deny answers 400.',
    source: MESSAGES,
    covers: ['W-D9'],
  },
  'agent-webkit:permission:late-subscriber': {
    level: 'MUST',
    says: 'A subscriber that comes while a permission is pending sees it and may answer.',
    source: STREAM,
    covers: ['W-R6'],
  },
  'agent-webkit:question:request': {
    level: 'MUST',
    says: 'A question follows the tool_use of AskUserQuestion, carries its id and asks for no permission.',
    source: MESSAGES,
    covers: ['W-V7'],
  },
  'agent-webkit:question:answer': {
    level: 'MUST',
    says: 'A question_response answers 204 and the turn goes on to its result.',
    source: MESSAGES,
    covers: ['W-M4', 'W-V7'],
  },
  'agent-webkit:question:second': {
    level: 'MUST',
    says: 'A second answer to the same question answers 409.',
    source: RACES,
    covers: ['W-X4', 'W-M4'],
  },
  'agent-webkit:hook:answer': {
    level: 'MAY',
    says: 'A hook_decision_request is answered by a permission_response for its correlation_id.',
    source: RACES,
    covers: ['W-V8', 'W-D7'],
    tier: 'full',
  },
} as const satisfies Requirements
