import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { serve } from '../../../test/support/protocols/serve.ts'
import { modelFreeServices } from '../../perception/open-perception.ts'
import { memoryStore } from '../../stores/memory.ts'
import { sqliteStore } from '../../stores/sqlite.ts'
import type { Store } from '../../stores/store.ts'
import { createRestApp, openDesktop } from '../../testing.ts'
import { cortask } from '../cortask/server.ts'
import { navi } from '../navi/server.ts'
import { windieos } from '../windieos/server.ts'
import { BODY_CHECK_INTERVAL_MS, createApp, MIN_BODY_BYTES_PER_CHECK } from './app.ts'

// Rules such as [PRO19] are stated in SPEC.md beside this file.

afterEach(() => vi.useRealTimers())

const folderFor = () => mkdtempSync(join(tmpdir(), 'patience-'))

/** A server that answers with the length of a body, and a connection to it that has sent so much of one. */
async function sending(length: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const app = createApp({
    hosts: [],
    origins: [],
    bodyLimit: 1024 * 1024,
    cors: false,
    sendFault: (fault, reply) => reply.status(500).send(fault.message),
    onBug: () => {},
  })
  app.post('/', async ({ body }) => ({ length: String(body).length }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { readonly port: number }
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => {
    heard += String(data)
  })
  const send = async (text: string) => {
    const before = received()
    socket.write(text)
    while (received() < before + text.length) await new Promise((resolve) => setImmediate(resolve))
  }
  let server: { readonly bytesRead: number } | undefined
  app.server.on('connection', (accepted) => {
    server = accepted
  })
  const received = () => server?.bytesRead ?? 0
  await send(`POST / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`)
  const closed = once(socket, 'close')
  const end = async () => {
    await closed
    await app.close()
    return heard
  }
  return { app, send, end }
}

it('[PRO19] [PRO20] hangs up on a body that has all but stopped', async () => {
  const { send, end } = await sending(1000)
  await send('x'.repeat(100))
  vi.advanceTimersByTime(BODY_CHECK_INTERVAL_MS)
  expect(await end()).toMatch(/^HTTP\/1.1 408 /)
})

it('[PRO20] accepts a slow body as long as it makes progress', async () => {
  const rounds = 20
  const { send, end } = await sending(rounds * MIN_BODY_BYTES_PER_CHECK)
  for (let round = 0; round < rounds; round++) {
    await send('x'.repeat(MIN_BODY_BYTES_PER_CHECK))
    vi.advanceTimersByTime(BODY_CHECK_INTERVAL_MS)
  }
  expect(await end()).toContain(`{"length":${rounds * MIN_BODY_BYTES_PER_CHECK}}`)
})

it('[PRO19] [PRO21] bounds heads and connections of every server', async () => {
  const folder = folderFor()
  const { app, end, send } = await sending(1)
  const rest = await createRestApp(openDesktop({ scenario: 'states: {only: {windows: []}}' }))
  for (const { server } of [app, rest])
    expect([server.maxConnections, server.headersTimeout, server.requestTimeout]).toEqual([2048, 20_000, 0])
  await send('x')
  await end()
  await rest.close()
  rmSync(folder, { recursive: true })
})

it('[PRO22] removes unfinished uploads at the start and keeps stored ones', async () => {
  const dataFolder = folderFor()
  const store = memoryStore()
  const serveBoth = async () => [
    await serve((agent) => windieos({ agent, store, dataFolder, ...modelFreeServices })),
    await serve((agent) => navi({ agent, store, dataFolder })),
  ]
  const [pictures, chat] = await serveBoth()
  const form = new FormData()
  form.set('file', new Blob(['hello'], { type: 'text/plain' }), 'a.txt')
  const artifact = (await (await fetch(`${pictures!.url}/api/artifacts/`, { method: 'POST', body: form })).json()) as {
    readonly artifact_id: string
  }
  const opened = await fetch(`${chat!.url}/sessions`, { method: 'POST', body: '{"profile_id":"default"}' })
  const { session_id } = (await opened.json()) as { readonly session_id: string }
  await fetch(`${chat!.url}/sessions/${session_id}/files`, { method: 'POST', body: form })
  await pictures!.close()
  await chat!.close()

  writeFileSync(join(dataFolder, 'artifacts', 'half.png'), 'half')
  mkdirSync(join(dataFolder, 'session_files', '.incoming'), { recursive: true })
  writeFileSync(join(dataFolder, 'session_files', '.incoming', 'half'), 'half')
  for (const server of await serveBoth()) await server.close()
  expect(readdirSync(join(dataFolder, 'artifacts'))).toEqual([artifact.artifact_id])
  expect(readdirSync(join(dataFolder, 'session_files', session_id))).toEqual(['a.txt'])
  expect(existsSync(join(dataFolder, 'session_files', '.incoming'))).toBe(false)
  rmSync(dataFolder, { recursive: true })
})

/** A store whose disk is full. */
function fullStore(): Store {
  const full = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  return { ...memoryStore(), put: full, append: full, atomically: full }
}

it('[PRO23] reports a full disk to clients and to the operator', async () => {
  const dataFolder = folderFor()
  const store = fullStore()
  const chat = await serve((agent, onBug) => navi({ agent, onBug, store, dataFolder }))
  const opened = await fetch(`${chat.url}/sessions`, { method: 'POST', body: '{"profile_id":"default"}' })
  expect([opened.status, await opened.json()]).toEqual([507, { detail: "the server's disk is full" }])
  const workspaces = [{ id: 'w', name: 'w', rootPath: dataFolder }]
  const tasks = await serve((agent, onBug) => cortask({ agent, onBug, store, workspaces }))
  const answer = await fetch(`${tasks.url}/api/channels/telegram/message`, {
    method: 'POST',
    body: '{"workspaceId":"w","text":"hi"}',
  })
  // The document has no failure of a channel's message: the run ends without a text.
  expect([answer.status, await answer.json()]).toMatchObject([200, { text: '' }])
  for (const server of [chat, tasks]) {
    await server.close()
    expect(server.bugs).toContainEqual(expect.objectContaining({ code: 'SQLITE_FULL' }))
  }
  rmSync(dataFolder, { recursive: true })
})

it('[PRO24] a damaged database, and a place that cannot be written, are named with a remedy', () => {
  const folder = folderFor()
  const path = join(folder, 'backlot.db')
  writeFileSync(path, 'no database '.repeat(1000))
  expect(() => sqliteStore(path)).toThrow(
    `${path} cannot be used: file is not a database; move it away, or choose another folder with --data`,
  )
  expect(() => sqliteStore(join(path, 'deep', 'backlot.db'))).toThrow('choose another folder with --data')
  rmSync(folder, { recursive: true })
})
