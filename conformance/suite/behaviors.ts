import { setTimeout as pause } from 'node:timers/promises'
import { type Contract, findOperation } from '../contract/contract.ts'
import { changeData } from './generated-sabotages.ts'
import type {
  ClientFrame,
  JsonMessage,
  ProxiedRequest,
  ProxiedResponse,
  SabotageBehavior,
  SocketEnds,
} from './sabotage.ts'

/** A JSON value that a sabotage may change. */
// biome-ignore lint/suspicious/noExplicitAny: a saboteur reaches into answers of every shape
export type AnyJson = any

/** Changes the JSON of the successes of one operation. */
export const onSuccess =
  (contract: Contract) =>
  (operation: string, change: (json: AnyJson, request: ProxiedRequest) => void): SabotageBehavior => ({
    changeResponse: (answer, request) => {
      const name = findOperation(contract, request.method, request.path)
      if (name === operation && answer.status < 300 && answer.json !== undefined) change(answer.json, request)
    },
  })

/** Replaces one status by another. */
export const changeStatus = (
  from: number,
  to: number,
  fits: (request: ProxiedRequest) => boolean = () => true,
): SabotageBehavior => ({
  changeResponse: (answer: ProxiedResponse, request) => {
    if (answer.status === from && fits(request)) answer.status = to
  },
})

/**
 * Refuses bodies above a size with a status. The server does not receive them, because its early refusal could get
 * lost.
 */
export function refuseLargeBodies(bytes: number, status: number): SabotageBehavior {
  const large = new WeakSet<ProxiedRequest>()
  return {
    changeRequest: (request) => {
      if (request.body.length <= bytes) return
      large.add(request)
      request.body = Buffer.alloc(0)
    },
    changeResponse: (answer, request) => {
      if (!large.has(request)) return
      answer.status = status
      answer.json = { detail: 'too large' }
    },
  }
}

/** The name of an event as a frame carries it. */
export const eventNameOf = (frame: string): string | undefined => /^event: ?(.*)$/m.exec(frame)?.[1]

/** Changes the data of the SSE events of one name. */
export const onEvent = (name: string, change: (data: AnyJson) => void): SabotageBehavior => ({
  changeFrames: () => (frame) => [eventNameOf(frame) === name ? changeData(frame, change) : frame],
})

/** Changes the WebSocket messages of one type. */
export const onMessage = (type: string, change: (message: AnyJson) => void): SabotageBehavior => ({
  changeMessages: () => (message) => {
    if (message.type === type) change(message)
    return [message]
  },
})

/** Sends each message of a type `count` times: 0 drops it, 2 repeats it. */
export const repeatMessages = (type: string, count: number): SabotageBehavior => ({
  changeMessages: () => (message) => (message.type === type ? Array.from({ length: count }, () => message) : [message]),
})

/** Drops each fiftieth message of a type. */
export const loseNowAndThen = (type: string): SabotageBehavior => ({
  changeMessages: () => {
    let count = 0
    return (message) => (message.type === type && ++count % 50 === 0 ? [] : [message])
  },
})

/** Swaps each message of a type with the next message. */
export const swapWithNext = (type: string): SabotageBehavior => ({
  changeMessages: () => {
    let held: JsonMessage | undefined
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

/** Lets one run start at a time, on whichever socket: a message of type `start` waits until the run before it has ended. */
export function runInTurn(start: string, ends: readonly string[]): SabotageBehavior {
  let waiting: { readonly wire: SocketEnds; readonly message: JsonMessage }[] = []
  let running: SocketEnds | undefined
  const startNext = () => {
    const next = waiting.shift()
    running = next?.wire
    next?.wire.sendToServer(next.message)
  }
  return {
    interceptSocket: (wire) => ({
      ...onClientMessage((message) => {
        if (message.type !== start) return true
        const isFree = running === undefined
        if (isFree) running = wire
        else waiting.push({ wire, message })
        return isFree
      }).interceptSocket?.(wire),
      fromServer: (message) => {
        if (running === wire && ends.includes(String(message.type))) startNext()
        return [message]
      },
      onClientClosed: () => {
        waiting = waiting.filter((one) => one.wire !== wire)
        if (running === wire) startNext()
      },
    }),
  }
}

/** Answers nothing while a request is busy; `busyMs` gives its milliseconds. */
export function answersInTurn(busyMs: (request: ProxiedRequest) => number | undefined): SabotageBehavior {
  let busy: Promise<void> | undefined
  return {
    delayRequest: (request) => {
      const ms = busyMs(request)
      if (ms !== undefined) busy = pause(ms)
      return busy
    },
  }
}

/** Sends a message to all other clients when one of them disconnects. */
export function tellWhoStays(message: JsonMessage): SabotageBehavior {
  const open = new Set<SocketEnds>()
  return {
    interceptSocket: (wire) => {
      open.add(wire)
      return {
        onClientClosed: () => {
          open.delete(wire)
          for (const other of open) other.sendToClient(message)
        },
      }
    },
  }
}

/** The JSON object of a frame; undefined when it is not one, or is too large. */
function objectIn({ data, binary }: ClientFrame): AnyJson | undefined {
  if (binary || data.length > MAX_PARSED_CHARACTERS) return undefined
  try {
    const value: unknown = JSON.parse(data.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
const MAX_PARSED_CHARACTERS = 1_000_000

/** Changes the client's messages before the server receives them; returning false drops one. */
export const onClientMessage = (change: (message: AnyJson, wire: SocketEnds) => unknown): SabotageBehavior => ({
  interceptSocket: (wire) => ({
    fromClient: (one) => {
      const message = objectIn(one)
      if (message === undefined) return [one]
      const before = JSON.stringify(message)
      if (change(message, wire) === false) return []
      const after = JSON.stringify(message)
      return after === before ? [one] : [{ data: Buffer.from(after), binary: false }]
    },
  }),
})

/** Closes a socket on matching frames; `message` is their JSON object, if any. */
export const closeOnFrame = (
  code: number,
  fits: (said: ClientFrame, message: AnyJson | undefined) => boolean,
): SabotageBehavior => ({
  interceptSocket: ({ close }) => ({
    fromClient: (one) => {
      if (!fits(one, objectIn(one))) return [one]
      close(code)
      return []
    },
  }),
})
