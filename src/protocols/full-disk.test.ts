import { on, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from '../../test/support/protocols/serve.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Store } from '../stores/store.ts'
import { agentWebkit } from './agent-webkit/server.ts'
import { cortask } from './cortask/server.ts'

// A store that cannot write ends runs, never the server. When space is available again, sessions continue.

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A store that keeps nothing new while `disk.full`. */
function fillable() {
  const store = memoryStore()
  const disk = { full: false }
  const check = () => {
    if (disk.full) throw new Error('the disk is full')
  }
  const filled: Store = {
    ...store,
    put: (...args) => {
      check()
      store.put(...args)
    },
    append: (...args) => {
      check()
      return store.append(...args)
    },
  }
  return { store: filled, disk }
}

it('Cortask: a chat that cannot be kept is an error, and the next one is answered', async () => {
  const { store, disk } = fillable()
  const rootPath = mkdtempSync(join(tmpdir(), 'full-'))
  closers.push(() => rmSync(rootPath, { recursive: true }))
  const workspaces = [{ id: 'w', name: 'w', rootPath }]
  const server = await serve((agent, onBug) => cortask({ agent, onBug, store, workspaces }))
  closers.push(server.close)
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`)
  closers.push(() => socket.close())
  await once(socket, 'open')
  const ask = async (message: string) => {
    const received: string[] = []
    socket.send(JSON.stringify({ type: 'chat', sessionKey: 's', workspaceId: 'w', message }))
    for await (const [frame] of on(socket, 'message')) {
      received.push(JSON.parse(String(frame)).type)
      if (['done', 'error'].includes(received.at(-1)!)) break
    }
    return received
  }
  disk.full = true
  expect(await ask('hello')).toEqual(['error'])
  disk.full = false
  expect(new Set(await ask('hello'))).toEqual(new Set(['text_delta', 'done']))
  expect(new Set(server.bugs.map(String))).toEqual(new Set(['Error: the disk is full']))
  const listed = await fetch(`${server.url}/api/sessions?workspaceId=w`)
  expect(await listed.json()).toMatchObject([{ id: 's', title: 'hello' }])
})

it('agent-webkit: a turn that cannot be kept ends with error and result, and the next one is answered', async () => {
  const { store, disk } = fillable()
  const server = await serve((agent, onBug) => agentWebkit({ agent, onBug, store }))
  closers.push(server.close)
  const made = await fetch(`${server.url}/sessions`, { method: 'POST' })
  const { session_id } = (await made.json()) as { session_id: string }
  const url = `${server.url}/sessions/${session_id}`
  const sendMessage = (content: string) =>
    fetch(`${url}/input`, { method: 'POST', body: JSON.stringify({ type: 'user_message', content }) })
  /** Everything that is held once the stream holds so many results. */
  const held = async (results: number) => {
    const leaving = new AbortController()
    const stream = await fetch(`${url}/stream`, { signal: leaving.signal })
    let text = ''
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.split('event: result').length > results) break
    }
    leaving.abort()
    return [...text.matchAll(/^event: (\w+)$/gm)].map(([, event]) => event)
  }
  disk.full = true
  expect((await sendMessage('hello')).status).toBe(204)
  expect(await held(1)).toEqual(['session_ready', 'error', 'result'])
  disk.full = false
  expect((await sendMessage('hello')).status).toBe(204)
  expect((await held(2)).slice(0, 4)).toEqual(['session_ready', 'error', 'result', 'message_delta'])
  expect(new Set(server.bugs.map(String))).toEqual(new Set(['Error: the disk is full']))

  const next = await serve((agent, onBug) => agentWebkit({ agent, onBug, store }))
  closers.push(next.close)
  const kept = await fetch(`${next.url}/sessions/${session_id}/stream`, { headers: { 'last-event-id': '1' } })
  expect(kept.status).toBe(200)
  await kept.body!.cancel()
})
