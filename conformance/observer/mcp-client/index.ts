import { NotReached } from '../../client/conversation.ts'
import type { ClientSuite, Flow } from '../../client/flow.ts'
import { actingDependencies } from '../client/acting.ts'
import { actingFlows, settled } from '../client/acting-flows.ts'
import { GOAL } from '../client/screen.ts'
import { mcpClientSet } from './requirements.ts'
import { McpServer, type RpcMessage } from './server.ts'

const PREFIX = 'mcp-client'
const ids = (...rules: readonly string[]) => rules.map((rule) => `${PREFIX}:${rule}`)
const well = (rule: string): Flow<McpServer>['ending'] => ({ how: 'well', id: `${PREFIX}:${rule}` })

const handshake: Flow<McpServer> = {
  name: 'handshake',
  description: 'The response to initialize takes half a second.',
  text: GOAL,
  requirements: ids(
    'handshake:initialize',
    'handshake:early',
    'handshake:initialized',
    'tools:listed',
    'shutdown:input',
  ),
  ending: well('goal:reached'),
  async play(server) {
    server.initializeMs = 500
    await server.started()
    await settled(server)
    const ended = server.shutdown ?? (await server.desk.context.flowContext.until(() => server.shutdown))
    const problem =
      ended === 'input' ? undefined : `the server was ended by ${ended === 'signal' ? 'SIGTERM' : 'force'}`
    if (ended !== undefined) server.rule('shutdown:input', problem)
  },
}

const version: Flow<McpServer> = {
  name: 'version',
  description: 'The server answers initialize with a version that there never was.',
  text: GOAL,
  requirements: ids('handshake:version'),
  ending: { how: 'badly', id: `${PREFIX}:handshake:version` },
  async play(server) {
    server.version = '1999-12-31'
    await server.started()
    await settled(server)
    server.rule('handshake:version', server.calls > 0 ? 'tools were called all the same' : undefined)
  },
}

/** A flow in which the server sends messages other than responses. */
const talking = (name: string, about: string, rule: string, client: (server: McpServer) => void): Flow<McpServer> => ({
  name,
  description: about,
  text: GOAL,
  requirements: ids(rule),
  ending: well(rule),
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
  about: string,
  rule: string,
  method: string,
  problemOf: (answer: RpcMessage | undefined) => string | undefined,
): Flow<McpServer> => ({
  name,
  description: about,
  text: GOAL,
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

const lost: Flow<McpServer> = {
  name: 'lost-server',
  description: 'The server ends instead of answering an action.',
  text: GOAL,
  requirements: ids('server:lost'),
  ending: { how: 'badly', id: `${PREFIX}:server:lost` },
  async play(server) {
    server.diesOnAct = true
    await server.started()
    await settled(server, { isVerified: false })
    if (server.desk.acts === 0) throw new NotReached('the client did not act')
  },
}

/** Agents over MCP on standard input and output. */
export const mcpClient: ClientSuite<McpServer> = {
  set: mcpClientSet,
  minimum: `start the MCP server that it was given and act on its desktop to reach the goal: ${GOAL}`,
  flows: [...actingFlows<McpServer>(PREFIX), handshake, version, notifications, ping, unknownRequest, lost],
  dependencies: { ...actingDependencies(PREFIX), 'mcp-client:rpc:notifications': ids('goal:reached') },
  open: (context) => new McpServer(context),
}
