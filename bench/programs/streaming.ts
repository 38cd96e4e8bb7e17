import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import type { Agent } from '../../src/agent/engine.ts'
import type { Model } from '../../src/agent/models/model.ts'
import { modelFreeServices } from '../../src/perception/open-perception.ts'
import { agentWebkit } from '../../src/protocols/agent-webkit/server.ts'
import { cortask } from '../../src/protocols/cortask/server.ts'
import { windieos } from '../../src/protocols/windieos/server.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { serve } from '../../test/support/protocols/serve.ts'
import type { Ready, ServerMemory } from '../harness/load.ts'
import '../harness/meter.ts'
import { restamped, stamp } from '../harness/stamp.ts'

/**
 * A streaming server in its own process: Backlot, or a bare one that sends the same number of similar frames. Stamped
 * frames contain their send time, and pause between events.
 */

const [kind = '', frames = '0', argument = '', recorded = ''] = process.argv.slice(2)
const stamped = kind.includes('stamped')
const pauseMs = stamped ? Number(argument) : 0

process.on('message', (asked) => {
  if (asked === 'held') void heldNow().then((held) => process.send?.({ held } satisfies ServerMemory))
})

/** A model that puts the time into each text. */
const stampingModel: Model = {
  name: 'stamping',
  async *run() {
    for (let sent = 0; sent < Number(frames); sent++) {
      yield { do: 'say', text: stamp() }
      if (pauseMs > 0) yield { do: 'wait', ms: pauseMs }
    }
  },
}

/** WindieOS without models. It produces no artifacts. */
const windieosOf = (agent: Agent) =>
  windieos({
    agent,
    store: memoryStore(),
    dataFolder: tmpdir(),
    ...modelFreeServices,
  })

const workspaces = [{ id: 'w', name: 'w', rootPath: process.cwd() }]
const serving: Readonly<Record<string, () => Promise<string>>> = {
  'ours-sse': async () => (await serve((agent) => agentWebkit({ agent, ringSize: 12_000 }))).url,
  'ours-ws': async () => (await serve((agent) => cortask({ agent, store: memoryStore(), workspaces }))).url,
  'soak-sse': async () => (await serve((agent) => agentWebkit({ agent, ringSize: 100 }))).url,
  'soak-ws': async () => (await serve((agent) => cortask({ agent, store: memoryStore(), workspaces }))).url,
  'stamped-sse': async () => (await serve((agent) => agentWebkit({ agent }), { model: stampingModel })).url,
  'stamped-ws': async () =>
    (await serve((agent) => cortask({ agent, store: memoryStore(), workspaces }), { model: stampingModel })).url,
  'stamped-crowd': async () => (await serve(windieosOf, { model: stampingModel })).url,
  'bare-stamped-crowd': bareCrowd,
  'bare-sse': bareSse,
  'bare-ws': bareWs,
  'bare-stamped-sse': bareSse,
  'bare-stamped-ws': bareWs,
}
const start = serving[kind]
if (!start) throw new Error(`unknown server ${kind}`)
process.send?.({ url: await start() } satisfies Ready)

/** Closed connections are released after a few turns of the event loop. */
async function heldNow(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
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

/** Answers each message except the first with recorded frames, stamped ones at the pace of the model. */
async function bareCrowd(): Promise<string> {
  const turn = JSON.parse(readFileSync(recorded, 'utf8')) as readonly string[]
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    let greeted = false
    socket.on('message', async () => {
      if (!greeted) {
        greeted = true
        return socket.send('{}')
      }
      for (const [sent, frame] of turn.entries()) {
        const isStamped = frame.includes('"streaming-response"')
        socket.send(isStamped ? restamped(frame) : frame)
        if (isStamped) await breath(sent)
      }
      return undefined
    })
  })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Yields as often as the engine, or waits as long as the model. */
function breath(sent: number): Promise<void> | undefined {
  if (pauseMs > 0) return sleep(pauseMs)
  return sent % 16 === 15 ? new Promise((resolve) => setImmediate(resolve)) : undefined
}
