import { yieldingWork } from '../../base/async.ts'
import type { DesktopContext } from './parts.ts'

/** A day of a timer that fires every half second. */
const MAX_TIMER_FIRINGS = 200_000

/**
 * Advances the desktop clock. A virtual clock advances from timer to timer, so that other clients are served meanwhile.
 * Returns false when `maxFirings` timers have fired and the rest of the time did not pass.
 */
export async function advanceTime(
  context: DesktopContext,
  ms: number,
  maxFirings = MAX_TIMER_FIRINGS,
): Promise<boolean> {
  const { clock, computer } = context
  const { simulation } = computer
  if (!clock.virtual || !simulation) {
    await clock.sleep(ms)
    return true
  }
  const { pause } = yieldingWork()
  let leftMs = ms
  for (let firings = 0; leftMs > 0; firings++) {
    const { nextTimerInMs = leftMs } = simulation
    if (firings === maxFirings) return false
    // At least 1 ms, since a timer with a delay of 0 would never let time pass.
    const passesMs = Math.min(leftMs, Math.max(1, nextTimerInMs))
    const untilMs = simulation.elapsedMs + passesMs
    await clock.sleep(passesMs)
    leftMs -= passesMs
    if (simulation.elapsedMs < untilMs) return false
    await pause()
  }
  return true
}
