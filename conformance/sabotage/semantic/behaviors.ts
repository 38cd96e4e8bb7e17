import { type Contract, operationOf } from '../../contract/contract.ts'
import type { Protocol } from '../../requirement.ts'
import { changeData } from '../generated.ts'
import type { Passing, PassingAnswer, PassingRequest, Sabotage, Said, Wire } from '../sabotage.ts'

/** What a sabotage does besides having a name. */
export type Trick = Omit<Sabotage, 'name' | 'protocol' | 'aims'>

/** A JSON object that a trick may change. */
// biome-ignore lint/suspicious/noExplicitAny: a saboteur reaches into answers of every shape
export type Loose = any

/** Sabotages of one protocol: aims by name, each with its trick. */
export const sabotages = (
  protocol: Protocol,
  tricks: Readonly<Record<string, readonly [aims: string, trick: Trick]>>,
): readonly Sabotage[] =>
  Object.entries(tricks).map(([name, [aims, trick]]) => ({
    name,
    protocol,
    aims: aims.split(' ').map((aim) => `${protocol}:${aim}`),
    ...trick,
  }))

/** Changes the JSON of the successes of one operation. */
export const inAnswer =
  (contract: Contract) =>
  (operation: string, change: (json: Loose, request: PassingRequest) => void): Trick => ({
    answer: (answer, request) => {
      const name = operationOf(contract, request.method, request.path)
      if (name === operation && answer.status < 300 && answer.json !== undefined) change(answer.json, request)
    },
  })

/** Answers one status with another. */
export const status = (from: number, to: number, fits: (request: PassingRequest) => boolean = () => true): Trick => ({
  answer: (answer: PassingAnswer, request) => {
    if (answer.status === from && fits(request)) answer.status = to
  },
})

/**
 * Answers bodies of more bytes than that with a status. The server does not get them: where it refuses before it has read
 * all, its own answer may be lost on the way.
 */
export function refusesLarge(bytes: number, status: number): Trick {
  const large = new WeakSet<PassingRequest>()
  return {
    request: (request) => {
      if (request.body.length <= bytes) return
      large.add(request)
      request.body = Buffer.alloc(0)
    },
    answer: (answer, request) => {
      if (!large.has(request)) return
      answer.status = status
      answer.json = { detail: 'too large' }
    },
  }
}

/** The name of an event as a frame carries it. */
export const eventOf = (frame: string): string | undefined => /^event: ?(.*)$/m.exec(frame)?.[1]

/** Changes the data of the SSE events of one name. */
export const inFrame = (name: string, change: (data: Loose) => void): Trick => ({
  frames: () => (frame) => [eventOf(frame) === name ? changeData(frame, change) : frame],
})

/** Changes the WebSocket messages of one type. */
export const inMessage = (type: string, change: (message: Loose) => void): Trick => ({
  messages: () => (message) => {
    if (message.type === type) change(message)
    return [message]
  },
})

/** Sends each message of a type so many times: 0 loses it, 2 repeats it. */
export const times = (type: string, count: number): Trick => ({
  messages: () => (message) => (message.type === type ? Array.from({ length: count }, () => message) : [message]),
})

/** Sends what follows a message of a type before it. */
export const behindNext = (type: string): Trick => ({
  messages: () => {
    let held: Passing | undefined
    return (message) => {
      if (held) {
        const both = [message, held]
        held = undefined
        return both
      }
      if (message.type !== type) return [message]
      held = message
      return []
    }
  },
})

/** The JSON object of a frame; undefined when it is none, or far too large to look into. */
function objectIn({ data, binary }: Said): Loose | undefined {
  if (binary || data.length > LOOKED_INTO) return undefined
  try {
    const value: unknown = JSON.parse(data.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
const LOOKED_INTO = 1_000_000

/** Changes the objects a client sends before the server hears them; it does not hear those that give false. */
export const said = (change: (message: Loose, wire: Wire) => unknown): Trick => ({
  dialogue: (wire) => ({
    asked: (one) => {
      const message = objectIn(one)
      if (message === undefined) return [one]
      const before = JSON.stringify(message)
      if (change(message, wire) === false) return []
      const after = JSON.stringify(message)
      return after === before ? [one] : [{ data: Buffer.from(after), binary: false }]
    },
  }),
})

/** Closes a socket at certain frames; `message` is the object they hold, if they hold one. */
export const hangsUp = (code: number, fits: (said: Said, message: Loose | undefined) => boolean): Trick => ({
  dialogue: ({ close }) => ({
    asked: (one) => {
      if (!fits(one, objectIn(one))) return [one]
      close(code)
      return []
    },
  }),
})
