import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelDialect } from '../../../../src/agent/models/dialect.ts'

/** An answer of a model, in no dialect. */
export interface VendorAnswer {
  readonly think?: string
  readonly say?: string
  readonly calls?: readonly VendorCall[]
  /** Input and output tokens. */
  readonly usage?: readonly [number, number]
}

export interface VendorCall {
  readonly name: string
  /** The arguments. A text is sent as it is, so that it can be malformed. */
  readonly args?: Readonly<Record<string, unknown>> | string
  /** Anthropic: the toolset that has the tool. */
  readonly toolset?: string
}

/** What goes wrong at an endpoint, by name. */
export type Mishap =
  | 'refusal'
  | 'too long'
  | 'malformed call'
  | 'cut in the middle'
  | 'error event'
  | 'not JSON'
  | 'empty'
  | 'nothing'
  | 'busy'
  | 'busy for 7 s'
  | 'overloaded'
  | 'unauthorized'
  | 'context too long'
  | 'silent'

/** One reply of the endpoint: an answer, or a mishap. */
export type VendorReply = VendorAnswer | Mishap

export interface VendorRequest {
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** How the endpoint of a vendor answers, and what it requires of requests. */
export interface Vendor {
  readonly dialect: ModelDialect
  /** The path that the base URL has in tests. */
  readonly basePath: string
  /** The values of the events of an answer. `number` makes ids unique. */
  readonly events: (answer: VendorAnswer, number: number) => readonly unknown[]
  /** The whole stream of these events. */
  readonly stream: (events: readonly unknown[]) => string
  readonly refusal: readonly unknown[]
  readonly tooLong: readonly unknown[]
  /** The events of a call that cannot be executed. */
  readonly malformedCall: readonly unknown[]
  readonly empty: readonly unknown[]
  /** An event that reports an error. */
  readonly errorEvent: unknown
  /** The statuses and bodies of errors. */
  readonly errors: Readonly<Record<'busy' | 'overloaded' | 'unauthorized' | 'tooLong', readonly [number, unknown]>>
  /** Returns what is wrong with a request, according to the vendor's documentation. */
  readonly problems: (request: VendorRequest) => readonly string[]
}

/** Starts an endpoint of a vendor that returns its replies in order. The last one repeats. */
export async function startVendor(vendor: Vendor, ...replies: readonly VendorReply[]) {
  const requests: VendorRequest[] = []
  const problems: string[] = []
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const part of incoming) text += String(part)
    const request = { url: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(text) }
    requests.push(request)
    problems.push(...vendor.problems(request).map((problem) => `request ${requests.length}: ${problem}`))
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? 'empty'
    if (typeof reply === 'string') fail(vendor, reply, response)
    else send(response, vendor.stream(vendor.events(reply, requests.length)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${vendor.basePath}`,
    requests,
    problems,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
}

function fail(vendor: Vendor, mishap: Mishap, response: ServerResponse): void {
  const half = dataEvents(vendor.events({ say: 'Half ', calls: [{ name: 'finish' }] }, 0).slice(0, 3))
  const streams: Partial<Record<Mishap, string>> = {
    refusal: vendor.stream(vendor.refusal),
    'too long': vendor.stream(vendor.tooLong),
    'malformed call': vendor.stream(vendor.malformedCall),
    empty: vendor.stream(vendor.empty),
    nothing: '',
    'cut in the middle': half,
    'error event': half + dataEvents([vendor.errorEvent]),
    'not JSON': `${half}data: }{\n\n`,
  }
  const statuses: Partial<Record<Mishap, readonly [number, unknown]>> = {
    busy: vendor.errors.busy,
    'busy for 7 s': vendor.errors.busy,
    overloaded: vendor.errors.overloaded,
    unauthorized: vendor.errors.unauthorized,
    'context too long': vendor.errors.tooLong,
  }
  const stream = streams[mishap]
  const [status, body] = statuses[mishap] ?? []
  if (stream !== undefined) send(response, stream)
  else if (status === undefined) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  else {
    const headers = { 'content-type': 'application/json', ...(mishap === 'busy for 7 s' && { 'retry-after': '7' }) }
    response.writeHead(status, headers).end(JSON.stringify(body))
  }
}

/** Events without names. */
export const dataEvents = (values: readonly unknown[]): string =>
  values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')

export const jsonOfArguments = (args: VendorCall['args'] = {}): string =>
  typeof args === 'string' ? args : JSON.stringify(args)

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Keys that the vendor does not know, which it refuses. */
export const unknownKeys = (value: JsonObject, known: readonly string[], place: string): readonly string[] =>
  Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${place}: unknown field ${key}`)

/** Neighbours of one role, and a first message that is not the user's. */
export function roleProblems(roles: readonly unknown[]): readonly string[] {
  return roles.flatMap((role, index) => {
    if (index === 0 && role !== 'user') return ['the first message is not of the user']
    return index > 0 && role === roles[index - 1] ? [`message ${index} has the role of the one before`] : []
  })
}
