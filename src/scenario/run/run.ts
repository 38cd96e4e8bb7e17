import { Fault, type FaultCode } from '../../base/fault.ts'
import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'
import { withFolders } from '../../desktop/files/folder.ts'
import type { Action } from '../../desktop/input/action.ts'
import { performAction } from '../../desktop/input/apply.ts'
import { repairFocus } from '../../desktop/input/focus.ts'
import { DWELL_MS, hoverAt } from '../../desktop/input/pointer.ts'
import { UnreceivedInput } from '../../desktop/input/unreceived.ts'
import {
  changeWindow,
  type Desktop,
  desktopWith,
  type Target,
  type Window,
  windowByUid,
} from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { subtreePredicate } from '../../desktop/tree/subtree-predicate.ts'
import type { ActionEffect } from '../../desktop/widgets/action-effect.ts'
import { withPopupsPlaced } from '../../desktop/widgets/popups/popup-placement.ts'
import { layOutWindow } from '../layout/layout.ts'
import type { PlannedFault, Reaction, Scenario, ScenarioChange, Timer } from '../scenario.ts'
import { applyScenarioChanges } from './change.ts'
import { closeEventsOf, eventsOf, matchTrigger, type ScenarioEvent } from './event.ts'
import { allGuardsPass } from './guard.ts'
import { enterState, firstDesktop, NO_SAVED_CHANGES, type SavedChanges, saveChanges } from './scene.ts'
import type { CapturedGroups } from './template.ts'

/** A scenario as it is being played: an immutable value, so that a fork is the same value twice. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly state: string
  readonly desktop: Desktop
  readonly nowMs: number
  readonly random: Random
  /** Timers under way, in the order in which they go off. */
  readonly due: readonly Due[]
  /** When the pointer has rested long enough for a tooltip; undefined while nothing is to come of that. */
  readonly restedAtMs: number | undefined
  readonly kept: SavedChanges
  /** How often each planned fault has been asked for. */
  readonly faultCalls: readonly number[]
}

/** When a timer of the scenario goes off next. */
interface Due {
  readonly timer: number
  readonly atMs: number
  /** What the event that started it said, and the window it happened in. */
  readonly captured?: CapturedGroups
  readonly near?: string | undefined
}

/** The run with other fields, written out as nodes are, for speed. */
const runWith = (run: ScenarioRun, fields: Partial<ScenarioRun>): ScenarioRun =>
  Object.assign(
    {
      scenario: run.scenario,
      state: run.state,
      desktop: run.desktop,
      nowMs: run.nowMs,
      random: run.random,
      due: run.due,
      restedAtMs: run.restedAtMs,
      kept: run.kept,
      faultCalls: run.faultCalls,
    } satisfies Record<keyof ScenarioRun, unknown>,
    fields,
  )

export type RunInput =
  | { readonly type: 'action'; readonly action: Action }
  /** Time has come this far. */
  | { readonly type: 'tick'; readonly nowMs: number }

export interface ScenarioStep {
  readonly run: ScenarioRun
  /** What answered: a reaction of the scenario, the desktop itself, or nothing. */
  readonly via: 'reaction' | 'behaviour' | 'nothing'
  /** The place of the reaction in the file. */
  readonly reaction?: number
  /** Why nothing received the input. */
  readonly note?: string
}

/**
 * The beginning of a scenario.
 * @param scenario The scenario.
 * @param start The seed, by default the scenario's own, and the time in milliseconds since the epoch.
 * @example
 * const run = startScenario(scenario, { atMs: 0 })
 */
export function startScenario(
  scenario: Scenario,
  { seed = scenario.seed, atMs }: { seed?: number; atMs: number },
): ScenarioRun {
  const desktop = settled(atMinute(firstDesktop(scenario), atMs), scenario)
  const random = split(seededRandom(seed), 'timers')
  const faultCalls = scenario.faults.map(() => 0)
  const bare: ScenarioRun = {
    scenario,
    state: scenario.initial,
    desktop,
    nowMs: atMs,
    random,
    due: [],
    restedAtMs: undefined,
    kept: NO_SAVED_CHANGES,
    faultCalls,
  }
  return schedule(bare, ({ on }) => on === undefined && {})
}

/**
 * Applies an input to a run and returns the next run; the given one is not changed.
 * @param run The run.
 * @param happening An action, or a time to move to.
 * @throws The `Fault` of an action that cannot be done.
 */
export function stepScenario(run: ScenarioRun, happening: RunInput): ScenarioStep {
  if (happening.type === 'action') return act(run, happening.action)
  const current = runAt(run, happening.nowMs)
  return { run: current, via: current.desktop === run.desktop ? 'nothing' : 'behaviour' }
}

function act(run: ScenarioRun, action: Action): ScenarioStep {
  const { desktop, scenario } = run
  const done = behave(desktop, action, scenario.live)
  if (done instanceof Fault) {
    const answer =
      done instanceof UnreceivedInput && action.type !== 'type'
        ? undefined
        : react(run, desktop, eventsOf(desktop, action))
    if (answer) return answer
    if (!isUnreceived(done, action)) throw done
    return { run, via: 'nothing', note: done.message }
  }
  // Where nothing reacts, nobody asks what an action was.
  const events = isHeard(scenario) ? [...eventsOf(desktop, action, done), ...closeEventsOf(desktop, done.desktop)] : []
  const changed = { desktop: laidOutAgain(desktop, done.desktop), restedAtMs: restedAt(run, action) }
  const behaved = startWaiting(runWith(run, changed), events)
  const answer = react(behaved, desktop, events)
  if (answer) return answer
  if (behaved.desktop !== desktop) return { run: behaved, via: 'behaviour' }
  const isSame = behaved.due === run.due && behaved.restedAtMs === run.restedAtMs
  return { run: isSame ? run : behaved, via: 'nothing' }
}

/** When the pointer will have rested long enough after an action that did not see to it itself. */
function restedAt({ scenario, desktop, nowMs, restedAtMs }: ScenarioRun, action: Action): number | undefined {
  if (action.type !== 'hover' || !scenario.live || action.forMs >= DWELL_MS) return undefined
  const { x, y } = desktop.pointer
  const stays = action.at.x === x && action.at.y === y
  return (stays ? restedAtMs : undefined) ?? nowMs + DWELL_MS
}

const isHeard = ({ reactions, timers }: Scenario): boolean => reactions.length > 0 || timers.some(({ on }) => on)

/** Turning the wheel over an element, or raising its window, does nothing to it. */
const TOUCHES_NOTHING: ReadonlySet<ScenarioEvent['tool']> = new Set<ScenarioEvent['tool']>([
  'scroll',
  'bring_to_foreground',
])

/** An element that an action does something to. */
export interface AffectedElement extends Target {
  /** Whether the scenario has a reaction for this very element. */
  readonly reacts: boolean
}

/**
 * The elements that an action does something to, those holding them that the scenario reacts for, and those that it
 * presses or chooses on the way. Throws the fault of one that cannot be done.
 */
export function elementsAffectedBy({ desktop, scenario }: ScenarioRun, action: Action): readonly AffectedElement[] {
  const done = behave(desktop, action, scenario.live)
  const events = eventsOf(desktop, action, done instanceof Fault ? undefined : done)
  return events.flatMap((event) => {
    const { tool, window, chain } = event
    if (!window || TOUCHES_NOTHING.has(tool)) return []
    return chain.flatMap((element, up) => {
      const reacts = isAwaited(scenario, event, element)
      return up === 0 || reacts ? [{ window, element: element.id, reacts }] : []
    })
  })
}

/** Whether a reaction waits for this to happen to that very element, or to what it holds. */
const isAwaited = ({ reactions }: Scenario, event: ScenarioEvent, element: Element): boolean =>
  reactions.some(
    ({ on }) => (on.target_id ?? on.target_name) !== undefined && matchTrigger(on, { ...event, chain: [element] }),
  )

/** Windows that got another size or opened an expander are laid out anew, as far as the layout placed what is in them. */
function laidOutAgain(before: Desktop, after: Desktop): Desktop {
  if (after.windows === before.windows) return after
  let desktop = after
  for (const window of after.windows) {
    const was = windowByUid(before, window.uid)
    if (was && was !== window && isUnsettled(was, window)) desktop = changeWindow(desktop, window.uid, layOutWindow)
  }
  return desktop
}

const isUnsettled = (was: Window, now: Window): boolean =>
  was.bounds.width !== now.bounds.width ||
  was.bounds.height !== now.bounds.height ||
  (holdsExpander(now.tree) && hasUnfolded(was.tree, now.tree))

const holdsExpander = subtreePredicate(
  'special',
  (node) => node.children.length > 0 && kindOf(node.role) === 'expander',
)

function hasUnfolded(was: Element, now: Element): boolean {
  if (was === now) return false
  if (was.expanded !== now.expanded && kindOf(now.role) === 'expander') return true
  const shared = Math.min(was.children.length, now.children.length)
  for (let at = 0; at < shared; at++) if (hasUnfolded(was.children[at]!, now.children[at]!)) return true
  return false
}

/** Whether input goes nowhere, which is no fault of the caller's. */
const isUnreceived = (fault: Fault, { type }: Action): boolean =>
  fault instanceof UnreceivedInput || (type === 'type' && NOT_TAKEN.has(fault.code))

/** Why a field does not take text: it is read-only, or it or its window is disabled. */
const NOT_TAKEN: ReadonlySet<FaultCode> = new Set<FaultCode>(['PatternUnsupported', 'ElementDisabled'])

/** A control that does not know an action may still be told by the scenario what it does; any other fault stands. */
function behave(desktop: Desktop, action: Action, live: boolean): ActionEffect | Fault {
  try {
    return performAction(desktop, action, { live })
  } catch (error) {
    if (error instanceof Fault && error.code === 'PatternUnsupported') return error
    if (error instanceof UnreceivedInput || (error instanceof Fault && action.type === 'type')) return error
    throw error
  }
}

function react(run: ScenarioRun, before: Desktop, events: readonly ScenarioEvent[]): ScenarioStep | undefined {
  if (events.length === 0) return undefined
  const { reactions } = run.scenario
  for (const [index, reaction] of reactions.entries()) {
    if (!isIn(reaction.in, run.state)) continue
    for (const event of events) {
      const match = matchTrigger(reaction.on, event)
      if (!match || !allGuardsPass(run.desktop, reaction.when, event.window)) continue
      return {
        run: carryOut(run, reaction, match.captured, event.window ?? before.active),
        via: 'reaction',
        reaction: index,
      }
    }
  }
  return undefined
}

type Consequence = { readonly set?: ScenarioChange[] | undefined; readonly transition_to?: string | undefined }

function carryOut(
  run: ScenarioRun,
  { set, transition_to }: Consequence,
  captured?: CapturedGroups,
  near?: string,
): ScenarioRun {
  const changed = runWith(run, {
    desktop: settled(applyScenarioChanges(run.desktop, set, captured, near), run.scenario),
  })
  return transition_to === undefined ? changed : goTo(changed, transition_to)
}

function goTo(run: ScenarioRun, name: string): ScenarioRun {
  const { scenario, desktop } = run
  const left = scenario.states.get(run.state)!
  const kept = saveChanges(run.kept, left, desktop)
  const entered = settled(enterState(desktop, left, scenario.states.get(name)!, kept), scenario)
  const due = run.due.filter(({ timer }) => scenario.timers[timer]!.in === undefined)
  const next = runWith(run, { state: name, desktop: entered, kept, due })
  return schedule(next, (timer) => timer.in !== undefined && timer.on === undefined && {})
}

/** Lists of folders show what is in them, what was written as open is placed, and the keyboard is where it can be. */
function settled(desktop: Desktop, { live }: Scenario): Desktop {
  const shown = withFolders(desktop)
  return live ? repairFocus(withPopupsPlaced(shown)) : shown
}

/** Timers that wait for an event start when it happens, and anew when it happens again: they go off when it has been quiet. */
function startWaiting(run: ScenarioRun, events: readonly ScenarioEvent[]): ScenarioRun {
  const { timers } = run.scenario
  if (events.length === 0 || !timers.some(({ on }) => on)) return run
  const starts = ({ on }: Timer) => {
    if (!on) return false
    for (const event of events) {
      const match = matchTrigger(on, event)
      if (match) return { ...match, near: event.window }
    }
    return false
  }
  const begun = timers.map((timer) => isIn(timer.in, run.state) && starts(timer) !== false)
  if (!begun.includes(true)) return run
  return schedule(runWith(run, { due: run.due.filter(({ timer }) => !begun[timer]) }), starts)
}

/** Starts those timers of the state that are to start now, with what they are to remember. */
function schedule(run: ScenarioRun, starts: (timer: Timer) => Pick<Due, 'captured' | 'near'> | false): ScenarioRun {
  let { random } = run
  const due = [...run.due]
  run.scenario.timers.forEach((timer, index) => {
    const started = isIn(timer.in, run.state) && starts(timer)
    if (!started) return
    const [ms, next] = delayOf(timer, random)
    random = next
    due.push({ timer: index, atMs: run.nowMs + ms, ...started })
  })
  return runWith(run, { due: due.sort(inTime), random })
}

function delayOf({ after_ms, every_ms }: Timer, random: Random): [number, Random] {
  if (typeof after_ms === 'object') return drawInteger(random, ...after_ms.between)
  return [after_ms ?? every_ms!, random]
}

/**
 * The run when time has come this far; the same run when that changes nothing. Timers go off one after another, each at
 * its own time, those of the same time in the order of the file, and a tooltip comes at its own. After `MAX_FIRINGS` of
 * them the run stays behind, at the time of the last.
 */
export function runAt(run: ScenarioRun, nowMs: number): ScenarioRun {
  const { restedAtMs = Number.POSITIVE_INFINITY } = run
  if (restedAtMs > nowMs) return timedTo(run, nowMs)
  const before = timedTo(run, restedAtMs)
  return before.nowMs < restedAtMs ? before : timedTo(rested(before), nowMs)
}

/** When something happens next by itself, if anything does. */
export const nextAtMs = ({ due, restedAtMs = Number.POSITIVE_INFINITY }: ScenarioRun): number | undefined => {
  const atMs = Math.min(due[0]?.atMs ?? Number.POSITIVE_INFINITY, restedAtMs)
  return atMs === Number.POSITIVE_INFINITY ? undefined : atMs
}

/** Timers that start each other without a pause would go off for ever. */
export const MAX_TIMER_FIRINGS = 10_000

/** The pointer has rested where it is: the tooltip there comes. */
const rested = (run: ScenarioRun): ScenarioRun =>
  runWith(run, { desktop: hoverAt(run.desktop, run.desktop.pointer, DWELL_MS), restedAtMs: undefined })

function timedTo(run: ScenarioRun, nowMs: number): ScenarioRun {
  let current = run
  let firings = 0
  for (let [next] = current.due; next && next.atMs <= nowMs; [next] = current.due) {
    if (firings++ === MAX_TIMER_FIRINGS) return current
    current = goOff(current, next)
  }
  return nowMs > current.nowMs ? runWith(current, { nowMs, desktop: atMinute(current.desktop, nowMs) }) : current
}

const inTime = (a: Due, b: Due): number => a.atMs - b.atMs || a.timer - b.timer

function goOff(run: ScenarioRun, due: Due): ScenarioRun {
  const timer = run.scenario.timers[due.timer]!
  const others = run.due.slice(1)
  if (timer.every_ms !== undefined) {
    const again = { ...due, atMs: due.atMs + timer.every_ms }
    others.splice(others.findLastIndex((other) => inTime(other, again) < 0) + 1, 0, again)
  }
  const nowMs = Math.max(run.nowMs, due.atMs)
  const here = runWith(run, { nowMs, due: others, desktop: atMinute(run.desktop, nowMs) })
  return allGuardsPass(here.desktop, timer.when, due.near) ? carryOut(here, timer, due.captured, due.near) : here
}

/** The planned fault that a call of a tool meets now, and the run that has counted the call. */
export function countToolCall(run: ScenarioRun, tool: string): { readonly run: ScenarioRun; readonly fault?: Fault } {
  const { faults } = run.scenario
  const asked = faults.map((planned) => planned.on.tool === tool && isIn(planned.in, run.state))
  if (!asked.includes(true)) return { run }
  const counted = runWith(run, { faultCalls: run.faultCalls.map((calls, index) => (asked[index] ? calls + 1 : calls)) })
  const met = faults.find((planned, index) => asked[index] && strikes(planned, run.faultCalls[index]!))
  return met ? { run: counted, fault: new Fault(met.code, met.message, { planned: true, tool }) } : { run: counted }
}

const strikes = ({ skip, times }: PlannedFault, calls: number): boolean => calls >= skip && calls < skip + times

const isIn = (states: Reaction['in'], state: string): boolean =>
  states === undefined || states === state || (Array.isArray(states) && states.includes(state))

const MINUTE_MS = 60_000

/** The desktop's clock shows minutes, so that the value stays the same between them. */
function atMinute(desktop: Desktop, nowMs: number): Desktop {
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  return desktopWith(desktop, { nowMs: minuteMs })
}
