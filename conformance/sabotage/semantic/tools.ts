import { type Contract, operationOf } from '../../contract.ts'
import type { Protocol } from '../../requirement.ts'
import { changeData } from '../generated.ts'
import type { Passing, PassingAnswer, PassingRequest, Sabotage } from '../sabotage.ts'

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
