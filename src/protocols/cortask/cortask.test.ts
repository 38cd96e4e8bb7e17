import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { z } from 'zod'
import { manualClock } from '../../agent/deadline.ts'
import { called, endpoint } from '../../agent/models/endpoint.suite.ts'
import { openAiModel } from '../../agent/models/openai.ts'
import { memoryStore } from '../../stores/memory.ts'
import { type Play, serve } from '../harness.ts'
import { talk, upgrade } from '../talk.suite.ts'
import { type CortaskOptions, cortask } from './index.ts'
import { Outgoing } from './wire.ts'

// Row ids such as [C-E1] are listed in rows.ts.

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A message with whatever fields it may have. */
type Message = Outgoing & Readonly<Record<string, unknown>>

async function start(options: Partial<CortaskOptions> = {}, play: Play = {}) {
  const rootPath = mkdtempSync(join(tmpdir(), 'workspace-'))
  closers.push(() => rmSync(rootPath, { recursive: true }))
  const workspaces = [{ id: 'w', name: 'Workspace', rootPath }]
  const store = options.store ?? memoryStore()
  const server = await serve((agent, onBug) => cortask({ agent, workspaces, onBug, ...options, store }), play)
  closers.push(server.close)
  const get = async (path: string, init?: RequestInit): Promise<[number, unknown]> => {
    const response = await fetch(`${server.url}/api${path}`, init)
    const text = await response.text()
    return [response.status, text === '' ? undefined : JSON.parse(text)]
  }
  return { server, rootPath, get, client: () => connect(server.url) }
}

async function connect(url: string) {
  const client = await talk(url, '/ws', Outgoing as z.ZodType<Message>)
  closers.push(() => client.socket.terminate())
  const { told, send } = client
  return {
    ...client,
    chat: (message: string, more: Record<string, unknown> = {}) =>
      send({ type: 'chat', sessionKey: 's', message, workspaceId: 'w', ...more }),
    types: () => told.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]),
    text: () => told.map((message) => (message.type === 'text_delta' ? message.text : '')).join(''),
  }
}

const idOf = (message: Message): string => String(message.requestId)

describe('a run', () => {
  it('[C-M1] [C-V1] [C-V2] [C-V9] [C-E1] streams thoughts and text, and is done', async () => {
    const { client } = await start()
    const { chat, until, types, text, told } = await client()
    expect(told).toEqual([])
    chat('think it over')
    expect(await until('done')).toEqual({
      type: 'done',
      sessionKey: 's',
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    })
    expect(types()).toEqual(['thinking_delta', 'text_delta', 'done'])
    expect(text()).toBe('I have thought it over.')
    expect(new Set(told.map((message) => message.sessionKey))).toEqual(new Set(['s']))
  })

  it('[C-V3] [C-V4] [C-V5] [C-V6] [C-R1] tells each call from start to result', async () => {
    const { client } = await start()
    const { chat, until, told, types } = await client()
    chat('use two tools')
    await until('done')
    const calls = told.filter((message) => message.type.startsWith('tool_'))
    expect(types().filter((type, index, all) => all.indexOf(type) === index)).toEqual([
      'tool_call_start',
      'tool_call_delta',
      'tool_call_end',
      'tool_result',
      'text_delta',
      'done',
    ])
    const results = told.filter((message) => message.type === 'tool_result')
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

  it('[C-V4] [C-V5] keeps details of calls to itself when told to', async () => {
    const { client } = await start({ callDetails: false })
    const { chat, until, types } = await client()
    chat('search the web')
    await until('done')
    expect(types()).toEqual(['thinking_delta', 'tool_call_start', 'tool_result', 'text_delta', 'done'])
  })

  it('[C-V9] adds up the usage of all model calls', async () => {
    const { client } = await start()
    const { chat, until } = await client()
    chat('spend tokens')
    expect((await until('done')).usage).toEqual({ inputTokens: 1234, outputTokens: 567 })
  })

  it.each(['fail halfway', 'fail at once'])('[C-V10] [C-X9] %s: ends with error and without done', async (phrase) => {
    const { client } = await start()
    const { chat, until, told } = await client()
    chat(phrase)
    expect(await until('error')).toEqual({
      type: 'error',
      sessionKey: 's',
      error: expect.stringMatching(/^the model can/),
    })
    chat('hello')
    await until('done')
    expect(told.filter(({ type }) => type === 'done' || type === 'error').map(({ type }) => type)).toEqual([
      'error',
      'done',
    ])
  })

  it('[C-X9] survives an error that is none to clients', async () => {
    const { client } = await start()
    const { chat, until, types } = await client()
    chat('stumble')
    await until('done')
    expect(types()).toEqual(['text_delta', 'done'])
  })

  it('[C-R7] does not wait for runs of other sessions', async () => {
    const { client } = await start()
    const { chat, read, told } = await client()
    chat('answer slowly', { sessionKey: 'slow' })
    chat('hello', { sessionKey: 'quick' })
    await read((message) => message.type === 'done' && message.sessionKey === 'quick')
    expect(told.some((message) => message.type === 'done' && message.sessionKey === 'slow')).toBe(false)
  })

  it('[C-R8] waits for the run before it in its session', async () => {
    const { client } = await start()
    const { chat, told, read, types } = await client()
    chat('use two tools')
    chat('second')
    await read(() => told.filter(({ type }) => type === 'done').length === 2)
    expect(types().slice(-4)).toEqual(['text_delta', 'done', 'text_delta', 'done'])
  })

  it('[C-R11] has ids that never repeat', async () => {
    const { client } = await start({ permissionTimeoutMs: 10 })
    const { chat, told, read } = await client()
    for (let session = 0; session < 20; session++) chat('run two commands', { sessionKey: `s${session}` })
    await read(() => told.filter(({ type }) => type === 'done').length === 20)
    const ids = told.filter(({ type }) => type === 'permission_request').map(idOf)
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
  })

  it('[C-R13] ends after 25 turns of a model that never stops calling, in a plain done', async () => {
    const { baseUrl, requests, close } = await endpoint(called(0, 'x', 'web_search', '{"query":"again"}'))
    closers.push(close)
    const { client } = await start({}, { model: openAiModel({ baseUrl, key: 'k', model: 'm' }) })
    const { chat, until, told } = await client()
    chat('go')
    await until('done')
    const ends = told.filter(({ type }) => type === 'done' || type === 'error')
    expect([requests.length, told.filter(({ type }) => type === 'tool_result').length, ends.length]).toEqual([
      25, 25, 1,
    ])
  })
})

describe('permissions', () => {
  it('[C-M3] [C-V7] [C-R2] are asked between the start and the result of the call', async () => {
    const { client } = await start()
    const { chat, until, send, types, text } = await client()
    chat('run a command')
    const asked = await until('permission_request')
    expect(asked).toEqual({
      type: 'permission_request',
      requestId: expect.any(String),
      description: 'Execute command: npm install',
      details: 'It changes files of the project.',
    })
    send({ type: 'permission_response', requestId: idOf(asked), approved: true })
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

  it.each([false, 'yes', undefined])('[C-R3] approved: %j is a denial; the run goes on', async (approved) => {
    const { client } = await start()
    const { chat, until, send } = await client()
    chat('run a command')
    send({ type: 'permission_response', requestId: idOf(await until('permission_request')), approved })
    expect(await until('tool_result')).toMatchObject({ isError: true, content: 'the person did not permit this' })
    await until('done')
  })

  it('[C-R4] are denied after 60 s', async () => {
    const clock = manualClock()
    const { client } = await start({}, { clock })
    const { chat, until, told, read } = await client()
    chat('run a command')
    await until('permission_request')
    await clock.advance(59_999)
    expect(told.some(({ type }) => type === 'tool_result')).toBe(false)
    await clock.advance(1)
    expect(await read(({ type }) => type === 'tool_result')).toMatchObject({ isError: true })
    await until('done')
  })

  it('[C-R6] [C-X7] may be granted by another client, once', async () => {
    const { client, server } = await start()
    const [owner, other] = [await client(), await client()]
    owner.chat('run a command')
    const requestId = idOf(await owner.until('permission_request'))
    other.send({ type: 'permission_response', requestId: 'unknown', approved: true })
    other.send({ type: 'permission_response', requestId, approved: true })
    other.send({ type: 'permission_response', requestId, approved: false })
    owner.send({ type: 'permission_response', requestId, approved: false })
    await owner.until('done')
    expect(owner.text()).toBe('The command ran: $ npm install: done')
    expect([other.told, server.bugs]).toEqual([[], []])
  })

  it('name their session only when told to', async () => {
    const { client } = await start({ namedRequests: true })
    const { chat, until } = await client()
    chat('run a command')
    expect(await until('permission_request')).toMatchObject({ sessionKey: 's' })
  })
})

describe('questionnaires', () => {
  it('[C-M4] [C-V8] are answered by id', async () => {
    const { client } = await start()
    const { chat, until, send, text } = await client()
    chat('ask me')
    const asked = await until('questionnaire_request')
    expect(asked).toMatchObject({
      data: { title: 'Project set-up', questions: [{ id: 'framework', type: 'single' }, {}, {}] },
    })
    expect(asked.sessionKey).toBe(undefined)
    const responses = { framework: 'vue', extras: ['docs', 'ci'], name: 'x', other: 'ignored' }
    send({ type: 'questionnaire_response', requestId: idOf(asked), responses })
    await until('done')
    expect(text()).toBe('Your answers:\nWhich framework? vue\nWhich extras? docs, ci\nWhat is it called? x')
  })

  it('[C-R5] wait for ever, and {} skips them', async () => {
    const clock = manualClock()
    const { client } = await start({}, { clock })
    const { chat, until, send, told, text } = await client()
    chat('ask me')
    const asked = await until('questionnaire_request')
    await clock.advance(24 * 3_600_000)
    expect(told.at(-1)).toEqual(asked)
    send({ type: 'questionnaire_response', requestId: idOf(asked), responses: {} })
    await until('done')
    expect(text()).toContain('Which framework? (no answer)')
  })

  it.each([undefined, null, 7, { framework: { nested: true } }])(
    '[C-X13] go on with the responses %j',
    async (responses) => {
      const { client } = await start()
      const { chat, until, send, text } = await client()
      chat('ask me')
      send({ type: 'questionnaire_response', requestId: idOf(await until('questionnaire_request')), responses })
      await until('done')
      expect(text()).toContain('Which framework? (no answer)')
    },
  )
})

describe('cancel', () => {
  it('[C-M2] [C-R9] [C-R10] ends the run with one done; the session can be used at once', async () => {
    const { client, get } = await start()
    const { chat, until, send, told, read, text } = await client()
    chat('answer slowly')
    await until('text_delta')
    send({ type: 'cancel', sessionKey: 's' })
    chat('next')
    await read(() => told.filter(({ type }) => type === 'done').length === 2)
    expect(told.some(({ type }) => type === 'error')).toBe(false)
    expect(text()).toMatch(/^(slow )+You said: next$/)
    const [, session] = await get('/sessions/s?workspaceId=w')
    expect(session).toMatchObject({
      messages: [{ role: 'user' }, { content: [{ text: expect.stringMatching(/^(slow )+$/) }] }, {}, {}],
    })
  })

  it('[C-R9] withdraws a pending permission: a late approval changes nothing', async () => {
    const { client, server } = await start()
    const { chat, until, send, told } = await client()
    chat('run a command')
    const requestId = idOf(await until('permission_request'))
    send({ type: 'cancel', sessionKey: 's' })
    await until('done')
    const before = told.length
    send({ type: 'permission_response', requestId, approved: true })
    chat('hello')
    await until('done', before)
    expect(told.slice(before).some(({ type }) => type === 'tool_result')).toBe(false)
    expect(server.bugs).toEqual([])
  })

  it('[C-R9] is silent when told to be', async () => {
    const { client } = await start({ doneAfterCancel: false })
    const { chat, until, send, told } = await client()
    chat('answer slowly')
    await until('text_delta')
    send({ type: 'cancel', sessionKey: 's' })
    chat('next', { sessionKey: 'other' })
    await until('done')
    expect(told.filter(({ type }) => type === 'done').map((message) => message.sessionKey)).toEqual(['other'])
  })

  it('[C-X8] [C-X12] of an unknown session is ignored, on a socket that stays open', async () => {
    const { client } = await start()
    const { chat, until, send, told, socket } = await client()
    send({ type: 'cancel', sessionKey: 'unknown' })
    chat('hello')
    await until('done')
    expect([told.some(({ type }) => type === 'error'), socket.readyState]).toEqual([false, WebSocket.OPEN])
  })
})

describe('a disconnect', () => {
  it("[C-D1] [C-D2] ends the runs of that client and nobody else's", async () => {
    const { client, get } = await start()
    const [leaver, stayer] = [await client(), await client()]
    leaver.chat('answer slowly', { sessionKey: 'left' })
    stayer.chat('run a command', { sessionKey: 'stayed' })
    await leaver.until('text_delta')
    const requestId = idOf(await stayer.until('permission_request'))
    leaver.socket.close()
    await once(leaver.socket, 'close')
    await expect.poll(async () => (await get('/sessions/left?workspaceId=w'))[0]).toBe(200)
    stayer.send({ type: 'permission_response', requestId, approved: true })
    await stayer.until('done')
    expect(stayer.text()).toBe('The command ran: $ npm install: done')
  })

  it('[C-D1] denies a pending permission: the tool is never run', async () => {
    const { client, get } = await start()
    const [leaver, other] = [await client(), await client()]
    leaver.chat('run a command')
    const requestId = idOf(await leaver.until('permission_request'))
    leaver.socket.terminate()
    await expect.poll(async () => (await get('/sessions/s?workspaceId=w'))[0]).toBe(200)
    other.send({ type: 'permission_response', requestId, approved: true })
    const [, session] = await get('/sessions/s?workspaceId=w')
    expect(session).toMatchObject({
      messages: [{}, {}, { content: [{ type: 'tool_result', text: 'stopped', isError: true }] }],
    })
  })

  it('[C-D1] [C-D4] leaves a questionnaire to be answered, by anyone; the run goes on with the one who answers', async () => {
    const { client } = await start()
    const leaver = await client()
    leaver.chat('ask me')
    const requestId = idOf(await leaver.until('questionnaire_request'))
    leaver.socket.close()
    await once(leaver.socket, 'close')
    const back = await client()
    back.send({ type: 'questionnaire_response', requestId, responses: { name: 'again' } })
    await back.until('done')
    expect(back.types()).toEqual(['tool_result', 'text_delta', 'done'])
    expect(back.text()).toContain('What is it called? again')
  })

  it('[C-D3] is followed by no replay: the history is read over HTTP', async () => {
    const { client, get } = await start()
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

describe('bad frames', () => {
  it.each([
    ['C-X1', 'not json', '', 'Invalid JSON'],
    ['C-X1', '', '', 'Invalid JSON'],
    ['C-X2', '[]', '', 'Invalid message'],
    ['C-X2', '7', '', 'Invalid message'],
    ['C-X3', 'null', '', 'Invalid message'],
    ['C-X4', '{"type":"chat","sessionKey":"k","message":"hi","workspaceId":"unknown"}', 'k', 'Workspace not found'],
    ['C-X4', '{"type":"chat","sessionKey":"k","message":"hi"}', 'k', 'Workspace not found'],
    ['C-X5', '{"type":"chat","sessionKey":"k","workspaceId":"w"}', 'k', /message/],
    ['C-X5', '{"type":"chat","sessionKey":"k","message":"","workspaceId":"w"}', 'k', /message or attachments/],
    ['C-X6', '{"type":"chat","message":"hi","workspaceId":"w"}', '', /sessionKey/],
  ])(
    '[%s] [C-X1] [C-X2] [C-X3] [C-X4] [C-X5] [C-X6] %s is answered with an error',
    async (_row, frame, sessionKey, error) => {
      const { client, server } = await start()
      const { send, chat, until } = await client()
      send(frame)
      const answer = await until('error')
      expect(answer).toMatchObject({
        sessionKey,
        error: typeof error === 'string' ? error : expect.stringMatching(error),
      })
      chat('still there?')
      await until('done')
      expect(server.bugs).toEqual([])
    },
  )

  it.each(['{}', '{"type":"dance","sessionKey":"k"}'])(
    '[C-X2] [C-D5] %s is ignored, or an error when strict',
    async (frame) => {
      const lenient = await (await start()).client()
      lenient.send(frame)
      lenient.chat('hello')
      await lenient.until('done')
      expect(lenient.types()).toEqual(['text_delta', 'done'])
      const strict = await (await start({ strict: true })).client()
      strict.send(frame)
      expect(await strict.until('error')).toMatchObject({ error: expect.stringMatching(/^Unknown type/) })
    },
  )

  it('[C-X11] an oversize one closes its socket with 1009 and no other', async () => {
    const { client } = await start({ maxPayload: 10_000 })
    const [big, small] = [await client(), await client()]
    big.chat('x'.repeat(20_000))
    const [code] = await once(big.socket, 'close')
    expect(code).toBe(1009)
    small.chat('hello')
    await small.until('done')
  })

  it('[C-E1] a binary one is read as text', async () => {
    const { client } = await start()
    const { socket, until, text } = await client()
    socket.send(Buffer.from(JSON.stringify({ type: 'chat', sessionKey: 's', message: 'hi', workspaceId: 'w' })), {
      binary: true,
    })
    await until('done')
    expect(text()).toBe('You said: hi')
  })

  it('[C-X10] over the spending limit nothing runs', async () => {
    const { client } = await start({ spendingLimitUsd: 0.3 })
    const { chat, until } = await client()
    chat('spend tokens')
    await until('done')
    chat('hello')
    expect(await until('error')).toMatchObject({ sessionKey: 's', error: 'Spending limit reached' })
  })
})

describe('attachments and references', () => {
  it('[C-M1] pictures come with the message, which may then be empty', async () => {
    const { client, get } = await start({}, { script: [{ say: '{{images}} pictures' }] })
    const { chat, until, text } = await client()
    chat('', { attachments: [{ mimeType: 'image/png', base64: 'aGk=', name: 'a.png' }] })
    await until('done')
    expect(text()).toBe('1 pictures')
    expect((await get('/sessions/s?workspaceId=w'))[1]).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: '' },
            { type: 'image', mimeType: 'image/png', base64: 'aGk=' },
          ],
        },
        {},
      ],
    })
  })

  it('[C-R14] small files are inlined, others noted, and nothing outside the workspace is read', async () => {
    const { client, rootPath, get } = await start({}, { script: [{ say: '{{message}}' }] })
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    closers.push(() => rmSync(outside, { recursive: true }))
    writeFileSync(join(outside, 'secret.txt'), 'secret')
    mkdirSync(join(rootPath, 'src'))
    writeFileSync(join(rootPath, 'src', 'small.txt'), 'small text')
    writeFileSync(join(rootPath, 'large.txt'), 'x'.repeat(51_201))
    symlinkSync(join(outside, 'secret.txt'), join(rootPath, 'link.txt'))
    const { chat, until, text } = await client()
    chat('read', {
      fileReferences: [
        'src/small.txt',
        'large.txt',
        'missing.txt',
        '../secret.txt',
        join(outside, 'secret.txt'),
        'link.txt',
      ],
    })
    await until('done')
    expect(text()).toBe(
      [
        'read',
        '[File src/small.txt]\nsmall text',
        '[File large.txt has 51201 bytes and is not shown]',
        '[File missing.txt cannot be read]',
      ].join('\n\n'),
    )
    expect((await get('/sessions/s?workspaceId=w'))[1]).toMatchObject({ messages: [{ content: 'read' }, {}] })
  })
})

describe('the door', () => {
  it.each([
    [undefined, 101],
    ['http://localhost:5173', 101],
    ['https://127.0.0.1', 101],
    ['https://app.example', 101],
    ['https://app.example.evil', 401],
    ['http://localhost.evil.example', 401],
    ['http://[::1]:3', 401],
    ['null', 401],
    ['file://', 401],
  ])('[C-E2] answers the origin %s with %d', async (origin, status) => {
    const { server } = await start({ origin: 'https://app.example' })
    expect(await upgrade(server.url, '/ws', origin === undefined ? {} : { origin })).toBe(status)
  })

  it.each([
    ['/ws?x=1', 101],
    ['/', 400],
    ['/wss', 400],
    ['/ws/', 400],
  ])('[C-E1] answers the path %s with %d', async (path, status) => {
    expect(await upgrade((await start()).server.url, path)).toBe(status)
  })

  it('[C-E3] tells pages of known origins that they may read, and no others', async () => {
    const { server } = await start()
    const from = async (origin: string) => {
      const reply = await fetch(`${server.url}/api/health`, { headers: { origin } })
      return [reply.status, reply.headers.get('access-control-allow-origin')]
    }
    expect(await from('http://localhost:5173')).toEqual([200, 'http://localhost:5173'])
    expect(await from('https://evil.example')).toEqual([403, null])
  })

  it('[C-E4] takes the next port when its own is taken', async () => {
    const first = await start()
    const port = Number(new URL(first.server.url).port)
    const { agent } = first.server
    const second = await cortask({ agent, store: memoryStore(), workspaces: [] }).listen({ port })
    closers.push(second.close)
    expect(Number(new URL(second.url).port)).toBeGreaterThan(port)
    expect(cortask({ agent, store: memoryStore(), workspaces: [] }).port).toBe(3777)
  })
})

describe('over HTTP', () => {
  it('[C-V11] tells everyone of channels that start and stop', async () => {
    const { client, get } = await start()
    const [one, two] = [await client(), await client()]
    expect(await get('/channels/telegram/start', { method: 'POST' })).toEqual([200, { id: 'telegram', running: true }])
    expect(await get('/channels/telegram/stop', { method: 'POST' })).toEqual([200, { id: 'telegram', running: false }])
    const status = { type: 'channel:status', channelId: 'telegram' }
    for (const { read, told } of [one, two]) {
      await read((message) => message.running === false)
      expect(told).toEqual([
        { ...status, running: true, authenticated: true },
        { ...status, running: false, authenticated: false },
      ])
    }
    expect((await get('/channels/unknown/start', { method: 'POST' }))[0]).toBe(400)
    expect((await get('/channels/unknown/stop', { method: 'POST' }))[0]).toBe(404)
  })

  it('[C-V12] tells everyone to refresh after a message from a channel', async () => {
    const { client, get } = await start()
    const [one, two] = [await client(), await client()]
    const body = JSON.stringify({ workspaceId: 'w', text: 'hello' })
    expect(await get('/channels/telegram/message', { method: 'POST', body })).toEqual([
      200,
      { text: 'You said: hello' },
    ])
    for (const { until, told } of [one, two]) {
      await until('session:refresh')
      expect(told).toEqual([{ type: 'session:refresh', workspaceId: 'w' }])
    }
  })

  it('[C-R12] lists a session when its first run has ended, newest first, by its first words', async () => {
    const { client, get } = await start()
    const { chat, until, send, told } = await client()
    chat('run a command', { sessionKey: 'first' })
    const requestId = idOf(await until('permission_request'))
    expect(await get('/sessions?workspaceId=w')).toEqual([200, []])
    send({ type: 'permission_response', requestId, approved: false })
    await until('done')
    chat('x'.repeat(100), { sessionKey: 'second' })
    await until('done', told.length)
    const [, sessions] = await get('/sessions?workspaceId=w')
    expect(sessions).toMatchObject([
      { id: 'second', title: 'x'.repeat(80) },
      { id: 'first', title: 'run a command' },
    ])
    expect(await get('/sessions/first?workspaceId=w', { method: 'DELETE' })).toEqual([204, undefined])
    expect((await get('/sessions/first?workspaceId=w'))[0]).toBe(404)
  })

  it('answers what the user interface asks when it starts', async () => {
    const { get, rootPath } = await start()
    expect(await get('/health')).toEqual([200, { status: 'ok', version: '0.1.0', ready: true }])
    expect(await get('/onboarding/status')).toEqual([200, { completed: true, hasProvider: true, hasWorkspace: true }])
    const workspace = { id: 'w', name: 'Workspace', rootPath, lastAccessedAt: null }
    expect(await get('/workspaces')).toEqual([200, [workspace]])
    expect(await get('/workspaces/w/open', { method: 'POST' })).toEqual([200, workspace])
    expect(await get('/workspaces/x/open', { method: 'POST' })).toEqual([404, { error: 'Workspace not found' }])
    expect(await get('/sessions')).toEqual([400, { error: 'workspaceId is needed' }])
    expect((await get('/sessions?workspaceId=x'))[0]).toBe(404)
    expect(await get('/workspaces/w/memory')).toEqual([200, { content: null }])
    expect(await get('/nothing')).toEqual([404, { error: 'Not found' }])
    expect(await get('/models/enabled')).toEqual([200, []])
  })
})
