import assert from 'node:assert/strict'
import * as z from 'zod'
import { event, Workspace } from '../../contract/cortask.ts'
import { fail, fits } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import type { Message, Socket, SocketOptions } from '../../probe/websocket.ts'
import type { Bench } from '../../run/test-context.ts'

export type EventName = keyof typeof event

/** A client of the gateway: one socket, and the workspace it works in. */
export interface Client {
  readonly socket: Socket
  readonly workspaceId: string
  /** Sends a chat; gives its sessionKey. */
  chat(message: string, more?: Readonly<Record<string, unknown>>): string
  /** Sends a chat and gives all events of its run, which must end with a done. */
  run(message: string, more?: Readonly<Record<string, unknown>>): Promise<readonly Message[]>
  /** The end of a run: done, or error. */
  end(sessionKey: string, after?: number): Promise<Message>
  /** The next event of that type, from `after` messages on. */
  next(type: EventName, after?: number): Promise<Message>
  /** Events of a session so far. */
  of(sessionKey: string): readonly Message[]
}

export async function connect(bench: Bench, options?: SocketOptions): Promise<Client> {
  const workspaceId = await workspaceOf(bench, bench.http)
  return clientOn(bench, await bench.socket('/ws', options), workspaceId)
}

export function clientOn(bench: Bench, socket: Socket, workspaceId: string): Client {
  const of = (sessionKey: string) => socket.messages.filter((one) => one.sessionKey === sessionKey)
  const chat = (message: string, more: Readonly<Record<string, unknown>> = {}) => {
    const sessionKey = `${bench.random.word()}-${counter++}`
    socket.send({ type: 'chat', sessionKey, message, workspaceId, ...more })
    return String(more.sessionKey ?? sessionKey)
  }
  const end = (sessionKey: string, after = 0) =>
    socket.until(
      `the end of the run ${sessionKey}`,
      (one) => (one.type === 'done' || one.type === 'error') && one.sessionKey === sessionKey,
      { after, timeoutMs: bench.patienceMs * 1.5 },
    )
  return {
    socket,
    workspaceId,
    chat,
    of,
    end,
    next: (type, after = 0) => socket.until(`an event ${type}`, (one) => one.type === type, { after }),
    run: async (message, more) => {
      const sessionKey = chat(message, more)
      const last = await end(sessionKey)
      assert.equal(last.type, 'done', `the run ends with ${JSON.stringify(last)}`)
      return of(sessionKey)
    },
  }
}

// Keys are never used twice, whatever the seed draws.
let counter = 0

/** The profile's workspace, else the first one that a gateway lists. */
export async function workspaceOf({ profile }: Bench, http: Http): Promise<string> {
  if (profile.has('workspace')) return profile.known('workspace', z.string())
  const answer = await http.get('/api/workspaces')
  if (answer.status !== 200) fail('prerequisite: the profile knows no workspace, and none is listed')
  return answer.json(z.array(Workspace).min(1))[0]!.id
}

/** Broadcasts reach everyone, also from what other checks do. */
export const isBroadcast = ({ type }: Message): boolean => ['channel:status', 'session:refresh'].includes(type)

/** What a socket heard of its own. */
export const heard = (socket: Socket): readonly Message[] => socket.messages.filter((one) => !isBroadcast(one))

/** A message as its documented shape. */
export const read = <Name extends EventName>(one: Message, name: Name): z.infer<(typeof event)[Name]> =>
  fits(event[name] as unknown as z.ZodType<z.infer<(typeof event)[Name]>>, one, `the event ${name}`)

export const settle = (ms = 200): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Fails unless the socket still works. */
export async function assertAlive(bench: Bench, client: Client): Promise<void> {
  await client.run(bench.profile.phrase('hello'))
}
