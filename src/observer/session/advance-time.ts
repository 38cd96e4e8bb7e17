import { yieldingWork } from '../../base/yielding.ts'
import type { DesktopParts } from './parts.ts'

/** A day of a timer that goes off every half second. */
const MAX_TIMER_FIRINGS = 200_000

/**
 * Lets time pass. On a virtual clock it goes from one timer of the scenario to the next, so that other clients go on
 * however many there are. Gives false when so many went off that the rest of the time did not pass.
 */
export async function advanceTime(
  context: DesktopParts,
  ms: number,
  firingsMost = MAX_TIMER_FIRINGS,
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
    if (firings === firingsMost) return false
    // At least one, since a timer of no time would never let any pass.
    const passesMs = Math.min(leftMs, Math.max(1, nextTimerInMs))
    const untilMs = simulation.elapsedMs + passesMs
    await clock.sleep(passesMs)
    leftMs -= passesMs
    if (simulation.elapsedMs < untilMs) return false
    await pause()
  }
  return true
}
