import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../compare/differences.ts'
import { assertSuccess, parseNamed } from '../probe/failure.ts'
import type { HttpResponse } from '../probe/http.ts'
import type { SseEvent, SseStream } from '../probe/sse.ts'
import type { TestContext } from '../suite/test-context.ts'
import { CreateReply, event } from './contract.ts'

export type EventName = keyof typeof event

/** The status of an answer, with 204 for every success: a rule of its own has the right one. */
export const outcomeOf = ({ status }: HttpResponse): number => (status >= 200 && status < 300 ? 204 : status)

/** A session with one subscriber that is connected from the start. */
export interface Client {
  readonly id: string
  readonly path: string
  readonly stream: SseStream
  postInput(message: unknown): Promise<HttpResponse>
  /** Sends a text and expects 204. */
  sendText(text: string): Promise<void>
  /** Sends a text and returns all events up to the result of its turn. */
  runTurn(text: string): Promise<readonly SseEvent[]>
  /** Sends a text and waits for a request of the agent; returns its event. */
  sendUntil(text: string, name: 'permission_request' | 'ask_user_question' | 'hook_decision_request'): Promise<SseEvent>
  /** The next event of that name after `after`, by id. */
  nextEvent(name: EventName, after?: SseEvent | number, timeoutMs?: number): Promise<SseEvent>
  /** All events after an event that have arrived so far. */
  eventsSince(after: SseEvent | number): readonly SseEvent[]
}

export async function createSession(context: TestContext, body: unknown = {}): Promise<string> {
  const answer = await context.http.post('/sessions', body)
  assert.ok(answer.status >= 200 && answer.status < 300, `POST /sessions answers ${answer.status}: ${answer.text}`)
  return answer.json(CreateReply).session_id
}

export async function connect(context: TestContext): Promise<Client> {
  const id = await createSession(context)
  return subscribe(context, id)
}

/** Opens another subscriber of a session; `after` is its Last-Event-ID. */
export async function subscribe(context: TestContext, id: string, after?: number | string): Promise<Client> {
  const path = `/sessions/${id}`
  const stream = await context.stream(
    `${path}/stream`,
    after === undefined ? {} : { headers: { 'last-event-id': String(after) } },
  )
  const input = (message: unknown) => context.http.post(`${path}/input`, message)
  const sendMessage = async (text: string) => {
    const answer = await input({ type: 'user_message', content: text })
    assertSuccess(answer)
  }
  // Another rule requires ids. Events without an id are identified by their position.
  const idOf = (seen: SseEvent) => (Number.isNaN(eventIdOf(seen)) ? stream.events.indexOf(seen) + 1 : eventIdOf(seen))
  const position = (from: SseEvent | number) => (typeof from === 'number' ? from : idOf(from))
  const next = (name: EventName, from: SseEvent | number = 0, timeoutMs?: number) =>
    stream.until(`an event ${name}`, (seen) => seen.event === name && idOf(seen) > position(from), timeoutMs)
  const since = (from: SseEvent | number) => stream.events.filter((seen) => idOf(seen) > position(from))
  return {
    id,
    path,
    stream,
    postInput: input,
    sendText: sendMessage,
    nextEvent: next,
    eventsSince: since,
    runTurn: async (text) => {
      const before = newestEventId(stream)
      await sendMessage(text)
      const result = await next('result', before, context.responseTimeoutMs * 1.5)
      return since(before).filter((seen) => idOf(seen) <= idOf(result))
    },
    sendUntil: async (text, name) => {
      const before = newestEventId(stream)
      await sendMessage(text)
      return next(name, before)
    },
  }
}

export const eventIdOf = (seen: SseEvent): number => Number(seen.id ?? Number.NaN)
export const newestEventId = (stream: SseStream): number => {
  const ids = stream.events.map(eventIdOf).filter(Number.isInteger)
  return ids.length > 0 ? Math.max(0, ...ids) : stream.events.length
}

/** The data of an event as its documented shape. */
export function parseEvent<Name extends EventName>(seen: SseEvent, name: Name): z.infer<(typeof event)[Name]> {
  assert.equal(seen.event, name, 'event')
  return parseNamed(event, name, seen.data, `the event ${name} #${seen.id}`)
}

export const eventsNamed = (events: readonly SseEvent[], name: EventName): readonly SseEvent[] =>
  events.filter((seen) => seen.event === name)

/** Answers a pending permission. */
export const permissionResponse = (
  asked: SseEvent,
  more: Readonly<Record<string, unknown>> = { behavior: 'allow' },
) => ({
  type: 'permission_response',
  correlation_id: parseEvent(asked, 'permission_request').correlation_id,
  ...more,
})

/** Fails unless ids go up by one. */
export function assertContiguous(events: readonly SseEvent[], from: number): void {
  assert.deepEqual(
    events.map((seen) => seen.id),
    events.map((_, index) => String(from + index)),
    'the ids have gaps or repeat',
  )
}

/** The comparable part of a subscriber's events. */
export const toComparable = (events: readonly SseEvent[]) =>
  events.map(({ id, event: name, data }) => ({ id, name, data }))

/** Long enough for an unexpected event to arrive. */
export const SETTLE_MS = 150

/** Checks that this is an agent-webkit server: it creates a session. */
export async function handshake({ http }: TestContext): Promise<void> {
  const answer = await http.post('/sessions', {})
  assert.ok(answer.status >= 200 && answer.status < 300, `POST /sessions answers ${answer.status}: ${answer.text}`)
  answer.json(z.looseObject({ session_id: z.string().min(1) }))
}

/**
 * Fails unless a subscriber from the start received all events that a new subscriber receives. The ring may be too small
 * for the oldest.
 */
export async function assertWhole(context: TestContext, client: Client): Promise<void> {
  const again = await subscribe(context, client.id, 0)
  if (again.stream.status === 412) return
  const last = client.stream.events.at(-1)!
  await again.stream.until('the last event', (seen) => seen.id === last.id)
  const upToLast = again.stream.events.filter((seen) => eventIdOf(seen) <= eventIdOf(last))
  const oldest = eventIdOf(upToLast[0]!)
  const held = client.stream.events.filter((seen) => eventIdOf(seen) >= oldest)
  assertAgree(
    { 'the replay': toComparable(held), 'the stream before it': toComparable(upToLast) },
    'a buffered event was not replayed',
  )
}

/**
 * Sends prompts with long answers until the session has emitted more events than its ring holds. Returns the newest
 * id.
 */
export async function overflow(context: TestContext, client: Client): Promise<number> {
  const ring = context.profile.has('ring') ? context.profile.known('ring', z.number().int()) : 1000
  const enough = client.stream.events.length + ring + 1
  while (client.stream.events.length <= enough) {
    const before = newestEventId(client.stream)
    await client.sendText(context.profile.phrase('burst'))
    await client.nextEvent('result', before, OVERFLOW_MS)
  }
  return newestEventId(client.stream)
}

const OVERFLOW_MS = 30_000
