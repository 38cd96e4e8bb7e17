import { connect } from 'node:net'
import { deflateSync } from 'node:zlib'

/** Requests that once blocked a server for seconds or ended it. A new kind is one row. */

/** The URLs of the protocols of a server. */
export interface TargetServers {
  readonly observer: string
  readonly windieos: string
}

export interface HostileCase {
  readonly name: string
  /** Runs before delays are measured, because it occupies the client. */
  prepare?(): void
  /** The status and the text of each response. */
  send(served: TargetServers): Promise<readonly string[]>
}

/** The scenario of the server: texts to fill, a button, and states that alternate every millisecond. */
export const HOSTILE_SCENARIO = `
name: hostile
initial_state: a
states:
  a: &screen
    windows:
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 1000, height: 700}
        tree:
          role: Window
          name: App
          children:
            - {id: name, role: Edit, name: Name, value: "", bounds: {x: 10, y: 40, width: 900, height: 28}}
            - {id: save, role: Button, name: Save, bounds: {x: 10, y: 80, width: 100, height: 28}}
            - {id: page, role: Document, name: Page, value: "", bounds: {x: 430, y: 80, width: 560, height: 500}}
            - {id: list, role: List, name: Rows, bounds: {x: 10, y: 120, width: 400, height: 500}}
  b: *screen
timers:
  - {in: a, after_ms: 1, transition_to: b}
  - {in: b, after_ms: 1, transition_to: a}
`

async function ask(url: string, body?: unknown, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const headers = { 'content-type': 'application/json', ...more }
  const reply = await fetch(
    url,
    body === undefined ? { headers: more } : { method: 'POST', headers, body: JSON.stringify(body) },
  )
  return `${reply.status} ${await reply.text()}`
}

/** Calls tools of the observer in sequence. */
async function tools({ observer }: TargetServers, ...calls: readonly (readonly [name: string, args: object])[]) {
  const answers: string[] = []
  for (const [name, args] of calls) answers.push(await ask(`${observer}/api/tool/${name}`, args))
  return answers
}

const setValue = (value: string) => ['set_value', { selector: 'Edit', value }] as const

/** A pattern of the largest accepted size, different for each number. */
const heavy = (number: number): string => `${'(?:.{0,990}x)'.repeat(4)}${number}`
/** A pattern far beyond the limit. */
const tooLarge = (number: number): string => `(?:.{0,1000}${number})`.repeat(Math.floor(1900 / 17))

/** A white PNG of few bytes. */
function whitePng(width: number, height: number): Buffer {
  const rows = deflateSync(Buffer.alloc(height * (width + 1), 255).fill(0, 0, 1))
  return grey(width, height, rows)
}

function grey(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

function read(width: number, height: number): HostileCase {
  let base64 = ''
  return {
    name: `OCR of a picture of ${width} × ${height}`,
    prepare: () => {
      base64 = whitePng(width, height).toString('base64')
    },
    send: async ({ windieos }) => [await ask(`${windieos}/api/sdk/ocr/run`, { image: { image_base64: base64 } })],
  }
}

const fill = (what: string, value: string): HostileCase => ({
  name: `a field of ${value.length} units of ${what}, sketched and photographed`,
  send: (served) =>
    tools(
      served,
      setValue(value),
      ['get_screen_sketch', { grid_width: 400, grid_height: 200 }],
      ['get_screenshot', {}],
      setValue(''),
    ),
})

const write = (what: string, value: string): HostileCase => ({
  name: `a document of ${value.length} units of ${what}, photographed`,
  send: (served) =>
    tools(
      served,
      ['set_value', { selector: 'Document', value }],
      ['get_screenshot', {}],
      ['set_value', { selector: 'Document', value: '' }],
    ),
})

/** Nearly the largest accepted body. */
const LARGE = 'x'.repeat(900_000)

/** Traces in which each call has a truncated, redacted or unknown argument. */
const trace = (name: string, call: (number: number) => readonly [name: string, args: object]): HostileCase => ({
  name,
  send: async (served) => {
    const answers: string[] = []
    for (let number = 0; number < 3; number++) {
      const calls = Array.from({ length: 8 }, (_, at) => call(8 * number + at))
      answers.push(...(await tools(served, ['trace_start', {}], ...calls, ['trace_stop', {}])))
    }
    return answers
  },
})

const open = (name: string, yaml: string): HostileCase => ({
  name: `a scenario of ${yaml.length} characters with ${name}`,
  send: async ({ observer }) => [await ask(`${observer}/sessions`, { yaml })],
})

/** Starts requests and never completes them. The server must answer others meanwhile. */
async function stayUnfinished({ observer }: TargetServers, count: number): Promise<readonly string[]> {
  const { hostname, port } = new URL(observer)
  const begun = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
      const head = 'POST /api/element/click HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
      socket.write(number % 2 === 0 ? head : `${head}Content-Length: 900000\r\n\r\n{"selector": "`)
      return socket
    }),
  )
  const answers = [await ask(`${observer}/api/windows`)]
  for (const socket of begun) socket.destroy()
  return answers
}

/** Requests that a page of another site can send by an image, a script or a frame. */
const EMBEDDED = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
const EMBEDDABLE = ['/api/screenshot', '/api/tool/snapshot', '/api/tool/wait_idle', '/api/structure', '/sessions', '/']

async function embed({ observer, windieos }: TargetServers): Promise<readonly string[]> {
  const selector = encodeURIComponent(`Edit[value~="${heavy(0)}"]`)
  const urls = [...EMBEDDABLE, `/api/find_element?selector=${selector}`].map((path) => observer + path)
  const answers = await Promise.all([...urls, `${windieos}/api/sdk/models`].map((url) => ask(url, undefined, EMBEDDED)))
  // A response other than a refusal is a defect, so its status is not among the expected ones.
  return answers.map((answer) =>
    answer.includes('pages of other origins may not') ? answer : `not refused: ${answer}`,
  )
}

const judge = (name: string, count: number, regex: (number: number) => string): HostileCase => ({
  name,
  send: (served) =>
    tools(served, [
      'assert_state',
      {
        predicate: Array.from({ length: count }, (_, at) => ({ kind: 'text_visible', regex: regex(at), mode: 'tree' })),
      },
    ]),
})

const find = (selector: string) => ['find_element', { selector }] as const

export const HOSTILE_CASES: readonly HostileCase[] = [
  read(40_000, 1),
  read(1, 40_000),
  read(16_000, 40),
  read(10_000, 10_000),
  read(1600, 1200),
  judge('30 patterns that are far too large', 30, tooLarge),
  judge('30 patterns that are as large as they may be', 30, heavy),
  {
    name: 'a large pattern for a long text',
    send: (served) =>
      tools(served, setValue('ab'.repeat(250_000)), find('Edit[value~="(?:[ab]?){500}[ab]{500}[cd]"]'), setValue('')),
  },
  {
    name: 'a selector of many large patterns',
    send: (served) =>
      tools(served, find(`Button${Array.from({ length: 300 }, (_, at) => `[name~=".{0,${600 + at}}"]`).join('')}`)),
  },
  fill('letters with marks', 'e\u0301\u0301'.repeat(100_000)),
  fill('flags', '🇩🇪🇫🇷'.repeat(30_000)),
  fill('families', '👩‍👩‍👧'.repeat(30_000)),
  fill('letters read from the right', 'שלום '.repeat(60_000)),
  fill('plain letters', 'word '.repeat(120_000)),
  {
    name: 'time over timers of a millisecond',
    send: (served) => tools(served, ['session_advance', { ms: 20_000 }]),
  },
  {
    name: 'names of prototypes as text',
    send: (served) =>
      tools(
        served,
        ['focus_element', { selector: 'Button' }],
        ...['toString', 'constructor', '__proto__', 'hasOwnProperty'].map((text) => ['type_text', { text }] as const),
      ),
  },
  write('ideographs', '漢字仮名'.repeat(80_000)),
  write('letters with marks', 'e\u0301'.repeat(300_000)),
  trace('traces of arguments that no tool knows', (number) => ['list_windows', { value: `${number}${LARGE}` }]),
  trace('traces of arguments that are withheld', (number) => [
    'set_value',
    { selector: 'Edit', value: `${number}${LARGE}` },
  ]),
  {
    name: 'fifty steps of large texts',
    send: (served) =>
      tools(served, ...Array.from({ length: 50 }, (_, number) => setValue(`${number}${LARGE}`)), setValue('')),
  },
  open('one key again and again', `a:\n${'  k: 1\n'.repeat(7000)}`),
  open(
    'many unknown keys',
    `states: {a: {windows: [{uid: w, tree: {role: Window, children: [${Array.from({ length: 2000 }, (_, at) => `{role: Text, nam${at}: x}`).join(', ')}]}}]}}`,
  ),
  { name: 'what pages of other sites embed', send: embed },
  { name: 'a hundred requests that never end', send: (served) => stayUnfinished(served, 100) },
]
