import { askingFlows } from './asking.ts'
import type { ClientRule } from './requirements.ts'
import { resumingFlows } from './resuming.ts'
import { type AgentWebkitFlow, correlationProblem, endsWell, ids, TURN_WATCH_MS } from './rules.ts'
import { type AgentWebkitServer, DELETE } from './server.ts'

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

/** A flow that sends something in the middle of a turn that a client has to get over. */
function midTurn(
  name: string,
  about: string,
  rule: ClientRule,
  send: (server: AgentWebkitServer) => Promise<void> | void,
): AgentWebkitFlow {
  return {
    name,
    description: about,
    text: 'hello',
    requirements: ids(rule),
    ending: endsWell(rule),
    async play(server) {
      await server.started()
      await send(server)
      server.say('m9', 'That is all.')
      await server.reads(rule, about.charAt(0).toLowerCase() + about.slice(1, -1))
      server.result()
    },
  }
}

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
export const agentWebkitFlows: readonly AgentWebkitFlow[] = [
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
