import { createAgentClient, type DeliveredEvent, type Session } from '@agent-webkit/core'
import { type AgentState, initialState, reduce } from '@agent-webkit/react'
import { afterEach, describe, expect, it } from 'vitest'
import { serve } from '../../../test/support/protocols/serve.ts'
import type { ProtocolServer } from '../protocol.ts'
import { agentWebkit } from './server.ts'
import { Outbound } from './wire.ts'

// The official client drives the server as an application would. Facts such as [W-E1] are listed in facts.ts.

const running: ProtocolServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

async function connect(script?: unknown) {
  const server = await serve((agent, onBug) => agentWebkit({ agent, onBug }), { script })
  running.push(server)
  const client = createAgentClient({ baseUrl: server.url })
  return { server, client, session: await client.createSession() }
}

/** Reads events until one matches. Each is checked against the schema of the protocol. */
async function read(
  events: AsyncIterable<DeliveredEvent>,
  until: DeliveredEvent['event'],
  heed: (event: DeliveredEvent) => unknown = () => {},
): Promise<DeliveredEvent[]> {
  const seen: DeliveredEvent[] = []
  for await (const event of events) {
    Outbound[event.event].parse(event.data)
    seen.push(event)
    await heed(event)
    if (event.event === until) break
  }
  return seen
}

const names = (events: readonly DeliveredEvent[]) =>
  events.map(({ event }) => event).filter((name) => name !== 'message_delta')
const fold = (events: readonly DeliveredEvent[]): AgentState =>
  events.reduce((state, event) => reduce(state, { type: 'server_event', event }), initialState)
const approve = (session: Session) => (event: DeliveredEvent) =>
  event.event === 'permission_request' ? session.approve(event.data.correlation_id) : undefined

describe('a turn', () => {
  it('[W-E1] [W-V1] [W-M1] [W-V3] [W-V9] is asked and answered', async () => {
    const { session } = await connect()
    await session.send('Hello there')
    const events = await read(session.events(), 'result')
    expect(session.protocolVersion).toBe('1.0')
    expect(names(events)).toEqual(['session_ready', 'message_complete', 'result'])
    expect(events[0]).toEqual({
      id: 1,
      event: 'session_ready',
      data: { session_id: session.id, protocol_version: '1.0' },
    })
    expect(events.at(-1)!.data).toMatchObject({
      session_id: session.id,
      subtype: 'success',
      result: 'You said: Hello there',
    })
  })

  it('[W-V2] [W-F6] streams text that the official reducer folds into the finished message', async () => {
    const { session } = await connect()
    await session.send('think it over')
    const events = await read(session.events(), 'result')
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1))
    const complete = events.findIndex((event) => event.event === 'message_complete')
    expect(complete).toBeGreaterThan(2)
    const streaming = fold(events.slice(0, complete))
    const finished = fold(events)
    const content = [
      { type: 'thinking', thinking: 'The question is simple. I only have to answer it.' },
      { type: 'text', text: 'I have thought it over.' },
    ]
    expect(streaming.messages).toMatchObject([{ content, streaming: true }])
    expect(finished.messages).toMatchObject([{ content, streaming: false }])
    expect(finished.status).toBe('idle')
  })

  it('[W-T1] [W-V4] [W-V5] keeps the order of messages, uses and results', async () => {
    const { session } = await connect()
    await session.send('use two tools')
    const events = await read(session.events(), 'result')
    expect(names(events)).toEqual([
      'session_ready',
      'message_complete',
      'tool_use',
      'tool_use',
      'tool_result',
      'tool_result',
      'message_complete',
      'result',
    ])
    const uses = events.flatMap((event) => (event.event === 'tool_use' ? [event.data] : []))
    const results = events.flatMap((event) => (event.event === 'tool_result' ? [event.data] : []))
    const [message] = events.flatMap((event) => (event.event === 'message_complete' ? [event.data] : []))
    expect(message!.message.content).toEqual(
      uses.map((use) => ({ type: 'tool_use', id: use.tool_use_id, name: use.tool_name, input: use.input })),
    )
    expect(results).toEqual([
      { tool_use_id: uses[0]!.tool_use_id, output: 'Sunny, 22 degrees (first)', is_error: false },
      { tool_use_id: uses[1]!.tool_use_id, output: 'contents of README.md', is_error: false },
    ])
    const pieces = events.flatMap((event) => (event.event === 'message_delta' ? [event.data.delta] : []))
    const json = pieces.map((piece) => ('partial_json' in piece ? piece.partial_json : '')).join('')
    expect(json).toBe(uses.map((use) => JSON.stringify(use.input)).join(''))
  })

  it('[W-V5] reports a failing tool', async () => {
    const { session } = await connect()
    await session.send('use a broken tool')
    const events = await read(session.events(), 'result')
    expect(events.find((event) => event.event === 'tool_result')!.data).toMatchObject({ is_error: true })
  })

  it('[W-M1] accepts blocks of text and pictures', async () => {
    const { session } = await connect()
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } } as const
    await session.send([{ type: 'text', text: 'look at this' }, image, image])
    expect((await read(session.events(), 'result')).at(-1)!.data).toMatchObject({ result: 'I see 2 pictures.' })
  })

  it('[W-V9] adds up its cost, and the reducer adds up the turns', async () => {
    const { session } = await connect()
    await session.send('spend tokens')
    await session.send('spend tokens')
    const first = await read(session.events(), 'result')
    const second = await read(session.events(), 'result')
    expect(first.at(-1)!.data).toMatchObject({
      total_cost_usd: 0.375,
      usage: { input_tokens: 1234, output_tokens: 567 },
    })
    expect(fold([...first, ...second]).totalCostUsd).toBe(0.75)
  })

  it('[W-V10] [W-X9] that fails sends the reason, then ends', async () => {
    const { session } = await connect()
    await session.send('fail halfway')
    const events = await read(session.events(), 'result')
    expect(events.slice(-2).map(({ event, data }) => [event, data])).toMatchObject([
      ['error', { code: 'query_failed', message: 'the model cannot go on' }],
      ['result', { subtype: 'error_during_execution', is_error: true }],
    ])
  })

  it('[W-V11] may report the status of servers', async () => {
    const { session } = await connect()
    await session.send('report servers')
    const events = await read(session.events(), 'result')
    expect(events.filter((event) => event.event === 'mcp_status_change').map((event) => event.data)).toEqual([
      { server_name: 'desktop', status: 'failed' },
      { server_name: 'desktop', status: 'connected' },
    ])
  })
})

describe('permissions', () => {
  it('[W-M3] [W-V6] are requested after the tool_use, by its id, and granted', async () => {
    const { session } = await connect()
    await session.send('run a command')
    const events = await read(session.events(), 'result', approve(session))
    expect(names(events)).toEqual([
      'session_ready',
      'message_complete',
      'tool_use',
      'permission_request',
      'tool_result',
      'message_complete',
      'result',
    ])
    const use = events.find((event) => event.event === 'tool_use')!.data
    expect(events.find((event) => event.event === 'permission_request')!.data).toEqual({
      correlation_id: use.tool_use_id,
      tool_name: 'run_command',
      input: { command: 'npm install' },
      context: {
        tool_use_id: use.tool_use_id,
        title: 'Execute command: npm install',
        description: 'It changes files of the project.',
      },
    })
  })

  it('[W-M3] may be granted with other arguments, and for good', async () => {
    const { session } = await connect()
    await session.send('run a command')
    await session.send('run a command')
    const rule = { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'run_command' }] }
    const first = await read(session.events(), 'result', (event) =>
      event.event === 'permission_request'
        ? session.approve(event.data.correlation_id, { updatedInput: { command: 'true' }, updatedPermissions: [rule] })
        : undefined,
    )
    const second = await read(session.events(), 'result')
    expect(first.at(-1)!.data).toMatchObject({ result: 'The command ran: $ true: done' })
    expect(names(second)).not.toContain('permission_request')
    expect(second.at(-1)!.data).toMatchObject({ result: 'The command ran: $ npm install: done' })
  })

  it('[W-T4] that are denied let the turn continue', async () => {
    const { session } = await connect()
    await session.send('run a command')
    const events = await read(session.events(), 'result', (event) =>
      event.event === 'permission_request' ? session.deny(event.data.correlation_id, { message: 'no' }) : undefined,
    )
    expect(events.find((event) => event.event === 'tool_result')!.data).toMatchObject({ output: 'no', is_error: true })
    expect(events.at(-1)!.data).toMatchObject({ subtype: 'success', result: 'I did not run it: no' })
  })

  it('[W-T4] that are denied with an interrupt end the turn', async () => {
    const { session } = await connect()
    await session.send('run a command')
    const events = await read(session.events(), 'result', (event) =>
      event.event === 'permission_request' ? session.deny(event.data.correlation_id, { interrupt: true }) : undefined,
    )
    expect(names(events).slice(-2)).toEqual(['permission_request', 'result'])
    expect(events.at(-1)!.data).toMatchObject({ subtype: 'interrupted' })
  })

  it('[W-V8] of hooks are decided like permissions', async () => {
    const { session } = await connect()
    await session.send('ask the hook')
    const events = await read(session.events(), 'result', (event) =>
      event.event === 'hook_decision_request' ? session.approve(event.data.correlation_id) : undefined,
    )
    expect(events.find((event) => event.event === 'hook_decision_request')!.data).toMatchObject({
      hook_event: 'PreToolUse',
      hook_input: { tool_name: 'run_command' },
    })
    expect(events.at(-1)!.data).toMatchObject({ result: 'The hook said: allowed.' })
  })

  it('[W-M5] are not requested in a mode that bypasses them', async () => {
    const { session } = await connect()
    await session.setPermissionMode('bypassPermissions')
    await session.send('run a command')
    expect(names(await read(session.events(), 'result'))).not.toContain('permission_request')
  })
})

describe('questions', () => {
  it('[W-M4] [W-V7] follow their own tool_use and are answered by label', async () => {
    const { session } = await connect()
    await session.send('ask me')
    const events = await read(session.events(), 'result', (event) =>
      event.event === 'ask_user_question'
        ? session.answer(event.data.correlation_id, [
            { question: 'Which framework?', selectedOptions: ['Vue'] },
            { question: 'Which extras?', selectedOptions: ['Docs', 'CI'] },
          ])
        : undefined,
    )
    expect(names(events)).toEqual([
      'session_ready',
      'message_complete',
      'tool_use',
      'ask_user_question',
      'tool_result',
      'message_complete',
      'result',
    ])
    const use = events.find((event) => event.event === 'tool_use')!.data
    const asked = events.find((event) => event.event === 'ask_user_question')!.data
    expect([use.tool_name, use.tool_use_id, use.input]).toEqual([
      'AskUserQuestion',
      asked.correlation_id,
      asked.questions,
    ])
    expect(asked.questions.questions[1]).toEqual({
      question: 'Which extras?',
      header: 'Extras',
      multiSelect: true,
      options: [{ label: 'Tests' }, { label: 'Docs' }, { label: 'CI' }],
    })
    expect(events.at(-1)!.data).toMatchObject({
      result: 'Your answers:\nWhich framework? Vue\nWhich extras? Docs, CI\nWhat is it called? (no answer)',
    })
  })

  it('[W-M4] are answered by the question as well as by its id', async () => {
    const { session } = await connect()
    await session.send('ask me')
    const events = await read(session.events(), 'result', (event) =>
      event.event === 'ask_user_question'
        ? session.answer(event.data.correlation_id, { 'Which framework?': 'Vue', extras: ['Docs', 'CI'] })
        : undefined,
    )
    expect(events.at(-1)!.data).toMatchObject({
      result: 'Your answers:\nWhich framework? Vue\nWhich extras? Docs, CI\nWhat is it called? (no answer)',
    })
  })

  it('[W-X4] do not accept a permission as an answer', async () => {
    const { session } = await connect()
    await session.send('ask me')
    await read(session.events(), 'result', async (event) => {
      if (event.event !== 'ask_user_question') return
      await expect(session.approve(event.data.correlation_id)).rejects.toMatchObject({ status: 409 })
      await session.answer(event.data.correlation_id, { framework: 'react' })
    })
  })
})

describe('a session', () => {
  it('[W-M2] [W-T3] is interrupted: the turn ends with a result, the next one is played', async () => {
    const { session } = await connect()
    await session.interrupt()
    await session.send('answer slowly')
    await session.send('next')
    const first = await read(session.events(), 'result', (event) =>
      event.event === 'message_delta' ? session.interrupt() : undefined,
    )
    const second = await read(session.events(), 'result')
    expect(names(first)).toEqual(['session_ready', 'message_complete', 'result'])
    expect(first.at(-1)!.data).toMatchObject({ subtype: 'interrupted' })
    expect(second.at(-1)!.data).toMatchObject({ subtype: 'success', result: 'You said: next' })
    const [message] = first.flatMap((event) => (event.event === 'message_complete' ? [event.data.message] : []))
    const deltas = first.flatMap((event) => (event.event === 'message_delta' ? [event.data.delta] : []))
    expect(message!.content).toEqual([
      { type: 'text', text: deltas.map((delta) => ('text' in delta ? delta.text : '')).join('') },
    ])
  })

  it('[W-M6] names the requested model', async () => {
    const { session } = await connect()
    await session.setModel('big')
    await session.send('one')
    const big = await read(session.events(), 'result')
    await session.setModel(null)
    await session.send('two')
    const own = await read(session.events(), 'result')
    const models = [big, own].map((events) =>
      events.flatMap((event) => (event.event === 'message_complete' ? [event.data.message.model] : [])),
    )
    expect(models).toEqual([['big'], [null]])
  })

  it('[W-M6] a running turn keeps its model', async () => {
    const { session } = await connect()
    await session.setModel('old')
    await session.send('run a command')
    const events = await read(session.events(), 'result', async (event) => {
      if (event.event !== 'permission_request') return
      await session.setModel('new')
      await session.approve(event.data.correlation_id)
    })
    const models = events.flatMap((event) => (event.event === 'message_complete' ? [event.data.message.model] : []))
    expect(models).toEqual(['old', 'old'])
  })

  it('[W-M7] stops a task, and ignores an unknown one', async () => {
    const { session } = await connect({
      turns: [
        {
          steps: [
            { spawn: { task: 'wait', steps: [{ delay: 600_000 }] }, as: 'task' },
            { say: 'It was: {{results.task.text}}' },
          ],
        },
      ],
    })
    await session.stopTask('nothing')
    await session.send('go')
    const events = await read(session.events(), 'result', (event) =>
      event.event === 'tool_use' ? session.stopTask(event.data.tool_use_id) : undefined,
    )
    expect(events.at(-1)!.data).toMatchObject({ result: 'It was: the task was stopped' })
  })

  it('survives a lost connection: the client reconnects and misses no event', async () => {
    const { session } = await connect()
    await session.send('disconnect')
    const events = await read(session.events(), 'result')
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1))
    expect(events.at(-1)!.data).toMatchObject({ result: 'Before the drop. After the drop.' })
  })
})
