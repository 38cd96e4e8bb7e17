import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { startModelEndpoint, toolCallChunks } from '../../../test/support/agent/model-endpoint.ts'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { cleanUp, onCleanup } from '../../../test/support/protocols/cleanup.ts'
import { requestIdOf, startCortask } from '../../../test/support/protocols/cortask.ts'
import { endpointModel } from '../../agent/models/model-client.ts'

// Facts such as [C-E1] are listed in facts.ts.

afterEach(cleanUp)

describe('a run', () => {
  it('[C-M1] [C-V1] [C-V2] [C-V9] [C-E1] streams thoughts and text, and is done', async () => {
    const { client } = await startCortask()
    const { chat, until, types, text, received } = await client()
    expect(received).toEqual([])
    chat('think it over')
    expect(await until('done')).toEqual({
      type: 'done',
      sessionKey: 's',
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    })
    expect(types()).toEqual(['thinking_delta', 'text_delta', 'done'])
    expect(text()).toBe('I have thought it over.')
    expect(new Set(received.map((message) => message.sessionKey))).toEqual(new Set(['s']))
  })

  it('[C-V3] [C-V4] [C-V5] [C-V6] [C-R1] sends each call from start to result', async () => {
    const { client } = await startCortask()
    const { chat, until, received, types } = await client()
    chat('use two tools')
    await until('done')
    const calls = received.filter((message) => message.type.startsWith('tool_'))
    expect(types().filter((type, index, all) => all.indexOf(type) === index)).toEqual([
      'tool_call_start',
      'tool_call_delta',
      'tool_call_end',
      'tool_result',
      'text_delta',
      'done',
    ])
    const results = received.filter((message) => message.type === 'tool_result')
    expect(results).toMatchObject([
      { toolName: 'web_search', toolArgs: { query: 'first' }, content: 'Sunny, 22 degrees (first)', isError: false },
      { toolName: 'read_file', toolArgs: { path: 'README.md' }, content: 'contents of README.md', isError: false },
    ])
    for (const { toolCallId, toolArgs } of results) {
      const ofCall = calls.filter((message) => message.toolCallId === toolCallId)
      const order = ofCall.map(({ type }) => type)
      expect([order[0], ...order.slice(-2)]).toEqual(['tool_call_start', 'tool_call_end', 'tool_result'])
      expect(
        JSON.parse(ofCall.map((message) => (message.type === 'tool_call_delta' ? message.text : '')).join('')),
      ).toEqual(toolArgs)
    }
  })

  it('[C-V4] [C-V5] omits details of calls with callDetails off', async () => {
    const { client } = await startCortask({ callDetails: false })
    const { chat, until, types } = await client()
    chat('search the web')
    await until('done')
    expect(types()).toEqual(['thinking_delta', 'tool_call_start', 'tool_result', 'text_delta', 'done'])
  })

  it('[C-V9] adds up the usage of all model calls', async () => {
    const { client } = await startCortask()
    const { chat, until } = await client()
    chat('spend tokens')
    expect((await until('done')).usage).toEqual({ inputTokens: 1234, outputTokens: 567 })
  })

  it.each(['fail halfway', 'fail at once'])('[C-V10] [C-X9] %s: ends with error and without done', async (phrase) => {
    const { client } = await startCortask()
    const { chat, until, received } = await client()
    chat(phrase)
    expect(await until('error')).toEqual({
      type: 'error',
      sessionKey: 's',
      error: expect.stringMatching(/^the model can/),
    })
    chat('hello')
    await until('done')
    expect(received.filter(({ type }) => type === 'done' || type === 'error').map(({ type }) => type)).toEqual([
      'error',
      'done',
    ])
  })

  it('[C-X9] does not send an error that the run survives', async () => {
    const { client } = await startCortask()
    const { chat, until, types } = await client()
    chat('stumble')
    await until('done')
    expect(types()).toEqual(['text_delta', 'done'])
  })

  it('[C-R13] ends after 25 turns of a model that never stops calling, in a plain done', async () => {
    const { baseUrl, requests, close } = await startModelEndpoint(
      toolCallChunks(0, 'x', 'web_search', '{"query":"again"}'),
    )
    onCleanup(close)
    const { client } = await startCortask({}, { model: endpointModel({ baseUrl, key: 'k', model: 'm' }) })
    const { chat, until, received } = await client()
    chat('go')
    await until('done')
    const ends = received.filter(({ type }) => type === 'done' || type === 'error')
    expect([requests.length, received.filter(({ type }) => type === 'tool_result').length, ends.length]).toEqual([
      25, 25, 1,
    ])
  })
})

describe('permissions', () => {
  it('[C-M3] [C-V7] [C-R2] are requested between the start and the result of the call', async () => {
    const { client } = await startCortask()
    const { chat, until, send, types, text } = await client()
    chat('run a command')
    const asked = await until('permission_request')
    expect(asked).toEqual({
      type: 'permission_request',
      requestId: expect.any(String),
      description: 'Execute command: npm install',
      details: 'It changes files of the project.',
    })
    send({ type: 'permission_response', requestId: requestIdOf(asked), approved: true })
    await until('done')
    expect(types()).toEqual([
      'tool_call_start',
      'tool_call_delta',
      'tool_call_end',
      'permission_request',
      'tool_result',
      'text_delta',
      'done',
    ])
    expect(text()).toBe('The command ran: $ npm install: done')
  })

  it.each([false, 'yes', undefined])('[C-R3] approved: %j is a denial; the run continues', async (approved) => {
    const { client } = await startCortask()
    const { chat, until, send } = await client()
    chat('run a command')
    send({ type: 'permission_response', requestId: requestIdOf(await until('permission_request')), approved })
    expect(await until('tool_result')).toMatchObject({ isError: true, content: 'the person did not permit this' })
    await until('done')
  })

  it('[C-R4] are denied after 60 s', async () => {
    const clock = manualClock()
    const { client } = await startCortask({}, { clock })
    const { chat, until, received, read } = await client()
    chat('run a command')
    await until('permission_request')
    await clock.advance(59_999)
    expect(received.some(({ type }) => type === 'tool_result')).toBe(false)
    await clock.advance(1)
    expect(await read(({ type }) => type === 'tool_result')).toMatchObject({ isError: true })
    await until('done')
  })

  it('[C-R6] [C-X7] may be granted by another client, once', async () => {
    const { client, server } = await startCortask()
    const [owner, other] = [await client(), await client()]
    owner.chat('run a command')
    const requestId = requestIdOf(await owner.until('permission_request'))
    other.send({ type: 'permission_response', requestId: 'unknown', approved: true })
    other.send({ type: 'permission_response', requestId, approved: true })
    other.send({ type: 'permission_response', requestId, approved: false })
    owner.send({ type: 'permission_response', requestId, approved: false })
    await owner.until('done')
    expect(owner.text()).toBe('The command ran: $ npm install: done')
    expect([other.received, server.bugs]).toEqual([[], []])
  })

  it('include their session only with namedRequests', async () => {
    const { client } = await startCortask({ namedRequests: true })
    const { chat, until } = await client()
    chat('run a command')
    expect(await until('permission_request')).toMatchObject({ sessionKey: 's' })
  })
})

describe('questionnaires', () => {
  it('[C-M4] [C-V8] are answered by id', async () => {
    const { client } = await startCortask()
    const { chat, until, send, text } = await client()
    chat('ask me')
    const asked = await until('questionnaire_request')
    expect(asked).toMatchObject({
      data: { title: 'Project set-up', questions: [{ id: 'framework', type: 'single' }, {}, {}] },
    })
    expect(asked.sessionKey).toBe(undefined)
    const responses = { framework: 'vue', extras: ['docs', 'ci'], name: 'x', other: 'ignored' }
    send({ type: 'questionnaire_response', requestId: requestIdOf(asked), responses })
    await until('done')
    expect(text()).toBe('Your answers:\nWhich framework? vue\nWhich extras? docs, ci\nWhat is it called? x')
  })

  it('[C-R5] wait for ever, and {} skips them', async () => {
    const clock = manualClock()
    const { client } = await startCortask({}, { clock })
    const { chat, until, send, received, text } = await client()
    chat('ask me')
    const asked = await until('questionnaire_request')
    await clock.advance(24 * 3_600_000)
    expect(received.at(-1)).toEqual(asked)
    send({ type: 'questionnaire_response', requestId: requestIdOf(asked), responses: {} })
    await until('done')
    expect(text()).toContain('Which framework? (no answer)')
  })

  it.each([
    [{ type: 'cancel' }, 'cancel: sessionKey is missing'],
    [{ type: 'permission_response', approved: true }, 'permission_response: requestId is missing'],
    [{ type: 'questionnaire_response', responses: {} }, 'questionnaire_response: requestId is missing'],
  ])('name the id that %j lacks', async (message, error) => {
    const { client } = await startCortask()
    const { send, until } = await client()
    send(message)
    expect(await until('error')).toEqual({ type: 'error', sessionKey: '', error })
  })

  it.each([undefined, null, 7, { framework: { nested: true } }])(
    '[C-X13] continue with the responses %j',
    async (responses) => {
      const { client } = await startCortask()
      const { chat, until, send, text } = await client()
      chat('ask me')
      send({ type: 'questionnaire_response', requestId: requestIdOf(await until('questionnaire_request')), responses })
      await until('done')
      expect(text()).toContain('Which framework? (no answer)')
    },
  )
})

describe('cancel', () => {
  it('[C-M2] [C-R9] [C-R10] ends the run with one done; the session can be used at once', async () => {
    const { client, get } = await startCortask()
    const { chat, until, send, received, read, text } = await client()
    chat('answer slowly')
    await until('text_delta')
    send({ type: 'cancel', sessionKey: 's' })
    chat('next')
    await read(() => received.filter(({ type }) => type === 'done').length === 2)
    expect(received.some(({ type }) => type === 'error')).toBe(false)
    expect(text()).toMatch(/^(slow )+You said: next$/)
    const [, session] = await get('/sessions/s?workspaceId=w')
    expect(session).toMatchObject({
      messages: [{ role: 'user' }, { content: [{ text: expect.stringMatching(/^(slow )+$/) }] }, {}, {}],
    })
  })

  it('[C-M2] [C-R8] [C-R9] leaves a chat that waits, which is answered next: a done for each', async () => {
    const { client } = await startCortask()
    const { chat, until, send, received, read, text } = await client()
    chat('answer slowly')
    await until('text_delta')
    chat('next')
    send({ type: 'cancel', sessionKey: 's' })
    await read(() => received.filter(({ type }) => type === 'done').length === 2)
    expect(text()).toMatch(/^(slow )+You said: next$/)
  })

  it('[C-R9] sends no done with doneAfterCancel off', async () => {
    const { client } = await startCortask({ doneAfterCancel: false })
    const { chat, until, send, received } = await client()
    chat('answer slowly')
    await until('text_delta')
    send({ type: 'cancel', sessionKey: 's' })
    chat('next', { sessionKey: 'other' })
    await until('done')
    expect(received.filter(({ type }) => type === 'done').map((message) => message.sessionKey)).toEqual(['other'])
  })
})

describe('a disconnect', () => {
  it('[C-D1] [C-D2] ends only the runs of that client', async () => {
    const { client, get } = await startCortask()
    const [leaver, stayer] = [await client(), await client()]
    leaver.chat('answer slowly', { sessionKey: 'left' })
    stayer.chat('run a command', { sessionKey: 'stayed' })
    await leaver.until('text_delta')
    const requestId = requestIdOf(await stayer.until('permission_request'))
    leaver.socket.close()
    await once(leaver.socket, 'close')
    await expect.poll(async () => (await get('/sessions/left?workspaceId=w'))[0]).toBe(200)
    stayer.send({ type: 'permission_response', requestId, approved: true })
    await stayer.until('done')
    expect(stayer.text()).toBe('The command ran: $ npm install: done')
  })

  it('[C-D1] denies a pending permission: the tool is never run', async () => {
    const { client, get } = await startCortask()
    const [leaver, other] = [await client(), await client()]
    leaver.chat('run a command')
    const requestId = requestIdOf(await leaver.until('permission_request'))
    leaver.socket.terminate()
    await expect.poll(async () => (await get('/sessions/s?workspaceId=w'))[0]).toBe(200)
    other.send({ type: 'permission_response', requestId, approved: true })
    const [, session] = await get('/sessions/s?workspaceId=w')
    expect(session).toMatchObject({
      messages: [{}, {}, { content: [{ type: 'tool_result', text: 'stopped', isError: true }] }],
    })
  })

  it('[C-D1] [C-D4] leaves a questionnaire to any client, with which the run continues', async () => {
    const { client } = await startCortask()
    const leaver = await client()
    leaver.chat('ask me')
    const requestId = requestIdOf(await leaver.until('questionnaire_request'))
    leaver.socket.close()
    await once(leaver.socket, 'close')
    const back = await client()
    back.send({ type: 'questionnaire_response', requestId, responses: { name: 'again' } })
    await back.until('done')
    expect(back.types()).toEqual(['tool_result', 'text_delta', 'done'])
    expect(back.text()).toContain('What is it called? again')
  })

  it('[C-D1] denies a permission beside a questionnaire at once', async () => {
    const form = { questions: [{ id: 'name', question: 'Who?', type: 'text' }] }
    const calls = [
      { call: 'ask_user', with: form },
      { call: 'web_search', with: {}, ask_permission: 'Look around', as: 'looked' },
    ]
    const steps = [{ calls }, { say: '{{results.looked.text}}' }]
    const { client } = await startCortask({}, { script: { turns: [{ steps }] } })
    const leaver = await client()
    leaver.chat('go')
    await leaver.until('permission_request')
    const requestId = requestIdOf(await leaver.until('questionnaire_request'))
    leaver.socket.close()
    await once(leaver.socket, 'close')
    const back = await client()
    back.send({ type: 'questionnaire_response', requestId, responses: { name: 'Ada' } })
    await back.until('done')
    expect(back.text()).toBe('the person did not permit this')
  })

  it('[C-D3] does not replay events: the history is read over HTTP', async () => {
    const { client, get } = await startCortask()
    const first = await client()
    first.chat('hello')
    await first.until('done')
    first.socket.close()
    const second = await client()
    second.chat('again')
    await second.until('done')
    expect(second.text()).toBe('You said: again')
    expect((await get('/sessions/s?workspaceId=w'))[1]).toMatchObject({
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: [{ type: 'text', text: 'You said: hello' }] },
        { role: 'user', content: 'again' },
        { role: 'assistant', content: [{ type: 'text', text: 'You said: again' }] },
      ],
    })
  })
})
