import { NotReached } from '../../client/conversation.ts'
import { type ClientSuite, type Flow, pickItems } from '../../client/flow.ts'
import type { RequirementSet } from '../../requirement.ts'
import { ACTING_ITEMS, actingClientRequirements, actingDependencies } from '../client/acting.ts'
import { actingFlows, settled } from '../client/acting-flows.ts'
import { GOAL } from '../client/screen.ts'
import { observerItems } from '../document.ts'
import { McpServer, type RpcMessage } from './server.ts'

const LIFECYCLE = 'Model Context Protocol 2025-06-18, Lifecycle'
const BASE = 'Model Context Protocol 2025-06-18, Base protocol'
const STDIO = 'Model Context Protocol 2025-06-18, Transports, stdio'
const PING = 'Model Context Protocol 2025-06-18, Ping'
const TOOLS = 'Model Context Protocol 2025-06-18, Tools'
const META = 'Model Context Protocol 2026-07-28, General fields'
const VERSIONING = 'Model Context Protocol 2026-07-28, Versioning and Compatibility'
const STATELESS_STDIO = 'Model Context Protocol 2026-07-28, Transports, stdio'
const ROUND_TRIPS = 'Model Context Protocol 2026-07-28, Multi Round-Trip Requests'
const RESULTS = 'Model Context Protocol 2026-07-28, Messages'
const JUDGEMENT = 'good sense; the document leaves it open'

/** The requirements of the Model Context Protocol and the OS Screen Observer for agents over MCP. */
const mcpClientSet: RequirementSet = {
  protocol: 'mcp-client',
  document:
    'OS Screen Observer and Model Context Protocol 2025-06-18 and 2026-07-28, agents over MCP on standard input and output',
  groups: { 'O-E': 'Endpoints', 'O-X': 'Error codes', 'O-G': 'Guards', 'O-R': 'Rules', 'O-M': 'MCP' },
  items: pickItems(observerItems, `${ACTING_ITEMS} O-M1 O-M2 O-M3 O-M4 O-M5 O-M7`),
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
      text: 'A client whose server exits ends with an error or starts it again, and does not wait for the response.',
      source: JUDGEMENT,
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
    'mcp-client:stateless:meta': {
      level: 'MUST',
      text: 'In 2026-07-28: _meta of every request has protocolVersion and clientCapabilities.',
      source: META,
      basis: { states: 'Fields marked as required must be included on every request; these two are.' },
      covers: ['O-M7'],
    },
    'mcp-client:stateless:client-info': {
      level: 'SHOULD',
      text: 'In 2026-07-28: _meta of every request has clientInfo.',
      source: META,
      basis: { states: 'Clients should include clientInfo on every request unless configured not to do so.' },
      covers: ['O-M7'],
    },
    'mcp-client:stateless:version': {
      level: 'SHOULD',
      text: 'In 2026-07-28: a client that shares no version with the server ends with an error.',
      source: VERSIONING,
      basis: { states: 'A client should surface an error to the user if no compatible version exists.' },
      covers: ['O-M7'],
    },
    'mcp-client:stateless:no-fallback': {
      level: 'SHOULD',
      text: 'In 2026-07-28: after UnsupportedProtocolVersion with later versions only, a client does not send initialize.',
      source: STATELESS_STDIO,
      basis: { states: 'A recognized modern error identifies a modern server: do not fall back to initialize.' },
      covers: ['O-M7'],
    },
    'mcp-client:stateless:result-type': {
      level: 'MUST',
      text: 'In 2026-07-28: a result of an unknown type is not used.',
      source: RESULTS,
      basis: { states: 'A resultType of any value unrecognized by the client must be considered invalid.' },
      covers: ['O-M7'],
    },
    'mcp-client:stateless:request-state': {
      level: 'MUST',
      text: 'In 2026-07-28: requestState is sent back exactly, with the call that it belongs to and with no other.',
      source: ROUND_TRIPS,
      basis: { states: 'The client must echo back the exact value of that field when retrying the original request.' },
      covers: ['O-M7'],
    },
    ...actingClientRequirements('mcp-client'),
  },
}

const PREFIX = 'mcp-client'
const ids = (...rules: readonly string[]) => rules.map((rule) => `${PREFIX}:${rule}`)
const endsNormally = (rule: string): Flow<McpServer>['ending'] => ({ how: 'well', id: `${PREFIX}:${rule}` })

/** A flow of the wire, played by a server that speaks one kind of revisions only. */
const wire = (speaks: McpServer['speaks'], { play, ...flow }: Omit<Flow<McpServer>, 'text'>): Flow<McpServer> => ({
  ...flow,
  text: GOAL,
  play: async (server) => {
    server.speaks = speaks
    await play(server)
  },
})

const endsServer = async (server: McpServer) => {
  const ended = server.shutdown ?? (await server.desk.context.flowContext.until(() => server.shutdown))
  const problem = ended === 'input' ? undefined : `the server was ended by ${ended === 'signal' ? 'SIGTERM' : 'force'}`
  if (ended !== undefined) server.rule('shutdown:input', problem)
}

const handshake = wire('older', {
  name: 'handshake',
  description: 'The response to initialize takes half a second.',
  requirements: ids(
    'handshake:initialize',
    'handshake:early',
    'handshake:initialized',
    'tools:listed',
    'shutdown:input',
  ),
  ending: endsNormally('goal:reached'),
  async play(server) {
    server.openingMs = 500
    await server.started()
    await settled(server)
    await endsServer(server)
  },
})

const version = wire('older', {
  name: 'version',
  description: 'The server answers initialize with a version that there never was.',
  requirements: ids('handshake:version'),
  ending: { how: 'badly', id: `${PREFIX}:handshake:version` },
  async play(server) {
    server.version = NO_VERSION
    await server.started()
    await settled(server)
    server.rule('handshake:version', server.calls > 0 ? 'tools were called all the same' : undefined)
  },
})

const NO_VERSION = '1999-12-31'
const FUTURE_VERSION = '2099-12-31'

/** A flow in which the server sends messages other than responses. */
const talking = (name: string, description: string, rule: string, client: (server: McpServer) => void) =>
  wire('older', {
    name,
    description,
    requirements: ids(rule),
    ending: endsNormally(rule),
    async play(server) {
      server.beforeAnswer = () => client(server)
      await server.started()
      await settled(server)
    },
  })

const notifications = talking(
  'notifications',
  'The server sends log messages, changed lists and notifications that no document knows.',
  'rpc:notifications',
  (server) => {
    server.notify('notifications/message', { level: 'warning', data: 'the screen flickers' })
    server.notify('notifications/tools/list_changed', {})
    server.notify('notifications/weather', { sky: 'blue' })
    server.notify('notifications/progress', { progressToken: 'nobody', progress: 1 })
  },
)

/** A flow in which the server sends a request to the client. */
const asking = (
  name: string,
  description: string,
  rule: string,
  method: string,
  problemOf: (answer: RpcMessage | undefined) => string | undefined,
) =>
  wire('older', {
    name,
    description,
    requirements: ids(rule),
    ending: { how: 'either', id: `${PREFIX}:${rule}` },
    async play(server) {
      let asked: Promise<unknown> | undefined
      server.beforeAnswer = () => {
        asked = server.ask(method).then((answer) => server.rule(rule, problemOf(answer)))
      }
      await server.started()
      await settled(server)
      if (!asked) throw new NotReached('the client called no tool')
      await asked
    },
  })

const ping = asking('ping', 'The server sends a ping.', 'rpc:ping', 'ping', (answer) =>
  answer && JSON.stringify(answer.result) === '{}' ? undefined : `it was answered with ${JSON.stringify(answer)}`,
)

const unknownRequest = asking(
  'unknown-request',
  'The server asks for something that no document knows.',
  'rpc:unknown-request',
  'holograms/list',
  (answer) => (answer?.error ? undefined : `it was answered with ${JSON.stringify(answer)}`),
)

const lost = wire('older', {
  name: 'lost-server',
  description: 'The server ends instead of answering an action.',
  requirements: ids('server:lost'),
  ending: { how: 'badly', id: `${PREFIX}:server:lost` },
  async play(server) {
    server.deaths = Number.POSITIVE_INFINITY
    await server.started()
    await settled(server, { isVerified: false })
    if (server.desk.acts === 0) throw new NotReached('the client did not act')
  },
})

const stateless = wire('stateless', {
  name: 'stateless',
  description: 'The server speaks 2026-07-28 only, and its response to server/discover takes half a second.',
  requirements: ids('stateless:meta', 'stateless:client-info', 'tools:listed', 'shutdown:input'),
  ending: endsNormally('goal:reached'),
  async play(server) {
    server.openingMs = 500
    await server.started()
    await settled(server)
    await endsServer(server)
  },
})

const unsupported = wire('stateless', {
  name: 'unsupported-version',
  description: 'The server refuses 2026-07-28 and supports a later version only.',
  requirements: ids('stateless:no-fallback'),
  ending: { how: 'badly', id: `${PREFIX}:stateless:version` },
  async play(server) {
    server.supported = [FUTURE_VERSION]
    await server.started()
    await settled(server)
    server.rule('stateless:no-fallback', server.hasInitialized ? 'initialize was sent' : undefined)
  },
})

const resultType = wire('stateless', {
  name: 'result-type',
  description: 'Every result of a tool has a type that no document knows.',
  requirements: [],
  ending: { how: 'either', id: `${PREFIX}:stateless:result-type` },
  async play(server) {
    server.resultType = 'hologram'
    await server.started()
    await settled(server, { isVerified: false })
    if (server.calls === 0) throw new NotReached('the client called no tool')
    server.rule('stateless:result-type', server.desk.acts > 0 ? 'the client acted on what it had seen' : undefined)
  },
})

const roundTrip = wire('stateless', {
  name: 'round-trip',
  description: 'The first call of a tool is answered with input_required and a state, without a question.',
  requirements: [],
  ending: { how: 'either', id: `${PREFIX}:stateless:request-state` },
  async play(server) {
    server.requestState = 'c3RhdGU6MQ=='
    await server.started()
    await settled(server, { isVerified: false })
    if (!server.hasRetried) throw new NotReached('the client did not send the call again')
  },
})

const restart = wire('stateless', {
  name: 'restart',
  description: 'The server ends once instead of answering an action.',
  requirements: [],
  ending: { how: 'either', id: `${PREFIX}:server:lost` },
  async play(server) {
    server.deaths = 1
    await server.started()
    await settled(server, { isVerified: false })
    if (server.desk.acts === 0) throw new NotReached('the client did not act')
  },
})

/** Agents over MCP on standard input and output. */
export const mcpClient: ClientSuite<McpServer> = {
  set: mcpClientSet,
  minimum: `start the MCP server that it was given and act on its desktop to reach the goal: ${GOAL}`,
  flows: [
    ...actingFlows<McpServer>(PREFIX),
    ...[handshake, version, notifications, ping, unknownRequest, lost],
    ...[stateless, unsupported, resultType, roundTrip, restart],
  ],
  dependencies: { ...actingDependencies(PREFIX), 'mcp-client:rpc:notifications': ids('goal:reached') },
  open: (context) => new McpServer(context),
}
