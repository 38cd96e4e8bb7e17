import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import type { AssessOptions } from '../../client/conversation.ts'
import type { ScriptedServer, ServerContext } from '../../client/flow.ts'
import { problemOf, readJson } from '../../client/validate.ts'
import { findOperation } from '../../contract/contract.ts'
import { shorten } from '../../probe/frame.ts'
import { message, naviContract } from '../contract.ts'
import type { ClientRule } from './requirements.ts'

/** A message that fits its shape. */
export interface ReceivedMessage {
  readonly content: string
  readonly [field: string]: unknown
}

const SESSION = '5e55104e-0000-4000-8000-000000000001'
const PROFILE = 'secretary'
const AT = '2026-04-10T18:00:00+00:00'
const SESSION_GONE = 4004

export const CREATE = 'POST /sessions'
export const STOP = 'POST /sessions/{session_id}/stop'

/** A scripted Navi server: it judges the client's messages, and flows send the events of a run. */
export class NaviServer implements ScriptedServer {
  readonly context: ServerContext
  readonly received: ReceivedMessage[] = []
  readonly counts: Record<string, number> = {}
  /** How often a client has opened the socket. */
  connections = 0
  /** Sockets are closed with 4004. */
  isGone = false
  /** The status that refuses the creation of a session. */
  refusesCreation: number | undefined
  private readonly sockets = new Set<WebSocket>()
  private readonly missed: string[] = []
  private readonly uploads = new Set<string>()
  private isRunning = false

  constructor(context: ServerContext) {
    this.context = context
  }

  get flowContext() {
    return this.context.flowContext
  }

  get reached(): boolean {
    return this.received.length > 0
  }

  assess(rule: ClientRule, problem: string | undefined, options?: AssessOptions): boolean {
    return this.flowContext.assess(`navi-client:${rule}`, problem, options)
  }

  // Actions of a flow.

  /** Waits until the client has sent its text, and starts a run. */
  async started(): Promise<void> {
    await this.flowContext.waitForStart(
      'create a session, open its socket and send a message',
      () => this.reached || undefined,
    )
    const { content } = this.received[0]!
    this.assess('run:said', content.includes(this.context.text) ? undefined : `"${shorten(content, 200)}" was sent`, {
      isMild: true,
    })
    this.emit('stream_start')
    this.isRunning = true
  }

  get isOpen(): boolean {
    return this.sockets.size > 0
  }

  /** Sends an event to all sockets. Without a socket, it is delivered to the next one that connects. */
  emit(type: string, fields: object = {}): void {
    const text = JSON.stringify({ type, ...fields })
    this.flowContext.recorder.add({ direction: 'sent', channel: 'ws', title: type, text: shorten(text) })
    if (!this.isOpen) this.missed.push(text)
    for (const socket of this.sockets) socket.send(text)
  }

  answer(...deltas: readonly string[]): void {
    for (const delta of deltas) this.emit('stream_delta', { delta })
    this.end(deltas.join(''))
  }

  end(content: string, more: object = {}): void {
    this.isRunning = false
    this.emit('stream_end', { content, context_tokens: 40, max_context_tokens: 8000, ...more })
  }

  tool(tool: string, args: object, result: string, { success = true, is_subagent = false } = {}): void {
    this.emit('tool_started', { tool, args, is_subagent })
    this.emit('tool_call', { tool, args, result, success, is_subagent })
  }

  /** Terminates all sockets. */
  cut(): void {
    this.flowContext.recorder.add({ direction: 'sent', channel: 'ws', title: 'cut the socket off', text: '' })
    for (const socket of this.sockets) socket.terminate()
    this.sockets.clear()
  }

  stopped(): void {
    this.isRunning = false
    this.emit('stream_stopped')
  }

  conclude(): void {
    if (this.isRunning) this.end('')
    else for (const socket of this.sockets) socket.close(SESSION_GONE, 'Session not found')
  }

  // Messages of the client.

  request(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    const title = `${request.method} ${pathname}`
    this.flowContext.recorder.add({ direction: 'received', channel: 'http', title, text: shorten(body) })
    const operation = findOperation(naviContract, request.method ?? '', pathname)
    const isStatic = pathname.startsWith('/static/')
    this.assess('request:known', operation || isStatic ? undefined : `${title} is not in the document`)
    const [status, json] =
      operation === undefined ? [404, { detail: 'Not Found' }] : this.reply(operation, pathname, body)
    const text = json === undefined ? '' : JSON.stringify(json)
    this.flowContext.recorder.add({ direction: 'sent', channel: 'http', title: `${status} to ${title}`, text })
    response.writeHead(status, text === '' ? {} : { 'content-type': 'application/json' })
    response.end(text)
    this.flowContext.notifyChange()
  }

  private reply(operation: string, pathname: string, body: string): readonly [status: number, json?: object] {
    this.counts[operation] = (this.counts[operation] ?? 0) + 1
    const [, , id] = pathname.split('/')
    const isOfSession = operation.includes('{session_id}')
    const isOurs = !isOfSession || id === SESSION
    if (isOfSession && !this.assess('request:session', isOurs ? undefined : `${operation} names the session "${id}"`))
      return [404, { detail: 'Session not found' }]
    switch (operation) {
      case 'GET /health':
        return [200, { status: 'ok' }]
      case 'GET /agents/profiles':
        return [200, [{ ...PROFILE_ROW, id: PROFILE }]]
      case 'GET /agents/tools':
        return [200, [{ name: 'web_search', description: 'Search the web.' }]]
      case CREATE:
        return this.create(body)
      case 'GET /sessions':
        return [200, []]
      case 'DELETE /sessions/{session_id}':
        return [204]
      case 'PATCH /sessions/{session_id}/pin':
        return [200, { session_id: SESSION, pinned: true }]
      case 'POST /sessions/{session_id}/files':
        return this.upload(body)
      case STOP:
        return [200, this.isRunning ? { ok: true } : { ok: false, reason: 'no active run' }]
      default:
        return [
          200,
          { session_id: SESSION, profile_id: PROFILE, created_at: AT, last_active: AT, messages: [], ...CONTEXT },
        ]
    }
  }

  private create(body: string): readonly [number, object] {
    if (this.refusesCreation !== undefined) return [this.refusesCreation, { detail: 'Profile not found' }]
    const { value, problem } = readJson(body)
    const wrong = problem ?? problemOf(naviContract.operations[CREATE]!.body!, value)
    if (!this.assess('shape:create', wrong)) return [422, { detail: wrong! }]
    const { profile_id } = value as { profile_id: string }
    const isListed = profile_id === PROFILE
    this.assess('create:profile', isListed ? undefined : `the profile "${profile_id}" is not listed`, { isMild: true })
    return [201, { session_id: SESSION, profile_id, created_at: AT }]
  }

  private upload(body: string): readonly [number, object] {
    const name = /filename="([^"]*)"/.exec(body)?.[1] ?? 'file'
    const path = `session_files/${SESSION}/${name}`
    this.uploads.add(path)
    return [201, { name, size: body.length, path, content_type: 'application/octet-stream' }]
  }

  connected(socket: WebSocket, request: IncomingMessage): void {
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    const { recorder } = this.flowContext
    recorder.add({ direction: 'received', channel: 'ws', title: `open ${pathname}`, text: '' })
    this.connections++
    this.flowContext.notifyChange()
    const isOurs = pathname === `/ws/sessions/${SESSION}`
    this.assess('request:session', isOurs ? undefined : `the socket is opened at ${pathname}`)
    if (!isOurs || this.isGone) {
      socket.send(JSON.stringify({ type: 'error', message: 'Session not found' }))
      socket.close(SESSION_GONE, 'Session not found')
      return
    }
    this.sockets.add(socket)
    socket.on('close', () => {
      this.sockets.delete(socket)
      this.flowContext.notifyChange()
    })
    for (const text of this.missed.splice(0)) socket.send(text)
    socket.on('message', (data) => {
      this.receive(String(data))
      this.flowContext.notifyChange()
    })
  }

  private receive(text: string): void {
    const { value, problem } = readJson(text)
    const type = (value as { type?: unknown } | undefined)?.type
    const title = typeof type === 'string' ? type : 'a frame'
    this.flowContext.recorder.add({ direction: 'received', channel: 'ws', title, text: shorten(text) })
    if (STOPS.has(type)) this.assess('stop:rest', `{"type":"${type}"} was sent over the socket`, { isMild: true })
    else this.hear(this.readMessage(text, value, problem))
  }

  /** The received message. After a failure the run continues as if it were valid, so no other requirement fails. */
  private readMessage(text: string, value: unknown, problem: string | undefined): ReceivedMessage {
    if (!this.assess('request:json', problem, { isMild: true })) return { content: text }
    const said = value as ReceivedMessage
    if (!this.assess('shape:message', problemOf(message, value), { isMild: true }))
      return { ...said, content: String(said.content) }
    const files = (said.files ?? []) as readonly { path: string }[]
    const missing = files.find(({ path }) => !this.uploads.has(path))
    this.assess('file:uploaded', missing && `"${missing.path}" was not uploaded`, { isMild: true })
    return said
  }

  private hear(said: ReceivedMessage): void {
    if (this.isRunning) this.emit('error', { message: 'busy' })
    this.received.push(said)
  }
}

/** What clients of other protocols send to stop a run. */
const STOPS: ReadonlySet<unknown> = new Set(['stop', 'cancel', 'abort', 'interrupt'])

const PROFILE_ROW = {
  name: 'Secretary',
  description: 'Helps with everyday tasks.',
  enabled_tools: ['web_search'],
  llm_backend: 'script',
  model: 'script',
}

const CONTEXT = { message_count: 0, total_chars: 0, context: [] }
