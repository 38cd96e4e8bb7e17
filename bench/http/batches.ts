import { once } from 'node:events'
import { WebSocket } from 'ws'
import { SOCKET_PATH } from '../../src/protocols/observer-rest/socket.ts'
import { BOXES, STEP } from '../desktop/step-plans.ts'
import { cpuOf, type Server, startServer, stopServer } from '../harness/load.ts'
import { atLeast, median, type ReportLine } from '../harness/measure.ts'

const ROUNDS = 7
const STEPS = 12_800
const BATCH = 128
/** The number of single-step messages in flight. */
const MESSAGES_IN_FLIGHT = 32

/** The content of a message: one step, many steps with a response each, or a step of many actions with one response. */
const MESSAGES = {
  single: { steps: 1, underWay: MESSAGES_IN_FLIGHT, text: ([body]: readonly string[]) => stepOf(body!) },
  calls: { steps: BATCH, underWay: 2, text: (bodies: readonly string[]) => `[${bodies.map(stepOf).join(',')}]` },
  actions: { steps: BATCH, underWay: 2, text: (bodies: readonly string[]) => stepOf(actionsOf(bodies)) },
}
type Kind = keyof typeof MESSAGES
const KINDS = Object.keys(MESSAGES) as Kind[]

/** Compares steps over a WebSocket: one per message, and many per message. */
export async function benchBatches(): Promise<readonly ReportLine[]> {
  const server = await startServer('served', 'form', String(BOXES))
  const rates: Record<Kind, number[]> = { single: [], calls: [], actions: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of KINDS) {
      const rate = await rateOf(server, kind)
      // The first round is a warm-up.
      if (round > 0) rates[kind].push(rate)
    }
  }
  stopServer(server)
  const [single, calls, actions] = [median(rates.single), median(rates.calls), median(rates.actions)]
  const perSecond = (rate: number) => `${rate.toFixed(0)}/s`
  return [
    { what: 'steps by WebSocket, one a message', measured: perSecond(single), target: 'per CPU-second' },
    { what: `steps by WebSocket, ${BATCH} a message, an answer each`, measured: perSecond(calls) },
    { what: `the same as one step of ${BATCH} actions, one answer`, measured: perSecond(actions) },
    atLeast(`${BATCH} steps a message beside one, an answer each`, calls / single, MIN_CALLS_RATIO),
    atLeast(`${BATCH} steps a message beside one, one answer`, actions / single, MIN_ACTIONS_RATIO),
  ]
}

/** The ratios measured when the targets were set, 1.25 and 2.60 on two Intel Xeon cores, minus a tenth. */
const MIN_CALLS_RATIO = 1.12
const MIN_ACTIONS_RATIO = 2.34

/** Steps per second of the server's processor time. */
async function rateOf(server: Server, kind: Kind): Promise<number> {
  const { steps, underWay, text } = MESSAGES[kind]
  const socket = new WebSocket(server.url.replace('http', 'ws') + SOCKET_PATH)
  await once(socket, 'open')
  const before = await cpuOf(server)
  let sent = 0
  const send = () => {
    socket.send(text(Array.from({ length: steps }, (_, place) => BODIES[(sent + place) % BOXES]!)))
    sent += steps
  }
  let done = 0
  socket.on('message', (answer) => {
    if (!String(answer).includes('"ok":true')) throw new Error(`a step was refused: ${answer}`)
    done += steps
    if (sent < STEPS) send()
  })
  for (let message = 0; message < underWay; message++) send()
  while (done < STEPS) await once(socket, 'message')
  const used = (await cpuOf(server)) - before
  socket.close()
  await once(socket, 'close')
  return done / (used / 1e6)
}

const BODIES = STEP.bodies!

const stepOf = (args: string) => `{"tool":"session_step","args":${args}}`

const actionsOf = (bodies: readonly string[]) => {
  const [{ action: _, ...shown }] = bodies.map((body) => JSON.parse(body))
  return JSON.stringify({ ...shown, actions: bodies.map((body) => JSON.parse(body).action) })
}
