import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { cpuOf, memoryOf, type Server, startServer, stopServer } from '../harness/load.ts'
import { atLeast, atMost, median, ms, type ReportLine } from '../harness/measure.ts'
import { travelled } from '../harness/stamp.ts'

const CLIENTS = 500
const EVENTS = 20
const TURNS = 4
const FAST_TURNS = 10
/** Warm-up turns, because V8 compiles during the first few. */
const WARM_UP_TURNS = 6
const ROUNDS = 3
const GATHERED_WITHIN_MS = 120_000
/** The pause between two events of a turn, at the pace of a model. */
const PAUSE_MS = 100
const MAX_MS = 100
const MAX_BARE_RATIO = 2
const MIN_SHARE = 0.5

/**
 * Compares many WindieOS clients with concurrent turns to a bare `ws` server that sends the same frames: at full speed for
 * the cost of a frame, and at the pace of a model for its delay.
 */
export async function benchCrowd(): Promise<readonly ReportLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  try {
    const frames = join(folder, 'frames.json')
    const turn = await rehearsed()
    writeFileSync(frames, JSON.stringify(turn))
    const serve = (pauseMs: number) => ({
      ours: () => startServer('streaming', 'stamped-crowd', String(EVENTS), String(pauseMs)),
      bare: () => startServer('streaming', 'bare-stamped-crowd', String(EVENTS), String(pauseMs), frames),
    })
    const [fast, paced] = [serve(0), serve(PAUSE_MS)]
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const mine = await gather(await fast.ours(), FAST_TURNS, WARM_UP_TURNS)
      const theirs = await gather(await fast.bare(), FAST_TURNS, WARM_UP_TURNS)
      ratios.push(theirs.cpu / mine.cpu)
    }
    const mine = await gather(await paced.ours(), TURNS)
    const theirs = await gather(await paced.bare(), TURNS)
    const turns = `${CLIENTS} sockets with turns of ${EVENTS} events`
    return [
      atLeast(`${turns}: the same frames per CPU-second as bare ws`, median(ratios), MIN_SHARE),
      atMost(
        `  every event on its way, ${(CLIENTS * 1000) / PAUSE_MS} a second, p99`,
        mine.p99,
        Math.max(MAX_MS, MAX_BARE_RATIO * theirs.p99),
      ),
      { what: '  p99 of the bare server', measured: ms(theirs.p99) },
      { what: `  ${turn.length} frames a turn, together`, measured: kib(turn.join('').length) },
      { what: '  memory of a socket that has shaken hands', measured: kib(mine.bytes) },
      { what: '  memory of a socket of the bare server', measured: kib(theirs.bytes) },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The frames of one turn, which the bare server sends too. */
async function rehearsed(): Promise<readonly string[]> {
  const server = await startServer('streaming', 'stamped-crowd', String(EVENTS), '0')
  const { turn, socket } = await enter(server.url, CLIENTS)
  const frames = await turn(0)
  socket.close()
  stopServer(server)
  return frames
}

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`

interface Gathered {
  /** Microseconds of the server's processor time for all turns. */
  readonly cpu: number
  readonly p99: number
  /** Bytes that the server holds per client. */
  readonly bytes: number
}

/** Runs the turns of all clients and stops the server. A turn that never ends cannot block the benchmark. */
async function gather(server: Server, turns: number, warmUpTurns = 1): Promise<Gathered> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${server.url} has not served the crowd in time`)), GATHERED_WITHIN_MS)
  })
  return Promise.race([gathered(server, turns, warmUpTurns), late]).finally(() => clearTimeout(timer))
}

async function gathered(server: Server, turns: number, warmUpTurns: number): Promise<Gathered> {
  // Memory that is allocated once is excluded by a first crowd that disconnects.
  for (const { socket } of await crowd(server)) {
    socket.close()
    await once(socket, 'close')
  }
  const before = await memoryOf(server)
  const clients = await crowd(server)
  const bytes = ((await memoryOf(server)) - before) / CLIENTS
  const delays: number[] = []
  const allTurn = (number: number, into?: number[]) =>
    Promise.all(clients.map(async ({ turn }) => void (await turn(number, into))))
  for (let number = 0; number < warmUpTurns; number++) await allTurn(number)
  const started = await cpuOf(server)
  for (let number = 0; number < turns; number++) await allTurn(warmUpTurns + number, delays)
  const cpu = (await cpuOf(server)) - started
  for (const { socket } of clients) socket.close()
  stopServer(server)
  if (delays.length !== CLIENTS * turns * EVENTS) throw new Error(`${delays.length} events came`)
  const p99 = delays.sort((one, other) => one - other)[Math.floor(delays.length * 0.99)] ?? 0
  return { cpu, p99, bytes }
}

const crowd = ({ url }: Server) => Promise.all(Array.from({ length: CLIENTS }, (_, index) => enter(url, index)))

/** A client after its handshake, each as a different user. A turn returns its frames and adds the delays of its events. */
async function enter(url: string, index: number) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  await once(socket, 'open')
  let onFrame: (frame: string) => void = () => {}
  socket.on('message', (data) => onFrame(String(data)))
  const greeted = new Promise<void>((resolve) => {
    onFrame = () => resolve()
  })
  socket.send(JSON.stringify({ type: 'handshake', user_id: `user-${index}` }))
  await greeted
  const turn = (number: number, delays: number[] = []) =>
    new Promise<readonly string[]>((resolve, reject) => {
      const frames: string[] = []
      onFrame = (frame) => {
        frames.push(frame)
        if (frame.includes('"streaming-response"')) delays.push(...travelled(frame))
        if (frame.includes('"streaming-complete"')) resolve(frames)
        if (frame.includes('"type":"error"')) reject(new Error(frame))
      }
      const payload = { text: 'go', conversation_ref: `conv_${index}` }
      socket.send(JSON.stringify({ id: `turn_${number}`, type: 'query', payload }))
    })
  return { socket, turn }
}
