import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus, parseAs } from '../probe/failure.ts'
import type { Socket, SocketMessage } from '../probe/websocket.ts'
import { type AnyJson, onSuccess } from '../suite/behaviors.ts'
import type { JsonMessage, SabotageBehavior } from '../suite/sabotage.ts'
import type { TestContext } from '../suite/test-context.ts'
import { ErrorFrame, Health, openenvContract, Result, State } from './contract.ts'

type Data = Readonly<Record<string, unknown>>
export type EpisodeResult = z.infer<typeof Result>

/** A client with an environment of its own. */
export interface Client {
  readonly socket: Socket
  reset(args?: Data): Promise<EpisodeResult>
  /** Performs the action of the profile, or another one. */
  step(action?: Data): Promise<EpisodeResult>
  state(): Promise<z.infer<typeof State>>
  /** Sends a frame that is wrong on purpose, and returns the error for it. */
  provoke(frame: string | Data): Promise<z.infer<typeof ErrorFrame>['data']>
}

export async function connect(context: TestContext, path = '/ws'): Promise<Client> {
  return clientOf(context, await context.socket(path))
}

export function clientOf(context: TestContext, socket: Socket): Client {
  const answer = (after: number, what: string): Promise<SocketMessage> =>
    socket.until(`the answer to ${what}`, () => true, { after })
  const ask = async (frame: { readonly type: string; readonly data?: Data }, kind: string): Promise<unknown> => {
    const after = socket.messages.length
    socket.send(frame)
    const reply = await answer(after, frame.type)
    assert.equal(reply.type, kind, `${frame.type} is answered by ${JSON.stringify(reply).slice(0, 300)}`)
    return reply.data
  }
  return {
    socket,
    reset: async (args = resetOf(context)) =>
      parseAs(Result, await ask({ type: 'reset', data: args }, 'observation'), 'the result of reset'),
    step: async (action = actionOf(context)) =>
      parseAs(Result, await ask({ type: 'step', data: action }, 'observation'), 'the result of step'),
    state: async () => parseAs(State, await ask({ type: 'state' }, 'state'), 'the state'),
    provoke: async (frame) => {
      const after = socket.messages.length
      socket.sendRaw(typeof frame === 'string' ? frame : JSON.stringify(frame))
      return parseAs(ErrorFrame, await answer(after, 'a wrong frame'), 'the error').data
    },
  }
}

const Arguments = z.record(z.string(), z.unknown())

/** The arguments of resets, without the seed. */
export const resetOf = ({ profile }: TestContext): Data =>
  profile.has('reset') ? profile.known('reset', Arguments) : {}

/** An action that the environment takes at the start of an episode, and that does not end it. */
export const actionOf = ({ profile }: TestContext): Data => profile.known('action', Arguments)

/** The JSON of a value, to compare by. */
export const asJson = (value: unknown): string => JSON.stringify(value)

/** Checks that this is a server of OpenEnv. */
export async function handshake({ http }: TestContext): Promise<void> {
  const answer = await http.get('/health')
  assertStatus(answer, 200)
  answer.json(Health)
  const schema = await http.get('/schema')
  assertStatus(schema, 200)
}

/** A sabotage that changes the JSON of the successes of one operation. */
export const onSuccessOf = onSuccess(openenvContract)

/** Changes the answers to frames of one type; `sent` is the frame. */
export const onAnswerTo = (type: string, change: (answer: AnyJson, sent: AnyJson) => void): SabotageBehavior => ({
  interceptSocket: () => {
    const waiting: AnyJson[] = []
    return {
      fromClient: (frame) => {
        waiting.push(read(frame.data))
        return [frame]
      },
      fromServer: (message) => {
        const sent = waiting.shift()
        if (sent?.type === type && message.type !== 'error') change(message, sent)
        return [message]
      },
    }
  },
})

/** Replaces one error code by another. */
export const changeCode = (from: string, to: string): SabotageBehavior => ({
  changeMessages: () => (message) => {
    const data = message.data as { code?: string } | undefined
    if (message.type === 'error' && data?.code === from) data.code = to
    return [message as JsonMessage]
  },
})

function read(data: Buffer): AnyJson {
  try {
    return JSON.parse(data.toString())
  } catch {
    return undefined
  }
}
