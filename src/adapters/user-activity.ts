import { Fault } from '../base/fault.ts'
import type { Point } from '../desktop/model/geometry.ts'

/** Detects a person at the same mouse and keyboard, who has priority. */
export interface UserActivity {
  /** Waits until no person has used mouse or keyboard for long enough. Throws `Timeout` when a person does not stop. */
  waitUntilIdle(): Promise<void>
  /** Throws `Timeout` when a person has moved the pointer away from `from` or used a key or button. */
  requireIdle(from: Point): Promise<void>
  /** Marks all input that the system has processed until now as own input. */
  recordOwnInput(): void
}

/** The time of the last input of the system, in milliseconds of the given clock. */
export type LastInput = () => Promise<number>

interface UserActivityOptions {
  readonly yieldMs: number
  readonly lastInput: LastInput
  readonly pointer: () => Promise<Point>
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
}

/** Clocks of server and client differ by less, and no person acts faster. */
const CLOCK_TOLERANCE_MS = 25
const POLL_INTERVAL_MS = 50
const MAX_WAIT_MS = 30_000

/** Detects input of a person: input of the system that is later than the last own input. */
export function watchUserActivity({ yieldMs, lastInput, pointer, now, pause }: UserActivityOptions): UserActivity {
  let ownMs = Number.NEGATIVE_INFINITY
  let personMs = Number.NEGATIVE_INFINITY
  const look = async () => {
    const atMs = await lastInput()
    if (atMs > ownMs + CLOCK_TOLERANCE_MS) personMs = Math.max(personMs, atMs)
    return personMs + yieldMs - now()
  }
  return {
    async waitUntilIdle() {
      const deadline = now() + MAX_WAIT_MS
      for (let leftMs = await look(); leftMs > 0; leftMs = await look()) {
        if (now() > deadline)
          throw new Fault(
            'Timeout',
            `a person has used mouse or keyboard for ${MAX_WAIT_MS} ms; the action was not performed`,
          )
        await pause(Math.min(leftMs, POLL_INTERVAL_MS))
      }
    },
    async requireIdle(from) {
      const { x, y } = await pointer()
      if (x !== from.x || y !== from.y) personMs = now()
      if ((await look()) > 0) throw new Fault('Timeout', 'a person has used mouse or keyboard; the action was aborted')
    },
    recordOwnInput() {
      ownMs = now()
    },
  }
}

/** For a desktop where agents never yield. */
export const NO_USER: UserActivity = {
  waitUntilIdle: async () => {},
  requireIdle: async () => {},
  recordOwnInput: () => {},
}
