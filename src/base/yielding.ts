/** Longer work in one turn of the event loop delays other clients noticeably. */
const TURN_MS = 25

/** Callers that wait for a turn. Each turn of the event loop resumes one, so many callers together block no longer than one. */
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
 * Lets other clients proceed during long work. `pause` returns a promise to await once this work has blocked the event loop
 * for too long, else undefined. The result of the work must not depend on when it pauses.
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
