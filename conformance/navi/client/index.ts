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
import { type ClientRule, naviClientSet } from './requirements.ts'
import { CREATE, NaviServer, STOP } from './server.ts'

type NaviFlow = Flow<NaviServer>

const { endsWell, id, ids } = requirementIds<ClientRule>('navi-client')

/** Fails `rule` when the client leaves before the end of the run. */
const reads = (server: NaviServer, rule: ClientRule, what: string) =>
  assertReads(server, rule, what, 'the end of the run')

const run: NaviFlow = {
  name: 'run',
  description: 'The agent answers in two pieces; the end of the run comes a little later.',
  text: 'hello',
  requirements: ids('run:once', 'run:waits'),
  ending: endsWell('run:waits'),
  async play(server) {
    await server.started()
    server.emit('stream_delta', { delta: 'Hel' })
    await reads(server, 'run:waits', 'a first piece of the answer')
    server.emit('stream_delta', { delta: 'lo!' })
    await reads(server, 'run:waits', 'the whole text of the answer')
    await server.flowContext.pause(WATCH_MS)
    const more = server.received.length - 1
    server.assess('run:once', more > 0 ? `${more} more messages were sent during the run` : undefined)
    server.end('Hello!')
  },
}

const midRun = midAnswerFlows<NaviServer, ClientRule>({
  rules: { endsWell, ids },
  reads,
  end: (server) => server.answer('That is ', 'all.'),
})

const documented = midRun('events', 'Each documented event comes once.', 'events:documented', (server) => {
  server.emit('thinking_delta', { delta: 'Let me ' })
  server.emit('thinking_delta', { delta: 'see.' })
  server.emit('thinking_end')
  server.emit('plan_ready', { plan: '## Plan\n\n**Task:** look\n\n**Steps:**\n1. look' })
  server.emit('turn_thinking', { thinking: 'I need a tool.', is_subagent: false })
  server.tool('web_search', { query: 'weather' }, 'Sunny.')
  server.tool('filesystem', { path: 'missing.txt' }, 'no such file', { success: false })
  server.emit('tool_started', { tool: 'spawn_agent', args: { task: 'look' }, is_subagent: false })
  server.emit('turn_thinking', { thinking: 'I look.', is_subagent: true })
  server.tool('web_search', { query: 'more' }, 'Cloudy.', { is_subagent: true })
  server.emit('tool_call', {
    tool: 'spawn_agent',
    args: { task: 'look' },
    result: 'done',
    success: true,
    is_subagent: false,
  })
  server.emit('tool_started', { tool: 'switch_profile', args: { profile: 'server_admin' }, is_subagent: false })
  server.emit('profile_switched', { profile_id: 'server_admin', profile_name: 'Server Administrator' })
  const switched = { tool: 'switch_profile', args: { profile: 'server_admin' }, result: 'ok', success: true }
  server.emit('tool_call', { ...switched, is_subagent: false })
})

const recoverable = midRun('error', 'An error comes that does not end the run.', 'events:recoverable', (server) => {
  server.emit('error', { message: 'a tool was slow' })
})

const unknown = midRun('unknown-events', 'Events come that no document knows.', 'events:unknown', (server) => {
  server.emit('weather_report', { sky: 'blue', layers: [1, 2] })
  server.emit('stream.heartbeat')
})

const unknownFields = midRun(
  'unknown-fields',
  'Events have fields that no document knows.',
  'events:unknown-fields',
  (server) => {
    server.emit('thinking_delta', { delta: 'Hm.', mood: { calm: 1 }, shard: 7 })
    server.emit('thinking_end', { shard: 7 })
  },
)

const compressed: NaviFlow = {
  name: 'compressed',
  description: 'The context is compressed right after the answer.',
  text: 'hello',
  requirements: ids('events:compressed'),
  ending: endsWell('events:compressed'),
  async play(server) {
    await server.started()
    const said = server.received.length
    // Together, so that a client that ends at the answer has met both.
    server.answer('Hello!')
    server.emit('context_compressed', { messages_before: 42, messages_after: 12 })
    await server.flowContext.pause(WATCH_MS)
    const isMore = server.received.length > said
    server.assess(
      'events:compressed',
      isMore ? 'the client sent a message although only the context changed' : undefined,
    )
  },
}

const stop: NaviFlow = {
  name: 'stop',
  description:
    'The agent answers until the client stops it after the third piece; two more pieces come before it has stopped.',
  text: 'count to a million',
  requirements: ids('stop:rest', 'stop:waits'),
  ending: endsWell('stop:waits'),
  async play(server) {
    await server.started()
    const { flowContext } = server
    for (const delta of ['1, ', '2, ', '3, ']) server.emit('stream_delta', { delta })
    const isStopped = () => (server.counts[STOP] ?? 0) > 0 || undefined
    if (!(await flowContext.until(isStopped))) throw new NotReached('the client did not stop the run')
    server.assess('stop:rest', undefined)
    server.emit('stream_delta', { delta: '4, ' })
    await reads(server, 'stop:waits', 'the answer to its stop')
    server.emit('stream_delta', { delta: '5, ' })
    await reads(server, 'stop:waits', 'the answer to its stop')
    server.stopped()
  },
}

const resume: NaviFlow = {
  name: 'resume',
  description: 'The socket breaks during a run; the client receives the missed events after its reconnect.',
  text: 'hello',
  requirements: ids('resume:reconnects', 'resume:resent'),
  ending: endsWell('resume:reconnects'),
  async play(server) {
    await server.started()
    server.emit('stream_delta', { delta: 'Hel' })
    await server.flowContext.pause(WATCH_MS / 4)
    const before = server.connections
    const said = server.received.length
    server.cut()
    server.emit('stream_delta', { delta: 'lo' })
    const isBack = await server.flowContext.until(() => server.connections > before || undefined, RECONNECT_MS)
    const problem = isBack ? undefined : 'the socket was not opened again'
    server.assess('resume:reconnects', problem)
    if (!isBack) return
    await server.flowContext.pause(WATCH_MS)
    server.assess('resume:resent', resentProblem(server, said))
    server.end('Hello')
  },
}

function resentProblem(server: NaviServer, said: number): string | undefined {
  if (server.counts[CREATE]! > 1) return 'the session was created again'
  return server.received.length > said ? 'the message was sent again' : undefined
}

const gone: NaviFlow = {
  name: 'gone',
  description: 'The session is unknown: the socket is closed with 4004.',
  text: 'hello',
  requirements: ids('gone:gives-up'),
  ending: { how: 'badly', id: id('refusal:reported') },
  async play(server) {
    server.isGone = true
    await server.flowContext.waitForStart('open the socket', () => server.connections > 0 || undefined)
    await server.flowContext.pause(WATCH_MS * 4)
    const again = server.connections - 1
    server.assess('gone:gives-up', again > 0 ? `the socket was opened ${again} more times` : undefined)
  },
}

const refused: NaviFlow = {
  name: 'refused',
  description: 'The creation of the session is refused with 404.',
  text: 'hello',
  requirements: ids('refusal:hammering'),
  ending: { how: 'badly', id: id('refusal:reported') },
  async play(server) {
    server.refusesCreation = 404
    const tries = () => server.counts[CREATE] ?? 0
    await server.flowContext.waitForStart(`send ${CREATE}`, () => tries() > 0 || undefined)
    await server.flowContext.pause(1000)
    server.assess('refusal:hammering', hammeringProblem(`${CREATE} was sent`, tries()))
  },
}

/** All flows for clients of Navi; the first one shows whether the client is reachable. */
const naviFlows: readonly NaviFlow[] = [
  run,
  documented,
  recoverable,
  unknown,
  unknownFields,
  compressed,
  stop,
  resume,
  gone,
  refused,
]

/** They are judged by whether the client reads on. */
const READING = ids(
  'events:documented',
  'events:recoverable',
  'events:unknown',
  'events:unknown-fields',
  'stop:waits',
  'resume:reconnects',
)

/** The clients of Navi. */
export const naviClient: ClientSuite<NaviServer> = {
  set: naviClientSet,
  minimum: 'create a session, open its socket and send a message',
  flows: naviFlows,
  dependencies: {
    ...Object.fromEntries(READING.map((id) => [id, ids('run:waits')])),
    'navi-client:events:compressed': ids('run:once'),
    'navi-client:resume:resent': ids('run:once'),
    'navi-client:refusal:reported': ids('events:recoverable'),
  },
  open: (context) => new NaviServer(context),
}
