import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import * as z from 'zod'
import type { AssessOptions } from '../../client/conversation.ts'
import type { ScriptedServer, ServerContext } from '../../client/flow.ts'
import { problemOf, readJson } from '../../client/validate.ts'
import { findOperation } from '../../contract/contract.ts'
import { shorten } from '../../probe/frame.ts'
import { windieosContract } from '../contract.ts'
import type { ClientRule } from './requirements.ts'

/** A message of the client after its handshake. */
export interface ReceivedMessage {
  readonly id?: unknown
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

const POLICY_VIOLATION = 1008
const IDENTITY = { user_id: 'user_1', install_id: 'install_1' }
/** The official SDK asks for the identity of its token before it connects. */
const WHO_AM_I = 'GET /api/install/me'

/** The events that belong to a turn. */
const TURN_EVENTS: ReadonlySet<string> = new Set([
  ...['query-accepted', 'llm-thought', 'streaming-response', 'streaming-complete', 'system-prompt'],
  ...['user-message-full', 'assistant-message-full', 'tool-schemas', 'tool-call', 'tool-output', 'tool-bundle'],
  ...['web-search-progress', 'token-count', 'trace-event', 'model-history-updated'],
])

const UPLOAD = 'POST /api/artifacts/'
const REGISTER = 'POST /api/install/register'

/** A scripted WindieOS backend: it judges the client's messages, and flows play a turn. */
export class WindieosServer implements ScriptedServer {
  readonly context: ServerContext
  readonly received: ReceivedMessage[] = []
  /** How often a client has opened the socket. */
  connections = 0
  /** How often a client has shaken hands. */
  handshakes = 0
  /** Handshakes are refused by closing the socket. */
  refusesHandshakes = false
  private readonly sockets = new Set<WebSocket>()
  private readonly ids = new Set<string>()
  private sent = 0
  /** The number of events of each turn so far. */
  private readonly sequences = new Map<string, number>()

  constructor(context: ServerContext) {
    this.context = context
  }

  get flowContext() {
    return this.context.flowContext
  }

  get reached(): boolean {
    return this.count('query') > 0
  }

  assess(rule: ClientRule, problem: string | undefined, options?: AssessOptions): boolean {
    return this.flowContext.assess(`windieos-client:${rule}`, problem, options)
  }

  // Actions of a flow.

  /** Waits until the client has sent its query. */
  async started(): Promise<void> {
    await this.flowContext.waitForStart('connect, shake hands and send a query', () => this.reached || undefined)
  }

  get isOpen(): boolean {
    return this.sockets.size > 0
  }

  count(type: string): number {
    return this.received.filter((one) => one.type === type).length
  }

  /**
   * Sends an event. Those of a turn carry the fields by which the official SDK orders them; the document allows fields
   * that it does not name.
   */
  emit(type: string, payload: object, more: object = {}): void {
    const id = `00000000-0000-4000-8000-${String(++this.sent).padStart(12, '0')}`
    const text = JSON.stringify({
      id,
      type,
      payload,
      timestamp: '2025-01-20T10:00:00Z',
      ...this.identityOf(type, id),
      ...more,
    })
    this.flowContext.recorder.add({ direction: 'sent', channel: 'ws', title: type, text: shorten(text) })
    for (const socket of this.sockets) socket.send(text)
  }

  private identityOf(type: string, event_id: string): object {
    const query = this.received.findLast((one) => one.type === 'query')
    if (query === undefined || !TURN_EVENTS.has(type)) return {}
    const turn_ref = String(query.id)
    const sequence = (this.sequences.get(turn_ref) ?? 0) + 1
    this.sequences.set(turn_ref, sequence)
    return { conversation_ref: query.payload.conversation_ref, turn_ref, event_id, sequence }
  }

  complete(final_response = 'Done.'): void {
    this.emit('streaming-complete', { final_response })
  }

  /** The first answer of a client to a request, if it comes. */
  replied(type: string): Promise<ReceivedMessage | undefined> {
    return this.flowContext.until(() => this.received.find((one) => one.type === type))
  }

  /** Terminates all sockets. */
  cut(): void {
    this.flowContext.recorder.add({ direction: 'sent', channel: 'ws', title: 'cut the socket off', text: '' })
    for (const socket of this.sockets) socket.terminate()
    this.sockets.clear()
  }

  conclude(): void {
    this.complete()
  }

  // Messages of the client.

  request(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    const title = `${request.method} ${pathname}`
    this.flowContext.recorder.add({ direction: 'received', channel: 'http', title, text: shorten(body) })
    const operation = findOperation(windieosContract, request.method ?? '', pathname)
    this.assess('request:known', operation ? undefined : `${title} is not in the document`)
    if (operation !== REGISTER) this.authorised(request, title)
    const [status, json] = operation === undefined ? [404, { detail: 'Not Found' }] : this.reply(operation, body)
    this.flowContext.recorder.add({
      direction: 'sent',
      channel: 'http',
      title: `${status} to ${title}`,
      text: JSON.stringify(json),
    })
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(json))
    this.flowContext.notifyChange()
  }

  private reply(operation: string, body: string): readonly [status: number, json: object] {
    const schema = windieosContract.operations[operation]!.body
    if (schema) {
      const { value, problem } = readJson(body)
      const wrong = problem ?? problemOf(schema, value)
      if (!this.assess('request:shape', wrong, { isMild: true })) return [422, { detail: wrong! }]
    }
    if (operation === REGISTER) return [200, { success: true, ...IDENTITY, install_token: this.context.token }]
    if (operation === WHO_AM_I) return [200, { success: true, ...IDENTITY }]
    if (operation === UPLOAD) return [200, ARTIFACT]
    return [503, { detail: 'not in the script' }]
  }

  private authorised(request: IncomingMessage, what: string): void {
    const bearer = request.headers.authorization
    const isRight = bearer === `Bearer ${this.context.token}`
    const actual = bearer === undefined ? 'no Authorization header' : `"Authorization: ${bearer}"`
    this.assess('auth:token', isRight ? undefined : `${what} has ${actual}`, { isMild: true })
  }

  connected(socket: WebSocket, request: IncomingMessage): void {
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    this.flowContext.recorder.add({ direction: 'received', channel: 'ws', title: `open ${pathname}`, text: '' })
    const isKnown = pathname === '/ws'
    this.assess('request:known', isKnown ? undefined : `the socket ${pathname} is not in the document`, {
      isMild: true,
    })
    this.authorised(request, 'the upgrade')
    this.connections++
    this.flowContext.notifyChange()
    let isGreeted = false
    socket.on('close', () => {
      this.sockets.delete(socket)
      this.flowContext.notifyChange()
    })
    socket.on('message', (data) => {
      const text = String(data)
      if (isGreeted) this.receive(text)
      else {
        isGreeted = true
        this.greet(socket, text)
      }
      this.flowContext.notifyChange()
    })
  }

  private greet(socket: WebSocket, text: string): void {
    this.flowContext.recorder.add({
      direction: 'received',
      channel: 'ws',
      title: 'the first message',
      text: shorten(text),
    })
    const { value, problem } = readJson(text)
    const type = (value as { type?: unknown } | undefined)?.type
    const isQuery = problem === undefined && type !== 'handshake' && type !== undefined
    // The turn continues as if the handshake were valid, so no other requirement fails.
    if (
      this.assess('handshake:first', isQuery ? `the first message has type "${type}"` : undefined, { isMild: true })
    ) {
      const fields = Object.keys((value ?? {}) as object)
      const removed = fields.filter((name) => REMOVED_FIELDS.has(name))
      this.assess('handshake:removed', removed.length > 0 ? `the handshake has ${removed.join(', ')}` : undefined, {
        isMild: true,
      })
      this.assess('handshake:shape', problem ?? problemOf(HandshakeMessage, value), { isMild: true })
    }
    this.handshakes++
    if (this.refusesHandshakes) {
      socket.close(POLICY_VIOLATION, 'invalid token')
      return
    }
    this.sockets.add(socket)
    if (isQuery) this.receive(text)
  }

  private receive(text: string): void {
    const { value, problem } = readJson(text)
    const title = String((value as { type?: unknown } | undefined)?.type ?? 'a frame')
    this.flowContext.recorder.add({ direction: 'received', channel: 'ws', title, text: shorten(text) })
    const message = (problem === undefined ? value : {}) as Partial<ReceivedMessage> & { id?: unknown }
    if (this.assess('envelope:shape', problem ?? problemOf(Envelope, value), { isMild: true }))
      this.judgeEnvelope(message)
    this.received.push({ ...message, type: message.type ?? 'query', payload: message.payload ?? {} })
  }

  private judgeEnvelope(message: Partial<ReceivedMessage> & { id?: unknown }): void {
    const unknown = Object.keys(message).filter((name) => !ENVELOPE_FIELDS.has(name))
    this.assess('envelope:unknown', unknown.length > 0 ? `the envelope has ${unknown.join(', ')}` : undefined, {
      isMild: true,
    })
    const id = String(message.id)
    this.assess('envelope:unique', this.ids.has(id) ? `the id "${id}" was sent before` : undefined, { isMild: true })
    this.ids.add(id)
    const schema = PAYLOADS[message.type as keyof typeof PAYLOADS]
    this.assess('shape:type', schema ? undefined : `the type "${message.type}" is not documented`, { isMild: true })
    if (isJudged(message.type))
      this.assess(`shape:${message.type}`, problemOf(schema!, message.payload), { isMild: true })
  }
}

const JUDGED = ['query', 'tool-result', 'tool-bundle-result'] as const

/** Whether a separate requirement covers the payload. */
const isJudged = (type: unknown): type is (typeof JUDGED)[number] => (JUDGED as readonly unknown[]).includes(type)

const ARTIFACT = {
  artifact_id: '1f2c3a4b5d6e7f8a.png',
  content_type: 'image/png',
  size_bytes: 1,
  sha256: '0'.repeat(64),
  url: 'http://127.0.0.1/api/artifacts/1f2c3a4b5d6e7f8a.png',
}

const text = z.string()
const id = text.min(1)
const anything = z.looseObject({})

/** The first message of a socket. */
const HandshakeMessage = z.looseObject({
  type: z.literal('handshake'),
  user_id: id,
  agent_definition: z.looseObject({ version: z.number().optional() }).nullish(),
})

/** Fields of earlier handshakes, which the backend rejects. */
const REMOVED_FIELDS: ReadonlySet<string> = new Set([
  'operating_system',
  'available_tools',
  'available_coordinate_methods',
  'requested_agent_policy',
])

/** Every message after the handshake. */
const Envelope = z.looseObject({ id, type: id, payload: anything })

const ENVELOPE_FIELDS: ReadonlySet<string> = new Set(['id', 'type', 'payload', 'timestamp', 'user_id'])

/** The payloads of the documented messages. */
const PAYLOADS = {
  query: z.looseObject({
    text,
    conversation_ref: id,
    content: text.nullish(),
    screenshot_ref: text.nullish(),
    screenshot_refs: z.array(text).nullish(),
  }),
  'rehydrate-conversation': z.looseObject({ conversation_ref: id, messages: z.array(anything) }),
  'load-settings': anything,
  'update-settings': anything,
  'list-models': anything,
  'tool-result': z.looseObject({ request_id: id, success: z.boolean(), data: anything.nullish() }),
  'tool-bundle-result': z.looseObject({
    bundle_id: id,
    status: z.enum(['success', 'partial_failure', 'failure']),
    step_results: z.array(anything),
  }),
  'wakeword-detected': anything,
  // Clients of the desktop program send these as well.
  'stop-query': anything,
  'compact-history': anything,
} as const
