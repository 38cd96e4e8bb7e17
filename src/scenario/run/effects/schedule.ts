import { drawInteger } from '../../../base/random.ts'
import type { ScheduleEffect } from '../../schema/effect.ts'
import { runWith, SCHEDULED } from '../scenario-run.ts'
import { firingOrder } from '../timers.ts'
import { type ApplyEffect, skipEffect } from './context.ts'

/** The maximum number of timers that run at a time because of effects. */
const MAX_SCHEDULED = 1000

/** Applies effects later, in any state, with the text and the window of this event. */
export const applySchedule: ApplyEffect<ScheduleEffect> = (run, { schedule: outcome }, { captured, near, event }) => {
  if (run.due.filter(({ timer }) => timer === SCHEDULED).length >= MAX_SCHEDULED)
    return skipEffect(run, 'schedule', `${MAX_SCHEDULED} effects are already scheduled`)
  const { after_ms: after } = outcome
  const [ms, random] = typeof after === 'object' ? drawInteger(run.random, ...after.between) : [after, run.random]
  const due = { timer: SCHEDULED, atMs: run.nowMs + ms, captured, near, event, outcome }
  return runWith(run, { due: [...run.due, due].sort(firingOrder), random })
}
