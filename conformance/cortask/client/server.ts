import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import * as z from 'zod'
import type { AssessOptions } from '../../client/conversation.ts'
import type { ScriptedServer, ServerContext } from '../../client/flow.ts'
import { problemOf, readJson } from '../../client/validate.ts'
import { shorten } from '../../probe/frame.ts'
import { message } from '../contract.ts'
import type { ClientRule } from './requirements.ts'

/** A message that fits its shape, and the number of the connection it came over. */
export interface ReceivedMessage {
  readonly type: string
  readonly connection: number
  readonly [field: string]: unknown
}

const WORKSPACE = { id: 'default', name: 'Default', rootPath: '/home/user', lastAccessedAt: '2026-04-10T18:00:00Z' }

/** The REST requests of Cortask's page; the document covers the socket only. */
const REST: Readonly<Record<string, object>> = {
  '/api/health': { status: 'ok', version: '0.1.0', ready: true },
  '/api/onboarding/status': { completed: true, hasProvider: true, hasWorkspace: true },
  '/api/workspaces': [WORKSPACE],
  '/api/workspaces/default/open': WORKSPACE,
  '/api/sessions': [],
}

/** A scripted Cortask gateway: it judges the client's messages, and flows send the events of a run. */
export class CortaskServer implements ScriptedServer {
  readonly context: ServerContext
  readonly received: ReceivedMessage[] = []
  /** How often a client has opened the socket, refused openings included. */
  connections = 0
  /** New sockets are refused. */
  isClosed = false
  private readonly sockets = new Set<WebSocket>()

  constructor(context: ServerContext) {
    this.context = context
  }

  get flowContext() {
    return this.context.flowContext
  }

  get reached(): boolean {
    return this.count('chat') > 0
  }

  assess(rule: ClientRule, problem: string | undefined, options?: AssessOptions): boolean {
    return this.flowContext.assess(`cortask-client:${rule}`, problem, options)
  }

  // Actions of a flow.

  /** Waits for a chat of the client; returns its sessionKey. */
  async started(): Promise<string> {
    await this.flowContext.waitForStart('open /ws and send a chat', () => this.reached || undefined)
    return String(this.received.find(({ type }) => type === 'chat')!.sessionKey)
  }

  count(type: string): number {
    return this.received.filter((one) => one.type === type).length
  }

  get isOpen(): boolean {
    return this.sockets.size > 0
  }

  emit(type: string, fields: object = {}): void {
    const text = JSON.stringify({ type, ...fields })
    this.flowContext.recorder.add({ direction: 'sent', channel: 'ws', title: type, text: shorten(text) })
    for (const socket of this.sockets) socket.send(text)
  }

  done(sessionKey: string, more: object = {}): void {
    this.emit('done', { sessionKey, usage: { inputTokens: 12, outputTokens: 5 }, ...more })
  }

  /** The first message of a type, if it comes. */
  heard(type: string): Promise<ReceivedMessage | undefined> {
    return this.flowContext.until(() => this.received.find((one) => one.type === type))
  }

  /** Terminates all sockets. */
  cut(): void {
    this.flowContext.recorder.add({ direction: 'sent', channel: 'ws', title: 'cut the socket off', text: '' })
    for (const socket of this.sockets) socket.terminate()
    this.sockets.clear()
  }

  conclude(): void {
    const chat = this.received.find(({ type }) => type === 'chat')
    this.done(String(chat?.sessionKey ?? ''))
  }

  // Messages of the client.

  request(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    this.flowContext.recorder.add({
      direction: 'received',
      channel: 'http',
      title: `${request.method} ${pathname}`,
      text: '',
    })
    const found = REST[pathname]
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? { error: 'not found' }))
    this.flowContext.notifyChange()
  }

  refuses(request: IncomingMessage): number | undefined {
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    this.flowContext.recorder.add({ direction: 'received', channel: 'ws', title: `open ${pathname}`, text: '' })
    this.connections++
    this.flowContext.notifyChange()
    if (!this.assess('connect:path', pathname === '/ws' ? undefined : `the socket is opened at ${pathname}`)) return 400
    return this.isClosed ? 503 : undefined
  }

  connected(socket: WebSocket): void {
    const connection = this.connections
    this.sockets.add(socket)
    socket.on('close', () => {
      this.sockets.delete(socket)
      this.flowContext.notifyChange()
    })
    socket.on('message', (data) => {
      this.receive(String(data), connection)
      this.flowContext.notifyChange()
    })
  }

  private receive(text: string, connection: number): void {
    const json = readJson(text)
    const type = z.looseObject({ type: z.string() }).safeParse(json.value).data?.type
    this.flowContext.recorder.add({
      direction: 'received',
      channel: 'ws',
      title: type ?? 'a frame',
      text: shorten(text),
    })
    const isObject = z.looseObject({}).safeParse(json.value).success
    const found = json.problem ?? (isObject ? undefined : `${shorten(text, 200)} is not an object`)
    if (!this.assess('shape:json', found)) {
      this.emit('error', { sessionKey: '', error: 'Invalid JSON' })
      return
    }
    const schema =
      type !== undefined && Object.hasOwn(message, type) ? message[type as keyof typeof message] : undefined
    // The document does not specify the response to an unknown type, so it is ignored.
    if (!this.assess('shape:type', schema ? undefined : `the type ${JSON.stringify(type)} is not documented`)) return
    if (!this.assess(`shape:${type}` as ClientRule, problemOf(schema!, json.value))) {
      this.emit('error', { sessionKey: '', error: `invalid ${type}` })
      return
    }
    this.received.push({ ...(json.value as object), type: type!, connection })
  }
}
