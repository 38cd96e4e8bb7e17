import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { memoryOf, type Server, startServer, stopServer } from './harness/load.ts'
import { median, print, type ReportLine } from './harness/measure.ts'

/** Streams hundreds of sessions for a minute. The servers must then hold no more memory than before. */

const SESSIONS = 200
const WARM_UP_S = 20
const SAMPLE_MS = 2500
/** The largest allowed ratio of final to initial memory. */
const MAX_GROWTH = 1.1
/** Two hundred pieces in ten seconds. */
const MESSAGE = 'answer slowly'

const seconds = Number(process.argv[2] ?? 60)

/** Reads one streamed answer to its end. Returns the number of events. */
type Round = (round: number) => Promise<number>
type Client = (url: string, index: number) => Promise<Round>

const servers = [await startServer('streaming', 'soak-sse'), await startServer('streaming', 'soak-ws')] as const
const ends = new AbortController()
const talking = [converse(servers[0], streams), converse(servers[1], talks)]
await sleep(WARM_UP_S * 1000)
const samples = await sample(seconds * 1000)
ends.abort()
const eventCounts = await Promise.all(talking)
for (const server of servers) stopServer(server)

const lines = [report('server-sent events', 0), report('WebSocket messages', 1)]
print(`${SESSIONS} sessions, ${seconds} s after ${WARM_UP_S} s of warm-up`, lines)
process.exitCode = lines.every(({ met }) => met) ? 0 : 1

/** Half of the sessions use one server, in repeated rounds until the end of the run. */
async function converse(server: Server, client: Client): Promise<number> {
  const one = async (index: number) => {
    const play = await client(server.url, index)
    let events = 0
    for (let round = 0; !ends.signal.aborted; round++) events += await play(round)
    return events
  }
  const counts = await Promise.all(Array.from({ length: SESSIONS / 2 }, (_, index) => one(index)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Samples the memory of each server, in bytes. */
async function sample(forMs: number): Promise<readonly (readonly number[])[]> {
  const found: number[][] = servers.map(() => [])
  for (const untilMs = performance.now() + forMs; performance.now() < untilMs; await sleep(SAMPLE_MS))
    for (const [index, server] of servers.entries()) found[index]!.push(await memoryOf(server))
  return found
}

function report(what: string, index: number): ReportLine {
  const held = samples[index]!
  const third = Math.ceil(held.length / 3)
  const [before, after] = [median(held.slice(0, third)), median(held.slice(-third))]
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  return {
    what: `${what}: ${eventCounts[index]} events, ${megabytes(before)} → ${megabytes(after)} MB`,
    measured: `${(after / before).toFixed(2)}×`,
    target: `< ${MAX_GROWTH}×`,
    met: after / before < MAX_GROWTH,
  }
}

/** A session that continues from round to round. */
async function streams(url: string): Promise<Round> {
  const made = await fetch(`${url}/sessions`, { method: 'POST', body: '{}' })
  const { session_id } = (await made.json()) as { session_id: string }
  const session = `${url}/sessions/${session_id}`
  const stream = await fetch(`${session}/stream`)
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  const body = JSON.stringify({ type: 'user_message', content: MESSAGE })
  return async () => {
    await fetch(`${session}/input`, { method: 'POST', body })
    for (let events = 0; ; ) {
      const { value, done } = await reader.read()
      if (done) throw new Error('a stream ended before its answer did')
      events += value.split('\nevent: message_delta').length - 1
      if (value.includes('\nevent: result')) return events
    }
  }
}

/** A new conversation in every round, deleted afterwards. It must leave nothing behind. */
async function talks(url: string, index: number): Promise<Round> {
  return async (round) => {
    const sessionKey = `session-${index}-${round}`
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
    await once(socket, 'open')
    let events = 0
    const answered = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        events++
        if (String(data).startsWith('{"type":"done"')) resolve()
      })
    })
    socket.send(JSON.stringify({ type: 'chat', sessionKey, message: MESSAGE, workspaceId: 'w' }))
    await answered
    socket.close()
    await once(socket, 'close')
    await fetch(`${url}/api/sessions/${sessionKey}?workspaceId=w`, { method: 'DELETE' })
    return events
  }
}
