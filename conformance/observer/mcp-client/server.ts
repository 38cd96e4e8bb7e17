import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import * as z from 'zod'
import type { AssessOptions } from '../../client/conversation.ts'
import type { ServerContext } from '../../client/flow.ts'
import { problemOf, readJson } from '../../client/validate.ts'
import { shorten } from '../../probe/frame.ts'
import type { DesktopServer } from '../client/acting-flows.ts'
import { type Arguments, ScriptedDesktop } from '../client/scripted-desktop.ts'

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

const VERSION = '2025-06-18'

/** A scripted MCP server on standard input and output, which a bridge connects to this process. */
export class McpServer implements DesktopServer {
  readonly desk: ScriptedDesktop
  private readonly context: ServerContext
  private bridge: Bridge | undefined
  private socket: Duplex | undefined
  private buffered = ''
  private phase: 'new' | 'asked' | 'answered' | 'ready' = 'new'
  private readonly ids = new Set<unknown>()
  private readonly listed = new Set<string>()
  private asked = 0
  private readonly answers = new Map<unknown, RpcMessage>()
  /** The version that initialize is answered with. */
  version = VERSION
  /** Milliseconds after which initialize is answered. */
  initializeMs = 100
  /** Sent with the first call of a tool. */
  beforeAnswer: (() => void) | undefined
  /** The server ends instead of answering a call that acts. */
  diesOnAct = false
  /** How the client ended the server, once it has. */
  shutdown: 'input' | 'signal' | 'killed' | undefined
  calls = 0

  constructor(context: ServerContext) {
    this.context = context
    this.desk = new ScriptedDesktop(context, PREFIX)
  }

  get reached(): boolean {
    return this.desk.acts > 0
  }

  address(hostUrl: string): string {
    this.bridge ??= bridgeTo(Number(new URL(hostUrl).port))
    return this.bridge.command
  }

  dispose(): void {
    this.bridge?.remove()
  }

  started(): Promise<void> {
    return this.context.flowContext.waitForStart('send initialize', () => this.phase !== 'new' || undefined)
  }

  conclude(): void {
    this.socket?.end()
  }

  request(_: IncomingMessage, response: ServerResponse): void {
    response.writeHead(404).end()
  }

  /** The bridge is connected: the client's output arrives line by line. */
  raw(socket: Duplex): void {
    this.socket = socket
    const decoder = new StringDecoder('utf8')
    socket.on('data', (bytes: Buffer) => {
      const lines = (this.buffered + decoder.write(bytes)).split('\n')
      this.buffered = lines.pop()!
      for (const line of lines) if (line.trim() !== '') this.receive(line)
      this.context.flowContext.notifyChange()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.shutdown ??= 'killed'
      this.context.flowContext.notifyChange()
    })
  }

  /** Sends a request to the client; returns the response if there is one. */
  async ask(method: string): Promise<RpcMessage | undefined> {
    const id = `server-${++this.asked}`
    this.send({ jsonrpc: '2.0', id, method })
    return this.context.flowContext.until(() => this.answers.get(id))
  }

  notify(method: string, params: object): void {
    this.send({ jsonrpc: '2.0', method, params })
  }

  rule(rule: string, found: string | undefined, options?: AssessOptions): boolean {
    return this.context.flowContext.assess(`${PREFIX}:${rule}`, found, options)
  }

  private send(message: object): void {
    const line = JSON.stringify(message)
    const { method = 'answer' } = message as { method?: string }
    this.context.flowContext.recorder.add({ direction: 'sent', channel: 'mcp', title: method, text: shorten(line) })
    this.socket?.write(`${line}\n`)
  }

  private receive(line: string): void {
    if (line === INPUT_ENDED || line === TERMINATED) {
      this.shutdown ??= line === INPUT_ENDED ? 'input' : 'signal'
      return
    }
    const json = readJson(line)
    const found = json.problem ?? problemOf(RpcMessage, json.value)
    const title = found === undefined ? ((json.value as RpcMessage).method ?? 'answer') : 'noise'
    this.context.flowContext.recorder.add({ direction: 'received', channel: 'mcp', title, text: shorten(line) })
    if (!this.rule('rpc:shape', found && `${shorten(line, 200)}: ${found}`)) {
      // JSON-RPC errors for unparsable lines have no id.
      this.send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
      return
    }
    const message = json.value as RpcMessage
    if (message.method === undefined) this.answers.set(message.id, message)
    else if ('id' in message) void this.handle(message)
    else if (message.method === 'notifications/initialized') this.initialized()
  }

  private async handle(message: RpcMessage): Promise<void> {
    const { id, method } = message
    const isProper = typeof id === 'string' || typeof id === 'number'
    const idProblem = isProper ? (this.ids.has(id) ? `the id ${id} is used again` : undefined) : `the id is ${id}`
    this.ids.add(id)
    this.rule('rpc:ids', idProblem)
    if (this.phase === 'new' && method !== 'initialize')
      this.rule('handshake:initialize', `the first request is ${method}`)
    if (this.phase === 'asked' && method !== 'ping')
      this.rule('handshake:early', `${method} came before the answer to initialize`)
    if (this.phase === 'answered' && method !== 'ping')
      this.rule('handshake:initialized', `${method} came before notifications/initialized`)
    const answer = await this.answer(message)
    if (answer) this.send({ jsonrpc: '2.0', id, ...answer })
  }

  private async answer({ method, params }: RpcMessage): Promise<object | undefined> {
    if (method === 'initialize') return this.initialize(params)
    if (method === 'ping') return { result: {} }
    if (method === 'tools/list') return { result: this.list(params?.cursor) }
    if (method === 'tools/call') return this.call(String(params?.name), (params?.arguments ?? {}) as Arguments)
    return { error: { code: -32601, message: `unknown method ${method}` } }
  }

  private async initialize(params: unknown): Promise<object> {
    this.rule('handshake:initialize', problemOf(Initialize, params))
    this.phase = 'asked'
    await this.context.flowContext.pause(this.initializeMs)
    this.rule('handshake:early', undefined)
    this.phase = 'answered'
    const capabilities = { tools: { listChanged: true }, logging: {}, holograms: {} }
    const serverInfo = { name: 'scripted', version: '1.0', title: 'Scripted desktop' }
    return { result: { protocolVersion: this.version, capabilities, serverInfo, instructions: 'Look before you act.' } }
  }

  private initialized(): void {
    if (this.phase === 'answered') this.rule('handshake:initialized', undefined)
    this.phase = 'ready'
  }

  private list(cursor: unknown): object {
    const page = listPage(cursor) as { readonly tools: readonly { readonly name: string }[] }
    for (const { name } of page.tools) this.listed.add(name)
    return page
  }

  private async call(name: string, given: Arguments): Promise<object | undefined> {
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
    if (this.diesOnAct && this.desk.acts > before) {
      this.socket?.destroy()
      return undefined
    }
    const text = JSON.stringify(reply.body)
    const isError = reply.status >= 400
    return { result: { content: [{ type: 'text', text }], structuredContent: reply.body, isError } }
  }
}

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
