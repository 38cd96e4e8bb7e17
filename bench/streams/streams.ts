import { once } from 'node:events'
import { WebSocket } from 'ws'
import { cpuOf, type Server, startServer, stopServer } from '../harness/load.ts'
import { atLeast, atMost, median, type ReportLine } from '../harness/measure.ts'

const ROUNDS = 5
const CLIENTS = 10
const FRAMES = 10_000

const SSE_FRAME =
  'id: 1000\nevent: message_delta\ndata: {"message_id":"msg_0123456789abcdef01234567","delta":{"type":"text","text":"word "}}\n\n'
const WS_FRAME = '{"type":"text_delta","sessionKey":"session-12","text":"word "}'

/** Compares the streams with bare ones that send similar frames, each server in its own process. */
export async function benchStreams(): Promise<readonly ReportLine[]> {
  return [
    ...(await compare('server-sent events beside node:http', 'sse', SSE_FRAME, streamOurs, streamBare)),
    ...(await compare('WebSocket messages beside ws', 'ws', WS_FRAME, talkOurs, talkBare)),
  ]
}

const open = (kind: string, frame: string) => startServer('streaming', kind, String(FRAMES), frame)

type Client = (url: string, index: number) => Promise<number>

async function compare(
  what: string,
  wire: string,
  frame: string,
  ours: Client,
  bare: Client,
): Promise<readonly ReportLine[]> {
  const servers = [await open(`ours-${wire}`, frame), await open(`bare-${wire}`, frame)] as const
  const rates: [number[], number[]] = [[], []]
  const waits: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const mine = await load(servers[0], ours)
    const theirs = await load(servers[1], bare)
    // The first round is a warm-up.
    if (round === 0) continue
    rates[0].push(mine.rate)
    rates[1].push(theirs.rate)
    waits.push(...mine.waits)
  }
  for (const server of servers) stopServer(server)
  const p99 = waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0
  return [
    atLeast(`${what}, per CPU-second`, median(rates[0]) / median(rates[1]), 0.5),
    { what: '  events per CPU-second, ours', measured: median(rates[0]).toFixed(0) },
    atMost(`  first event under the load of ${CLIENTS} streams, p99`, p99, 1000),
  ]
}

/** Events per second of the server's processor time, and the delay of each client's first event in ms. */
async function load(server: Server, client: Client) {
  const before = await cpuOf(server)
  const waits = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(server.url, index)))
  const used = (await cpuOf(server)) - before
  return { rate: (CLIENTS * FRAMES) / (used / 1e6), waits }
}

/** Reads until the text ends with a suffix. Returns the time of the first chunk. */
async function readUntil(response: Response, end: string): Promise<number> {
  const decoder = new TextDecoder()
  let tail = ''
  let first = 0
  for await (const chunk of response.body!) {
    first ||= performance.now()
    const text = tail + decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.includes(end)) break
    tail = text.slice(-end.length)
  }
  return first
}

async function streamOurs(url: string): Promise<number> {
  const made = await fetch(`${url}/sessions`, { method: 'POST', body: '{}' })
  const { session_id } = (await made.json()) as { session_id: string }
  const session = `${url}/sessions/${session_id}`
  const stream = await fetch(`${session}/stream`, { headers: { 'last-event-id': '1' } })
  const body = JSON.stringify({ type: 'user_message', content: 'answer endlessly' })
  const sentMs = performance.now()
  await fetch(`${session}/input`, { method: 'POST', body })
  const firstMs = await readUntil(stream, 'event: result')
  await fetch(session, { method: 'DELETE' })
  return firstMs - sentMs
}

async function streamBare(url: string): Promise<number> {
  const sentMs = performance.now()
  return (await readUntil(await fetch(url), 'event: result')) - sentMs
}

const talkOurs: Client = (url, index) => {
  const chat = { type: 'chat', sessionKey: `session-${index}`, message: 'answer endlessly', workspaceId: 'w' }
  return converse(`${url.replace('http', 'ws')}/ws`, JSON.stringify(chat))
}

const talkBare: Client = (url) => converse(url.replace('http', 'ws'), '{}')

async function converse(url: string, message: string): Promise<number> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const sentMs = performance.now()
  let first = 0
  socket.send(message)
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      first ||= performance.now()
      if (String(data).startsWith('{"type":"done"')) resolve()
    })
  })
  socket.close()
  await once(socket, 'close')
  return first - sentMs
}
