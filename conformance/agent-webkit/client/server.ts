import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod'
import type { AssessOptions } from '../../client/conversation.ts'
import type { Flow, ScriptedServer, ServerContext } from '../../client/flow.ts'
import { problemOf, readJson } from '../../client/validate.ts'
import { findOperation } from '../../contract/contract.ts'
import { shorten } from '../../probe/frame.ts'
import { agentWebkitContract, message } from '../contract.ts'
import type { ClientRule } from './requirements.ts'

/** An input that fits its shape. */
export interface ReceivedInput {
  readonly type: string
  readonly [field: string]: unknown
}

/** One opening of the stream. */
export interface Subscription {
  readonly cursor: string | undefined
  readonly response: ServerResponse
  /** The client has closed it. */
  left: boolean
}

interface LoggedEvent {
  readonly id: number
  readonly text: string
}

/** A refusal that replaces the response. */
interface Refusal {
  readonly operation: string
  readonly status: number
  /** How often it is given before requests are answered again. */
  left: number
}

const SESSION = '5e55104e-0000-4000-8000-000000000001'

/** Milliseconds to wait for a client to leave after an event that it cannot read. */
const GLANCE_MS = 120

export const CREATE = 'POST /sessions'
export const STREAM = 'GET /sessions/{session_id}/stream'
export const INPUT = 'POST /sessions/{session_id}/input'
export const DELETE = 'DELETE /sessions/{session_id}'

/** A scripted agent-webkit server: it judges each request by the document and lets a flow play the events. */
export class AgentWebkitServer implements ScriptedServer {
  readonly context: ServerContext
  readonly inputs: ReceivedInput[] = []
  readonly subscriptions: Subscription[] = []
  /** Requests by operation, refused ones included. */
  readonly counts: Record<string, number> = {}
  private readonly log: LoggedEvent[] = []
  private readonly refusals: Refusal[] = []
  private isDone = false

  constructor(context: ServerContext) {
    this.context = context
  }

  get flowContext() {
    return this.context.flowContext
  }

  get reached(): boolean {
    return this.subscriptions.length > 0 && this.count('user_message') > 0
  }

  assess(rule: ClientRule, problem: string | undefined, options?: AssessOptions): boolean {
    return this.flowContext.assess(`agent-webkit-client:${rule}`, problem, options)
  }

  // Actions of a flow.

  /** Waits until the client has sent its text and reads the stream. */
  async started(): Promise<void> {
    await this.flowContext.waitForStart(
      'create a session, say its text and open the stream',
      () => this.reached || undefined,
    )
  }

  /** The number of the last event. */
  get newest(): number {
    return this.log.length
  }

  emit(event: string, data: object, cut?: (text: string) => void): void {
    const text = `id: ${this.log.length + 1}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    this.log.push({ id: this.log.length + 1, text })
    this.flowContext.recorder.add({ direction: 'sent', channel: 'sse', title: event, text: shorten(text.trim()) })
    if (cut) cut(text)
    else this.write(text)
  }

  /** Writes bytes to all open streams as they are. */
  write(text: string | Buffer): void {
    for (const one of this.open) one.response.write(text)
  }

  get open(): readonly Subscription[] {
    return this.subscriptions.filter(({ left, response }) => !left && !response.writableEnded && !response.destroyed)
  }

  /** Breaks all open streams off without an end. */
  cut(): void {
    this.flowContext.recorder.add({ direction: 'sent', channel: 'sse', title: 'cut the stream off', text: '' })
    for (const { response } of this.open) response.destroy()
  }

  /** Ends all open streams as they should end. */
  endStreams(): void {
    for (const { response } of this.open) response.end()
  }

  refuse(operation: string, status: number, times = Number.POSITIVE_INFINITY): void {
    this.refusals.push({ operation, status, left: times })
  }

  count(type: string): number {
    return this.inputs.filter((input) => input.type === type).length
  }

  say(id: string, text: string): void {
    const content = [{ type: 'text', text }]
    this.emit('message_complete', { message_id: id, message: { id, role: 'assistant', content, model: null } })
  }

  /** Uses a tool; `more` are events between its call and its result. */
  call(id: string, name: string, input: object): void {
    const content = [{ type: 'tool_use', id, name, input }]
    this.emit('message_complete', {
      message_id: `m-${id}`,
      message: { id: `m-${id}`, role: 'assistant', content, model: null },
    })
    this.emit('tool_use', { message_id: `m-${id}`, tool_use_id: id, tool_name: name, input })
  }

  /** The first answer of a client to a request, if it comes. */
  replied(type: string): Promise<ReceivedInput | undefined> {
    return this.flowContext.until(() => this.inputs.find((input) => input.type === type))
  }

  /** Lets the client read the sent events, and fails `rule` when it leaves before the end of the turn. */
  async reads(rule: ClientRule, what: string): Promise<void> {
    await this.flowContext.pause(GLANCE_MS)
    const isReading = this.open.length > 0 && !this.flowContext.isOver
    if (!isReading) this.assess(rule, `the client left after ${what}, before the result of the turn`)
  }

  /** Waits until the client has ended, or has deleted its session. */
  async left(): Promise<void> {
    await this.flowContext.until(() => (this.counts[DELETE] ?? 0) > 0 || undefined)
  }

  result(more: object = {}): void {
    this.emit('result', { session_id: SESSION, subtype: 'success', total_cost_usd: 0.01, ...more })
  }

  conclude(): void {
    this.result()
  }

  // Messages of the client.

  request(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { pathname } = new URL(request.url ?? '/', 'http://server')
    const method = request.method ?? ''
    const operation = findOperation(agentWebkitContract, method, pathname)
    const cursor = request.headers['last-event-id']
    const details = cursor === undefined ? '' : ` (Last-Event-ID: ${cursor})`
    const { recorder } = this.flowContext
    recorder.add({
      direction: 'received',
      channel: 'http',
      title: `${method} ${pathname}${details}`,
      text: shorten(body),
    })
    const answer = (status: number, json?: object) => {
      recorder.add({
        direction: 'sent',
        channel: 'http',
        title: `${status} to ${method} ${pathname}`,
        text: json ? JSON.stringify(json) : '',
      })
      response.writeHead(status, json ? { 'content-type': 'application/json' } : {})
      response.end(json && JSON.stringify(json))
    }
    this.answer(request, response, { method, pathname, operation, body, cursor, answer })
    this.flowContext.notifyChange()
  }

  private answer(request: IncomingMessage, response: ServerResponse, asked: Asked): unknown {
    const { method, pathname, operation, answer } = asked
    this.assess('request:known', operation ? undefined : `${method} ${pathname} is not in the document`)
    if (operation === undefined) return answer(404, { detail: 'Not Found' })
    if (operation === 'GET /genui/schema') return answer(404, { detail: 'Not Found' })
    this.counts[operation] = (this.counts[operation] ?? 0) + 1
    const bearer = request.headers.authorization
    this.assess('request:auth', bearer === `Bearer ${this.context.token}` ? undefined : authProblem(asked, bearer), {
      isMild: true,
    })
    const refusal = this.refusals.find((one) => one.operation === operation && one.left > 0)
    if (refusal) {
      refusal.left--
      return answer(refusal.status, { detail: 'refused by the script' })
    }
    if (operation === CREATE) return this.create(asked)
    const [, , id] = pathname.split('/')
    if (!this.assess('request:session', id === SESSION ? undefined : `${method} ${pathname} names another session`))
      return answer(404, { detail: 'no such session' })
    if (operation === STREAM) return this.subscribe(response, asked)
    if (operation === INPUT) return this.input(asked)
    if (operation === DELETE) return this.delete(asked)
  }

  private create({ body, answer }: Asked): unknown {
    const json = readJson(body)
    if (!this.assess('request:json', json.problem)) return answer(422, { detail: json.problem! })
    const problem = problemOf(agentWebkitContract.operations[CREATE]!.body!, json.value)
    if (!this.assess('shape:create', problem)) return answer(422, { detail: problem! })
    if (this.newest === 0) this.emit('session_ready', { session_id: SESSION, protocol_version: '1.0' })
    answer(200, { session_id: SESSION, protocol_version: '1.0' })
  }

  private subscribe(response: ServerResponse, { cursor, answer }: Asked): unknown {
    const text = Array.isArray(cursor) ? cursor.join() : cursor
    if (text !== undefined && text !== '') {
      const problem = /^[0-9]+$/.test(text) ? undefined : `Last-Event-ID is "${text}"`
      if (!this.assess('resume:integer', problem)) return answer(400, { detail: 'malformed Last-Event-ID' })
    }
    const subscription: Subscription = { cursor: text === '' ? undefined : text, response, left: false }
    response.on('close', () => {
      subscription.left = true
      this.flowContext.notifyChange()
    })
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
    response.flushHeaders()
    response.socket?.setNoDelay(true)
    for (const { id, text: frame } of this.log) if (id > Number(text ?? 0)) response.write(frame)
    this.subscriptions.push(subscription)
    if (this.isDone) response.end()
  }

  private input({ body, answer }: Asked): unknown {
    const json = readJson(body)
    if (!this.assess('request:json', json.problem)) return answer(400, { detail: json.problem! })
    const type = z.looseObject({ type: z.string() }).safeParse(json.value).data?.type
    const schema = type === undefined ? undefined : SHAPES[type]
    if (!this.assess('shape:type', schema ? undefined : `the type ${JSON.stringify(type)} is not documented`))
      return answer(400, { detail: 'unknown type' })
    const problem = problemOf(schema!, json.value)
    const isJudged = type !== 'interrupt'
    if (isJudged && !this.assess(`shape:${type}` as ClientRule, problem)) return answer(400, { detail: problem! })
    const input = json.value as ReceivedInput
    if (type === 'permission_response') {
      const isForbidden = input.behavior === 'allow' && 'interrupt' in input
      this.assess('permission:interrupt', isForbidden ? 'interrupt was sent with allow' : undefined, { isMild: true })
    }
    this.inputs.push(input)
    answer(204)
  }

  private delete({ answer }: Asked): void {
    if (!this.isDone) this.emit('done', {})
    this.isDone = true
    this.endStreams()
    answer(204)
  }
}

interface Asked {
  readonly method: string
  readonly pathname: string
  readonly operation: string | undefined
  readonly body: string
  readonly cursor: string | string[] | undefined
  answer(status: number, json?: object): unknown
}

const authProblem = ({ method, pathname }: Asked, bearer: string | undefined): string =>
  `${method} ${pathname} ${bearer === undefined ? 'has no Authorization header' : `has "Authorization: ${bearer}"`}`

/** The documented messages; answers may have any value, but must not be missing. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  ...message,
  question_response: message.question_response.refine((value) => 'answers' in value, { message: 'answers is missing' }),
}

export type AgentWebkitFlow = Flow<AgentWebkitServer>
