import { type Awaitable, andThen } from './async.ts'

/** A source of time in milliseconds since the Unix epoch. Pure layers receive the number, never the clock. */
export interface Clock {
  readonly virtual: boolean
  now(): number
  /** Resolves after `ms`. A virtual clock resolves at once and advances `now()`. Resolves early when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Awaitable<void>
}

/** Virtual time starts at 2024-03-12 14:00 UTC by default, so that painted clocks are the same everywhere. */
const VIRTUAL_EPOCH_MS = Date.UTC(2024, 2, 12, 14, 0, 0)

/**
 * A clock that moves only when its user sleeps on it or calls `advance`.
 * @param startMs The initial time in milliseconds since the epoch; 2024-03-12 14:00 UTC by default.
 * @example
 * const clock = virtualClock()
 * clock.advance(500)
 */
export function virtualClock(startMs: number = VIRTUAL_EPOCH_MS): Clock & { advance(ms: number): void } {
  let nowMs = startMs
  const advance = (ms: number) => {
    nowMs += Math.max(0, ms)
  }
  return {
    virtual: true,
    now: () => nowMs,
    advance,
    sleep(ms, signal) {
      if (!signal?.aborted) advance(ms)
    },
  }
}

/**
 * Time of the operator, for rate limits, expiry, uptime and timestamps. It is read-only and independent of the time of a
 * desktop.
 */
export type OperatorClock = Pick<Clock, 'now'>

/** About 24 days. Node fires longer timers immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * The time of the machine. It reads the system clock once, at the start, and then counts with the monotonic clock, so that
 * a change of the system clock affects neither durations nor timestamps.
 * @param scale Seconds of this clock per real second: with 2, a second lasts half a real second.
 */
export function realClock(scale = 1): Clock {
  const startMs = Date.now()
  const startMark = performance.now()
  return {
    virtual: false,
    now: () => startMs + Math.floor((performance.now() - startMark) * scale),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const done = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, Math.min(MAX_TIMER_MS, Math.max(0, ms / scale)))
        signal?.addEventListener('abort', done)
      }),
  }
}

/** An explicit abort reason. The default reason is an Error with a stack trace, which is slow to create. */
const CANCELLED = 'cancelled'

/**
 * Calls back after `ms` on the clock, unless the returned function cancels it. Never fires on a virtual clock, whose time
 * does not pass while a run waits.
 */
export function deadline(clock: Clock, ms: number, callback: () => void): () => void {
  if (clock.virtual) return () => {}
  const controller = new AbortController()
  void andThen(clock.sleep(ms, controller.signal), () => {
    if (!controller.signal.aborted) callback()
  })
  return () => controller.abort(CANCELLED)
}

/** Calls back every `ms` until cancelled. */
export function repeatEvery(clock: Clock, ms: number, callback: () => void): () => void {
  let cancel = () => {}
  const schedule = () => {
    cancel = deadline(clock, ms, () => {
      schedule()
      callback()
    })
  }
  schedule()
  return () => cancel()
}
