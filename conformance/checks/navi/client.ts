import assert from 'node:assert/strict'
import * as z from 'zod'
import { Created, event, Profile, Session } from '../../contract/navi.ts'
import { fits } from '../../probe/failure.ts'
import type { Message, Socket } from '../../probe/websocket.ts'
import type { Bench } from '../../run/test-context.ts'

export type EventName = keyof typeof event

/** A session with one socket. */
export interface Visit {
  readonly id: string
  readonly path: string
  readonly socket: Socket
  /** Sends a message and gives all events of its run, up to its end. */
  run(content: string, more?: Readonly<Record<string, unknown>>): Promise<readonly Message[]>
  /** Sends a message and does not wait. */
  say(content: string, more?: Readonly<Record<string, unknown>>): void
  /** The next event of that type, from `after` messages on. */
  next(type: EventName, after?: number): Promise<Message>
}

const ENDS = ['stream_end', 'stream_stopped']

export async function createSession({ http, profile }: Bench): Promise<string> {
  const profile_id = profile.has('profile')
    ? profile.known('profile', z.string())
    : (await http.get('/agents/profiles')).json(z.array(Profile).min(1))[0]!.id
  const answer = await http.post('/sessions', { profile_id })
  assert.equal(answer.status, 201, `POST /sessions answers ${answer.status}: ${answer.text}`)
  return answer.json(Created).session_id
}

export async function visit(bench: Bench, id?: string): Promise<Visit> {
  const session = id ?? (await createSession(bench))
  const socket = await bench.socket(`/ws/sessions/${session}`)
  const say = (content: string, more: Readonly<Record<string, unknown>> = {}) =>
    socket.send({ type: 'message', content, ...more })
  return {
    id: session,
    path: `/sessions/${session}`,
    socket,
    say,
    next: (type, after = 0) => socket.until(`an event ${type}`, (one) => one.type === type, { after }),
    run: async (content, more) => {
      const after = socket.messages.length
      say(content, more)
      const end = await socket.until('the end of the run', (one) => ENDS.includes(one.type), {
        after,
        timeoutMs: bench.patienceMs * 1.5,
      })
      return socket.messages.slice(after, socket.messages.indexOf(end) + 1)
    },
  }
}

/** An event as its documented shape. */
export const read = <Name extends EventName>(one: Message, name: Name): z.infer<(typeof event)[Name]> =>
  fits(event[name] as unknown as z.ZodType<z.infer<(typeof event)[Name]>>, one, `the event ${name}`)

export const only = <Name extends EventName>(events: readonly Message[], name: Name) =>
  events.filter((one) => one.type === name).map((one) => read(one, name))

export const typesOf = (events: readonly Message[]): readonly string[] => events.map((one) => one.type)

export const messagesOf = async ({ http }: Bench, id: string) =>
  (await http.get(`/sessions/${id}`)).json(Session).messages

export const settle = (ms = 200): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
