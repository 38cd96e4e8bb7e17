import { NotReached } from '../../client/conversation.ts'
import { type AgentWebkitFlow, endsWell, ids, TURN_WATCH_MS } from './rules.ts'
import { type AgentWebkitServer, CREATE, INPUT, STREAM } from './server.ts'

/** Milliseconds in which a client that means to resume does so. */
const RECONNECT_MS = 10_000

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

/** The forbidden number of requests per second. */
const MAX_REQUESTS_PER_SECOND = 5

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
    const problem =
      tries() > MAX_REQUESTS_PER_SECOND ? `${operation} was sent ${tries()} times within a second` : undefined
    server.assess('refusal:hammering', problem)
  },
})

/** Broken streams and deleted sessions. */
export const resumingFlows: readonly AgentWebkitFlow[] = [
  resume,
  partial,
  replayed,
  evicted,
  refused('refused', 'The creation of the session is refused with 401.', CREATE, 401),
  refused('lost-session', 'The session is unknown when the client sends a message: 404.', INPUT, 404),
]
