import { pickItems } from '../../client/flow.ts'
import type { RequirementSet } from '../../requirement.ts'
import { cortaskItems } from '../document.ts'

const CONNECTION_URL = 'Cortask WebSocket API, Connection URL'
const INCOMING = 'Cortask WebSocket API, Incoming Events'
const OUTGOING = 'Cortask WebSocket API, Outgoing Events'
const BEHAVIOR = 'Cortask WebSocket API, Connection Behavior'
const JUDGEMENT = 'good sense; the document leaves it open'

/** The requirements of the Cortask WebSocket API for clients. */
export const cortaskClientSet = {
  protocol: 'cortask-client',
  document: 'Cortask WebSocket API, clients',
  groups: {
    'C-E': 'The socket',
    'C-M': 'Messages of the client',
    'C-V': 'Events',
    'C-X': 'Errors and limits',
    'C-R': 'Runs',
    'C-D': 'Disconnecting',
  },
  items: pickItems(
    cortaskItems,
    'C-E1 C-M1 C-M2 C-M3 C-M4 C-V1 C-V2 C-V3 C-V4 C-V5 C-V6 C-V7 C-V8 C-V9 C-V10 C-V11 C-V12 C-X1 C-X2 C-X7 C-X9 C-R4 C-R7 C-R8 C-R9 C-D1 C-D4',
  ),
  requirements: {
    'cortask-client:connect:path': {
      level: 'MUST',
      text: 'The socket is opened at /ws.',
      source: CONNECTION_URL,
      basis: { states: 'The connection URL is ws://localhost:3777/ws.' },
      covers: ['C-E1'],
    },
    'cortask-client:shape:json': {
      level: 'MUST',
      text: 'Every message is a JSON object.',
      source: CONNECTION_URL,
      basis: { states: 'All messages are JSON-encoded strings.' },
      covers: ['C-X1'],
    },
    'cortask-client:shape:type': {
      level: 'MUST',
      text: 'Every message has the type of a documented event of clients.',
      source: INCOMING,
      basis: { states: 'Clients send chat, cancel, permission_response and questionnaire_response.' },
      covers: ['C-X2'],
    },
    'cortask-client:shape:chat': {
      level: 'MUST',
      text: 'A chat has a sessionKey, a message and a workspaceId; its further fields have their types.',
      source: INCOMING,
      basis: { states: 'sessionKey, message and workspaceId are required; attachments and fileReferences are lists.' },
      covers: ['C-M1'],
    },
    'cortask-client:shape:cancel': {
      level: 'MUST',
      text: 'A cancel has a sessionKey.',
      source: INCOMING,
      basis: { states: 'A cancel has the sessionKey of the session to abort.' },
      covers: ['C-M2'],
    },
    'cortask-client:shape:permission_response': {
      level: 'MUST',
      text: 'A permission_response has a requestId and approved, which is true or false.',
      source: INCOMING,
      basis: { states: 'A permission_response has requestId and approved.' },
      covers: ['C-M3'],
    },
    'cortask-client:shape:questionnaire_response': {
      level: 'MUST',
      text: 'A questionnaire_response has a requestId and responses of text or lists of text.',
      source: INCOMING,
      basis: { states: 'responses has an answer, or a list of answers, by the id of the question.' },
      covers: ['C-M4'],
    },
    'cortask-client:run:once': {
      level: 'SHOULD',
      text: 'The user’s text is sent once, unchanged.',
      source: JUDGEMENT,
      basis: { because: 'Each chat starts its own run.' },
      covers: ['C-M1', 'C-R8'],
    },
    'cortask-client:run:waits': {
      level: 'MUST',
      text: 'A client reads until done, which completes the run, and then ends well.',
      source: OUTGOING,
      basis: { states: 'done reports that the run has completed; no earlier event does.' },
      covers: ['C-V9'],
    },
    'cortask-client:events:documented': {
      level: 'MUST',
      text: 'Every documented event may come in a run and does not end it.',
      source: OUTGOING,
      basis: { states: 'The list of outgoing events has twelve types, of which done completes a run.' },
      covers: ['C-V1', 'C-V2', 'C-V3', 'C-V4', 'C-V5', 'C-V6', 'C-V11', 'C-V12'],
    },
    'cortask-client:events:session': {
      level: 'MUST',
      text: 'Events of another session do not end the run.',
      source: OUTGOING,
      basis: { states: 'Events of a run carry the sessionKey of their session.' },
      covers: ['C-R7'],
    },
    'cortask-client:events:unknown': {
      level: 'SHOULD',
      text: 'Events of an unknown type are passed over.',
      source: JUDGEMENT,
      basis: { because: 'Gateways of a later version send more, and the document does not forbid it.' },
      covers: ['C-V9'],
    },
    'cortask-client:events:unknown-fields': {
      level: 'SHOULD',
      text: 'Unknown fields of events are passed over.',
      source: JUDGEMENT,
      basis: { because: 'The document does not close its events.' },
      covers: ['C-V6'],
    },
    'cortask-client:permission:id': {
      level: 'MUST',
      text: 'A permission is answered by a permission_response that names its requestId.',
      source: INCOMING,
      basis: { states: 'A permission_response answers the request that has its requestId.' },
      covers: ['C-V7', 'C-M3'],
    },
    'cortask-client:permission:once': {
      level: 'SHOULD',
      text: 'A permission_request is answered once.',
      source: JUDGEMENT,
      basis: { because: 'A requestId is no longer valid after its answer.' },
      covers: ['C-X7'],
    },
    'cortask-client:permission:stale': {
      level: 'SHOULD',
      text: 'A permission_request of a connection that broke is not answered on the next one.',
      source: BEHAVIOR,
      basis: { because: 'Pending permissions are denied when the client disconnects.' },
      covers: ['C-D1', 'C-R4'],
    },
    'cortask-client:questionnaire:id': {
      level: 'MUST',
      text: 'A questionnaire is answered by a questionnaire_response that names its requestId.',
      source: INCOMING,
      basis: { states: 'A questionnaire_response answers the request that has its requestId.' },
      covers: ['C-V8', 'C-M4'],
    },
    'cortask-client:questionnaire:questions': {
      level: 'MUST',
      text: 'Responses are given by the ids of the questions.',
      source: INCOMING,
      basis: { states: 'responses maps the id of a question to its answer.' },
      covers: ['C-M4'],
    },
    'cortask-client:questionnaire:once': {
      level: 'SHOULD',
      text: 'A questionnaire is answered once.',
      source: JUDGEMENT,
      basis: { because: 'A requestId is no longer valid after its answer.' },
      covers: ['C-X7', 'C-D4'],
    },
    'cortask-client:cancel:session': {
      level: 'MUST',
      text: 'A cancel names the sessionKey of the chat that it aborts.',
      source: INCOMING,
      basis: { states: 'cancel aborts the running session that its sessionKey names.' },
      covers: ['C-M2', 'C-R9'],
    },
    'cortask-client:error:reported': {
      level: 'SHOULD',
      text: 'After an error of its run, a client stops waiting and ends with an error.',
      source: OUTGOING,
      basis: { because: 'error reports that the run failed; otherwise the user does not notice.' },
      covers: ['C-V10', 'C-X9'],
    },
    'cortask-client:disconnect:noticed': {
      level: 'SHOULD',
      text: 'A client whose socket breaks connects again or ends; it does not wait for the run.',
      source: BEHAVIOR,
      basis: { because: 'All runs of a client that disconnects are aborted.' },
      covers: ['C-D1'],
    },
    'cortask-client:disconnect:hammering': {
      level: 'SHOULD',
      text: 'A client does not connect again more than five times per second.',
      source: JUDGEMENT,
      basis: { because: 'A gateway that refuses connections is not helped by more of them.' },
      covers: ['C-E1'],
    },
  },
} as const satisfies RequirementSet

/** Ids of the set, without their first part. */
export type ClientRule = keyof (typeof cortaskClientSet)['requirements'] extends `cortask-client:${infer Rest}`
  ? Rest
  : never
