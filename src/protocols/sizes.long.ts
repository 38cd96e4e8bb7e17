import { on, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from '../../test/support/protocols/serve.ts'
import { modelFreeServices } from '../perception/open-perception.ts'
import { memoryStore } from '../stores/memory.ts'
import { createRestApp, openDesktop } from '../testing.ts'
import { agentWebkit } from './agent-webkit/server.ts'
import { readReferences } from './cortask/connection.ts'
import { cortask } from './cortask/server.ts'
import { navi } from './navi/server.ts'
import { windieos } from './windieos/server.ts'

// Rules such as [PRO12] are stated in SPEC.md beside this file.

const MIB = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'sizes-'))
afterAll(() => rmSync(folder, { recursive: true }))

const serveCortask = () =>
  serve((agent, onBug) =>
    cortask({ agent, onBug, store: memoryStore(), workspaces: [{ id: 'w', name: 'w', rootPath: folder }] }),
  )
const serveNavi = () => serve((agent, onBug) => navi({ agent, onBug, store: memoryStore(), dataFolder: folder }))
const serveWindieos = () =>
  serve((agent, onBug) => windieos({ agent, onBug, store: memoryStore(), dataFolder: folder, ...modelFreeServices }), {
    script: { turns: [{ on: { text: 'hello' }, steps: [{ say: 'hello yourself' }] }] },
  })

const post = async (url: string, body: string): Promise<readonly [number, string]> => {
  const answer = await fetch(url, { method: 'POST', body })
  return [answer.status, await answer.text()]
}

/** A client and how to wait for its next frame with a text in it. */
async function dial(url: string) {
  const socket = new WebSocket(url.replace('http', 'ws'))
  const frames = on(socket, 'message')
  await once(socket, 'open')
  const send = (message: object) => socket.send(JSON.stringify(message))
  const hear = async (part: string): Promise<string> => {
    for (;;) {
      const [data] = (await frames.next()).value
      if (String(data).includes(part)) return String(data)
    }
  }
  return { socket, send, hear }
}

const MANY = Array.from({ length: 100_001 }, () => 1)

it('[PRO12] every protocol refuses JSON of too many values in its own words', async () => {
  const webkit = await serve((agent, onBug) => agentWebkit({ agent, onBug }))
  const chat = await serveNavi()
  const tasks = await serveCortask()
  const body = JSON.stringify({ profile_id: 'secretary', many: MANY })
  for (const { url } of [webkit, chat]) {
    const [status, text] = await post(`${url}/sessions`, body)
    expect([status, text]).toEqual([413, expect.stringContaining('the JSON has more than 100000 values')])
  }
  const { send, hear, socket } = await dial(`${tasks.url}/ws`)
  send({ type: 'chat', sessionKey: 's', workspaceId: 'w', message: 'hi', fileReferences: MANY.map(() => '/') })
  expect(JSON.parse(await hear('error'))).toMatchObject({ error: 'the JSON has more than 100000 values' })
  send({ type: 'chat', sessionKey: 's', workspaceId: 'w', message: 'hi' })
  await hear('"done"')
  socket.close()
  for (const server of [webkit, chat, tasks]) {
    await server.close()
    expect(server.bugs).toEqual([])
  }
})

it('[PRO13] [PRO15] WindieOS accepts a text of nearly 10 MB and many values, and refuses too many', async () => {
  const server = await serveWindieos()
  const { send, hear, socket } = await dial(`${server.url}/ws`)
  send({ type: 'handshake', user_id: 'ada' })
  send({ id: 'a', type: 'query', payload: { text: `hello ${'a'.repeat(9.9 * MIB)}`, conversation_ref: 'c' } })
  expect(await hear('streaming-complete')).toContain('hello yourself')
  send({ id: 'b', type: 'nothing', payload: { many: MANY } })
  expect(await hear('"id":"b"')).toContain('there is no message of the type')
  send({ id: 'c', type: 'query', payload: { many: [MANY, MANY, MANY] } })
  expect(await hear('"error"')).toContain('the JSON has more than 300000 values')
  socket.close()
  await server.close()
  expect(server.bugs).toEqual([])
})

it('[PRO14] [PRO15] a text is bounded, pictures beside it are not', async () => {
  const server = await serveCortask()
  const { send, hear, socket } = await dial(`${server.url}/ws`)
  const chat = { type: 'chat', sessionKey: 's', workspaceId: 'w' }
  send({ ...chat, message: 'a'.repeat(10 * MIB + 1) })
  expect(JSON.parse(await hear('error'))).toMatchObject({ error: 'the text of a message has at most 10485760 bytes' })
  send({ ...chat, message: 'look', attachments: [{ mimeType: 'image/png', base64: 'A'.repeat(31.9 * MIB) }] })
  await hear('"done"')
  socket.close()
  await server.close()
  expect(server.bugs).toEqual([])
})

it('[PRO16] names the first problems of a message, and how many more there are', async () => {
  const server = await serveNavi()
  const [, session] = await post(`${server.url}/sessions`, '{"profile_id":"default"}')
  const { session_id } = JSON.parse(session) as { readonly session_id: string }
  const { send, hear, socket } = await dial(`${server.url}/ws/sessions/${session_id}`)
  send({ type: 'message', content: 'hi', images: Array.from({ length: 30_000 }, () => 1) })
  const { message } = JSON.parse(await hear('"error"')) as { readonly message: string }
  expect(message).toContain('and 29980 more problems')
  expect(message.length).toBeLessThan(3000)
  socket.close()
  await server.close()
  expect(server.bugs).toEqual([])
})

it('[PRO18] looks for the first thousand of the files that a message refers to', async () => {
  const outside = Array.from({ length: 50_000 }, () => '/')
  const note = '[File / is outside of the workspace and is not shown]'
  const notes = (await readReferences(folder, outside)).split('\n\n')
  expect(notes).toEqual([...Array(1000).fill(note), '[49000 more files are not shown]'])
  expect((await readReferences(folder, outside.slice(0, 1000))).split('\n\n')).toEqual(Array(1000).fill(note))
})

it('[PRO17] names values that bring names of methods along', async () => {
  const app = await createRestApp(openDesktop({ scenario: 'states: {only: {windows: []}}' }))
  const odd = JSON.parse('{"toString":"a","valueOf":"b"}')
  const headers = { host: '127.0.0.1:5001' }
  const opened = await app.inject({ method: 'POST', url: '/sessions', headers, payload: { audience: odd } })
  expect([opened.statusCode, opened.body]).toEqual([400, expect.stringContaining('audience')])
  await app.close()

  const workspaces = [{ id: 'w', name: 'w', rootPath: folder }]
  const server = await serve((agent, onBug) =>
    cortask({ agent, onBug, store: memoryStore(), workspaces, strict: true }),
  )
  const { socket, send, hear } = await dial(`${server.url}/ws`)
  send({ type: odd })
  expect(await hear('error')).toContain('toString')
  socket.close()
  await server.close()
  expect(server.bugs).toEqual([])
})
