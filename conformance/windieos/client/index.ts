import { NotReached } from '../../client/conversation.ts'
import {
  assertReads,
  type ClientSuite,
  type Flow,
  hammeringProblem,
  midAnswerFlows,
  RECONNECT_MS,
  requirementIds,
  WATCH_MS,
} from '../../client/flow.ts'
import { type ClientRule, windieosClientSet } from './requirements.ts'
import { type ReceivedMessage, WindieosServer } from './server.ts'

type WindieosFlow = Flow<WindieosServer>

const { endsWell, id, ids } = requirementIds<ClientRule>('windieos-client')

/** Fails `rule` when the client leaves before streaming-complete. */
const reads = (server: WindieosServer, rule: ClientRule, what: string) =>
  assertReads(server, rule, what, 'streaming-complete')

const turn: WindieosFlow = {
  name: 'turn',
  description: 'The agent answers in two pieces; the end of the turn comes a little later.',
  text: 'hello',
  requirements: ids('turn:once', 'turn:waits'),
  ending: endsWell('turn:waits'),
  async play(server) {
    await server.started()
    server.emit('streaming-response', { text: 'Hel' })
    await reads(server, 'turn:waits', 'a first piece of the answer')
    server.emit('streaming-response', { text: 'lo!' })
    server.emit('assistant-message-full', { content: 'Hello!' })
    await reads(server, 'turn:waits', 'the whole text of the answer')
    await server.flowContext.pause(WATCH_MS)
    server.assess('turn:once', onceProblem(server))
    server.complete('Hello!')
  },
}

function onceProblem(server: WindieosServer): string | undefined {
  const count = server.count('query')
  if (count !== 1) return `${count} queries were sent`
  const { text, content } = server.received.find(({ type }) => type === 'query')!.payload
  const isSaid = [text, content].some((one) => String(one ?? '').includes(server.context.text))
  return isSaid ? undefined : `"${text}" was sent, not "${server.context.text}"`
}

const midTurn = midAnswerFlows<WindieosServer, ClientRule>({
  rules: { endsWell, ids },
  say: (server) => server.emit('streaming-response', { text: 'That is all.' }),
  reads,
  end: (server) => server.complete(),
})

const documented = midTurn('events', 'Each documented event comes once.', 'events:documented', (server) => {
  server.emit('client-tool-manifest', { accepted: [], rejected: [] })
  server.emit('system-prompt', { content: 'You are a helpful assistant.' })
  server.emit('user-message-full', { content: '<user_query>hello</user_query>', metadata: {} })
  server.emit('tool-schemas', {
    tool_schemas: [{ type: 'function', function: { name: 'web_search', parameters: { type: 'object' } } }],
  })
  server.emit('llm-thought', { status: 'I look.' })
  server.emit('tool-output', {
    tool_name: 'web_search',
    success: false,
    execution_time: 0.42,
    output: '',
    error: 'no network',
    metadata: {},
  })
  server.emit('token-count', {
    prompt_tokens: 10,
    visible_output_tokens: 3,
    thinking_tokens: null,
    output_tokens_total: 3,
    total_tokens: 13,
    conversation_tokens: 13,
    usage_source: 'estimated',
  })
  server.emit('assistant-message-full', { content: 'I looked.' })
})

const unknown = midTurn('unknown-events', 'Events come that no document knows.', 'events:unknown', (server) => {
  server.emit('weather-report', { sky: 'blue', layers: [1, 2] })
  server.emit('trace-event', {})
})

const unknownFields = midTurn(
  'unknown-fields',
  'Events have fields that no document knows.',
  'events:unknown-fields',
  (server) => {
    server.emit('streaming-response', { text: 'Hi', mood: { calm: 1 } }, { shard: 7 })
    server.emit('llm-thought', { status: 'Hm.', shard: 7 }, { mood: 'calm' })
  },
)

const failed: WindieosFlow = {
  name: 'error',
  description: 'The query is answered with an error.',
  text: 'hello',
  requirements: [],
  ending: { how: 'badly', id: id('error:reported') },
  async play(server) {
    await server.started()
    server.emit('error', { message: 'the model is not available' })
  },
}

/** Waits for a tool result, and judges whether it has the correct id and arrives once. */
async function answered(server: WindieosServer, type: string): Promise<ReceivedMessage> {
  const reply = await server.replied(type)
  if (!reply) throw new NotReached(`the client did not send ${type}`)
  await server.flowContext.pause(WATCH_MS)
  return reply
}

const REQUEST_ID = 'req/ü ✓ 7'

const tool: WindieosFlow = {
  name: 'tool',
  description: 'The agent calls a tool of the client and waits for its result.',
  text: 'click the submit button',
  requirements: ids('tool:correlation', 'tool:once'),
  ending: endsWell('turn:waits'),
  async play(server) {
    await server.started()
    server.emit('tool-call', {
      tool_name: 'mouse_control',
      parameters: { action: 'click', x: 100, y: 200 },
      request_id: REQUEST_ID,
      metadata: { tool_call_id: 'call_1' },
    })
    const { payload } = await answered(server, 'tool-result')
    server.assess('tool:correlation', idProblem(payload.request_id, REQUEST_ID), { isMild: true })
    const count = server.count('tool-result')
    server.assess('tool:once', count > 1 ? `it was answered ${count} times` : undefined)
    server.complete()
  },
}

const idProblem = (actual: unknown, expected: string): string | undefined =>
  actual === expected ? undefined : `the answer names ${JSON.stringify(actual)}, not "${expected}"`

const bundle: WindieosFlow = {
  name: 'bundle',
  description: 'The agent calls two tools of the client in parallel and waits for their results.',
  text: 'click and type',
  requirements: ids('bundle:correlation'),
  ending: endsWell('turn:waits'),
  async play(server) {
    await server.started()
    server.emit('tool-bundle', {
      bundle_id: 'bundle-1',
      tools: [
        { name: 'mouse_control', args: { action: 'click', x: 1, y: 2 } },
        { name: 'keyboard_control', args: { action: 'type', text: 'hi' } },
      ],
    })
    const { payload } = await answered(server, 'tool-bundle-result')
    server.assess('bundle:correlation', idProblem(payload.bundle_id, 'bundle-1'))
    server.complete()
  },
}

const reconnect: WindieosFlow = {
  name: 'reconnect',
  description: 'The socket breaks in the middle of a turn.',
  text: 'hello',
  requirements: ids('reconnect:returns'),
  ending: endsWell('reconnect:returns'),
  async play(server) {
    await server.started()
    server.emit('streaming-response', { text: 'Hel' })
    await server.flowContext.pause(WATCH_MS / 4)
    const before = server.connections
    server.cut()
    const isBack = await server.flowContext.until(() => server.connections > before || undefined, RECONNECT_MS)
    server.assess('reconnect:returns', isBack ? undefined : 'the socket was not opened again')
    if (!isBack) return
    // A client that is silent on its new socket still waits for the rest of the turn.
    await server.flowContext.until(() => server.isOpen || undefined)
    await server.flowContext.pause(WATCH_MS)
    server.emit('streaming-response', { text: 'lo!' })
    server.complete('Hello!')
  },
}

const refused: WindieosFlow = {
  name: 'refused',
  description: 'The handshake is refused: the socket is closed with 1008.',
  text: 'hello',
  requirements: ids('refusal:hammering'),
  ending: { how: 'badly', id: id('refusal:reported') },
  async play(server) {
    server.refusesHandshakes = true
    await server.flowContext.waitForStart('shake hands', () => server.handshakes > 0 || undefined)
    await server.flowContext.pause(1000)
    server.assess('refusal:hammering', hammeringProblem('the socket was opened', server.connections))
  },
}

/** All flows for clients of WindieOS; the first one shows whether the client is reachable. */
const windieosFlows: readonly WindieosFlow[] = [
  turn,
  documented,
  unknown,
  unknownFields,
  failed,
  tool,
  bundle,
  reconnect,
  refused,
]

/** They are judged by whether the client reads on. */
const READING = ids('events:documented', 'events:unknown', 'events:unknown-fields')

/** The clients of WindieOS. */
export const windieosClient: ClientSuite<WindieosServer> = {
  set: windieosClientSet,
  minimum: 'connect, shake hands and send a query',
  flows: windieosFlows,
  dependencies: {
    ...Object.fromEntries(READING.map((id) => [id, ids('turn:waits')])),
    'windieos-client:reconnect:returns': ids('turn:waits', 'handshake:first'),
  },
  open: (context) => new WindieosServer(context),
}
