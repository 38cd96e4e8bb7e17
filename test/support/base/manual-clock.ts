import type { Clock } from '../../../src/base/clock.ts'

interface Sleeper {
  readonly atMs: number
  readonly wake: () => void
}

/** A clock for tests. Sleepers wait until `advance` moves it past their time. */
export function manualClock(startMs = 0): Clock & { advance(ms: number): Promise<void>; readonly sleepers: number } {
  let nowMs = startMs
  const sleepers = new Set<Sleeper>()
  const immediate = () => new Promise<void>((resolve) => setImmediate(resolve))
  /** Waits until pending work has finished, including work that yields to the event loop. */
  const settle = async () => {
    for (let round = 0; round < 3; round++) await immediate()
  }
  return {
    virtual: false,
    now: () => nowMs,
    get sleepers() {
      return sleepers.size
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper: Sleeper = { atMs: nowMs + ms, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake)
      }),
    async advance(ms) {
      const untilMs = nowMs + ms
      for (;;) {
        await settle()
        const next = [...sleepers].sort((one, other) => one.atMs - other.atMs)[0]
        if (!next || next.atMs > untilMs) break
        nowMs = Math.max(nowMs, next.atMs)
        next.wake()
      }
      nowMs = untilMs
      await settle()
    },
  }
}
