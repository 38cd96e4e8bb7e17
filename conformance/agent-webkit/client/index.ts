import { NotReached } from '../../client/conversation.ts'
import { type ClientSuite, hammeringProblem, midAnswerFlows, RECONNECT_MS } from '../../client/flow.ts'
import { askingFlows } from './asking.ts'
import {
  agentWebkitClientSet,
  type ClientRule,
  correlationProblem,
  endsWell,
  ids,
  TURN_WATCH_MS,
} from './requirements.ts'
import { type AgentWebkitFlow, AgentWebkitServer, CREATE, DELETE, INPUT, STREAM } from './server.ts'

/** Breaks the stream and returns the cursor of the next one; undefined when the client does not reconnect. */
async function cutAndResume(server: AgentWebkitServer): Promise<{ readonly cursor: string | undefined } | undefined> {
  // The client has read the earlier text by now.
  await server.flowContext.pause(TURN_WATCH_MS / 4)
  const { length } = server.subscriptions
  server.cut()
  return server.flowContext.until(() => server.subscriptions[length], RECONNECT_MS)
}

const cursorProblem = (cursor: string | undefined, expected: number): string | undefined =>
  Number(cursor ?? Number.NaN) === expected
    ? undefined
    : `Last-Event-ID is ${cursor === undefined ? 'missing' : `"${cursor}"`} after the event ${expected} was read`

const resume: AgentWebkitFlow = {
  name: 'resume',
  description: 'The stream is cut off in the middle of a turn.',
  text: 'hello',
  requirements: ids('resume:reconnects', 'resume:cursor', 'resume:resent', 'resume:integer'),
  ending: endsWell('resume:reconnects'),
  async play(server) {
    await server.started()
    server.emit('message_delta', { message_id: 'm1', delta: { text: 'Hel' } })
    const read = server.newest
    const resumed = await cutAndResume(server)
    server.assess('resume:reconnects', resumed ? undefined : 'the stream was not opened again')
    if (!resumed) return
    server.assess('resume:cursor', cursorProblem(resumed.cursor, read))
    server.say('m1', 'Hello!')
    await server.flowContext.pause(TURN_WATCH_MS)
    server.assess('resume:resent', resentProblem(server))
    server.result()
  },
}

function resentProblem(server: AgentWebkitServer): string | undefined {
  if (server.counts[CREATE]! > 1) return 'the session was created again'
  return server.count('user_message') > 1 ? 'the message of the user was sent again' : undefined
}

const partial: AgentWebkitFlow = {
  name: 'partial-frame',
  description: 'The stream is cut off within a frame, after its id.',
  text: 'hello',
  requirements: ids('resume:partial'),
  ending: endsWell('resume:reconnects'),
  async play(server) {
    await server.started()
    server.emit('message_delta', { message_id: 'm1', delta: { text: 'Hel' } })
    const read = server.newest
    server.emit('message_delta', { message_id: 'm1', delta: { text: 'lo' } }, (text) => server.write(text.slice(0, -2)))
    const resumed = await cutAndResume(server)
    if (!resumed) throw new NotReached('the client did not open the stream again')
    const isTaken = Number(resumed.cursor) === read + 1
    server.assess('resume:partial', isTaken ? `Last-Event-ID is "${read + 1}", of a frame that was cut off` : undefined)
    server.say('m1', 'Hello!')
    server.result()
  },
}

const replayed: AgentWebkitFlow = {
  name: 'replayed-permission',
  description: 'A permission that was answered comes again with the same id.',
  text: 'delete the file',
  requirements: ids('permission:replayed'),
  ending: endsWell('turn:waits'),
  async play(server) {
    await server.started()
    let frame = ''
    const request = { correlation_id: 'toolu_1', tool_name: 'Bash', input: { command: 'rm a' }, context: {} }
    server.call('toolu_1', 'Bash', request.input)
    server.emit('permission_request', request, (text) => {
      frame = text
      server.write(text)
    })
    if (!(await server.replied('permission_response'))) throw new NotReached('the client did not answer the permission')
    const answered = server.count('permission_response')
    server.write(frame)
    await server.flowContext.pause(TURN_WATCH_MS)
    server.emit('tool_result', { tool_use_id: 'toolu_1', output: 'done', is_error: false })
    server.result()
    await server.left()
    const again = server.count('permission_response') - answered
    // The flow permission judges replies that are sent twice.
    server.assess(
      'permission:replayed',
      again > 0 && answered === 1 && again === 1 ? 'it was answered again' : undefined,
    )
  },
}

const evicted: AgentWebkitFlow = {
  name: 'evicted',
  description: 'The stream is cut off, and its cursor is refused with 412.',
  text: 'hello',
  requirements: ids('evicted:gives-up'),
  ending: { how: 'either', id: 'agent-webkit-client:evicted:gives-up' },
  async play(server) {
    await server.started()
    server.emit('message_delta', { message_id: 'm1', delta: { text: 'Hel' } })
    await server.flowContext.pause(TURN_WATCH_MS / 4)
    const before = server.counts[STREAM]!
    server.refuse(STREAM, 412)
    server.cut()
    const tries = () => server.counts[STREAM]! - before
    const isBack = await server.flowContext.until(() => tries() > 0 || undefined, RECONNECT_MS)
    if (!isBack) throw new NotReached('the client did not open the stream again')
    await server.flowContext.pause(TURN_WATCH_MS * 4)
    server.assess('evicted:gives-up', tries() === 1 ? undefined : `the stream was requested ${tries()} times`)
  },
}

/** A flow in which a request is refused for good. */
const refused = (name: string, about: string, operation: string, status: number): AgentWebkitFlow => ({
  name,
  description: about,
  text: 'hello',
  requirements: ids('refusal:reported', 'refusal:hammering'),
  ending: { how: 'badly', id: 'agent-webkit-client:refusal:reported' },
  async play(server) {
    server.refuse(operation, status)
    const tries = () => server.counts[operation] ?? 0
    await server.flowContext.waitForStart(`send ${operation}`, () => tries() > 0 || undefined)
    await server.flowContext.pause(1000)
    server.assess('refusal:hammering', hammeringProblem(`${operation} was sent`, tries()))
  },
})

/** Broken streams and deleted sessions. */
const resumingFlows: readonly AgentWebkitFlow[] = [
  resume,
  partial,
  replayed,
  evicted,
  refused('refused', 'The creation of the session is refused with 401.', CREATE, 401),
  refused('lost-session', 'The session is unknown when the client sends a message: 404.', INPUT, 404),
]

const turn: AgentWebkitFlow = {
  name: 'turn',
  description: 'The agent answers in one message; its result comes a little later.',
  text: 'hello',
  requirements: ids('turn:once', 'turn:waits', 'turn:deletes'),
  ending: endsWell('turn:waits'),
  async play(server) {
    await server.started()
    server.say('m1', 'Hello!')
    await server.reads('turn:waits', 'the first message')
    await server.reads('turn:waits', 'the first message')
    server.result()
    const isDeleted = () => (server.counts[DELETE] ?? 0) > 0
    await server.left()
    server.assess('turn:once', onceProblem(server))
    server.assess('turn:deletes', isDeleted() ? undefined : 'the client left without DELETE', { isMild: true })
  },
}

function onceProblem(server: AgentWebkitServer): string | undefined {
  const count = server.count('user_message')
  if (count !== 1) return `${count} messages of the user were sent`
  const content = JSON.stringify(server.inputs.find(({ type }) => type === 'user_message')!.content)
  return content.includes(JSON.stringify(server.context.text).slice(1, -1))
    ? undefined
    : `${content} was sent, not "${server.context.text}"`
}

const midTurn = midAnswerFlows<AgentWebkitServer, ClientRule>({
  rules: { endsWell, ids },
  say: (server) => server.say('m9', 'That is all.'),
  reads: (server, rule, what) => server.reads(rule, what),
  end: (server) => server.result(),
})

const documented = midTurn('events', 'Each documented event comes once.', 'events:documented', (server) => {
  server.emit('mcp_status_change', { server_name: 'files', status: 'connected' })
  server.emit('message_delta', { message_id: 'm1', delta: { text: 'I will ' } })
  server.emit('message_delta', { message_id: 'm1', delta: { type: 'text', text: 'look.' } })
  server.say('m1', 'I will look.')
  server.call('t1', 'Read', { path: 'notes.txt' })
  server.emit('hook_decision_request', {
    correlation_id: 'h1',
    hook_event: 'PreToolUse',
    hook_input: { tool_name: 'Read' },
  })
  server.emit('tool_result', { tool_use_id: 't1', output: [{ type: 'text', text: 'Milk.' }], is_error: false })
  server.call('t2', 'Read', { path: 'missing.txt' })
  server.emit('tool_result', { tool_use_id: 't2', output: 'no such file', is_error: true })
  server.emit('error', { code: 'query_failed', message: 'a tool was slow' })
})

const unknownEvents = midTurn('unknown-events', 'Events come that no document knows.', 'events:unknown', (server) => {
  server.emit('weather_report', { sky: 'blue', layers: [1, 2] })
  server.emit('message', { note: 'an event with the default name' })
  server.emit('session.updated', {})
})

const unknownFields = midTurn(
  'unknown-fields',
  'Events have fields that no document knows.',
  'events:unknown-fields',
  (server) => {
    server.emit('message_delta', { message_id: 'm1', delta: { text: 'Hi', mood: 'calm' }, shard: 7 })
    server.emit('message_complete', {
      message_id: 'm1',
      message: {
        id: 'm1',
        role: 'assistant',
        model: null,
        content: [
          { type: 'text', text: 'Hi', citations: [] },
          { type: 'hologram', data: { depth: 3 } },
        ],
        vendor: { region: 'north' },
      },
      vendor: null,
    })
  },
)

const keepalive = midTurn('keepalive', 'Keepalive comments come between the events.', 'stream:keepalive', (server) => {
  server.write(':keepalive\n\n')
  server.write(': keepalive\n\n')
  server.write(':\n\n:keepalive\n')
})

/** Milliseconds between the pieces of a stream that arrives slowly. */
const PIECE_MS = 5

const chunks: AgentWebkitFlow = {
  name: 'chunks',
  description: 'The bytes of the stream arrive a few at a time, cut within characters as well.',
  text: 'delete the file',
  requirements: ids('stream:chunks'),
  ending: endsWell('stream:chunks'),
  async play(server) {
    await server.started()
    const pieces: Buffer[] = []
    const slowly = (text: string) => {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += 7) pieces.push(bytes.subarray(at, at + 7))
    }
    server.emit('message_delta', { message_id: 'm1', delta: { text: 'Grüße 👋 an 世界' } }, slowly)
    server.emit('permission_request', REQUEST, slowly)
    for (const piece of pieces) {
      server.write(piece)
      await server.flowContext.pause(PIECE_MS)
    }
    const reply = await server.replied('permission_response')
    if (reply) server.assess('stream:chunks', correlationProblem(reply.correlation_id, REQUEST.correlation_id))
    server.say('m2', 'Done.')
    await server.reads('stream:chunks', 'a stream in small pieces')
    server.result()
  },
}

const REQUEST = { correlation_id: 'toolu_grün_✓', tool_name: 'Bash', input: { command: 'rm ä.txt' }, context: {} }

const done: AgentWebkitFlow = {
  name: 'done',
  description: 'The session ends with done after the result.',
  text: 'hello',
  requirements: ids('events:done'),
  ending: endsWell('events:done'),
  async play(server) {
    await server.started()
    server.say('m1', 'Hello, and goodbye!')
    // Together, so that a client that ends at the result has met done as well.
    server.result()
    server.emit('done', {})
    const { length } = server.subscriptions
    const sent = server.inputs.length
    server.endStreams()
    await server.flowContext.pause(TURN_WATCH_MS)
    const isReopened = server.subscriptions.length > length
    const problem = isReopened
      ? 'the stream was opened again'
      : server.inputs.length > sent
        ? `${server.inputs.at(-1)!.type} was sent`
        : undefined
    server.assess('events:done', problem && `after done, ${problem}`)
    // Ends streams that were opened again.
    server.endStreams()
  },
}

/** All flows for clients of agent-webkit; the first one shows whether the client is reachable. */
const agentWebkitFlows: readonly AgentWebkitFlow[] = [
  turn,
  documented,
  unknownEvents,
  unknownFields,
  keepalive,
  chunks,
  ...askingFlows,
  ...resumingFlows,
  done,
]

/** They are judged by whether the client reads on. */
const READING = ids(
  'events:documented',
  'events:unknown',
  'events:unknown-fields',
  'stream:keepalive',
  'interrupt:waits',
  'conflict:goes-on',
)

/** The clients of agent-webkit. */
export const agentWebkitClient: ClientSuite<AgentWebkitServer> = {
  set: agentWebkitClientSet,
  minimum: 'create a session, open its stream and send a user_message',
  flows: agentWebkitFlows,
  dependencies: {
    ...Object.fromEntries(READING.map((id) => [id, ids('turn:waits')])),
    'agent-webkit-client:stream:chunks': ids('turn:waits', 'permission:correlation'),
    'agent-webkit-client:permission:replayed': ids('permission:once'),
    'agent-webkit-client:conflict:resent': ids('permission:once'),
    'agent-webkit-client:resume:resent': ids('turn:once'),
  },
  open: (context) => new AgentWebkitServer(context),
}
