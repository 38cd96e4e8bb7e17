import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from '../../test/support/protocols/serve.ts'
import { sqliteStore } from '../stores/sqlite.ts'
import { agentWebkit } from './agent-webkit/server.ts'
import { cortask } from './cortask/server.ts'
import { navi } from './navi/server.ts'
import type { Item } from './navi/wire.ts'

// A server that is killed in the middle of a run has stored everything that it sent.

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const RESULTS = 5
const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

const FACTORIES = { 'agent-webkit': 'agentWebkit', cortask: 'cortask', navi: 'navi' } as const
type Name = keyof typeof FACTORIES

/** A server in a process of its own, which prints its address. */
const program = (name: Name, folder: string) => `
  import { sqliteStore } from ${module('../stores/sqlite.ts')}
  import { serve } from ${module('../../test/support/protocols/serve.ts')}
  import { ${FACTORIES[name]} } from ${module(`./${name}/server.ts`)}
  const dataFolder = ${JSON.stringify(folder)}
  const workspaces = [{ id: 'w', name: 'w', rootPath: dataFolder }]
  const store = sqliteStore(dataFolder + '/kept.db')
  const server = await serve((agent) => ${FACTORIES[name]}({ agent, dataFolder, workspaces, store }))
  process.stdout.write(server.url + '\\n')
`

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kill-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

async function startThere(name: Name, folder: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program(name, folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closers.push(() => child.kill('SIGKILL'))
  const [line] = await once(child.stdout, 'data')
  return { child, url: String(line).trim() }
}

/** Sends a message over a socket, and kills the server after a number of results. */
async function killAfterResults(child: ChildProcess, socket: WebSocket, say: object, result: string): Promise<void> {
  socket.on('error', () => {})
  socket.send(JSON.stringify(say))
  let results = 0
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      if (JSON.parse(String(data)).type === result && ++results === RESULTS) resolve()
    })
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function dial(url: string, path: string): Promise<WebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws') + path)
  await once(socket, 'open')
  return socket
}

function reopen(folder: string) {
  const store = sqliteStore(join(folder, 'kept.db'))
  closers.push(() => store.close())
  return store
}

it('Navi: the session shows it and continues', { timeout: 60_000 }, async () => {
  const dataFolder = newFolder()
  const { child, url } = await startThere('navi', dataFolder)
  const made = await fetch(`${url}/sessions`, { method: 'POST', body: '{"profile_id":"default"}' })
  const { session_id } = (await made.json()) as { session_id: string }
  await fetch(`${url}/sessions/${session_id}/messages`, { method: 'POST', body: '{"content":"hello"}' })
  const socket = await dial(url, `/ws/sessions/${session_id}`)
  await killAfterResults(child, socket, { type: 'message', content: 'use tools slowly' }, 'tool_call')

  const server = await serve((agent) => navi({ agent, dataFolder, store: reopen(dataFolder) }))
  closers.push(server.close)
  const session = (await (await fetch(`${server.url}/sessions/${session_id}`)).json()) as { messages: Item[] }
  const roles = session.messages.map((message) => message.role)
  expect(roles.slice(0, 3)).toEqual(['user', 'assistant', 'user'])
  expect(roles.filter((role) => role === 'tool').length).toBeGreaterThanOrEqual(RESULTS)
  const asked = { method: 'POST', body: '{"content":"still there?"}' }
  const reply = await fetch(`${server.url}/sessions/${session_id}/messages`, asked)
  expect(await reply.json()).toEqual({ role: 'assistant', content: 'You said: still there?' })
})

it('Cortask: the session is listed, shows it and continues', { timeout: 60_000 }, async () => {
  const folder = newFolder()
  const { child, url } = await startThere('cortask', folder)
  const chat = (message: string) => ({ type: 'chat', sessionKey: 's', workspaceId: 'w', message })
  const socket = await dial(url, '/ws')
  socket.send(JSON.stringify(chat('hello')))
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => JSON.parse(String(data)).type === 'done' && resolve())
  })
  await killAfterResults(child, socket, chat('use tools slowly'), 'tool_result')

  const workspaces = [{ id: 'w', name: 'w', rootPath: folder }]
  const server = await serve((agent) => cortask({ agent, store: reopen(folder), workspaces }))
  closers.push(server.close)
  const listed = (await (await fetch(`${server.url}/api/sessions?workspaceId=w`)).json()) as { title: string }[]
  expect(listed.map(({ title }) => title)).toEqual(['hello'])
  const shown = await fetch(`${server.url}/api/sessions/s?workspaceId=w`)
  const { messages } = (await shown.json()) as { messages: { role: string; content: unknown }[] }
  const roles = messages.map(({ role }) => role)
  expect(roles.slice(0, 3)).toEqual(['user', 'assistant', 'user'])
  expect(roles.filter((role) => role === 'tool').length).toBeGreaterThanOrEqual(RESULTS)
  const again = await dial(server.url, '/ws')
  again.send(JSON.stringify(chat('still there?')))
  const said: string[] = []
  await new Promise<void>((resolve) => {
    again.on('message', (data) => {
      const { type, text } = JSON.parse(String(data))
      if (type === 'text_delta') said.push(text)
      if (type === 'done') resolve()
    })
  })
  again.close()
  expect(said.join('')).toBe('You said: still there?')
})

interface Frame {
  readonly id: number
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Reads a stream until enough of its events have come or it breaks off. */
async function readStream(url: string, after: number, isEnough: (frames: readonly Frame[]) => boolean) {
  const leaving = new AbortController()
  const headers = after === 0 ? undefined : { 'last-event-id': String(after) }
  const response = await fetch(url, { signal: leaving.signal, ...(headers && { headers }) })
  const frames: Frame[] = []
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop()!
    for (const part of parts) {
      const [, id, event, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(part) ?? []
      if (event) frames.push({ id: Number(id), event, data: JSON.parse(data!) })
    }
    if (isEnough(frames)) break
  }
  leaving.abort()
  return frames
}

const countOf = (frames: readonly Frame[], event: string) => frames.filter((frame) => frame.event === event).length

it('agent-webkit: a stream resumes at its last event, and the session continues', { timeout: 60_000 }, async () => {
  const folder = newFolder()
  const { child, url } = await startThere('agent-webkit', folder)
  const made = await fetch(`${url}/sessions`, { method: 'POST', body: '{}' })
  const { session_id } = (await made.json()) as { session_id: string }
  const input = (at: string, content: string) =>
    fetch(`${at}/sessions/${session_id}/input`, {
      method: 'POST',
      body: JSON.stringify({ type: 'user_message', content }),
    })
  await input(url, 'use tools slowly')
  const before = await readStream(
    `${url}/sessions/${session_id}/stream`,
    0,
    (frames) => countOf(frames, 'tool_result') >= RESULTS,
  )
  child.kill('SIGKILL')
  await once(child, 'exit')

  const server = await serve((agent) => agentWebkit({ agent, store: reopen(folder) }))
  closers.push(server.close)
  const stream = `${server.url}/sessions/${session_id}/stream`
  const last = before.at(-1)!.id
  const after = await readStream(stream, last, (frames) => countOf(frames, 'result') === 1)
  expect(after.map(({ id }) => id)).toEqual(after.map((_, index) => last + 1 + index))
  expect(after.slice(-2).map(({ event }) => event)).toEqual(['error', 'result'])
  expect(after.at(-1)!.data).toMatchObject({ is_error: true })
  // The server has stored everything that was read before the kill.
  const whole = await readStream(stream, 0, (frames) => countOf(frames, 'result') === 1)
  expect(whole.slice(0, before.length)).toEqual(before)
  expect((await input(server.url, 'still there?')).status).toBe(204)
  const next = await readStream(stream, after.at(-1)!.id, (frames) => countOf(frames, 'result') === 1)
  expect(next.at(-1)!.data).toMatchObject({ is_error: false, result: 'You said: still there?' })
})
