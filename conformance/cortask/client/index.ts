import { NotReached } from '../../client/conversation.ts'
import {
  assertReads,
  type ClientSuite,
  type Flow,
  GLANCE_MS,
  hammeringProblem,
  midAnswerFlows,
  RECONNECT_MS,
  requirementIds,
  WATCH_MS,
} from '../../client/flow.ts'
import { type ClientRule, cortaskClientSet } from './requirements.ts'
import { CortaskServer, type ReceivedMessage } from './server.ts'

type CortaskFlow = Flow<CortaskServer>

const { endsWell, id, ids } = requirementIds<ClientRule>('cortask-client')

/** Fails `rule` when the client leaves before the end of the run. */
const reads = (server: CortaskServer, rule: ClientRule, what: string) =>
  assertReads(server, rule, what, 'the end of the run')

const run: CortaskFlow = {
  name: 'run',
  description: 'The agent answers in two pieces; done comes a little later.',
  text: 'hello',
  requirements: ids('run:once', 'run:waits', 'connect:path'),
  ending: endsWell('run:waits'),
  async play(server) {
    const sessionKey = await server.started()
    server.emit('text_delta', { sessionKey, text: 'Hel' })
    await reads(server, 'run:waits', 'a first piece of the answer')
    server.emit('text_delta', { sessionKey, text: 'lo!' })
    await reads(server, 'run:waits', 'the whole answer')
    server.done(sessionKey)
    await server.flowContext.until(() => !server.isOpen || undefined)
    server.assess('run:once', onceProblem(server))
  },
}

function onceProblem(server: CortaskServer): string | undefined {
  const chats = server.received.filter(({ type }) => type === 'chat')
  if (chats.length !== 1) return `${chats.length} chats were sent`
  const text = String(chats[0]!.message)
  return text.includes(server.context.text) ? undefined : `"${text}" was sent, not "${server.context.text}"`
}

const midRun = midAnswerFlows<CortaskServer, ClientRule, string>({
  rules: { endsWell, ids },
  say: (server, sessionKey) => server.emit('text_delta', { sessionKey, text: 'That is all.' }),
  reads,
  end: (server, sessionKey) => server.done(sessionKey),
})

const TOOL = { toolName: 'read_file', toolCallId: 'call-1' }

const documented = midRun('events', 'Each documented event comes once.', 'events:documented', (server, sessionKey) => {
  server.emit('channel:status', { channelId: 'telegram', running: true, authenticated: true })
  server.emit('thinking_delta', { sessionKey, text: 'Let me see.' })
  server.emit('text_delta', { sessionKey, text: 'I look. ' })
  server.emit('tool_call_start', { sessionKey, ...TOOL })
  // The document defines no fields for these two.
  server.emit('tool_call_delta')
  server.emit('tool_call_end')
  server.emit('tool_result', { sessionKey, ...TOOL, toolArgs: { path: 'a.ts' }, content: 'x', isError: false })
  server.emit('tool_call_start', { sessionKey, ...TOOL, toolCallId: 'call-2' })
  server.emit('tool_result', { sessionKey, ...TOOL, toolCallId: 'call-2', toolArgs: {}, content: 'no', isError: true })
  server.emit('session:refresh', { workspaceId: 'default' })
})

const otherSession = midRun(
  'other-session',
  'A run of another session continues and ends.',
  'events:session',
  (server, sessionKey) => {
    const other = `${sessionKey}-other`
    server.emit('text_delta', { sessionKey: other, text: 'Elsewhere' })
    server.done(other)
  },
)

const unknownEvents = midRun(
  'unknown-events',
  'Events come that no document knows.',
  'events:unknown',
  (server, sessionKey) => {
    server.emit('weather_report', { sky: 'blue' })
    server.emit('agent:mood', { sessionKey, mood: 'calm' })
  },
)

const unknownFields = midRun(
  'unknown-fields',
  'Events have fields that no document knows.',
  'events:unknown-fields',
  (server, sessionKey) => {
    const vendor = { shard: 7, layers: [1, 2] }
    server.emit('thinking_delta', { sessionKey, text: 'Hm.', vendor })
    server.emit('text_delta', { sessionKey, text: 'Hi. ', vendor, hologram: null })
  },
)

const PERMISSION = { requestId: 'run_command-17', description: 'Execute command: npm install', details: 'in /home' }

const QUESTIONNAIRE = {
  requestId: 'questionnaire-3',
  data: {
    title: 'Project Setup',
    questions: [
      { id: 'framework', question: 'Which framework?', type: 'single', options: [{ value: 'vue', label: 'Vue' }] },
      { id: 'notes', question: 'Anything else?', type: 'text' },
    ],
  },
}

/** A flow that sends a request to the client and judges its reply. */
function asking(
  name: 'permission' | 'questionnaire',
  about: string,
  request: { readonly requestId: string },
  more: (server: CortaskServer, reply: ReceivedMessage) => void,
): CortaskFlow {
  const type = `${name}_response`
  return {
    name,
    description: about,
    text: name === 'permission' ? 'run a command' : 'set up a project',
    requirements: [
      ...ids(`${name}:id`, `${name}:once`),
      ...(name === 'permission' ? [] : ids('questionnaire:questions')),
    ],
    ending: endsWell('run:waits'),
    async play(server) {
      const sessionKey = await server.started()
      server.emit('tool_call_start', { sessionKey, ...TOOL })
      server.emit(`${name}_request`, request)
      const isReply = (one: ReceivedMessage) =>
        one.type === type || (one.type.endsWith('_response') && one.requestId === request.requestId)
      const reply = await server.flowContext.until(() => server.received.find(isReply))
      if (!reply) throw new NotReached(`the client did not answer the ${name}`)
      const named = reply.requestId === request.requestId ? undefined : `the reply names "${reply.requestId}"`
      server.assess(`${name}:id`, reply.type === type ? named : `it was answered with ${reply.type}`)
      if (reply.type === type) more(server, reply)
      await server.flowContext.pause(WATCH_MS)
      server.emit('tool_result', { sessionKey, ...TOOL, toolArgs: {}, content: 'done', isError: false })
      server.done(sessionKey)
      await server.flowContext.until(() => !server.isOpen || undefined)
      const count = server.count(reply.type)
      server.assess(`${name}:once`, count === 1 ? undefined : `it was answered ${count} times`)
    },
  }
}

const permission = asking('permission', 'The agent asks for a permission.', PERMISSION, () => {})

const questionnaire = asking('questionnaire', 'The agent asks two questions.', QUESTIONNAIRE, (server, reply) => {
  const known = QUESTIONNAIRE.data.questions.map((question) => question.id)
  const strange = Object.keys(reply.responses as object).find((key) => !known.includes(key))
  const found = strange === undefined ? undefined : `"${strange}" is not the id of a question: ${known.join(', ')}`
  server.assess('questionnaire:questions', found)
})

/** Milliseconds between the pieces of an answer that continues until it is cancelled. */
const DELTA_MS = 100

const cancel: CortaskFlow = {
  name: 'cancel',
  description: 'The agent talks on until it is cancelled.',
  text: 'count to a million',
  requirements: ids('cancel:session'),
  ending: { how: 'either', id: id('cancel:session') },
  async play(server) {
    const sessionKey = await server.started()
    const cancelled = () => server.received.find(({ type }) => type === 'cancel')
    const pieces = Math.min(30, server.flowContext.responseTimeoutMs / DELTA_MS)
    for (let count = 1; count <= pieces && !cancelled() && !server.flowContext.isOver; count++) {
      server.emit('text_delta', { sessionKey, text: `${count} ` })
      await server.flowContext.until(cancelled, DELTA_MS)
    }
    const said = cancelled()
    if (!said) throw new NotReached('the client did not cancel the run')
    const found = said.sessionKey === sessionKey ? undefined : `"${said.sessionKey}" is cancelled, not "${sessionKey}"`
    server.assess('cancel:session', found)
    server.done(sessionKey)
  },
}

const failing: CortaskFlow = {
  name: 'error',
  description: 'The run fails with an error; no done comes after it.',
  text: 'hello',
  requirements: ids('error:reported'),
  ending: { how: 'badly', id: id('error:reported') },
  async play(server) {
    const sessionKey = await server.started()
    server.emit('error', { sessionKey, error: 'the model does not answer' })
  },
}

const disconnect: CortaskFlow = {
  name: 'disconnect',
  description: 'The socket breaks in the middle of a run, and no other one is accepted.',
  text: 'hello',
  requirements: ids('disconnect:noticed', 'disconnect:hammering'),
  ending: { how: 'either', id: id('disconnect:noticed') },
  async play(server) {
    const sessionKey = await server.started()
    server.emit('text_delta', { sessionKey, text: 'Hel' })
    await server.flowContext.pause(GLANCE_MS)
    const before = server.connections
    server.isClosed = true
    server.cut()
    await server.flowContext.pause(1000)
    server.assess('disconnect:hammering', hammeringProblem('the socket was opened', server.connections - before))
    // A client that connects again now is answered, so that it can end.
    server.isClosed = false
    const isBack = await server.flowContext.until(() => server.isOpen || undefined, RECONNECT_MS)
    if (!isBack) return
    await server.flowContext.until(() => server.count('chat') > 1 || undefined)
    server.done(sessionKey)
  },
}

const stalePermission: CortaskFlow = {
  name: 'stale-permission',
  description: 'The socket breaks right after a permission request.',
  text: 'run a command',
  requirements: ids('permission:stale'),
  ending: { how: 'either', id: id('permission:stale') },
  async play(server) {
    const sessionKey = await server.started()
    const first = server.connections
    server.emit('tool_call_start', { sessionKey, ...TOOL })
    server.emit('permission_request', PERMISSION)
    // The request arrives before the break.
    await server.flowContext.pause(STALE_MS)
    server.cut()
    const isBack = await server.flowContext.until(() => server.isOpen || undefined, RECONNECT_MS)
    if (!isBack) throw new NotReached('the client did not connect again')
    await server.flowContext.pause(WATCH_MS * 2)
    const stale = server.received.some(({ type, connection }) => type === 'permission_response' && connection > first)
    server.assess('permission:stale', stale ? 'it was answered on the next connection' : undefined)
    server.done(sessionKey)
  },
}

const STALE_MS = 30

/** All flows for clients of Cortask; the first one shows whether the client is reachable. */
const cortaskFlows: readonly CortaskFlow[] = [
  run,
  documented,
  otherSession,
  unknownEvents,
  unknownFields,
  permission,
  questionnaire,
  cancel,
  failing,
  disconnect,
  stalePermission,
]

/** They are judged by whether the client reads on. */
const READING = ids('events:documented', 'events:session', 'events:unknown', 'events:unknown-fields')

/** The clients of Cortask. */
export const cortaskClient: ClientSuite<CortaskServer> = {
  set: cortaskClientSet,
  minimum: 'open the socket at /ws and send a chat',
  flows: cortaskFlows,
  dependencies: Object.fromEntries(READING.map((id) => [id, ids('run:waits')])),
  open: (context) => new CortaskServer(context),
}
