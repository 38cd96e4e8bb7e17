import { andThen } from '../../base/awaitable.ts'
import type { Clock } from '../../base/clock.ts'

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
export function repeatEvery(clock: Clock, ms: number, ring: () => void): () => void {
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
