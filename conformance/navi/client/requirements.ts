import { pickItems } from '../../client/flow.ts'
import type { RequirementSet } from '../../requirement.ts'
import { naviItems } from '../document.ts'

const REST = 'Navi session API, REST'
const SOCKET = 'Navi session API, WebSocket'
const EVENTS = 'Navi session API, WebSocket events'
const JUDGEMENT = 'good sense; the document leaves it open'

/** The requirements of the Navi session API for clients. */
export const naviClientSet = {
  protocol: 'navi-client',
  document: 'Navi session API, clients',
  groups: {
    'N-E': 'Endpoints',
    'N-M': 'Messages of the client',
    'N-V': 'Events',
    'N-X': 'Statuses and close codes',
    'N-G': 'Order of events',
    'N-B': 'Behaviour',
  },
  items: pickItems(
    naviItems,
    'N-E4 N-E10 N-E11 N-E13 N-M1 N-M2 N-M3 N-M4 N-V1 N-V2 N-V3 N-V4 N-V5 N-V6 N-V7 N-V8 N-V9 N-V10 N-V11 N-V12 N-V13 N-X2 N-X5 N-G2 N-G3 N-G4 N-G6 N-B4 N-B9 N-B10 N-B13',
  ),
  requirements: {
    'navi-client:request:known': {
      level: 'SHOULD',
      text: 'Every request is one of the documented endpoints.',
      source: REST,
      basis: { because: 'The document lists the endpoints; a server may offer nothing beyond it.' },
      covers: ['N-E13'],
    },
    'navi-client:request:json': {
      level: 'MUST',
      text: 'Everything that is sent over the socket is JSON.',
      source: SOCKET,
      basis: { states: 'All messages of the socket are JSON.' },
      covers: ['N-E13'],
    },
    'navi-client:request:session': {
      level: 'MUST',
      text: 'Requests and the socket name the session_id that the creation answered.',
      source: SOCKET,
      basis: { states: 'The socket of a session is at /ws/sessions/{session_id}; an unknown one is closed.' },
      covers: ['N-E13', 'N-X2'],
    },
    'navi-client:shape:create': {
      level: 'MUST',
      text: 'POST /sessions names a profile_id.',
      source: REST,
      basis: { states: 'The creation of a session takes a profile_id.' },
      covers: ['N-E4'],
    },
    'navi-client:shape:message': {
      level: 'MUST',
      text: 'A message has type "message", a content that is not empty, and images and files as documented.',
      source: SOCKET,
      basis: { states: 'type is always "message" and content is not empty; images and files are optional.' },
      covers: ['N-M1', 'N-M2', 'N-M3', 'N-M4'],
    },
    'navi-client:create:profile': {
      level: 'SHOULD',
      text: 'The profile of a session is one of those that the server lists.',
      source: REST,
      basis: { because: 'Any other profile is answered with 404.' },
      covers: ['N-E4', 'N-X2'],
    },
    'navi-client:file:uploaded': {
      level: 'MUST',
      text: 'A message names files only after they were uploaded to its session.',
      source: REST,
      basis: { states: 'A file is uploaded before the message that references it is sent.' },
      covers: ['N-E10', 'N-M4'],
      tier: 'full',
    },
    'navi-client:run:once': {
      level: 'MUST',
      text: 'A client sends no message between stream_start and the end of the run.',
      source: EVENTS,
      basis: { states: 'Input is disabled at stream_start and enabled again at stream_end or stream_stopped.' },
      covers: ['N-V1', 'N-B10'],
    },
    'navi-client:run:said': {
      level: 'SHOULD',
      text: 'The user’s text is sent unchanged.',
      source: JUDGEMENT,
      basis: { because: 'The agent would answer something else.' },
      covers: ['N-M2'],
    },
    'navi-client:run:waits': {
      level: 'MUST',
      text: 'A client reads until stream_end, and then ends well.',
      source: EVENTS,
      basis: { states: 'stream_end reports that the agent has finished; no earlier event does.' },
      covers: ['N-V9'],
    },
    'navi-client:events:documented': {
      level: 'MUST',
      text: 'A client reads on after each documented event.',
      source: EVENTS,
      basis: { states: 'Thinking, plans, tools, sub-agents and profile switches come in the order of the flows.' },
      covers: ['N-V2', 'N-V3', 'N-V4', 'N-V5', 'N-V6', 'N-V7', 'N-V8', 'N-V11', 'N-G2', 'N-G3', 'N-G4'],
    },
    'navi-client:events:recoverable': {
      level: 'MUST',
      text: 'A client reads on after an error event, which need not end the run.',
      source: EVENTS,
      basis: { states: 'Some errors are recoverable, and the stream continues.' },
      covers: ['N-V13'],
    },
    'navi-client:events:compressed': {
      level: 'MUST',
      text: 'context_compressed after stream_end does not affect a client.',
      source: EVENTS,
      basis: { states: 'context_compressed is informational and may follow the response.' },
      covers: ['N-V12', 'N-G6'],
    },
    'navi-client:events:unknown': {
      level: 'SHOULD',
      text: 'A client reads on after an event of an unknown type.',
      source: JUDGEMENT,
      basis: { because: 'A later version of the server may send more events.' },
      covers: ['N-E13'],
    },
    'navi-client:events:unknown-fields': {
      level: 'SHOULD',
      text: 'A client ignores unknown fields of events.',
      source: JUDGEMENT,
      basis: { because: 'A later version of the server may send more fields.' },
      covers: ['N-V8', 'N-V9'],
    },
    'navi-client:stop:rest': {
      level: 'MUST',
      text: 'A run is stopped by POST /sessions/{session_id}/stop, never over the socket.',
      source: REST,
      basis: { states: 'The stop is sent over HTTP and not over the socket.' },
      covers: ['N-E11', 'N-B13'],
    },
    'navi-client:stop:waits': {
      level: 'SHOULD',
      text: 'A client that stopped a run reads until stream_stopped, and takes it as the end.',
      source: EVENTS,
      basis: { because: 'The agent stops at its next check, so events may follow the response to the stop.' },
      covers: ['N-V10', 'N-B4'],
    },
    'navi-client:resume:reconnects': {
      level: 'SHOULD',
      text: 'A client whose socket breaks during a run connects to the same session again.',
      source: SOCKET,
      basis: {
        because: 'The server continues the run and forwards missed events; a client that leaves loses them.',
      },
      covers: ['N-B9'],
    },
    'navi-client:resume:resent': {
      level: 'MUST',
      text: 'After a reconnect nothing is sent to resume the run.',
      source: SOCKET,
      basis: { states: 'The server subscribes a client again by itself; no extra handshake is needed.' },
      covers: ['N-B9'],
    },
    'navi-client:gone:gives-up': {
      level: 'SHOULD',
      text: 'A socket that was closed with 4004 is not opened again.',
      source: SOCKET,
      basis: { because: '4004 means that the session does not exist, and it does not come back.' },
      covers: ['N-X5'],
    },
    'navi-client:refusal:reported': {
      level: 'SHOULD',
      text: 'A client whose session cannot be created, or no longer exists, ends with an error.',
      source: JUDGEMENT,
      basis: { because: 'Otherwise the user mistakes a failed run for a finished one.' },
      covers: ['N-X2', 'N-X5'],
    },
    'navi-client:refusal:hammering': {
      level: 'SHOULD',
      text: 'A refused request is not repeated more than five times per second.',
      source: JUDGEMENT,
      basis: { because: 'A server that refuses is not helped by more requests.' },
      covers: ['N-X2'],
    },
  },
} as const satisfies RequirementSet

/** Ids of the set, without their first part. */
export type ClientRule = keyof (typeof naviClientSet)['requirements'] extends `navi-client:${infer Rest}` ? Rest : never
