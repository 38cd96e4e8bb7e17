/** Work longer than this in one turn of the event loop keeps other clients waiting. */
const TURN_MS = 25

/** Who waits for a turn; each turn of the event loop lets one go on, so that many together hold it no longer than one. */
const waiting: (() => void)[] = []

function goOn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn)
  })

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
