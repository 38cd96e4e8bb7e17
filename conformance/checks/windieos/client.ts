import assert from 'node:assert/strict'
import type * as z from 'zod'
import { event } from '../../contract/windieos.ts'
import { fits } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import type { Message, Socket, SocketOptions } from '../../probe/websocket.ts'
import type { Bench } from '../../run/test-context.ts'

export type EventName = keyof typeof event

/** A socket that has shaken hands. */
export interface Client {
  readonly socket: Socket
  /** Sends a message in its envelope; gives its id. */
  say(type: string, payload?: unknown, more?: Readonly<Record<string, unknown>>): string
  /** The first message of that type since the one of that id was said. */
  answer(id: string, type: EventName, timeoutMs?: number): Promise<Message>
  /** As `answer`, of those that name the id. */
  echo(id: string, type: EventName): Promise<Message>
  /** The next message of that type, from `after` messages on. */
  next(type: EventName, after?: number): Promise<Message>
  /** Asks, and gives all messages up to the end of the turn. */
  turn(text: string, more?: Readonly<Record<string, unknown>>): Promise<Turn>
}

export interface Turn {
  readonly id: string
  readonly conversation: string
  /** Everything that belongs to the turn, in order. */
  readonly events: readonly Message[]
  readonly end: Message
}

/** Names of turns and conversations are never used twice, whatever the seed draws. */
let counter = 0

export const handshake = (more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'handshake',
  user_id: 'conformance',
  ...more,
})

export async function connect(
  bench: Bench,
  more: Readonly<Record<string, unknown>> = {},
  options?: SocketOptions,
): Promise<Client> {
  const socket = await bench.socket('/ws', options)
  socket.send(handshake(more))
  return clientOn(bench, socket)
}

export function clientOn({ random, patienceMs }: Pick<Bench, 'random' | 'patienceMs'>, socket: Socket): Client {
  const places = new Map<string, number>()
  const say = (type: string, payload: unknown = {}, more: Readonly<Record<string, unknown>> = {}): string => {
    const id = `turn_${random.word()}-${++counter}`
    places.set(id, socket.messages.length)
    socket.send({ id, type, payload, ...more })
    return id
  }
  return {
    socket,
    say,
    answer: (id, type, timeoutMs) =>
      socket.until(`a ${type} after ${id}`, (one) => one.type === type, {
        after: places.get(id) ?? 0,
        ...(timeoutMs !== undefined && { timeoutMs }),
      }),
    echo: (id, type) => socket.until(`a ${type} for ${id}`, (one) => one.id === id && one.type === type),
    next: (type, after = 0) => socket.until(`a ${type}`, (one) => one.type === type, { after }),
    turn: async (text, more = {}) => {
      const after = socket.messages.length
      const conversation = String(more.conversation_ref ?? `conv-${++counter}`)
      const id = say('query', { text, ...more, conversation_ref: conversation })
      const end = await socket.until('the end of the turn', isEnd(id, conversation), {
        after,
        timeoutMs: patienceMs * 1.5,
      })
      const place = socket.messages.indexOf(end) + 1
      const events = socket.messages
        .slice(after, place)
        .filter(
          (one) =>
            one === end || (one.conversation_ref === undefined ? !isAside(one) : one.conversation_ref === conversation),
        )
      return { id, conversation, events, end }
    },
  }
}

/** The end of a turn: streaming-complete, or an error, which names what it is about only where a server goes beyond the document. */
const isEnd = (id: string, conversation: string) => (one: Message) =>
  (one.type === 'streaming-complete' && (one.conversation_ref ?? conversation) === conversation) ||
  (one.type === 'error' && (one.turn_ref ?? id) === id)

/** Messages that belong to no turn. */
const isAside = ({ type }: Message) =>
  /^(client-tool-manifest|remote-tool-catalog|audio-chunk|wakeword|settings|models)/.test(type)

/** The payload of a message as its documented shape. */
export const read = <Name extends EventName>(one: Message, name: Name): z.infer<(typeof event)[Name]> => {
  assert.equal(one.type, name)
  return fits(event[name] as unknown as z.ZodType<z.infer<(typeof event)[Name]>>, one.payload, `the payload of ${name}`)
}

export const only = <Name extends EventName>(events: readonly Message[], name: Name) =>
  events.filter((one) => one.type === name).map((one) => read(one, name))

export const settle = (ms = 250): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds after which a backend that does not answer a listing is asked a query instead. */
const LISTING_MS = 1000

/** Fails unless the socket still answers: a listing, or a query, which no backend can do without. */
export async function assertAlive(client: Client): Promise<void> {
  const { socket } = client
  const asked = socket.messages.length
  client.say('list-models')
  const listed = socket.until('an answer to list-models', isListing, { after: asked, timeoutMs: LISTING_MS })
  if (await listed.catch(() => undefined)) return
  const after = socket.messages.length
  client.say('query', { text: 'hello', conversation_ref: `alive-${++counter}` })
  await socket.until('an answer to a query', (one) => one.type in event && !isAside(one), { after })
}

const isListing = ({ type }: Message): boolean => type === 'models-listed' || type === 'error'

/** Fails unless a message is refused, with an error or by closing the socket; says which. */
export async function refusal(socket: Socket, what: string, after: number): Promise<'error' | 'close'> {
  const isError = (one: Message) => one.type === 'error'
  return socket.until(`the refusal of ${what}`, isError, { after }).then(
    () => 'error',
    (failure) => (socket.closed === undefined ? Promise.reject(failure) : 'close'),
  )
}

/** Uploads bytes as a file. */
export function upload(http: Http, bytes: Buffer, type = 'image/png', field = 'file') {
  const boundary = `part-${bytes.length}-conformance`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="artifact.bin"\r\ncontent-type: ${type}\r\n\r\n`
  const raw = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return http.send({ method: 'POST', path: '/api/artifacts/', raw, headers, timeoutMs: 30_000 })
}
