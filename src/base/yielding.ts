import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work longer than this in one turn of the event loop keeps other clients waiting. */
const TURN_MS = 25

/**
 * Lets other clients go on while long work is done in pieces: `pause` gives a promise to wait for when this work has
 * held the event loop for long, else undefined. What the work comes to must not depend on when that is.
 */
export function yieldingWork(nowMs: () => number = () => performance.now()): {
  readonly pause: () => Promise<void> | undefined
} {
  let sinceMs = nowMs()
  return {
    pause: () => {
      if (nowMs() - sinceMs < TURN_MS) return undefined
      return nextTurn().then(() => {
        sinceMs = nowMs()
      })
    },
  }
}
