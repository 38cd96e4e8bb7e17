import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import * as z from 'zod'
import { type AssessOptions, NotReached } from '../../client/conversation.ts'
import type { ServerContext } from '../../client/flow.ts'
import { problemOf, readJson } from '../../client/validate.ts'
import { shorten } from '../../probe/frame.ts'
import type { DesktopServer } from '../client/acting-flows.ts'
import { type Arguments, ScriptedDesktop } from '../client/scripted-desktop.ts'
import { STATELESS } from '../mcp-driver.ts'

const PREFIX = 'mcp-client'

const RpcMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
})
export type RpcMessage = z.infer<typeof RpcMessage>

const Initialize = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
})

const OLDER_VERSION = '2025-06-18'

const META = 'io.modelcontextprotocol/'

/** What `_meta` of each request has from 2026-07-28 on. */
const Envelope = z.looseObject({
  [`${META}protocolVersion`]: z.string(),
  [`${META}clientCapabilities`]: z.looseObject({}),
})

/** Revisions with a handshake, or 2026-07-28, in which each request stands for itself. */
type Revision = 'older' | 'stateless'

/** One process of the server. A client may start several, such as one to find out what the server speaks. */
interface Connection {
  readonly socket: Duplex
  /** The revision of the last request. */
  revision: Revision | undefined
  phase: 'new' | 'asked' | 'answered' | 'ready'
  readonly ids: Set<unknown>
  /** How the client ended the process, once it has. */
  shutdown: 'input' | 'signal' | 'killed' | undefined
}

/** A scripted MCP server on standard input and output. Bridges connect its processes to this one. */
export class McpServer implements DesktopServer {
  readonly desk: ScriptedDesktop
  private readonly context: ServerContext
  private bridge: Bridge | undefined
  private readonly connections: Connection[] = []
  private readonly listed = new Set<string>()
  private asked = 0
  private readonly answers = new Map<unknown, RpcMessage>()
  private readonly requested = new Set<Revision>()
  private awaited: { readonly signature: string; readonly state: string } | undefined
  /** The only revisions that the server speaks; both when absent. */
  speaks: Revision | undefined
  /** The version that initialize is answered with. */
  version = OLDER_VERSION
  /** The versions without a handshake that the server supports. */
  supported: readonly string[] = [STATELESS]
  /** Milliseconds after which initialize and server/discover are answered. */
  openingMs = 100
  /** Sent with the first call of a tool. */
  beforeAnswer: (() => void) | undefined
  /** How often the server ends instead of answering a call that acts. */
  deaths = 0
  /** The type of the results of calls in 2026-07-28. */
  resultType = 'complete'
  /** The state that the first call in 2026-07-28 is answered with, to be sent again with it. */
  requestState: string | undefined
  /** Whether that call was sent again. */
  hasRetried = false
  calls = 0

  constructor(context: ServerContext) {
    this.context = context
    this.desk = new ScriptedDesktop(context, PREFIX)
  }

  get reached(): boolean {
    return this.desk.acts > 0
  }

  /** How the client ended the last process that it started, once it has. */
  get shutdown(): Connection['shutdown'] {
    return this.connections.at(-1)?.shutdown
  }

  /** Whether the client asked for a handshake. */
  get hasInitialized(): boolean {
    return this.requested.has('older')
  }

  address(hostUrl: string): string {
    this.bridge ??= bridgeTo(Number(new URL(hostUrl).port))
    return this.bridge.command
  }

  dispose(): void {
    this.bridge?.remove()
  }

  /** Waits for a request of a revision that the server speaks. Ends the flow when the client does not speak it. */
  async started(): Promise<void> {
    const { flowContext } = this.context
    await flowContext.waitForStart('send a request', () => this.requested.size > 0 || undefined)
    const { speaks } = this
    if (speaks === undefined || (await flowContext.until(() => this.requested.has(speaks) || undefined))) return
    throw new NotReached(`the client does not speak ${speaks === 'older' ? OLDER_VERSION : STATELESS}`)
  }

  conclude(): void {
    for (const { socket } of this.connections) socket.end()
  }

  request(_: IncomingMessage, response: ServerResponse): void {
    response.writeHead(404).end()
  }

  /** A bridge is connected: the client's output arrives line by line. */
  raw(socket: Duplex): void {
    const connection: Connection = {
      ...{ socket, revision: undefined, phase: 'new', ids: new Set(), shutdown: undefined },
    }
    this.connections.push(connection)
    const decoder = new StringDecoder('utf8')
    let buffered = ''
    socket.on('data', (bytes: Buffer) => {
      const lines = (buffered + decoder.write(bytes)).split('\n')
      buffered = lines.pop()!
      for (const line of lines) if (line.trim() !== '') this.receive(connection, line)
      this.context.flowContext.notifyChange()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      connection.shutdown ??= 'killed'
      this.context.flowContext.notifyChange()
    })
  }

  /** Sends a request to the client; returns the response if there is one. */
  async ask(method: string): Promise<RpcMessage | undefined> {
    const id = `server-${++this.asked}`
    this.send(this.connections.at(-1), { jsonrpc: '2.0', id, method })
    return this.context.flowContext.until(() => this.answers.get(id))
  }

  notify(method: string, params: object): void {
    this.send(this.connections.at(-1), { jsonrpc: '2.0', method, params })
  }

  rule(rule: string, found: string | undefined, options?: AssessOptions): boolean {
    return this.context.flowContext.assess(`${PREFIX}:${rule}`, found, options)
  }

  private send(connection: Connection | undefined, message: object): void {
    const line = JSON.stringify(message)
    const { method = 'answer' } = message as { method?: string }
    this.context.flowContext.recorder.add({ direction: 'sent', channel: 'mcp', title: method, text: shorten(line) })
    connection?.socket.write(`${line}\n`)
  }

  private receive(connection: Connection, line: string): void {
    if (line === INPUT_ENDED || line === TERMINATED) {
      connection.shutdown ??= line === INPUT_ENDED ? 'input' : 'signal'
      return
    }
    const json = readJson(line)
    const found = json.problem ?? problemOf(RpcMessage, json.value)
    const title = found === undefined ? ((json.value as RpcMessage).method ?? 'answer') : 'noise'
    this.context.flowContext.recorder.add({ direction: 'received', channel: 'mcp', title, text: shorten(line) })
    if (!this.rule('rpc:shape', found && `${shorten(line, 200)}: ${found}`)) {
      // JSON-RPC errors for unparsable lines have no id.
      this.send(connection, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
      return
    }
    const message = json.value as RpcMessage
    if (message.method === undefined) this.answers.set(message.id, message)
    else if ('id' in message) void this.handle(connection, message)
    else if (message.method === 'notifications/initialized') this.initialized(connection)
  }

  private async handle(connection: Connection, message: RpcMessage): Promise<void> {
    const { id } = message
    const { ids } = connection
    const isProper = typeof id === 'string' || typeof id === 'number'
    const idProblem = isProper ? (ids.has(id) ? `the id ${id} is used again` : undefined) : `the id is ${id}`
    ids.add(id)
    this.rule('rpc:ids', idProblem)
    const revision = revisionOf(message, connection)
    connection.revision = revision
    this.requested.add(revision)
    const answer = await (revision === 'stateless'
      ? this.answerStateless(connection, message)
      : this.answerOlder(connection, message))
    // In this revision, only requests that wait for an answer have ids of their own.
    if (revision === 'stateless') ids.delete(id)
    if (answer) this.send(connection, { jsonrpc: '2.0', id, ...answer })
  }

  private async answerOlder(connection: Connection, { method, params }: RpcMessage): Promise<object | undefined> {
    if (this.speaks === 'stateless') return unknownMethod(method, `; this server supports ${this.supported.join(', ')}`)
    const { phase } = connection
    if (phase === 'new' && method !== 'initialize') this.rule('handshake:initialize', `the first request is ${method}`)
    if (phase === 'asked' && method !== 'ping')
      this.rule('handshake:early', `${method} came before the answer to initialize`)
    if (phase === 'answered' && method !== 'ping')
      this.rule('handshake:initialized', `${method} came before notifications/initialized`)
    if (method === 'initialize') return this.initialize(connection, params)
    if (method === 'ping') return { result: {} }
    return this.answerTools(connection, method, params)
  }

  /** Answers a request that stands for itself, with what each result of this revision has. */
  private async answerStateless(connection: Connection, { method, params }: RpcMessage): Promise<object | undefined> {
    if (this.speaks === 'older') return unknownMethod(method)
    const meta = (params?._meta ?? {}) as Readonly<Record<string, unknown>>
    const found = problemOf(Envelope, meta)
    if (!this.rule('stateless:meta', found && `_meta of ${method}: ${found}`))
      return { error: { code: -32602, message: `_meta: ${found}` } }
    const isNamed = `${META}clientInfo` in meta
    this.rule('stateless:client-info', isNamed ? undefined : `${method} has no clientInfo`, { isMild: true })
    const { supported } = this
    const requested = String(meta[`${META}protocolVersion`])
    if (requested !== STATELESS || !supported.includes(requested))
      return { error: { code: -32022, message: 'Unsupported protocol version', data: { supported, requested } } }
    if (method === 'server/discover') return this.discovered()
    const state = method === 'tools/call' ? this.stateFor(params) : undefined
    if (state !== undefined) return { result: { resultType: 'input_required', requestState: state } }
    const answer = await this.answerTools(connection, method, params)
    if (!answer || !('result' in answer)) return answer
    const { resultType } = method === 'tools/call' ? this : COMPLETE
    return { result: { resultType, ...(answer.result as object), ...(method === 'tools/list' && CACHED) } }
  }

  /** The state that a call is answered with, if it is the first one. Judges whether it comes back with that call. */
  private stateFor(params: RpcMessage['params']): string | undefined {
    const signature = JSON.stringify([params?.name, params?.arguments])
    const { awaited, requestState } = this
    if (awaited) {
      const isRetry = signature === awaited.signature
      const sent = params?.requestState
      const where = isRetry ? 'the call was sent again' : 'another call was sent'
      const isRight = sent === (isRetry ? awaited.state : undefined)
      if (isRetry || !isRight)
        this.rule('stateless:request-state', isRight ? undefined : `${where} with ${JSON.stringify(sent)}`)
      if (isRetry) {
        this.awaited = undefined
        this.hasRetried = true
      }
    } else if (requestState !== undefined) {
      this.awaited = { signature, state: requestState }
      this.requestState = undefined
      return requestState
    }
    return undefined
  }

  private async answerTools(connection: Connection, method: string | undefined, params: RpcMessage['params']) {
    if (method === 'tools/list') return { result: this.list(params?.cursor) }
    if (method === 'tools/call')
      return this.call(connection, String(params?.name), (params?.arguments ?? {}) as Arguments)
    return unknownMethod(method)
  }

  private async initialize(connection: Connection, params: unknown): Promise<object> {
    this.rule('handshake:initialize', problemOf(Initialize, params))
    connection.phase = 'asked'
    await this.context.flowContext.pause(this.openingMs)
    this.rule('handshake:early', undefined)
    connection.phase = 'answered'
    const { version: protocolVersion } = this
    return { result: { protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER_INFO, instructions } }
  }

  private async discovered(): Promise<object> {
    await this.context.flowContext.pause(this.openingMs)
    const { supported: supportedVersions } = this
    const _meta = { [`${META}serverInfo`]: SERVER_INFO }
    return {
      result: { ...COMPLETE, ...CACHED, supportedVersions, capabilities: CAPABILITIES, instructions, _meta },
    }
  }

  private initialized(connection: Connection): void {
    if (connection.phase === 'answered') this.rule('handshake:initialized', undefined)
    connection.phase = 'ready'
  }

  private list(cursor: unknown): object {
    const page = listPage(cursor) as { readonly tools: readonly { readonly name: string }[] }
    for (const { name } of page.tools) this.listed.add(name)
    return page
  }

  private async call(connection: Connection, name: string, given: Arguments): Promise<object | undefined> {
    this.calls++
    this.beforeAnswer?.()
    this.beforeAnswer = undefined
    // A client may know its tools, so it need not list them or read all pages.
    const listed = this.listed.size === 0 || name in LISTED
    if (!this.rule('tools:listed', listed ? undefined : `${name} is not listed`))
      return { error: { code: -32602, message: `unknown tool ${name}` } }
    const tool = LISTED[name]
    const found = tool && problemOf(tool.input, given)
    if (!this.rule('tools:arguments', found && `${name}: ${found}`))
      return { result: { isError: true, content: [{ type: 'text', text: found }] } }
    const before = this.desk.acts
    const reply = await this.desk.call(name, given)
    if (!reply) return { error: { code: -32602, message: `unknown tool ${name}` } }
    if (this.deaths > 0 && this.desk.acts > before) {
      this.deaths--
      connection.socket.destroy()
      return undefined
    }
    const text = JSON.stringify(reply.body)
    const isError = reply.status >= 400
    return { result: { content: [{ type: 'text', text }], structuredContent: reply.body, isError } }
  }
}

/** The revision of a request. A connection without a handshake stays so, unless the client asks for one. */
function revisionOf({ method, params }: RpcMessage, { revision }: Connection): Revision {
  const hasEnvelope = Object.keys((params?._meta ?? {}) as object).some((key) => key in Envelope.shape)
  const isStateless =
    hasEnvelope || method === 'server/discover' || (revision === 'stateless' && method !== 'initialize')
  return isStateless ? 'stateless' : 'older'
}

const unknownMethod = (method: string | undefined, more = '') => ({
  error: { code: -32601, message: `unknown method ${method}${more}` },
})

const CAPABILITIES = { tools: { listChanged: true }, logging: {}, holograms: {} }
const SERVER_INFO = { name: 'scripted', version: '1.0', title: 'Scripted desktop' }
const instructions = 'Look before you act.'
const COMPLETE = { resultType: 'complete' }
/** How long a list and a discovery hold. */
const CACHED = { ttlMs: 60_000, cacheScope: 'private' }

/** A program that a client can start as its MCP server. It passes everything on to the scripted server. */
interface Bridge {
  /** The command line that starts it, without shell characters. */
  readonly command: string
  remove(): void
}

/** The line that the program writes when its input ends or it receives a termination signal. */
const INPUT_ENDED = '\u0004 input ended'
const TERMINATED = '\u0004 terminated'

const program = (port: number): string => `
const socket = require('node:net').connect(${port}, '127.0.0.1')
socket.write('GET /mcp HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: Upgrade\\r\\nUpgrade: mcp\\r\\n\\r\\n')
const end = (line) => socket.end('\\n' + line + '\\n')
process.stdin.on('data', (bytes) => socket.write(bytes))
process.stdin.on('end', () => end(${JSON.stringify(INPUT_ENDED)}))
process.on('SIGTERM', () => { end(${JSON.stringify(TERMINATED)}); setTimeout(() => process.exit(143), 100) })
socket.on('data', (bytes) => process.stdout.write(bytes))
socket.on('error', () => process.exit(1))
socket.on('close', () => process.exit(0))
`

/** Writes the program for the scripted server at a port. */
function bridgeTo(port: number): Bridge {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-mcp-'))
  const path = join(folder, 'server.cjs')
  writeFileSync(path, program(port))
  return { command: `node ${path}`, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The tools that the scripted server lists, with the schemas of their arguments. */

const where = { window_uid: z.string().optional(), window_index: z.int().optional() }
const element = { ...where, selector: z.string().optional(), element_id: z.string().optional() }
const acting = { ...element, dry_run: z.boolean().optional(), confirm_token: z.string().optional() }
const looking = z.looseObject({ ...where, max_nodes: z.int().optional(), visible_only: z.boolean().optional() })

interface ListedTool {
  readonly description: string
  readonly input: z.ZodType
}

const LISTED: Readonly<Record<string, ListedTool>> = {
  list_windows: { description: 'List all visible windows.', input: z.looseObject({}) },
  get_window_structure: { description: 'The element tree of a window.', input: looking },
  get_element_tree: { description: 'The element tree of a window.', input: looking },
  observe_window: { description: 'A sketch and a description of a window.', input: looking },
  get_screen_description: { description: 'A description of a window in words.', input: looking },
  get_screen_sketch: { description: 'A sketch of a window.', input: looking },
  get_screenshot: { description: 'A screenshot of a window.', input: z.looseObject(where) },
  find_element: {
    description: 'Find an element by a selector.',
    input: z.looseObject({ selector: z.string(), ...where }),
  },
  wait_for: { description: 'Wait for a condition.', input: z.looseObject({ any_of: z.array(z.looseObject({})) }) },
  wait_idle: { description: 'Wait until the screen is idle.', input: z.looseObject(where) },
  propose_action: {
    description: 'Ask for the token that confirms an action.',
    input: z.looseObject({ action: z.string(), args: z.looseObject({}).optional() }),
  },
  click_element: { description: 'Click an element.', input: z.looseObject(acting) },
  invoke_element: { description: 'Invoke an element.', input: z.looseObject(acting) },
  double_click_element: { description: 'Double-click an element.', input: z.looseObject(acting) },
  click_element_and_observe: { description: 'Click an element and look.', input: z.looseObject(acting) },
  focus_element: { description: 'Focus an element.', input: z.looseObject(acting) },
  set_value: { description: 'Set the value of an element.', input: z.looseObject({ ...acting, value: z.string() }) },
  click_at: { description: 'Click at a point.', input: z.looseObject({ x: z.int(), y: z.int() }) },
  type_text: { description: 'Type text.', input: z.looseObject({ text: z.string() }) },
  press_key: { description: 'Press a key.', input: z.looseObject({ keys: z.string() }) },
  get_capabilities: { description: 'The capabilities of the server.', input: z.looseObject({}) },
  get_budget_status: { description: 'The remaining budgets.', input: z.looseObject({}) },
}

/** Tools of one page of tools/list. */
const TOOLS_PER_PAGE = 12

/** One page of tools/list; the cursor is the number of tools before it. */
function listPage(cursor: unknown): object {
  const begin = Number(cursor ?? 0)
  const tools = Object.entries(LISTED).map(([name, { description, input }]) => {
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
    return { name, description, inputSchema }
  })
  const next = begin + TOOLS_PER_PAGE
  return { tools: tools.slice(begin, next), ...(next < tools.length && { nextCursor: String(next) }) }
}
