import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import { startNavi, startNaviSession } from '../../../test/support/protocols/navi.ts'
import { checkEventOrder } from '../../../test/support/protocols/navi-grammar.ts'

// Facts such as [N-E1] are listed in facts.ts.

afterEach(cleanUp)

describe('a run', () => {
  it('[N-G1] [N-V1] [N-V2] [N-V3] [N-V8] [N-V9] [N-M1] [N-G8] [N-G9] [N-E13] streams thoughts and an answer', async () => {
    const { client } = await startNaviSession()
    client.sendMessage('think it over')
    const end = await client.until('stream_end')
    expect(client.types()).toEqual(['stream_start', 'thinking_delta', 'thinking_end', 'stream_delta', 'stream_end'])
    expect(client.answer()).toBe('I have thought it over.')
    expect(end).toEqual({
      type: 'stream_end',
      content: 'I have thought it over.',
      context_tokens: expect.any(Number),
      max_context_tokens: 65_536,
    })
  })

  it('[N-G8] has no thoughts when the profile disables them', async () => {
    const { client } = await startNaviSession({}, {}, 'server_admin')
    client.sendMessage('think it over')
    await client.until('stream_end')
    expect(client.types()).toEqual(['stream_start', 'stream_delta', 'stream_end'])
  })

  it('[N-G2] [N-V4] [N-V6] [N-V7] [N-G7] sends thoughts before their tool calls', async () => {
    const { client } = await startNaviSession()
    client.sendMessage('search the web')
    await client.until('stream_end')
    const args = { query: 'weather in Lisbon' }
    expect(client.received.slice(0, 4)).toEqual([
      { type: 'stream_start' },
      { type: 'turn_thinking', thinking: 'I should look this up.', is_subagent: false },
      { type: 'tool_started', tool: 'web_search', args, is_subagent: false },
      {
        type: 'tool_call',
        tool: 'web_search',
        args,
        result: 'Sunny, 22 degrees (weather in Lisbon)',
        success: true,
        is_subagent: false,
      },
    ])
    expect(client.types().slice(4)).toEqual(['stream_delta', 'stream_end'])
  })

  it('[N-V5] shows plans only for profiles that plan', async () => {
    const planner = await startNaviSession()
    planner.client.sendMessage('make a plan')
    await planner.client.until('stream_end')
    expect(planner.client.types().slice(0, 3)).toEqual(['stream_start', 'plan_ready', 'tool_started'])
    expect(planner.client.received[1]).toMatchObject({
      plan: expect.stringMatching(/^## Plan\n\n\*\*Task:\*\* make a plan/),
    })
    const other = await startNaviSession({}, {}, 'server_admin')
    other.client.sendMessage('make a plan')
    await other.client.until('stream_end')
    expect(other.client.types()).not.toContain('plan_ready')
  })

  it('[N-G3] marks the calls of a nested agent', async () => {
    const { client, call, id } = await startNaviSession()
    client.sendMessage('delegate')
    await client.until('stream_end')
    const shown = client.received.filter(({ type }) => type !== 'stream_delta')
    expect(shown.map((message) => [message.type, 'is_subagent' in message ? message.is_subagent : undefined])).toEqual([
      ['stream_start', undefined],
      ['tool_started', false],
      ['turn_thinking', true],
      ['tool_started', true],
      ['tool_call', true],
      ['tool_call', false],
      ['stream_end', undefined],
    ])
    expect(await call('GET', `/sessions/${id}`)).toMatchObject([
      200,
      {
        messages: [
          { role: 'user' },
          { tool_calls: [{ name: 'spawn_agent' }] },
          { role: 'tool' },
          { role: 'assistant' },
        ],
      },
    ])
  })

  it('[N-V12] [N-G6] compresses a full context after the answer, and shows all messages as before', async () => {
    const { client, call, id } = await startNaviSession({}, {}, 'forgetful')
    for (let turn = 0; turn < 4; turn++) {
      const from = client.received.length
      client.sendMessage(`remember ${turn}: ${'many words '.repeat(60)}`)
      await client.until('stream_end', from)
    }
    const compressed = await client.until('context_compressed')
    const at = client.received.indexOf(compressed)
    const end = client.received[at - 1]
    expect(end).toMatchObject({ type: 'stream_end', max_context_tokens: 1000 })
    if (end?.type !== 'stream_end' || compressed.type !== 'context_compressed') throw new Error('unreachable')
    expect(end.context_tokens).toBeGreaterThanOrEqual(800)
    expect(compressed.messages_after).toBeLessThan(compressed.messages_before)
    const [, session] = await call('GET', `/sessions/${id}`)
    const [, context] = await call('GET', `/sessions/${id}/context`)
    expect(session).toMatchObject({ messages: { length: 8 } })
    expect(context).toMatchObject({
      context: [
        { role: 'system', is_summary: true },
        { role: 'user' },
        { role: 'assistant' },
        { role: 'user' },
        { role: 'assistant' },
      ],
    })
  })

  it.each(['fail halfway', 'fail at once'])('[N-V13] [N-G5] %s: the error is the last event', async (phrase) => {
    const { client } = await startNaviSession()
    client.sendMessage(phrase)
    await client.until('error')
    const from = client.received.length
    expect(client.received.at(-1)).toEqual({ type: 'error', message: expect.stringMatching(/^the model can/) })
    client.sendMessage('hello')
    await client.until('stream_end', from)
    expect(client.received[from]).toEqual({ type: 'stream_start' })
  })

  it('[N-G1] [N-G2] [N-G5] [N-G6] follows the grammar, whatever flow is asked for', async () => {
    const { client } = await startNaviSession()
    client.sendMessage('hello')
    await client.until('stream_end')
    for (const phrase of [
      'think it over',
      'search the web',
      'use two tools',
      'use a broken tool',
      'make a plan',
      'delegate',
      'delegate to nobody',
      'switch to server_admin',
      'fill the context',
      'stumble',
      'spend tokens',
      'ask me',
      'may I',
      'run two commands',
      'answer at length',
    ]) {
      const from = client.received.length
      client.sendMessage(phrase)
      await client.until('stream_end', from)
      expect({ phrase, problems: checkEventOrder(client.received.slice(from)) }).toEqual({ phrase, problems: [] })
    }
  })
})

describe('stop', () => {
  it('[N-E11] [N-V10] [N-G5] ends the run, stores the partial answer, and works once', async () => {
    const { client, call, id } = await startNaviSession()
    client.sendMessage('answer slowly')
    await client.until('stream_delta')
    expect(await call('POST', `/sessions/${id}/stop`)).toEqual([200, { ok: true }])
    expect(await call('POST', `/sessions/${id}/stop`)).toEqual([200, { ok: false, reason: 'no active run' }])
    await client.until('stream_stopped')
    const from = client.received.length
    client.sendMessage('hello')
    await client.until('stream_end', from)
    expect(client.received[from]).toEqual({ type: 'stream_start' })
    expect(client.types().filter((type) => type === 'stream_end' || type === 'stream_stopped')).toEqual([
      'stream_stopped',
      'stream_end',
    ])
    const [, session] = await call('GET', `/sessions/${id}`)
    expect(session).toMatchObject({ messages: [{}, { content: expect.stringMatching(/^(slow )+$/) }, {}, {}] })
  })

  it('[N-E11] lets a waiting POST return the partial answer', async () => {
    const { client, call, id } = await startNaviSession()
    const asked = call('POST', `/sessions/${id}/messages`, { content: 'answer slowly' })
    await client.until('stream_delta')
    await call('POST', `/sessions/${id}/stop`)
    expect(await asked).toEqual([200, { role: 'assistant', content: expect.stringMatching(/^(slow )+$/) }])
  })

  it('[N-E11] breaks a loop of tools', async () => {
    const { client, call, id } = await startNaviSession()
    client.sendMessage('use tools slowly')
    await client.until('tool_call')
    await call('POST', `/sessions/${id}/stop`)
    await client.until('stream_stopped')
    expect(client.received.at(-1)).toEqual({ type: 'stream_stopped' })
  })
})

describe('sockets', () => {
  it('[N-X5] at an unknown session receive an error and close with 4004', async () => {
    const { connect } = await startNavi()
    const client = await connect('unknown')
    expect(await client.closed).toEqual([4004, 'Session not found'])
    expect(client.received).toEqual([{ type: 'error', message: 'Session not found' }])
  })

  it('[N-S6] that reconnect receive a run whose end no client has read, once', async () => {
    const { client, connect, call, id } = await startNaviSession(
      {},
      { script: [{ say: ['one ', 'two '] }, { call: 'todo', with: {} }, { delay: 300 }, { say: ['three ', 'four'] }] },
    )
    client.sendMessage('go')
    await client.until('tool_call')
    client.socket.close()
    await client.closed
    await expect
      .poll(async () => ((await call('GET', `/sessions/${id}`))[1] as { messages: unknown[] }).messages.length)
      .toBe(4)
    const back = await connect(id)
    await back.until('stream_end')
    expect(back.types()).toEqual([
      'stream_start',
      'turn_thinking',
      'tool_started',
      'tool_call',
      'stream_delta',
      'stream_end',
    ])
    expect(checkEventOrder(back.received)).toEqual([])
    back.socket.close()
    await back.closed
    const third = await connect(id)
    third.sendMessage('again')
    await third.until('stream_end')
    expect(third.received[0]).toEqual({ type: 'stream_start' })
  })

  it('[N-S5] that reconnect during a run continue with it, also after a server disconnect', async () => {
    const { client, connect, id } = await startNaviSession()
    client.sendMessage('disconnect')
    await client.closed
    const back = await connect(id)
    expect(await back.until('stream_end')).toMatchObject({ content: 'Before the drop. After the drop.' })
    expect(client.answer()).toBe('Before the drop. ')
    expect(back.answer()).toBe('Before the drop. After the drop.')
  })

  it('that send during a run receive an error, and the run is not affected', async () => {
    const { client, connect, id } = await startNaviSession()
    const other = await connect(id)
    client.sendMessage('use tools slowly')
    await other.until('tool_call')
    other.sendMessage('me too')
    expect(await other.until('error')).toEqual({ type: 'error', message: expect.stringContaining('busy') })
    expect(client.types()).not.toContain('error')
  })

  it.each([
    ['N-M1', '{"type":"other","content":"x"}'],
    ['N-M2', '{"type":"message","content":"  "}'],
    ['N-M4', '{"type":"message","content":"x","files":[7]}'],
  ])('[%s] [N-M1] [N-M2] answer %s with an error and no run', async (_row, frame) => {
    const { client, server } = await startNaviSession()
    client.send(frame)
    await client.until('error')
    client.sendMessage('still there?')
    await client.until('stream_end')
    expect(client.types()).toEqual(['error', 'stream_start', 'stream_delta', 'stream_end'])
    expect(server.bugs).toEqual([])
  })

  it('close an oversize frame with 1009 and leave others alone', async () => {
    const { client, connect, id } = await startNaviSession({ maxPayload: 1000 })
    const other = await connect(id)
    client.sendMessage('x'.repeat(2000))
    expect((await client.closed)[0]).toBe(1009)
    other.sendMessage('hello')
    await other.until('stream_end')
  })
})
