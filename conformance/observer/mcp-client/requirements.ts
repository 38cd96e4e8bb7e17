import { pickItems } from '../../client/pick-items.ts'
import type { RequirementSet } from '../../requirement.ts'
import { ACTING_ITEMS, actingClientRequirements } from '../client/acting.ts'
import { observerItems } from '../document.ts'

const LIFECYCLE = 'Model Context Protocol 2025-06-18, Lifecycle'
const BASE = 'Model Context Protocol 2025-06-18, Base protocol'
const STDIO = 'Model Context Protocol 2025-06-18, Transports, stdio'
const PING = 'Model Context Protocol 2025-06-18, Ping'
const TOOLS = 'Model Context Protocol 2025-06-18, Tools'
const SENSE = 'good sense; the document leaves it open'

/** The requirements of the Model Context Protocol and the OS Screen Observer for agents over MCP. */
export const mcpClientSet: RequirementSet = {
  protocol: 'mcp-client',
  document: 'OS Screen Observer and Model Context Protocol 2025-06-18, agents over MCP on standard input and output',
  groups: { 'O-E': 'Endpoints', 'O-X': 'Error codes', 'O-G': 'Guards', 'O-R': 'Rules', 'O-M': 'MCP' },
  items: pickItems(observerItems, `${ACTING_ITEMS} O-M1 O-M2 O-M3 O-M4 O-M5`),
  requirements: {
    'mcp-client:handshake:initialize': {
      level: 'MUST',
      text: 'The first message is an initialize request with protocolVersion, capabilities and clientInfo.',
      source: LIFECYCLE,
      basis: { states: 'Initialization is the first interaction; the client must send these three fields.' },
      covers: ['O-M1'],
    },
    'mcp-client:handshake:early': {
      level: 'SHOULD',
      text: 'Before the response to initialize, a client sends only pings.',
      source: LIFECYCLE,
      basis: { states: 'Before the answer to initialize the client should send no requests other than pings.' },
      covers: ['O-M1'],
    },
    'mcp-client:handshake:initialized': {
      level: 'MUST',
      text: 'After the answer to initialize a client sends notifications/initialized first.',
      source: LIFECYCLE,
      basis: { states: 'After a successful initialization the client must send an initialized notification.' },
      covers: ['O-M1'],
    },
    'mcp-client:handshake:version': {
      level: 'SHOULD',
      text: 'A client disconnects from a server that answers with a version it cannot support.',
      source: LIFECYCLE,
      basis: { states: 'A client that does not support the answered version should disconnect.' },
      covers: ['O-M1'],
    },
    'mcp-client:rpc:shape': {
      level: 'MUST',
      text: 'Every line is one JSON-RPC 2.0 message without line breaks in it.',
      source: STDIO,
      basis: {
        states: 'Messages are JSON-RPC 2.0, one per line; only messages may be written to the input of the server.',
      },
      covers: ['O-M5'],
    },
    'mcp-client:rpc:ids': {
      level: 'MUST',
      text: 'Every request has its own id, a string or a number.',
      source: BASE,
      basis: { states: 'Ids are not null and were not used before by the same side in the session.' },
      covers: ['O-M5'],
    },
    'mcp-client:rpc:ping': {
      level: 'MUST',
      text: 'A ping of the server is answered with an empty result.',
      source: PING,
      basis: { states: 'The receiver of a ping must respond promptly with an empty response.' },
      covers: ['O-M5'],
    },
    'mcp-client:rpc:notifications': {
      level: 'SHOULD',
      text: 'Unknown notifications, log messages and changed lists are passed over.',
      source: BASE,
      basis: { because: 'A notification has no response, so a client cannot depend on one.' },
      covers: ['O-M5'],
    },
    'mcp-client:rpc:unknown-request': {
      level: 'SHOULD',
      text: 'An unknown request is answered with an error.',
      source: BASE,
      basis: { because: 'Every request wants an answer; the server would wait for ever.' },
      covers: ['O-M4'],
    },
    'mcp-client:tools:listed': {
      level: 'SHOULD',
      text: 'Only tools that tools/list names are called, on all of its pages.',
      source: TOOLS,
      basis: { because: 'tools/list is how a client learns which tools there are.' },
      covers: ['O-M2'],
    },
    'mcp-client:tools:arguments': {
      level: 'MUST',
      text: 'Arguments of a call fit the input schema of its tool.',
      source: TOOLS,
      basis: { states: 'inputSchema defines the parameters that a tool expects.' },
      covers: ['O-M3'],
    },
    'mcp-client:server:lost': {
      level: 'SHOULD',
      text: 'A client whose server exits ends with an error, and does not wait for the response.',
      source: SENSE,
      basis: { because: 'No answer comes any more, and the goal was not reached.' },
      covers: ['O-M4'],
    },
    'mcp-client:shutdown:input': {
      level: 'SHOULD',
      text: 'A client that is done closes the input of the server before it kills it.',
      source: LIFECYCLE,
      basis: { states: 'The client should first close the input stream of the server, and then wait for its end.' },
      covers: ['O-M5'],
    },
    ...actingClientRequirements('mcp-client'),
  },
}
