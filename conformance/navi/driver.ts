import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus, parseNamed } from '../probe/failure.ts'
import type { HttpProbe } from '../probe/http.ts'
import type { Socket, SocketMessage } from '../probe/websocket.ts'
import { onSuccess } from '../suite/behaviors.ts'
import type { TestContext } from '../suite/test-context.ts'
import { AgentProfile, CreatedSession, event, naviContract, Session } from './contract.ts'

export type EventName = keyof typeof event

/** A session with one socket. */
export interface Client {
  readonly id: string
  readonly path: string
  readonly socket: Socket
  /** Sends a message and returns all events of its run, including its end. */
  run(content: string, more?: Readonly<Record<string, unknown>>): Promise<readonly SocketMessage[]>
  /** Sends a message and does not wait. */
  sendText(content: string, more?: Readonly<Record<string, unknown>>): void
  /** The next event of that type, from `after` messages on. */
  nextEvent(type: EventName, after?: number): Promise<SocketMessage>
}

/** The events that end a run; an error may end one too. */
export const ENDS: readonly string[] = ['stream_end', 'stream_stopped']

export async function createSession({ http, profile }: TestContext): Promise<string> {
  const profile_id = profile.has('profile')
    ? profile.known('profile', z.string())
    : (await http.get('/agents/profiles')).json(z.array(AgentProfile).min(1))[0]!.id
  const answer = await http.post('/sessions', { profile_id })
  assertStatus(answer, 201)
  return answer.json(CreatedSession).session_id
}

export async function connect(context: TestContext, id?: string): Promise<Client> {
  const session = id ?? (await createSession(context))
  const socket = await context.socket(`/ws/sessions/${session}`)
  const sendMessage = (content: string, more: Readonly<Record<string, unknown>> = {}) =>
    socket.send({ type: 'message', content, ...more })
  return {
    id: session,
    path: `/sessions/${session}`,
    socket,
    sendText: sendMessage,
    nextEvent: (type, after = 0) => socket.until(`an event ${type}`, (one) => one.type === type, { after }),
    run: async (content, more) => {
      const after = socket.messages.length
      sendMessage(content, more)
      const end = await socket.until('the end of the run', (one) => ENDS.includes(one.type), {
        after,
        timeoutMs: context.responseTimeoutMs * 1.5,
      })
      return socket.messages.slice(after, socket.messages.indexOf(end) + 1)
    },
  }
}

/** An event as its documented shape. */
export const parseEvent = <Name extends EventName>(one: SocketMessage, name: Name): z.infer<(typeof event)[Name]> =>
  parseNamed(event, name, one, `the event ${name}`)

export const parseEventsOf = <Name extends EventName>(events: readonly SocketMessage[], name: Name) =>
  events.filter((one) => one.type === name).map((one) => parseEvent(one, name))

export const typesOf = (events: readonly SocketMessage[]): readonly string[] => events.map((one) => one.type)

export const getMessages = async ({ http }: TestContext, id: string) =>
  (await http.get(`/sessions/${id}`)).json(Session).messages

/** Long enough for an unexpected event to arrive. */
export const SETTLE_MS = 200

/** Checks that this is a Navi server: it creates a session with a profile. */
export async function handshake({ http, profile }: TestContext): Promise<void> {
  const profile_id = profile.has('profile') ? profile.known('profile', z.string()) : await firstProfile(http)
  const answer = await http.post('/sessions', { profile_id })
  assert.ok(answer.status >= 200 && answer.status < 300, `POST /sessions answers ${answer.status}: ${answer.text}`)
  answer.json(z.looseObject({ session_id: z.string().min(1) }))
}

async function firstProfile(http: HttpProbe): Promise<string> {
  const answer = await http.get('/agents/profiles')
  assertStatus(answer, 200)
  return answer.json(z.array(z.looseObject({ id: z.string() })).min(1))[0]!.id
}

/** A sabotage that changes the JSON of the successes of one operation. */
export const onSuccessOf = onSuccess(naviContract)
