import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type * as z from 'zod'
import { notOffered, parseNamed } from '../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../probe/http.ts'
import type { Socket, SocketMessage, SocketOptions } from '../probe/websocket.ts'
import type { TestContext } from '../suite/test-context.ts'
import { Artifact, event } from './contract.ts'

export type EventName = keyof typeof event

/** A socket after its handshake. */
export interface Client {
  readonly socket: Socket
  /** Sends a message in its envelope; returns its id. */
  send(type: string, payload?: unknown, more?: Readonly<Record<string, unknown>>): string
  /** The first message of that type after the message with that id was sent. */
  nextResponse(id: string, type: EventName, timeoutMs?: number): Promise<SocketMessage>
  /** As `nextResponse`, but only messages with that id. */
  nextResponseWithId(id: string, type: EventName): Promise<SocketMessage>
  /** The next message of that type, from `after` messages on. */
  nextMessage(type: EventName, after?: number): Promise<SocketMessage>
  /** Sends a query and returns all messages up to the end of the turn. */
  runTurn(text: string, more?: Readonly<Record<string, unknown>>): Promise<PlayedTurn>
}

export interface PlayedTurn {
  readonly id: string
  readonly conversation: string
  /** Everything that belongs to the turn, in order. */
  readonly events: readonly SocketMessage[]
  readonly end: SocketMessage
}

/** Names of turns and conversations are unique, independent of the seed. */
let counter = 0

export const handshakeMessage = (more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'handshake',
  user_id: 'conformance',
  ...more,
})

export async function connect(
  context: TestContext,
  more: Readonly<Record<string, unknown>> = {},
  options?: SocketOptions,
): Promise<Client> {
  const socket = await context.socket('/ws', options)
  socket.send(handshakeMessage(more))
  return createClient(context, socket)
}

export function createClient(
  { random, responseTimeoutMs }: Pick<TestContext, 'random' | 'responseTimeoutMs'>,
  socket: Socket,
): Client {
  const places = new Map<string, number>()
  const sendMessage = (type: string, payload: unknown = {}, more: Readonly<Record<string, unknown>> = {}): string => {
    const id = `turn_${random.word()}-${++counter}`
    places.set(id, socket.messages.length)
    socket.send({ id, type, payload, ...more })
    return id
  }
  return {
    socket,
    send: sendMessage,
    nextResponse: (id, type, timeoutMs) =>
      socket.until(`a ${type} after ${id}`, (one) => one.type === type, {
        after: places.get(id) ?? 0,
        ...(timeoutMs !== undefined && { timeoutMs }),
      }),
    nextResponseWithId: (id, type) => socket.until(`a ${type} for ${id}`, (one) => one.id === id && one.type === type),
    nextMessage: (type, after = 0) => socket.until(`a ${type}`, (one) => one.type === type, { after }),
    runTurn: async (text, more = {}) => {
      const after = socket.messages.length
      const conversation = String(more.conversation_ref ?? `conv-${++counter}`)
      const id = sendMessage('query', { text, ...more, conversation_ref: conversation })
      const end = await socket.until('the end of the turn', isEnd(id, conversation), {
        after,
        timeoutMs: responseTimeoutMs * 1.5,
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

/**
 * The end of a turn: streaming-complete or an error. Errors name their turn only where a server does more than the
 * document requires.
 */
const isEnd = (id: string, conversation: string) => (one: SocketMessage) =>
  (one.type === 'streaming-complete' && (one.conversation_ref ?? conversation) === conversation) ||
  (one.type === 'error' && (one.turn_ref ?? id) === id)

/** Messages that belong to no turn. */
const isAside = ({ type }: SocketMessage) =>
  /^(client-tool-manifest|remote-tool-catalog|audio-chunk|wakeword|settings|models)/.test(type)

/** The payload of a message as its documented shape. */
export const parsePayload = <Name extends EventName>(one: SocketMessage, name: Name): z.infer<(typeof event)[Name]> => {
  assert.equal(one.type, name, 'the type of the answer')
  return parseNamed(event, name, one.payload, `the payload of ${name}`)
}

export const parsePayloadsOf = <Name extends EventName>(events: readonly SocketMessage[], name: Name) =>
  events.filter((one) => one.type === name).map((one) => parsePayload(one, name))

/** The turn that answers a phrase of the profile, on a new socket. */
export const runPhrase = async (context: TestContext, purpose: string): Promise<PlayedTurn> =>
  (await connect(context)).runTurn(context.profile.phrase(purpose))

/** Long enough for an unexpected event to arrive. */
export const SETTLE_MS = 250

/** Milliseconds after which a query replaces an unanswered listing. */
const LISTING_MS = 1000

/** Fails unless the socket still responds to a listing or a query. */
export async function assertAlive(client: Client): Promise<void> {
  const { socket } = client
  const asked = socket.messages.length
  client.send('list-models')
  const listed = socket.until('an answer to list-models', isListing, { after: asked, timeoutMs: LISTING_MS })
  if (await listed.catch(() => undefined)) return
  const after = socket.messages.length
  client.send('query', { text: 'hello', conversation_ref: `alive-${++counter}` })
  await socket.until('an answer to a query', (one) => one.type in event && !isAside(one), { after })
}

const isListing = ({ type }: SocketMessage): boolean => type === 'models-listed' || type === 'error'

/** Fails unless a message is refused; returns whether by an error or by closing the socket. */
export async function assertRefused(socket: Socket, what: string, after: number): Promise<'error' | 'close'> {
  const isError = (one: SocketMessage) => one.type === 'error'
  return socket.until(`the refusal of ${what}`, isError, { after }).then(
    () => 'error',
    (failure) => (socket.closed === undefined ? Promise.reject(failure) : 'close'),
  )
}

/** Uploads bytes as a file. */
export function upload(http: HttpProbe, bytes: Buffer, type = 'image/png', field = 'file') {
  const boundary = `part-${bytes.length}-conformance`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="artifact.bin"\r\ncontent-type: ${type}\r\n\r\n`
  const raw = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return http.send({ method: 'POST', path: '/api/artifacts/', raw, headers, timeoutMs: 30_000 })
}

/** Whether this is a WindieOS backend at all. */
export async function handshake(context: TestContext): Promise<void> {
  await assertAlive(await connect(context))
}

/** The largest message that a socket has to take, in bytes. */
export const TEN_MB = 10 * 1024 * 1024

/** Fails unless a status blames the client. */
export const assertClientError = (status: number, what: string) =>
  assert.ok(status >= 400 && status < 500, `${what} answers ${status}`)

/** A 640 × 360 picture with the texts "Search Amazon" and "Settings" once, and "Cancel" twice. */
export const PICTURE = readFileSync(new URL('../pictures/buttons.png', import.meta.url))

/** The artifact that an upload answers. */
export const storedArtifact = (answer: HttpResponse) => {
  assert.ok([200, 201].includes(answer.status), `an upload answers ${answer.status}: ${answer.text}`)
  return answer.json(Artifact)
}

/** Uploads the picture; returns what a request names it by. */
export async function uploadPicture(http: HttpProbe): Promise<{ readonly artifact_id: string }> {
  const { artifact_id } = storedArtifact(await upload(http, PICTURE))
  return { artifact_id }
}

/** Text recognition may be slow, and a backend may not have it. */
export async function askPerception(http: HttpProbe, path: string, body: unknown): Promise<HttpResponse> {
  const answer = await http.post(`/api/sdk/${path}`, body, { timeoutMs: 30_000 })
  if (answer.status === 503 && path.startsWith('ocr/')) notOffered(`${answer.what} answers 503`)
  return answer
}
