import { heldButton } from '../../desktop/apply/held.ts'
import { restAt } from '../../desktop/apply/spring.ts'
import { type Desktop, desktopWith, windowByUid } from '../../desktop/model/desktop.ts'
import { closeWindow } from '../../desktop/windows/windowing.ts'
import { withinBudget } from '../expression/budget.ts'
import { laidOutAgain } from '../layout/layout.ts'
import { clockOf } from '../live-context.ts'
import { followCourse } from '../oracles/course.ts'
import { type DueTimer, runWith, type ScenarioRun, withDesktop, withShellShown } from '../scenario-run.ts'
import { applyAnswer, withAnswers } from './answers.ts'
import { allGuardsPass } from './guard.ts'
import { observationsEndMs } from './observe.ts'
import { applyOutcome, drawProbability, recorded, withInvariants } from './reactions.ts'
import { showData, showTime } from './show-data.ts'
import { firingOrder } from './triggers.ts'

/** Called with each timer that fires: its index in the file, or `SCHEDULED`. */
export type OnTimer = (timer: number) => void

/**
 * Advances a run to a time. Returns the same run if nothing changes. Timers fire one after another, each at its own
 * time, those of the same time in file order; a tooltip shows at its time. After `MAX_TIMER_FIRINGS` firings the run
 * stops at the time of the last.
 */
export const runAt = (run: ScenarioRun, nowMs: number, onTimer?: OnTimer): ScenarioRun =>
  withinBudget(runWithinBudget, run, nowMs, onTimer)

function runWithinBudget(run: ScenarioRun, nowMs: number, onTimer: OnTimer | undefined): ScenarioRun {
  const { restedAtMs = Number.POSITIVE_INFINITY } = run
  if (restedAtMs > nowMs) return withShellShown(timedTo(run, nowMs, onTimer))
  const before = timedTo(run, restedAtMs, onTimer)
  const after = before.nowMs < restedAtMs ? before : timedTo(restPointer(before), nowMs, onTimer)
  return withShellShown(after)
}

/** The time of the next timer, tooltip or end of a fault, if any. */
export const nextAtMs = (run: ScenarioRun): number | undefined => {
  const { due, restedAtMs = Number.POSITIVE_INFINITY, faults } = run
  const faultEndMs = faults ? observationsEndMs(run) : Number.POSITIVE_INFINITY
  const atMs = Math.min(due[0]?.atMs ?? Number.POSITIVE_INFINITY, restedAtMs, faultEndMs)
  return atMs === Number.POSITIVE_INFINITY ? undefined : atMs
}

/** Timers that start each other without a delay would fire forever. */
export const MAX_TIMER_FIRINGS = 10_000

/** Shows the tooltip of the element that the pointer rests on, or opens the element during a drag. */
function restPointer(run: ScenarioRun): ScenarioRun {
  const rested = restAt(run.desktop)
  if (rested === run.desktop || !heldButton(run.desktop, 'left'))
    return runWith(run, { desktop: rested, restedAtMs: undefined })
  const desktop = laidOutAgain(run.desktop, withInvariants(rested, run.scenario))
  return showData(run, runWith(run, { desktop, restedAtMs: undefined }))
}

function timedTo(run: ScenarioRun, nowMs: number, onTimer: OnTimer | undefined): ScenarioRun {
  let current = run
  let firings = 0
  for (let [next] = current.due; next && next.atMs <= nowMs; [next] = current.due) {
    if (firings++ === MAX_TIMER_FIRINGS) return current
    const fired = withAnswers(current, fireTimer(current, next, onTimer), next.answer?.actor)
    current = followCourse(current, fired)
  }
  if (nowMs <= current.nowMs) return current
  const later = runWith(current, { nowMs, desktop: atMinute(current.desktop, clockOf(current, nowMs)) })
  return followCourse(current, showTime(later))
}

function fireTimer(run: ScenarioRun, next: DueTimer, onTimer: OnTimer | undefined): ScenarioRun {
  const nowMs = Math.max(run.nowMs, next.atMs)
  const desktop = atMinute(run.desktop, clockOf(run, nowMs))
  const here = runWith(run, { nowMs, due: dueAfter(run, next), desktop })
  if (next.answer) return showData(run, applyAnswer(here, next))
  if (next.closes !== undefined) return closeNotification(here, next.closes)
  const timer = run.scenario.timers[next.timer]
  const { captured, near, event, outcome = timer! } = next
  if (!allGuardsPass(here, outcome.when, near, event)) return here
  const drawn = drawProbability(here, outcome.probability)
  if (!drawn.happens) return drawn.run
  onTimer?.(next.timer)
  return showData(run, applyOutcome(recorded(drawn.run, 'timer', timer?.id), outcome, { captured, near, event }))
}

/** The timers that run after one has fired: the others, and a repeating one again. */
function dueAfter({ scenario, due }: ScenarioRun, fired: DueTimer): readonly DueTimer[] {
  const others = due.slice(1)
  const everyMs = scenario.timers[fired.timer]?.every_ms
  if (everyMs === undefined) return others
  const again = { ...fired, atMs: fired.atMs + everyMs }
  others.splice(others.findLastIndex((other) => firingOrder(other, again) < 0) + 1, 0, again)
  return others
}

const closeNotification = (run: ScenarioRun, uid: string): ScenarioRun =>
  windowByUid(run.desktop, uid) ? withDesktop(run, closeWindow(run.desktop, uid)) : run

const MINUTE_MS = 60_000

/** The desktop's clock shows minutes, so that the desktop does not change between them. */
export function atMinute(desktop: Desktop, nowMs: number): Desktop {
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  return desktopWith(desktop, { nowMs: minuteMs })
}
