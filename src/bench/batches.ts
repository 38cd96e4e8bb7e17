import { once } from 'node:events'
import { WebSocket } from 'ws'
import { SOCKET_PATH } from '../protocols/observer-rest/socket.ts'
import { cpuOf, type Server, start, stop } from './load.ts'
import { atLeast, type Line, median } from './measure.ts'
import { BOXES, STEP } from './step.ts'

const ROUNDS = 7
const STEPS = 12_800
const BATCH = 128
/** Messages of one step each that are under way at a time. */
const UNDER_WAY = 32

/** Steps by WebSocket: one in each message, beside many in one. */
export async function benchBatches(): Promise<readonly Line[]> {
  const server = await start('served', 'form', String(BOXES))
  const rates: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const single = await rateOf(server, 1, UNDER_WAY)
    const batched = await rateOf(server, BATCH, 2)
    // The first round only warms up.
    if (round === 0) continue
    rates[0].push(single)
    rates[1].push(batched)
  }
  stop(server)
  const [single, batched] = [median(rates[0]), median(rates[1])]
  return [
    { what: 'steps by WebSocket, one a message', measured: `${single.toFixed(0)}/s`, target: 'per CPU-second' },
    { what: `steps by WebSocket, ${BATCH} a message`, measured: `${batched.toFixed(0)}/s` },
    atLeast(`${BATCH} steps a message beside one`, batched / single, 3),
  ]
}

/** Steps per second of the server's processor time. */
async function rateOf(server: Server, batch: number, underWay: number): Promise<number> {
  const socket = new WebSocket(server.url.replace('http', 'ws') + SOCKET_PATH)
  await once(socket, 'open')
  const before = await cpuOf(server)
  let sent = 0
  const send = () => {
    const steps = Array.from({ length: batch }, (_, place) => CALLS[(sent + place) % BOXES])
    sent += batch
    socket.send(batch === 1 ? steps[0]! : `[${steps.join(',')}]`)
  }
  let done = 0
  socket.on('message', () => {
    done += batch
    if (sent < STEPS) send()
  })
  for (let message = 0; message < underWay; message++) send()
  while (done < STEPS) await once(socket, 'message')
  const used = (await cpuOf(server)) - before
  socket.close()
  await once(socket, 'close')
  return done / (used / 1e6)
}

const CALLS = STEP.bodies!.map((body) => `{"tool":"session_step","args":${body}}`)
