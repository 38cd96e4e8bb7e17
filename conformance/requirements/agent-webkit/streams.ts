import type { Requirements } from '../../requirement.ts'

const CREATE = 'wire protocol 1.0, POST /sessions'
const STREAM = 'wire protocol 1.0, GET /sessions/{session_id}/stream'
const DELETE = 'wire protocol 1.0, DELETE /sessions/{session_id}'
const AUTH = 'wire protocol 1.0, Auth'
const EVENTS = 'wire protocol 1.0, Outbound SSE event types'
const IDS = 'wire protocol 1.0, Dual ID scheme'
const REFERENCE = 'reference server 0.2.0'
const CLIENT = 'official client @agent-webkit/core 0.2.0'

/** Sessions and their streams. */
export const streamRequirements = {
  'agent-webkit:create:answer': {
    level: 'MUST',
    says: 'POST /sessions answers with a new session_id and protocol_version "1.0".',
    source: CREATE,
    covers: ['W-E1'],
  },
  'agent-webkit:create:options': {
    level: 'MUST',
    says: 'model, permission_mode and cwd may be given in any combination.',
    source: CREATE,
    covers: ['W-E1'],
  },
  'agent-webkit:create:unique': {
    level: 'MUST',
    says: 'Each creation makes a session of its own.',
    source: CREATE,
    covers: ['W-E1'],
  },
  'agent-webkit:create:unknown-keys': {
    level: 'SHOULD',
    says: 'Unknown keys of a creation are ignored.',
    source: REFERENCE,
    covers: ['W-E1'],
  },
  'agent-webkit:create:status': {
    level: 'SHOULD',
    says: 'A creation answers 200.',
    source: REFERENCE,
    covers: ['W-E1', 'W-D13'],
  },
  'agent-webkit:create:malformed': {
    level: 'MUST',
    says: 'A creation whose body is not JSON, not an object or mistyped is refused with 400 or 422.',
    source: CREATE,
    covers: ['W-E1', 'W-X8'],
  },
  'agent-webkit:auth:missing': {
    level: 'MUST',
    says: 'Without a bearer token every session route answers 401.',
    source: AUTH,
    covers: ['W-X6'],
    tier: 'full',
  },
  'agent-webkit:auth:wrong': {
    level: 'MUST',
    says: 'With a wrong bearer token every session route answers 401.',
    source: AUTH,
    covers: ['W-X6'],
    tier: 'full',
  },
  'agent-webkit:auth:first': {
    level: 'SHOULD',
    says: 'The token is checked before the session and the body.',
    source: REFERENCE,
    covers: ['W-X6'],
    tier: 'full',
  },
  'agent-webkit:auth:header-only': {
    level: 'MUST',
    says: 'A token in the query is no token.',
    source: AUTH,
    covers: ['W-X6'],
    tier: 'full',
  },
  'agent-webkit:stream:opens': {
    level: 'MUST',
    says: 'A stream is answered with 200 and text/event-stream.',
    source: STREAM,
    covers: ['W-E2', 'W-F3'],
  },
  'agent-webkit:stream:headers': {
    level: 'SHOULD',
    says: 'A stream forbids caching and buffering.',
    source: REFERENCE,
    covers: ['W-F3'],
  },
  'agent-webkit:stream:first': {
    level: 'MUST',
    says: 'The first event is session_ready with id 1, naming the session and protocol version 1.0.',
    source: EVENTS,
    covers: ['W-V1'],
  },
  'agent-webkit:stream:framing': {
    level: 'MUST',
    says: 'A frame is one id line, one event line and one data line of JSON.',
    source: STREAM,
    covers: ['W-F1', 'W-F4', 'W-F5'],
  },
  'agent-webkit:stream:known-events': {
    level: 'SHOULD',
    says: 'Every event is one of the twelve documented ones.',
    source: EVENTS,
    covers: ['W-F1'],
  },
  'agent-webkit:stream:ids': {
    level: 'MUST',
    says: 'Ids of a session count up from 1 without gaps, over all its turns.',
    source: IDS,
    covers: ['W-F6', 'W-F5'],
  },
  'agent-webkit:stream:resume': {
    level: 'MUST',
    says: 'With Last-Event-ID n the stream goes on with n+1 and repeats nothing.',
    source: STREAM,
    covers: ['W-R4', 'W-D20'],
  },
  'agent-webkit:stream:resume-live': {
    level: 'MUST',
    says: 'A resume in the middle of a turn joins replay and live events into one sequence.',
    source: STREAM,
    covers: ['W-R4', 'W-D20'],
  },
  'agent-webkit:stream:identical': {
    level: 'SHOULD',
    says: 'A replayed frame is the frame that was sent, byte for byte.',
    source: REFERENCE,
    covers: ['W-R4'],
  },
  'agent-webkit:stream:everything': {
    level: 'MUST',
    says: 'Without a cursor, with an empty one or with 0 everything still held is replayed.',
    source: STREAM,
    covers: ['W-R2', 'W-X1'],
  },
  'agent-webkit:stream:newest': {
    level: 'MUST',
    says: 'With the newest id the stream opens, waits, and then carries what comes.',
    source: STREAM,
    covers: ['W-R3'],
  },
  'agent-webkit:stream:future': {
    level: 'SHOULD',
    says: 'A cursor beyond the newest id opens a silent stream.',
    source: REFERENCE,
    covers: ['W-R3', 'W-D6'],
  },
  'agent-webkit:stream:malformed': {
    level: 'MUST',
    says: 'A cursor that is not a non-negative integer answers 400.',
    source: STREAM,
    covers: ['W-X1'],
  },
  'agent-webkit:stream:evicted': {
    level: 'MUST',
    says: 'A cursor whose next event has left the buffer answers 412.',
    source: STREAM,
    covers: ['W-X2'],
  },
  'agent-webkit:stream:edge': {
    level: 'MUST',
    says: 'The cursor just before the oldest held event still resumes, for nothing is missing.',
    source: STREAM,
    covers: ['W-X2'],
  },
  'agent-webkit:stream:ring': {
    level: 'SHOULD',
    says: 'At least the newest 1,000 events of a session are held.',
    source: REFERENCE,
    covers: ['W-R1'],
  },
  'agent-webkit:stream:zero-after-eviction': {
    level: 'SHOULD',
    says: 'Without a cursor a stream opens also when event 1 is gone.',
    source: REFERENCE,
    covers: ['W-R2', 'W-D5'],
  },
  'agent-webkit:stream:subscribers': {
    level: 'MUST',
    says: 'Any number of subscribers see the same events under the same ids.',
    source: STREAM,
    covers: ['W-R5'],
  },
  'agent-webkit:stream:leaving': {
    level: 'MUST',
    says: 'A subscriber that leaves changes nothing for the session and for the others.',
    source: STREAM,
    covers: ['W-R5', 'W-T10'],
  },
  'agent-webkit:stream:prompt': {
    level: 'MUST',
    says: 'Events of a burst arrive without waiting for the next keepalive.',
    source: STREAM,
    covers: ['W-D2'],
  },
  'agent-webkit:stream:slow': {
    level: 'MUST',
    says: 'A subscriber that does not read for a while misses no id without being told.',
    source: STREAM,
    covers: ['W-D3'],
  },
  'agent-webkit:stream:unknown': {
    level: 'MUST',
    says: 'The stream of an unknown session answers 404.',
    source: REFERENCE,
    covers: ['W-X5'],
  },
  'agent-webkit:stream:keepalive': {
    level: 'MUST',
    says: 'An idle stream carries a comment every 15 seconds.',
    source: STREAM,
    covers: ['W-F2'],
  },
  'agent-webkit:stream:alive': {
    level: 'MUST',
    says: 'A stream goes on after its keepalive.',
    source: STREAM,
    covers: ['W-D1', 'W-F2'],
  },
  'agent-webkit:close:answer': {
    level: 'MUST',
    says: 'DELETE answers 204.',
    source: DELETE,
    covers: ['W-E4'],
  },
  'agent-webkit:close:done': {
    level: 'MUST',
    says: 'DELETE gives every live subscriber a final done, and then ends the stream.',
    source: DELETE,
    covers: ['W-V12', 'W-T6'],
  },
  'agent-webkit:close:parked': {
    level: 'MUST',
    says: 'DELETE ends a session also while a permission is pending.',
    source: DELETE,
    covers: ['W-T6'],
  },
  'agent-webkit:close:gone': {
    level: 'MUST',
    says: 'After DELETE inputs and streams of the session answer 404, a resume too.',
    source: REFERENCE,
    covers: ['W-X5', 'W-R7'],
  },
  'agent-webkit:close:twice': {
    level: 'SHOULD',
    says: 'Deleting an unknown or deleted session answers 204.',
    source: REFERENCE,
    covers: ['W-D12', 'W-E4'],
  },
  'agent-webkit:close:alone': {
    level: 'MUST',
    says: 'Deleting one session leaves the others as they are.',
    source: DELETE,
    covers: ['W-E4'],
  },
  'agent-webkit:other:path': {
    level: 'SHOULD',
    says: 'An unknown path answers 404 and a wrong method 405 (or 404), as JSON.',
    source: REFERENCE,
    covers: ['W-E6'],
  },
  'agent-webkit:other:detail': {
    level: 'SHOULD',
    says: 'The body of an error is an object with a detail.',
    source: REFERENCE,
    covers: ['W-E6', 'W-X3'],
  },
  'agent-webkit:other:genui': {
    level: 'MAY',
    says: 'GET /genui/schema lists tools whose names match the documented pattern.',
    source: REFERENCE,
    covers: ['W-E5'],
    tier: 'full',
  },
  'agent-webkit:other:idle': {
    level: 'SHOULD',
    says: 'A session is ended after 300 idle seconds, unless a stream is open.',
    source: REFERENCE,
    covers: ['W-T7', 'W-D4'],
    unchecked: 'it takes more than five minutes of the server’s own time',
  },
  'agent-webkit:other:closing-client': {
    level: 'MAY',
    says: 'The client that closes a session need not see its done.',
    source: CLIENT,
    covers: ['W-T8'],
    unchecked: 'it is a habit of the official client, not of a server',
  },
  'agent-webkit:other:environment': {
    level: 'MAY',
    says: 'The token comes from AGENT_WEBKIT_TOKEN, and AGENT_WEBKIT_NO_AUTH=1 switches it off.',
    source: REFERENCE,
    covers: ['W-D16'],
    unchecked: 'the environment of a server cannot be seen from outside',
  },
  'agent-webkit:other:cors': {
    level: 'MAY',
    says: 'CORS headers are sent only where the operator allows an origin.',
    source: REFERENCE,
    covers: ['W-D17'],
  },
  'agent-webkit:other:history': {
    level: 'MAY',
    says: 'What a 412 has cost a subscriber cannot be fetched again.',
    source: REFERENCE,
    covers: ['W-D18'],
    unchecked: 'it is the absence of a feature',
  },
  'agent-webkit:other:answered': {
    level: 'MAY',
    says: 'That a request has been answered is seen by its tool_result or by the result, not by an event of its own.',
    source: REFERENCE,
    covers: ['W-D19'],
    unchecked: 'known-events proves that no undocumented event is sent',
  },
} as const satisfies Requirements
