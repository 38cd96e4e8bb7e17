import { drawInteger, type Random } from '../../base/random.ts'
import type { Timer } from '../schema/timer.ts'
import type { ScenarioEvent } from './event.ts'
import { eventValues } from './live-context.ts'
import { matchTrigger } from './match-trigger.ts'
import { type DueTimer, isInState, runWith, type ScenarioRun } from './scenario-run.ts'
import type { CapturedGroups } from './template.ts'

/** Starts timers that wait for an event, and restarts them when it happens again (debouncing). */
export function startEventTimers(run: ScenarioRun, events: readonly ScenarioEvent[]): ScenarioRun {
  const { timers } = run.scenario
  if (events.length === 0 || !timers.some(({ on }) => on)) return run
  const starts = ({ on }: Timer) => {
    if (!on) return false
    for (const event of events) {
      const match = matchTrigger(on, event)
      if (match) return { ...match, near: event.window, ...eventOf(run, event, match.captured) }
    }
    return false
  }
  const begun = timers.map((timer) => isInState(timer.in, run.state) && starts(timer) !== false)
  if (!begun.includes(true)) return run
  return startTimers(runWith(run, { due: run.due.filter(({ timer }) => !begun[timer]) }), starts)
}

const eventOf = (run: ScenarioRun, event: ScenarioEvent, captured: CapturedGroups): Pick<DueTimer, 'event'> =>
  run.scenario.program ? { event: eventValues(run, event, captured) } : {}

/** Starts the matching timers of the state with the data of their event. */
export function startTimers(
  run: ScenarioRun,
  starts: (timer: Timer) => Pick<DueTimer, 'captured' | 'near' | 'event'> | false,
): ScenarioRun {
  let { random } = run
  const due = [...run.due]
  run.scenario.timers.forEach((timer, index) => {
    const started = isInState(timer.in, run.state) && starts(timer)
    if (!started) return
    const [ms, next] = delayOf(timer, random)
    random = next
    due.push({ timer: index, atMs: run.nowMs + ms, ...started })
  })
  return runWith(run, { due: due.sort(firingOrder), random })
}

function delayOf({ after_ms, every_ms }: Timer, random: Random): [number, Random] {
  if (typeof after_ms === 'object') return drawInteger(random, ...after_ms.between)
  return [after_ms ?? every_ms!, random]
}

/** The order in which timers fire. */
export const firingOrder = (a: DueTimer, b: DueTimer): number => a.atMs - b.atMs || a.timer - b.timer
