import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import type { Model } from '../agent/models/model.ts'
import { agentWebkit } from '../protocols/agent-webkit/index.ts'
import { cortask } from '../protocols/cortask/index.ts'
import { serve } from '../protocols/harness.ts'
import { memoryStore } from '../stores/memory.ts'
import type { Held, Ready, Usage } from './load.ts'
import { stamp } from './stamp.ts'

/**
 * A streaming server in a process of its own: ours, or a bare one that sends the same number of like frames. Those that
 * are stamped say when each event was sent, and pause between two.
 */

const [kind = '', frames = '0', argument = ''] = process.argv.slice(2)
const stamped = kind.includes('stamped')
const pauseMs = stamped ? Number(argument) : 0

process.on('message', (asked) => {
  if (asked === 'held') return process.send?.({ held: heldNow() } satisfies Held)
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system } satisfies Usage)
})
process.on('disconnect', () => process.exit(0))

/** Says when it says it. */
const stampingModel: Model = {
  name: 'stamping',
  async *run() {
    for (let said = 0; said < Number(frames); said++) {
      yield { do: 'say', text: stamp() }
      yield { do: 'wait', ms: pauseMs }
    }
  },
}

const workspaces = [{ id: 'w', name: 'w', rootPath: process.cwd() }]
const serving: Readonly<Record<string, () => Promise<string>>> = {
  'ours-sse': async () => (await serve((agent) => agentWebkit({ agent, ringSize: 12_000 }))).url,
  'ours-ws': async () => (await serve((agent) => cortask({ agent, store: memoryStore(), workspaces }))).url,
  'soak-sse': async () => (await serve((agent) => agentWebkit({ agent, ringSize: 100 }))).url,
  'soak-ws': async () => (await serve((agent) => cortask({ agent, store: memoryStore(), workspaces }))).url,
  'stamped-sse': async () => (await serve((agent) => agentWebkit({ agent }), { model: stampingModel })).url,
  'stamped-ws': async () =>
    (await serve((agent) => cortask({ agent, store: memoryStore(), workspaces }), { model: stampingModel })).url,
  'bare-sse': bareSse,
  'bare-ws': bareWs,
  'bare-stamped-sse': bareSse,
  'bare-stamped-ws': bareWs,
}
const start = serving[kind]
if (!start) throw new Error(`there is no server ${kind}`)
process.send?.({ url: await start() } satisfies Ready)

function heldNow(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function bareSse(): Promise<string> {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let sent = 0; sent < Number(frames); sent++) {
      response.write(stamped ? `event: message_delta\ndata: ${stamp()}\n\n` : argument)
      await breath(sent)
    }
    response.end('event: result\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bareWs(): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.on('message', async () => {
      for (let sent = 0; sent < Number(frames); sent++) {
        socket.send(stamped ? stamp() : argument)
        await breath(sent)
      }
      socket.send('{"type":"done"}')
    })
  })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Gives way as often as the engine does, or waits as long as the model. */
function breath(sent: number): Promise<void> | undefined {
  if (pauseMs > 0) return sleep(pauseMs)
  return sent % 16 === 15 ? new Promise((resolve) => setImmediate(resolve)) : undefined
}
