import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { SOCKET_PATH } from '../../src/protocols/observer-rest/socket.ts'
import { BOXES } from '../desktop/step-plans.ts'
import { QUICK } from '../harness/limits.ts'
import { compareLoad, cpuOf, type Server, startPipedServer, stopServer } from '../harness/load.ts'
import type { RequestPlan } from '../harness/load-client.ts'
import { median, type ReportLine } from '../harness/measure.ts'

/** More requests in flight than boxes would repeat the ids of MCP. */
const CONNECTIONS = 8
const BATCH = 128
const ROUNDS = QUICK ? 2 : 5
/** Clicks of one round through a stream. */
const CLICKS = 6_400

/** The centre of a check box of the form. */
const pointOf = (box: number) => ({ x: 110 + (box % 6) * 190, y: 53 + Math.floor(box / 6) * 34 })
const POINTS = Array.from({ length: BOXES }, (_, box) => pointOf(box))

interface Addresses {
  readonly observer: string
  readonly osworld: string
}

/** A door over HTTP: its server, and the requests that click one check box after another. */
interface HttpDoor {
  readonly door: string
  readonly server: keyof Addresses
  readonly plan: (url: string) => RequestPlan | Promise<RequestPlan>
}

const requests = (path: string, bodyOf: (point: { x: number; y: number }, box: number) => unknown): RequestPlan => ({
  path,
  bodies: POINTS.map((point, box) => JSON.stringify(bodyOf(point, box))),
})

const callOfMcp = (point: { x: number; y: number }, id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'mouse_click', arguments: point },
})
const GREETING = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
}
const INITIALIZE = { jsonrpc: '2.0', id: 'initialize', method: 'initialize', params: GREETING }

/** A door is a row here. */
const HTTP_DOORS: readonly HttpDoor[] = [
  { door: 'observer over REST', server: 'observer', plan: () => requests('/api/tool/mouse_click', (point) => point) },
  { door: 'MCP over HTTP', server: 'observer', plan: planOfMcp },
  { door: 'MCP 2026-07-28 over HTTP', server: 'observer', plan: planOfStatelessMcp },
  { door: 'backlot desk, without its processes', server: 'observer', plan: planOfDesk },
  { door: "Anthropic's computer tool, without screenshots", server: 'observer', plan: () => clicksOfAnthropic(false) },
  { door: "Anthropic's computer tool, with screenshots", server: 'observer', plan: () => clicksOfAnthropic(true) },
  {
    door: "OpenAI's computer tool, with screenshots",
    server: 'observer',
    plan: () =>
      requests('/computer/openai', ({ x, y }, box) => ({
        type: 'computer_call',
        id: `cu_${box}`,
        call_id: `call_${box}`,
        actions: [{ type: 'click', button: 'left', x, y }],
        pending_safety_checks: [],
        status: 'completed',
      })),
  },
  { door: "Gemini's computer tool, with screenshots", server: 'observer', plan: planOfGemini },
  {
    door: 'OSWorld, POST /execute',
    server: 'osworld',
    plan: () =>
      requests('/execute', ({ x, y }) => ({
        command: [
          'python',
          '-c',
          `import pyautogui; import time; pyautogui.FAILSAFE = False; pyautogui.click(${x}, ${y})`,
        ],
        shell: false,
      })),
  },
]

const clicksOfAnthropic = (withScreenshots: boolean): RequestPlan =>
  requests(`/computer/anthropic?screenshot=${withScreenshots}`, ({ x, y }, box) => ({
    type: 'tool_use',
    id: `toolu_${box}`,
    name: 'computer',
    input: { action: 'left_click', coordinate: [x, y] },
  }))

/** Gemini's points are thousandths of the screen. */
async function planOfGemini(url: string): Promise<RequestPlan> {
  const { screen } = (await (await fetch(`${url}/computer`)).json()) as { screen: { width: number; height: number } }
  const thousandths = (pixel: number, side: number) => Math.floor((pixel * 1000) / side)
  return requests('/computer/gemini', ({ x, y }, box) => ({
    id: `call_${box}`,
    name: 'click',
    args: { x: thousandths(x, screen.width), y: thousandths(y, screen.height) },
  }))
}

/** Connects a client, whose session the requests name. */
async function planOfMcp(url: string): Promise<RequestPlan> {
  const headers = { accept: 'application/json, text/event-stream' }
  const body = JSON.stringify(INITIALIZE)
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  await response.text()
  return {
    ...requests('/mcp', callOfMcp),
    headers: {
      ...headers,
      'mcp-session-id': response.headers.get('mcp-session-id')!,
      'mcp-protocol-version': GREETING.protocolVersion,
    },
  }
}

const REVISION = '2026-07-28'
const PROTOCOL = 'io.modelcontextprotocol'
const ENVELOPE = {
  [`${PROTOCOL}/protocolVersion`]: REVISION,
  [`${PROTOCOL}/clientCapabilities`]: {},
  [`${PROTOCOL}/clientInfo`]: GREETING.clientInfo,
}

/** Requests that stand for themselves. */
function planOfStatelessMcp(): RequestPlan {
  const bodyOf = (point: { x: number; y: number }, id: number) => {
    const call = callOfMcp(point, id)
    return { ...call, params: { ...call.params, _meta: ENVELOPE } }
  }
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': 'tools/call',
    'mcp-name': 'mouse_click',
  }
  return { ...requests('/mcp', bodyOf), headers }
}

/** What the processes of the client send. */
function planOfDesk(): RequestPlan {
  return requests('/desk', ({ x, y }) => ({ argv: ['click', `${x},${y}`] }))
}

/** Throws when a door refuses the click, which would cost less than executing it. */
async function assertClicks(url: string, { path, bodies, headers }: RequestPlan): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: bodies![0]! }
  const response = await fetch(url + path, request)
  const text = await response.text()
  if (!response.ok || /"is_?error":\s*true|"returncode":\s*[^0]|"ok":\s*false|"error":\s*\{|"exit":\s*[^0]/i.test(text))
    throw new Error(`${path} refused a click: ${response.status} ${text.slice(0, 300)}`)
}

/** The same click through each door: steps per second of the server's processor time. */
export async function benchDoors(): Promise<readonly ReportLine[]> {
  const server = await startPipedServer('doors', String(BOXES))
  try {
    const addresses = JSON.parse(server.url) as Addresses
    const cases = await Promise.all(
      HTTP_DOORS.map(async ({ server: name, plan }) => {
        const url = addresses[name]
        const work = await plan(url)
        await assertClicks(url, work)
        return { server: { ...server, url }, work, connections: CONNECTIONS }
      }),
    )
    const rates = (await compareLoad(cases)).map(
      ({ perCpuSecond }, at) => [HTTP_DOORS[at]!.door, perCpuSecond] as const,
    )
    const rows = [
      ...rates,
      [`observer over WebSocket, ${BATCH} a message`, await rateOver(server, () => openSocketDoor(addresses.observer))],
      ['MCP over standard input and output', await rateOver(server, () => openStdioDoor(server))],
    ] as const
    const [, observer] = rows[0]!
    return rows.map(([door, rate], at) => ({
      what: door,
      measured: `${rate.toFixed(0)}/s`,
      target: at === 0 ? 'per CPU-second' : `${(rate / observer).toFixed(2)}× REST`,
    }))
  } finally {
    stopServer(server)
  }
}

/** A stream of clicks. */
interface StreamDoor {
  /** Sends the clicks and waits for all answers. */
  readonly click: (count: number) => Promise<void>
  readonly close: () => void
}

/** The median of some rounds after a warm-up. */
async function rateOver(server: Server, open: () => Promise<StreamDoor>): Promise<number> {
  const { click, close } = await open()
  const rates: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const before = await cpuOf(server)
    await click(CLICKS)
    const used = (await cpuOf(server)) - before
    if (round > 0) rates.push(CLICKS / (used / 1e6))
  }
  close()
  return median(rates)
}

async function openSocketDoor(url: string): Promise<StreamDoor> {
  const socket = new WebSocket(url.replace('http', 'ws') + SOCKET_PATH)
  await once(socket, 'open')
  const calls = Array.from({ length: BATCH }, (_, at) => ({ tool: 'mouse_click', args: POINTS[at % BOXES] }))
  const message = JSON.stringify(calls)
  return {
    click: async (count) => {
      for (let done = 0; done < count; done += BATCH) {
        const answered = once(socket, 'message')
        socket.send(message)
        const [answer] = await answered
        if (!String(answer).includes('"ok":true')) throw new Error(`a click was refused: ${answer}`)
      }
    },
    close: () => socket.close(),
  }
}

async function openStdioDoor({ child }: Server): Promise<StreamDoor> {
  const lines = createInterface({ input: child.stdout! })
  const send = (message: unknown) => child.stdin!.write(`${JSON.stringify(message)}\n`)
  let received = 0
  let wake = () => {}
  lines.on('line', (line) => {
    if (line.includes('"isError":true') || line.includes('"error":{')) throw new Error(`a click was refused: ${line}`)
    received++
    wake()
  })
  const until = async (count: number) => {
    while (received < count)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  send(INITIALIZE)
  await until(1)
  send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return {
    click: async (count) => {
      for (let done = 0; done < count; done += BATCH) {
        const expected = received + BATCH
        for (let at = 0; at < BATCH; at++) send(callOfMcp(POINTS[at % BOXES]!, at))
        await until(expected)
      }
    },
    close: () => lines.close(),
  }
}
