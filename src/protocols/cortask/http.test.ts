import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp, onCleanup } from '../../../test/support/protocols/cleanup.ts'
import { requestIdOf, startCortask } from '../../../test/support/protocols/cortask.ts'
import { upgradeStatus } from '../../../test/support/protocols/socket-client.ts'
import type { ModelRequest } from '../../agent/models/model.ts'
import { memoryStore } from '../../stores/memory.ts'
import { cortaskProtocol } from './index.ts'
import { cortask } from './server.ts'

// Facts such as [C-E1] are listed in facts.ts.

afterEach(cleanUp)

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
      const { client, server } = await startCortask()
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
      const lenient = await (await startCortask()).client()
      lenient.send(frame)
      lenient.chat('hello')
      await lenient.until('done')
      expect(lenient.types()).toEqual(['text_delta', 'done'])
      const strict = await (await startCortask({ strict: true })).client()
      strict.send(frame)
      expect(await strict.until('error')).toMatchObject({ error: expect.stringMatching(/^Unknown type/) })
    },
  )

  it('[C-X11] closes only the socket of an oversize frame, with 1009', async () => {
    const { client } = await startCortask({ maxPayload: 10_000 })
    const [big, small] = [await client(), await client()]
    big.chat('x'.repeat(20_000))
    const [code] = await once(big.socket, 'close')
    expect(code).toBe(1009)
    small.chat('hello')
    await small.until('done')
  })

  it('[C-X10] does not start a run over the spending limit', async () => {
    const { client } = await startCortask({ spendingLimitUsd: 0.3 })
    const { chat, until } = await client()
    chat('spend tokens')
    await until('done')
    chat('hello')
    expect(await until('error')).toMatchObject({ sessionKey: 's', error: 'Spending limit reached' })
  })
})

describe('attachments and references', () => {
  it.each([
    ['image/png', '!!'],
    ['image/png', ''],
    ['text/plain', '!!'],
  ])('[C-M1] [C-X5] an attachment of the type %s with the data %j is refused', async (mimeType, base64) => {
    const { client } = await startCortask()
    const { chat, until } = await client()
    chat('look', { attachments: [{ mimeType, base64 }] })
    expect(await until('error')).toMatchObject({
      sessionKey: 's',
      error: expect.stringMatching(/attachments\[0\]\.base64: expected base64/),
    })
  })

  it('[C-M1] an empty file of another type comes with the message', async () => {
    const { client } = await startCortask()
    const { chat, until } = await client()
    chat('look', { attachments: [{ mimeType: 'text/plain', base64: '', name: 'empty.txt' }] })
    await until('done')
  })

  it('[C-M1] pictures come with the message, which may then be empty', async () => {
    const { client, get } = await startCortask({}, { script: [{ say: '{{images}} pictures' }] })
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

  it('[C-R14] inlines small files, notes others, and does not read files outside the workspace', async () => {
    const { client, rootPath, get } = await startCortask({}, { script: [{ say: '{{message}}' }] })
    const outside = mkdtempSync(join(tmpdir(), 'outside-'))
    onCleanup(() => rmSync(outside, { recursive: true }))
    writeFileSync(join(outside, 'secret.txt'), 'secret')
    mkdirSync(join(rootPath, 'src'))
    writeFileSync(join(rootPath, 'src', 'small.txt'), 'small text')
    writeFileSync(join(rootPath, 'large.txt'), 'x'.repeat(51_201))
    symlinkSync(join(outside, 'secret.txt'), join(rootPath, 'link.txt'))
    execFileSync('mkfifo', [join(rootPath, 'pipe')])
    const { chat, until, text } = await client()
    chat('read', {
      fileReferences: [
        'src/small.txt',
        'large.txt',
        'missing.txt',
        'pipe',
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
        '[File pipe cannot be read]',
        '[File ../secret.txt is outside of the workspace and is not shown]',
        `[File ${join(outside, 'secret.txt')} is outside of the workspace and is not shown]`,
        '[File link.txt is outside of the workspace and is not shown]',
      ].join('\n\n'),
    )
    expect((await get('/sessions/s?workspaceId=w'))[1]).toMatchObject({ messages: [{ content: 'read' }, {}] })
  })

  it('[C-R14] files are inlined until there are a million characters of them', async () => {
    const read: string[] = []
    const model = {
      name: 'reader',
      run: async function* ({ text }: ModelRequest) {
        read.push(...text.split('\n\n'))
        yield { do: 'say' as const, text: 'ok' }
      },
    }
    const { client, rootPath } = await startCortask({}, { model })
    writeFileSync(join(rootPath, 'page.txt'), 'x'.repeat(50_000))
    const { chat, until } = await client()
    chat('read', { fileReferences: Array(5000).fill('page.txt') })
    await until('done')
    expect([read.length, read[21], read[22]]).toEqual([
      23,
      expect.stringMatching(/^\[File page.txt\]\nx{50000}$/),
      '[4979 more files are not shown]',
    ])
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
    const { server } = await startCortask({ origin: 'https://app.example' })
    expect(await upgradeStatus(server.url, '/ws', origin === undefined ? {} : { origin })).toBe(status)
  })

  it.each([
    ['/ws?x=1', 101],
    ['/', 400],
    ['/wss', 400],
    ['/ws/', 400],
  ])('[C-E1] answers the path %s with %d', async (path, status) => {
    expect(await upgradeStatus((await startCortask()).server.url, path)).toBe(status)
  })

  it('[C-E3] sends CORS headers to known origins only', async () => {
    const { server } = await startCortask()
    const from = async (origin: string) => {
      const reply = await fetch(`${server.url}/api/health`, { headers: { origin } })
      return [reply.status, reply.headers.get('access-control-allow-origin')]
    }
    expect(await from('http://localhost:5173')).toEqual([200, 'http://localhost:5173'])
    expect(await from('https://evil.example')).toEqual([403, null])
  })

  it('[C-E4] uses the next port when its own is in use', async () => {
    const first = await startCortask()
    const port = Number(new URL(first.server.url).port)
    const { agent } = first.server
    const second = await cortask({ agent, store: memoryStore(), workspaces: [] }).listen({ port })
    onCleanup(second.close)
    expect(Number(new URL(second.url).port)).toBeGreaterThan(port)
    expect(cortaskProtocol.port).toBe(3777)
  })
})

describe('over HTTP', () => {
  it('[C-V11] notifies every client of started and stopped channels', async () => {
    const { client, get } = await startCortask()
    const [one, two] = [await client(), await client()]
    expect(await get('/channels/telegram/start', { method: 'POST' })).toEqual([200, { id: 'telegram', running: true }])
    expect(await get('/channels/telegram/stop', { method: 'POST' })).toEqual([200, { id: 'telegram', running: false }])
    const status = { type: 'channel:status', channelId: 'telegram' }
    for (const { read, received } of [one, two]) {
      await read((message) => message.running === false)
      expect(received).toEqual([
        { ...status, running: true, authenticated: true },
        { ...status, running: false, authenticated: false },
      ])
    }
    expect((await get('/channels/unknown/start', { method: 'POST' }))[0]).toBe(400)
    expect((await get('/channels/unknown/stop', { method: 'POST' }))[0]).toBe(404)
  })

  it('[C-V12] asks every client to refresh after a channel message', async () => {
    const { client, get } = await startCortask()
    const [one, two] = [await client(), await client()]
    const body = JSON.stringify({ workspaceId: 'w', text: 'hello' })
    expect(await get('/channels/telegram/message', { method: 'POST', body })).toEqual([
      200,
      { text: 'You said: hello' },
    ])
    for (const { until, received } of [one, two]) {
      await until('session:refresh')
      expect(received).toEqual([{ type: 'session:refresh', workspaceId: 'w' }])
    }
  })

  it.each([
    ['run a command', 'I did not run it: the person did not permit this'],
    [
      'ask me',
      'Your answers:\nWhich framework? (no answer)\nWhich extras? (no answer)\nWhat is it called? (no answer)',
    ],
    ['ask the hook', 'The hook said: denied.'],
  ])('[C-R6] does not wait when no client can answer: a channel sends %j', async (text, answer) => {
    const { get } = await startCortask()
    const body = JSON.stringify({ workspaceId: 'w', text })
    expect(await get('/channels/telegram/message', { method: 'POST', body })).toEqual([200, { text: answer }])
  })

  it('[C-R12] lists a session when its first run has ended, newest first, by its first words', async () => {
    const { client, get } = await startCortask()
    const { chat, until, send, received } = await client()
    chat('run a command', { sessionKey: 'first' })
    const requestId = requestIdOf(await until('permission_request'))
    expect(await get('/sessions?workspaceId=w')).toEqual([200, []])
    send({ type: 'permission_response', requestId, approved: false })
    await until('done')
    const second = 's/'.repeat(500)
    chat('x😀'.repeat(50), { sessionKey: second })
    await until('done', received.length)
    const [, sessions] = await get('/sessions?workspaceId=w')
    expect(sessions).toMatchObject([
      { id: second, title: 'x😀'.repeat(40) },
      { id: 'first', title: 'run a command' },
    ])
    expect((await get(`/sessions/${encodeURIComponent(second)}?workspaceId=w`))[0]).toBe(200)
    expect(await get('/sessions/first?workspaceId=w', { method: 'DELETE' })).toEqual([204, undefined])
    expect((await get('/sessions/first?workspaceId=w'))[0]).toBe(404)
  })

  it('answers the startup requests of the user interface', async () => {
    const { get, rootPath } = await startCortask()
    expect(await get('/health')).toEqual([200, { status: 'ok', version: '0.1.0', ready: true }])
    expect(await get('/onboarding/status')).toEqual([200, { completed: true, hasProvider: true, hasWorkspace: true }])
    const workspace = { id: 'w', name: 'Workspace', rootPath, lastAccessedAt: null }
    expect(await get('/workspaces')).toEqual([200, [workspace]])
    expect(await get('/workspaces/w/open', { method: 'POST' })).toEqual([200, workspace])
    expect(await get('/workspaces/x/open', { method: 'POST' })).toEqual([404, { error: 'Workspace not found' }])
    expect(await get('/sessions')).toEqual([400, { error: 'workspaceId is required' }])
    expect((await get('/sessions?workspaceId=x'))[0]).toBe(404)
    expect(await get('/workspaces/w/memory')).toEqual([200, { content: null }])
    expect(await get('/nothing')).toEqual([404, { error: 'Not found' }])
    expect(await get('/models/enabled')).toEqual([200, []])
  })
})
