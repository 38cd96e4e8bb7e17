import { andThen } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'

/** A reason of our own, since without one each abort makes an error with a stack that nobody reads. */
const CALLED_OFF = 'called off'

/**
 * Rings once `ms` have passed on the clock, unless called off by what is returned. Nobody waits on a virtual clock, so a
 * deadline never comes there by itself.
 */
export function deadline(clock: Clock, ms: number, ring: () => void): () => void {
  if (clock.virtual) return () => {}
  const controller = new AbortController()
  void andThen(clock.sleep(ms, controller.signal), () => {
    if (!controller.signal.aborted) ring()
  })
  return () => controller.abort(CALLED_OFF)
}

/** Rings every `ms` until called off. */
export function repeatedly(clock: Clock, ms: number, ring: () => void): () => void {
  let callOff = () => {}
  const arm = () => {
    callOff = deadline(clock, ms, () => {
      arm()
      ring()
    })
  }
  arm()
  return () => callOff()
}

interface Sleeper {
  readonly atMs: number
  readonly wake: () => void
}

/** A clock for tests: sleepers sleep until somebody advances it past their time. */
export function manualClock(startMs = 0): Clock & { advance(ms: number): Promise<void>; readonly sleepers: number } {
  let nowMs = startMs
  const sleepers = new Set<Sleeper>()
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
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
