import { andThen } from '../../base/async.ts'
import type { Clock } from '../../base/clock.ts'

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

/** Thrown when a run or a call was stopped. It is not a failure and is not reported. */
export const STOPPED = Symbol('stopped')

/** A failure declared by the model. */
export class Failure extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Returns the result of the promise. Rejects at once if the signal aborts first. */
export function abortable<T>(promised: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(STOPPED)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    promised.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
