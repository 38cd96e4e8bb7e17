import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { sqliteStore } from '../../stores/sqlite.ts'
import { serve } from '../harness.ts'
import { navi } from './index.ts'
import type { Item, Outgoing } from './wire.ts'

const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** A server in a process of its own, which tells its address. */
const PROGRAM = (dataFolder: string) => `
  import { sqliteStore } from ${module('../../stores/sqlite.ts')}
  import { serve } from ${module('../harness.ts')}
  import { navi } from ${module('./index.ts')}
  const dataFolder = ${JSON.stringify(dataFolder)}
  const server = await serve((agent) => navi({ agent, dataFolder, store: sqliteStore(dataFolder + '/navi.db') }))
  process.stdout.write(server.url + '\\n')
`

it('a server killed in the middle of a run has kept all that it told of it', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'navi-'))
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', PROGRAM(dataFolder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const url = String(line).trim()
  const made = await fetch(`${url}/sessions`, { method: 'POST', body: '{"profile_id":"default"}' })
  const { session_id } = (await made.json()) as { session_id: string }
  await fetch(`${url}/sessions/${session_id}/messages`, { method: 'POST', body: '{"content":"hello"}' })

  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/sessions/${session_id}`)
  await once(socket, 'open')
  socket.on('error', () => {})
  socket.send('{"type":"message","content":"use tools slowly"}')
  let results = 0
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const told = JSON.parse(String(data)) as Outgoing
      if (told.type === 'tool_call' && ++results === 5) resolve()
    })
  })
  child.kill('SIGKILL')
  await once(child, 'exit')

  const store = sqliteStore(join(dataFolder, 'navi.db'))
  const server = await serve((agent) => navi({ agent, dataFolder, store }))
  const session = (await (await fetch(`${server.url}/sessions/${session_id}`)).json()) as { messages: Item[] }
  const roles = session.messages.map((message) => message.role)
  expect(roles.slice(0, 3)).toEqual(['user', 'assistant', 'user'])
  expect(roles.filter((role) => role === 'tool').length).toBeGreaterThanOrEqual(results)
  const reply = await fetch(`${server.url}/sessions/${session_id}/messages`, {
    method: 'POST',
    body: '{"content":"still there?"}',
  })
  expect(await reply.json()).toEqual({ role: 'assistant', content: 'You said: still there?' })
  await server.close()
  store.close()
  rmSync(dataFolder, { recursive: true })
}, 60_000)
