import assert from 'node:assert/strict'
import * as z from 'zod'
import { fail, parseNamed } from '../probe/failure.ts'
import type { HttpProbe } from '../probe/http.ts'
import type { Socket, SocketMessage, SocketOptions } from '../probe/websocket.ts'
import type { TestContext } from '../suite/test-context.ts'
import { event, Workspace } from './contract.ts'

export type EventName = keyof typeof event

/** A client of the gateway: one socket and one workspace. */
export interface Client {
  readonly socket: Socket
  readonly workspaceId: string
  /** Sends a chat; returns its sessionKey. */
  chat(message: string, more?: Readonly<Record<string, unknown>>): string
  /** Sends a chat and returns all events of its run, which must end with done. */
  run(message: string, more?: Readonly<Record<string, unknown>>): Promise<readonly SocketMessage[]>
  /** The end of a run: done, or error. */
  end(sessionKey: string, after?: number): Promise<SocketMessage>
  /** The next event of that type, from `after` messages on. */
  nextEvent(type: EventName, after?: number): Promise<SocketMessage>
  /** Events of a session so far. */
  eventsOf(sessionKey: string): readonly SocketMessage[]
}

export async function connect(context: TestContext, options?: SocketOptions): Promise<Client> {
  const workspaceId = await getWorkspaceId(context, context.http)
  return createClient(context, await context.socket('/ws', options), workspaceId)
}

export function createClient(context: TestContext, socket: Socket, workspaceId: string): Client {
  const of = (sessionKey: string) => socket.messages.filter((one) => one.sessionKey === sessionKey)
  /** The number of messages before the last chat of each session: an error without a session may belong to it if it is later. */
  const sentAt = new Map<string, number>()
  const chat = (message: string, more: Readonly<Record<string, unknown>> = {}) => {
    const sessionKey = `${context.random.word()}-${counter++}`
    const key = String(more.sessionKey ?? sessionKey)
    sentAt.set(key, socket.messages.length)
    socket.send({ type: 'chat', sessionKey, message, workspaceId, ...more })
    return key
  }
  const end = async (sessionKey: string, after = 0) => {
    const isEnd = (one: SocketMessage) => one.type === 'done' || one.type === 'error'
    const isOfNone = (one: SocketMessage) =>
      !('sessionKey' in one) && socket.messages.indexOf(one) >= (sentAt.get(sessionKey) ?? 0)
    const last = await socket.until(
      `the end of the run ${sessionKey}`,
      (one) => isEnd(one) && (one.sessionKey === sessionKey || isOfNone(one)),
      { after, timeoutMs: context.responseTimeoutMs * 1.5 },
    )
    if (!('sessionKey' in last)) fail(`a run ends with ${JSON.stringify(last)}, which has no sessionKey`)
    return last
  }
  return {
    socket,
    workspaceId,
    chat,
    eventsOf: of,
    end,
    nextEvent: (type, after = 0) => socket.until(`an event ${type}`, (one) => one.type === type, { after }),
    run: async (message, more) => {
      const sessionKey = chat(message, more)
      const last = await end(sessionKey)
      assert.equal(last.type, 'done', `the run ends with ${JSON.stringify(last)}`)
      return of(sessionKey)
    },
  }
}

// Keys are unique, independent of the seed.
let counter = 0

/** The profile's workspace, else the first one that the gateway lists. */
export async function getWorkspaceId({ profile }: TestContext, http: HttpProbe): Promise<string> {
  if (profile.has('workspace')) return profile.known('workspace', z.string())
  const answer = await http.get('/api/workspaces')
  if (answer.status !== 200) fail('prerequisite: the profile has no workspace, and the server lists none')
  return answer.json(z.array(Workspace).min(1))[0]!.id
}

/** Broadcasts reach all sockets, including broadcasts that other checks cause. */
export const isBroadcast = ({ type }: SocketMessage): boolean => ['channel:status', 'session:refresh'].includes(type)

/** The messages of a socket without broadcasts. */
export const ownMessages = (socket: Socket): readonly SocketMessage[] =>
  socket.messages.filter((one) => !isBroadcast(one))

/** A message as its documented shape. */
export const parseEvent = <Name extends EventName>(one: SocketMessage, name: Name): z.infer<(typeof event)[Name]> =>
  parseNamed(event, name, one, `the event ${name}`)

/** Long enough for an unexpected event to arrive. */
export const SETTLE_MS = 200

/** Fails unless the socket still works. */
export async function assertAlive(context: TestContext, client: Client): Promise<void> {
  await client.run(context.profile.phrase('hello'))
}

/** Milliseconds after which a gateway without a response to an invalid chat counts as silent. */
const SILENCE_MS = 1000

/** Checks that this is a Cortask gateway: other servers have a `/ws` too, but respond to a chat differently. */
export async function handshake({ socket: open, random }: TestContext): Promise<void> {
  const socket = await open('/ws')
  // It does not run, because the workspace does not exist.
  socket.send({ type: 'chat', sessionKey: random.word(), message: '', workspaceId: random.word() })
  // Words of welcome are not documented, and do no harm.
  const isAnswer = (one: SocketMessage) => 'sessionKey' in one || 'error' in one
  const answer = await socket.until('an answer', isAnswer, { timeoutMs: SILENCE_MS }).catch(() => undefined)
  if (socket.closed !== undefined) fail(`a chat is answered by closing the socket with ${socket.closed}`)
  const other = socket.messages.find((one) => !isBroadcast(one))
  if (!answer && other) fail(`a chat is answered with ${JSON.stringify(other)}`)
}
