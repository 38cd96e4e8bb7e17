import { NotReached } from '../../client/conversation.ts'
import { type ClientRule, correlationProblem, endsWell, ids, TURN_WATCH_MS } from './requirements.ts'
import { type AgentWebkitFlow, type AgentWebkitServer, INPUT, type ReceivedInput } from './server.ts'

const PERMISSION = {
  correlation_id: 'toolu_delete_7',
  tool_name: 'Bash',
  input: { command: 'rm notes.txt' },
  context: { tool_use_id: 'toolu_delete_7' },
}

const QUESTION = {
  correlation_id: 'toolu_ask_3',
  questions: {
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [{ label: 'Red' }, { label: 'Blue' }],
      },
    ],
  },
}

/** A flow that sends a request to the client and judges its reply. */
function asking(
  name: 'permission' | 'question',
  about: string,
  text: string,
  asks: (server: AgentWebkitServer) => void,
  correlation: string,
): AgentWebkitFlow {
  const type = `${name}_response`
  return {
    name,
    description: about,
    text,
    requirements: [
      ...ids(`${name}:correlation`, `${name}:once`),
      ...(name === 'permission' ? ids('permission:interrupt') : []),
    ],
    ending: endsWell('turn:waits'),
    async play(server) {
      await server.started()
      asks(server)
      const isReply = ({ type: one, correlation_id }: ReceivedInput) =>
        one === type || (one.endsWith('_response') && correlation_id === correlation)
      const reply = await server.flowContext.until(() => server.inputs.find(isReply))
      if (!reply) throw new NotReached(`the client did not answer the ${name}`)
      const isOther = reply.type !== type
      const found = isOther
        ? `it was answered with ${reply.type}`
        : correlationProblem(reply.correlation_id, correlation)
      server.assess(`${name}:correlation`, found)
      await server.flowContext.pause(TURN_WATCH_MS)
      server.emit('tool_result', { tool_use_id: correlation, output: 'done', is_error: false })
      server.say('m2', 'Done.')
      server.result()
      await server.left()
      const count = server.count(reply.type)
      server.assess(`${name}:once`, count === 1 ? undefined : `it was answered ${count} times`)
    },
  }
}

const permission = asking(
  'permission',
  'The agent asks for a permission.',
  'delete the file',
  (server) => {
    server.call(PERMISSION.correlation_id, 'Bash', PERMISSION.input)
    server.emit('permission_request', PERMISSION)
  },
  PERMISSION.correlation_id,
)

const question = asking(
  'question',
  'The agent asks a question with two options.',
  'paint the wall',
  (server) => {
    server.call(QUESTION.correlation_id, 'AskUserQuestion', QUESTION.questions)
    server.emit('ask_user_question', QUESTION)
  },
  QUESTION.correlation_id,
)

const conflict: AgentWebkitFlow = {
  name: 'conflict',
  description: 'Another subscriber answers the permission first, so that the reply is refused with 409.',
  text: 'delete the file',
  requirements: ids('conflict:resent', 'conflict:goes-on'),
  ending: endsWell('conflict:goes-on'),
  async play(server) {
    await server.started()
    server.refuse(INPUT, 409)
    server.call(PERMISSION.correlation_id, 'Bash', PERMISSION.input)
    server.emit('permission_request', PERMISSION)
    const before = server.counts[INPUT]!
    const inputs = () => server.counts[INPUT]! - before
    if (!(await server.flowContext.until(() => inputs() > 0 || undefined)))
      throw new NotReached('the client did not answer the permission')
    await server.flowContext.pause(TURN_WATCH_MS)
    server.emit('tool_result', { tool_use_id: PERMISSION.correlation_id, output: 'done', is_error: false })
    server.say('m2', 'Another user allowed it.')
    await server.reads('conflict:goes-on', 'its reply was refused with 409')
    server.result()
    await server.left()
    server.assess('conflict:resent', inputs() === 1 ? undefined : `the refused reply was sent ${inputs()} times`)
  },
}

/** Milliseconds between the deltas of an answer that continues until an interrupt. */
const DELTA_MS = 100

const interrupt: AgentWebkitFlow = {
  name: 'interrupt',
  description: 'The agent talks on until it is interrupted.',
  text: 'count to a million',
  requirements: ids('interrupt:waits'),
  ending: endsWell('interrupt:waits'),
  async play(server) {
    const rule: ClientRule = 'interrupt:waits'
    await server.started()
    const isInterrupted = () => server.count('interrupt') > 0
    const deltas = Math.min(30, server.flowContext.responseTimeoutMs / DELTA_MS)
    for (let count = 1; count <= deltas && !isInterrupted() && !server.flowContext.isOver; count++) {
      server.emit('message_delta', { message_id: 'm1', delta: { text: `${count} ` } })
      await server.flowContext.until(() => isInterrupted() || undefined, DELTA_MS)
    }
    if (!isInterrupted()) throw new NotReached('the client did not interrupt the turn')
    server.say('m1', '1 2 3')
    await server.reads(rule, 'its interrupt')
    server.result({ subtype: 'interrupted' })
  },
}

/** Requests of the agent to its user, and of the user to the agent. */
export const askingFlows: readonly AgentWebkitFlow[] = [permission, question, conflict, interrupt]
