import { type AnyJson, eventNameOf } from '../suite/behaviors.ts'
import type { ProxiedRequest, SabotageBehavior } from '../suite/sabotage.ts'

/** Whether a request is a message to a session. */
export const isInput = ({ path }: ProxiedRequest) => path.endsWith('/input')

/** Replaces the status of matching requests. */
export const answerWith = (to: number, fits: (request: ProxiedRequest) => boolean): SabotageBehavior => ({
  changeResponse: (response, request) => {
    if (!fits(request)) return
    response.status = to
    response.headers['content-type'] = 'application/json'
    response.body = Buffer.from(to === 204 ? '' : '{"detail":"no"}')
  },
})

/** Replaces the status of inputs that contain a text. */
export const answerInputWith = (to: number, text: string) =>
  answerWith(to, (one) => isInput(one) && one.body.includes(text))

/** Loses the events that fit; `place` is the event's place in its stream, from 0. */
export const loseEvents = (fits: (frame: string, place: number, stream: number) => boolean): SabotageBehavior => {
  let streams = 0
  return {
    changeFrames: () => {
      const stream = streams++
      let place = 0
      return (frame) => (fits(frame, place++, stream) ? [] : [frame])
    },
  }
}

/** The id of a frame, as a number. */
export const idOf = (frame: string) => Number(/^id: ?(\d+)$/m.exec(frame)?.[1])

/** Sends an event of another name right after one. */
export function alsoSend(name: string, other: string): SabotageBehavior {
  return {
    changeFrames: () => (frame) => {
      if (eventNameOf(frame) !== name) return [frame]
      return [frame, frame.replace(/^id: ?(\d+)/m, (_, id: string) => `id: ${Number(id) + 1}`).replace(name, other)]
    },
  }
}

/** Sends the events of one name so many times. */
export const repeatEvent = (name: string, count: number): SabotageBehavior => ({
  changeFrames: () => (frame) => (eventNameOf(frame) === name ? Array.from({ length: count }, () => frame) : [frame]),
})

/** Sends what follows an event of that name before it. */
export const swapWithNextEvent = (name: string): SabotageBehavior => ({
  changeFrames: () => {
    let held: string | undefined
    return (frame) => {
      if (held !== undefined) {
        const both = [frame, held]
        held = undefined
        return both
      }
      if (eventNameOf(frame) !== name) return [frame]
      held = frame
      return []
    }
  },
})

/** Loses the events of one name from a certain frame on. */
export function dropAfter(fits: RegExp, name: string): SabotageBehavior {
  return {
    changeFrames: () => {
      let drops = false
      return (frame) => {
        drops ||= fits.test(frame)
        return drops && eventNameOf(frame) === name ? [] : [frame]
      }
    },
  }
}

/** Changes the messages to sessions before the server receives them. */
export function changeInput(change: (message: AnyJson) => void): SabotageBehavior {
  return {
    changeRequest: (request) => {
      if (!isInput(request)) return
      try {
        const message = JSON.parse(request.body.toString())
        change(message)
        request.body = Buffer.from(JSON.stringify(message))
      } catch {
        // Bodies that are not JSON pass unchanged.
      }
    },
  }
}
