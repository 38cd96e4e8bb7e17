import { once } from 'node:events'
import { WebSocket } from 'ws'
import { startServer, stopServer } from '../harness/load.ts'
import { atMost, ms, type ReportLine } from '../harness/measure.ts'
import { travelled } from '../harness/stamp.ts'

const CLIENTS = 50
const EVENTS = 300
/** The pause between two events of a stream. */
const PAUSE_MS = 10
/** Below human perception. A busy machine delays the bare servers more. */
const MAX_MS = 100
const MAX_BARE_RATIO = 2

/** Reads one answer to its end. Returns the delay of each event in ms. */
type Client = (url: string, index: number) => Promise<readonly number[]>

/** Measures the delay of every event from the engine to a client, compared with bare servers at the same pace. */
export async function benchDelivery(): Promise<readonly ReportLine[]> {
  return [
    ...(await compare('server-sent event', 'sse', streamOurs, streamBare)),
    ...(await compare('WebSocket message', 'ws', talkOurs, talkBare)),
  ]
}

async function compare(what: string, wire: string, ours: Client, bare: Client): Promise<readonly ReportLine[]> {
  const mine = await delays(`stamped-${wire}`, ours)
  const theirs = await delays(`bare-stamped-${wire}`, bare)
  const rate = (CLIENTS * 1000) / PAUSE_MS
  return [
    atMost(
      `every ${what} of ${CLIENTS} streams, ${rate} a second, p99`,
      p99(mine),
      Math.max(MAX_MS, MAX_BARE_RATIO * p99(theirs)),
    ),
    { what: `  the median; p99 of a bare server: ${ms(p99(theirs))}`, measured: ms(at(mine, 0.5)) },
  ]
}

async function delays(kind: string, client: Client): Promise<readonly number[]> {
  const server = await startServer('streaming', kind, String(EVENTS), String(PAUSE_MS))
  const delays = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(server.url, index)))
  stopServer(server)
  const all = delays.flat()
  if (all.length !== CLIENTS * EVENTS) throw new Error(`${all.length} events of ${CLIENTS * EVENTS} came`)
  return all.sort((one, other) => one - other)
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
const p99 = (sorted: readonly number[]): number => at(sorted, 0.99)

async function streamOurs(url: string): Promise<readonly number[]> {
  const made = await fetch(`${url}/sessions`, { method: 'POST', body: '{}' })
  const { session_id } = (await made.json()) as { session_id: string }
  const session = `${url}/sessions/${session_id}`
  const stream = await fetch(`${session}/stream`)
  await fetch(`${session}/input`, { method: 'POST', body: JSON.stringify({ type: 'user_message', content: 'go' }) })
  const delays = await framesUntil(stream, 'event: result')
  await fetch(session, { method: 'DELETE' })
  return delays
}

const streamBare: Client = async (url) => framesUntil(await fetch(url), 'event: result')

/** Splits chunks into whole frames. Excludes the repeated text at the end, which is not a new event. */
async function framesUntil(response: Response, end: string): Promise<readonly number[]> {
  const decoder = new TextDecoder()
  const delays: number[] = []
  let rest = ''
  for await (const chunk of response.body!) {
    const frames = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) if (frame.includes('message_delta')) delays.push(...travelled(frame))
    if (frames.some((frame) => frame.startsWith(end) || frame.includes(`\n${end}`))) break
  }
  return delays
}

const talkOurs: Client = (url, index) =>
  converse(`${url.replace('http', 'ws')}/ws`, {
    type: 'chat',
    sessionKey: `s${index}`,
    message: 'go',
    workspaceId: 'w',
  })

const talkBare: Client = (url) => converse(url.replace('http', 'ws'), {})

async function converse(url: string, message: object): Promise<readonly number[]> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const delays: number[] = []
  socket.send(JSON.stringify(message))
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      delays.push(...travelled(String(data)))
      if (String(data).startsWith('{"type":"done"')) resolve()
    })
  })
  socket.close()
  await once(socket, 'close')
  return delays
}
