import { pickItems } from '../../client/flow.ts'
import type { RequirementSet } from '../../requirement.ts'
import { windieosItems } from '../document.ts'

const SOCKET = 'WindieOS API reference, WebSocket'
const HANDSHAKE = 'WindieOS API reference, handshake'
const ENVELOPE = 'WindieOS API reference, base message envelope'
const MESSAGES = 'WindieOS API reference, client to backend messages'
const EVENTS = 'WindieOS API reference, backend to client messages'
const HTTP = 'WindieOS API reference, HTTP'
const JUDGEMENT = 'good sense; the document leaves it open'

/** The requirements of the WindieOS API reference for clients. */
export const windieosClientSet = {
  protocol: 'windieos-client',
  document: 'WindieOS API reference, clients',
  groups: { H: 'Routes', W: 'Sockets', K: 'Handshake', C: 'Messages of the client', S: 'Events' },
  items: pickItems(
    windieosItems,
    'H01 H09 W01 K01 K02 K03 K04 K05 K08 C00 C01 C06 C07 S01 S03 S04 S05 S06 S07 S11 S14 S15 S16 S17 S18 S19',
  ),
  requirements: {
    'windieos-client:request:known': {
      level: 'SHOULD',
      text: 'Every request and every socket is one of the documented ones.',
      source: HTTP,
      basis: { because: 'The document lists the routes; a backend may offer nothing beyond it.' },
      covers: ['H01', 'W01'],
    },
    'windieos-client:request:shape': {
      level: 'MUST',
      text: 'The body of a request has the documented fields.',
      source: HTTP,
      basis: { states: 'Each route is documented with the fields of its request.' },
      covers: ['H01', 'H09'],
      tier: 'full',
    },
    'windieos-client:auth:token': {
      level: 'MUST',
      text: 'A client that has a token sends it as a bearer token with the upgrade and with requests to /api.',
      source: HANDSHAKE,
      basis: { states: 'The socket of a hosted backend has the header Authorization, and so have requests to /api.' },
      covers: ['K02', 'K04'],
    },
    'windieos-client:handshake:first': {
      level: 'MUST',
      text: 'The first message on a socket is the handshake, right after it is open.',
      source: HANDSHAKE,
      basis: { states: 'A client sends a handshake immediately after it has connected.' },
      covers: ['K01', 'C00'],
    },
    'windieos-client:handshake:shape': {
      level: 'MUST',
      text: 'The handshake has type "handshake", a user_id, and an agent_definition that is an object, if any.',
      source: HANDSHAKE,
      basis: { states: 'A handshake of another schema is closed with 1008; agent_definition is optional.' },
      covers: ['K03', 'K08', 'C00'],
    },
    'windieos-client:handshake:removed': {
      level: 'MUST',
      text: 'The handshake has none of the removed fields.',
      source: HANDSHAKE,
      basis: { states: 'operating_system, available_tools and the like at the top of a handshake are rejected.' },
      covers: ['K05'],
    },
    'windieos-client:envelope:shape': {
      level: 'MUST',
      text: 'Every message after the handshake is JSON with id, type and payload.',
      source: ENVELOPE,
      basis: { states: 'All messages after the handshake have an id, a type and a payload.' },
      covers: ['W01', 'C01'],
    },
    'windieos-client:envelope:unknown': {
      level: 'MUST',
      text: 'The envelope of a message has no fields but id, type, payload, timestamp and user_id.',
      source: ENVELOPE,
      basis: { states: 'Unknown fields at the top of an envelope are rejected.' },
      covers: ['C01'],
    },
    'windieos-client:envelope:unique': {
      level: 'MUST',
      text: 'No two messages have the same id.',
      source: ENVELOPE,
      basis: { states: 'The id is a unique identifier of the message.' },
      covers: ['C01'],
    },
    'windieos-client:shape:type': {
      level: 'SHOULD',
      text: 'The type of a message is one of the documented ones.',
      source: MESSAGES,
      basis: { because: 'The document does not specify the effect of a backend with other types.' },
      covers: ['C01'],
    },
    'windieos-client:shape:query': {
      level: 'MUST',
      text: 'A query has a text and a conversation_ref.',
      source: MESSAGES,
      basis: { states: 'A query has a text, and its conversation_ref is required.' },
      covers: ['C01'],
    },
    'windieos-client:shape:tool-result': {
      level: 'MUST',
      text: 'A tool-result has a request_id, success and, if any, data that is an object.',
      source: MESSAGES,
      basis: { states: 'The payload of tool-result has request_id, success, data and error.' },
      covers: ['C06'],
    },
    'windieos-client:shape:tool-bundle-result': {
      level: 'MUST',
      text: 'A tool-bundle-result has a bundle_id, a documented status and a list of step_results.',
      source: MESSAGES,
      basis: { states: 'The status is success, partial_failure or failure; step_results has one entry for each step.' },
      covers: ['C07'],
    },
    'windieos-client:turn:once': {
      level: 'SHOULD',
      text: 'The user’s text is sent once, unchanged.',
      source: JUDGEMENT,
      basis: { because: 'Each query is its own turn, which costs money and may act twice.' },
      covers: ['C01'],
    },
    'windieos-client:turn:waits': {
      level: 'MUST',
      text: 'A client reads until streaming-complete, and then ends well.',
      source: EVENTS,
      basis: { states: 'streaming-complete is the end of the streaming response.' },
      covers: ['S01', 'S07'],
    },
    'windieos-client:events:documented': {
      level: 'MUST',
      text: 'A client reads on after each documented event.',
      source: EVENTS,
      basis: { states: 'The answer to a query is a stream of thoughts, tools, texts and transparency events.' },
      covers: ['S04', 'S05', 'S14', 'S15', 'S16', 'S17', 'S18', 'S19'],
    },
    'windieos-client:events:unknown': {
      level: 'SHOULD',
      text: 'A client reads on after an event of an unknown type.',
      source: JUDGEMENT,
      basis: { because: 'Backends send more events than the document lists.' },
      covers: ['W01'],
    },
    'windieos-client:events:unknown-fields': {
      level: 'SHOULD',
      text: 'A client ignores unknown fields of envelopes and payloads.',
      source: JUDGEMENT,
      basis: { because: 'A later version of the backend may send more fields.' },
      covers: ['W01'],
    },
    'windieos-client:error:reported': {
      level: 'SHOULD',
      text: 'A client whose query is answered with an error ends with an error.',
      source: JUDGEMENT,
      basis: { because: 'Otherwise the user mistakes a failed turn for a finished one.' },
      covers: ['S06'],
    },
    'windieos-client:tool:correlation': {
      level: 'MUST',
      text: 'A tool-result echoes the request_id of its tool-call, in any format.',
      source: MESSAGES,
      basis: { states: 'request_id must echo that of the tool-call, and is opaque.' },
      covers: ['C06', 'S03'],
    },
    'windieos-client:tool:once': {
      level: 'SHOULD',
      text: 'A tool-call is answered once.',
      source: JUDGEMENT,
      basis: { because: 'A second result may be mistaken for that of a later call.' },
      covers: ['C06', 'S03'],
    },
    'windieos-client:bundle:correlation': {
      level: 'SHOULD',
      text: 'A tool-bundle-result names the bundle_id of its tool-bundle.',
      source: JUDGEMENT,
      basis: { because: 'The document shows the id on both sides and does not specify that it must be the same.' },
      covers: ['C07', 'S11'],
    },
    'windieos-client:reconnect:returns': {
      level: 'MUST',
      text: 'A client whose socket breaks connects again.',
      source: SOCKET,
      basis: { states: 'The connection is persistent, with an automatic reconnect after a disconnect.' },
      covers: ['W01'],
    },
    'windieos-client:refusal:reported': {
      level: 'SHOULD',
      text: 'A client whose handshake is refused ends with an error.',
      source: JUDGEMENT,
      basis: { because: 'Otherwise the user mistakes a failed turn for a finished one.' },
      covers: ['K03', 'K04'],
    },
    'windieos-client:refusal:hammering': {
      level: 'SHOULD',
      text: 'A client whose handshake is refused does not connect more than five times per second.',
      source: JUDGEMENT,
      basis: { because: 'A backend that refuses is not helped by more handshakes.' },
      covers: ['K03', 'K04'],
    },
  },
} as const satisfies RequirementSet

/** Ids of the set, without their first part. */
export type ClientRule = keyof (typeof windieosClientSet)['requirements'] extends `windieos-client:${infer Rest}`
  ? Rest
  : never
