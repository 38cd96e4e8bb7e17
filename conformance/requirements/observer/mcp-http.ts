import type { Requirement, Requirements } from '../../requirement.ts'
import { mcpRequirements } from './mcp.ts'

const TRANSPORT = 'Model Context Protocol 2025-11-25, Streamable HTTP'

/** The subjects that are the same over every transport. */
const SHARED = [
  'tools',
  'arguments',
  'call',
  'act',
  'picture',
  'is-error',
  'unknown',
  'unknown-tool',
  'gates',
  'version',
  'versions',
] as const
type Shared = (typeof SHARED)[number]

/** A requirement of MCP over standard input and output, for HTTP. The observer's document does not have this transport. */
const overHttp = (subject: Shared): Requirement => {
  const { text, source } = mcpRequirements[`observer:mcp:${subject}`]
  return {
    level: 'SHOULD',
    text: `Over HTTP: ${text[0]!.toLowerCase()}${text.slice(1)}`,
    source,
    basis: { because: 'The document has MCP on standard input and output only; a transport changes no result.' },
    covers: ['O-M6'],
    tier: 'full',
  }
}

const sharedRequirements = Object.fromEntries(
  SHARED.map((subject) => [`observer:mcp-http:${subject}`, overHttp(subject)]),
) as { readonly [Subject in Shared as `observer:mcp-http:${Subject}`]: Requirement }

/** The transport Streamable HTTP at `/mcp`. Nothing of it is judged when POST /mcp answers 404, 405 or 501. */
export const mcpHttpRequirements = {
  'observer:mcp-http:initialize': {
    level: 'SHOULD',
    text: 'A POST of initialize to /mcp answers with a protocol version, the server’s name and the capability tools.',
    source: TRANSPORT,
    basis: {
      states: 'A server has one endpoint that supports POST; a request is answered with JSON or an event stream.',
    },
    covers: ['O-M6'],
    tier: 'full',
  },
  ...sharedRequirements,
  'observer:mcp-http:desktop': {
    level: 'SHOULD',
    text: 'MCP over HTTP and REST serve the same desktop.',
    source: 'good sense',
    basis: { because: 'Both are at one address, and --mode both serves one desktop over both.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:session-id': {
    level: 'SHOULD',
    text: 'Each client gets another session id, of visible ASCII characters.',
    source: TRANSPORT,
    basis: { states: 'The session id is globally unique and has only characters from 0x21 to 0x7E.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:without-session': {
    level: 'SHOULD',
    text: 'A request without the session id of its client is refused with 400.',
    source: TRANSPORT,
    basis: { states: 'Servers that require a session id answer requests without one with 400, except initialize.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:unknown-session': {
    level: 'SHOULD',
    text: 'A request with an unknown session id is refused with 404.',
    source: TRANSPORT,
    basis: { because: 'The protocol has 404 for ended sessions; a client connects anew only after this status.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:delete': {
    level: 'SHOULD',
    text: 'After DELETE, requests with the session id are refused with 404.',
    source: TRANSPORT,
    basis: { states: 'A client ends its session with DELETE; requests with an ended session are answered with 404.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:notification': {
    level: 'SHOULD',
    text: 'A notification is answered with 202 and no body.',
    source: TRANSPORT,
    basis: { states: 'A server that accepts a notification or a response answers with 202 without a body.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:get': {
    level: 'SHOULD',
    text: 'GET is answered with an event stream, or with 405.',
    source: TRANSPORT,
    basis: { states: 'GET is answered with an event stream, or with 405 by a server that offers none.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:accept': {
    level: 'MAY',
    text: 'A request that accepts neither JSON nor event streams is refused with 406.',
    source: TRANSPORT,
    basis: { because: 'The protocol requires clients to accept both, but does not specify the answer to others.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:version-header': {
    level: 'SHOULD',
    text: 'A request with an unknown MCP-Protocol-Version is refused with 400.',
    source: TRANSPORT,
    basis: { states: 'An invalid or unsupported MCP-Protocol-Version is answered with 400.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:origin': {
    level: 'SHOULD',
    text: 'A request from a foreign web page is refused with 403.',
    source: TRANSPORT,
    basis: { states: 'Servers validate the header Origin, and answer an invalid one with 403.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:parse-error': {
    level: 'SHOULD',
    text: 'A body that is not JSON is refused with 400 and error -32700.',
    source: TRANSPORT,
    basis: { because: 'The protocol has an HTTP error with an optional JSON-RPC error; JSON-RPC defines the code.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:stream-end': {
    level: 'SHOULD',
    text: 'The event stream of a request ends after its response, which is sent once.',
    source: TRANSPORT,
    basis: { states: 'The server ends the event stream of a request after its response.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:event-ids': {
    level: 'SHOULD',
    text: 'The ids of events are unique within a session.',
    source: TRANSPORT,
    basis: { states: 'An event id is unique across all streams of the session.' },
    covers: ['O-M6'],
    tier: 'full',
  },
  'observer:mcp-http:resume': {
    level: 'SHOULD',
    text: 'GET with Last-Event-ID sends the events of that stream that followed.',
    source: TRANSPORT,
    basis: {
      states: 'The server may use Last-Event-ID to replay the messages that followed on the stream that broke off.',
    },
    covers: ['O-M6'],
    tier: 'full',
  },
} as const satisfies Requirements
