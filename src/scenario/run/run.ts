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
import type { Scenario } from '../scenario.ts'
import type { ScenarioEffect } from '../schema/effect.ts'
import type { PlannedFault } from '../schema/fault.ts'
import type { Reaction } from '../schema/reaction.ts'
import type { Timer } from '../schema/timer.ts'
import { withSeed } from '../seeds.ts'
import { applyScenarioChanges } from './change.ts'
import { closeEventsOf, eventsOf, matchTrigger, type ScenarioEvent } from './event.ts'
import { allGuardsPass } from './guard.ts'
import { enterState, firstDesktop, NO_SAVED_CHANGES, type SavedChanges, saveChanges } from './scene.ts'
import type { CapturedGroups } from './template.ts'

/** The state of a running scenario: an immutable value, so that a fork is the same value. */
export interface ScenarioRun {
  readonly scenario: Scenario
  readonly state: string
  readonly desktop: Desktop
  readonly nowMs: number
  readonly random: Random
  /** Running timers, in the order in which they fire. */
  readonly due: readonly Due[]
  /** The time at which a tooltip shows if the pointer rests until then. Undefined if none is pending. */
  readonly restedAtMs: number | undefined
  readonly kept: SavedChanges
  /** The number of matching calls of each planned fault. */
  readonly faultCalls: readonly number[]
}

/** The next firing of a timer. */
interface Due {
  readonly timer: number
  readonly atMs: number
  /** The groups and the window of the event that started it. */
  readonly captured?: CapturedGroups
  readonly near?: string | undefined
}

/** The run with other fields. Copies field by field, like nodes, for speed. */
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
  /** Time advances to `nowMs`. */
  | { readonly type: 'tick'; readonly nowMs: number }

export interface ScenarioStep {
  readonly run: ScenarioRun
  /** What handled the input: a reaction of the scenario, the desktop itself, or nothing. */
  readonly via: 'reaction' | 'behaviour' | 'nothing'
  /** The index of the reaction in the file. */
  readonly reaction?: number
  /** Why nothing received the input. */
  readonly note?: string
}

/**
 * Starts a scenario.
 * @param given The scenario.
 * @param start The seed, by default the scenario's own, and the time in milliseconds since the epoch.
 * @example
 * const run = startScenario(scenario, { atMs: 0 })
 */
export function startScenario(
  given: Scenario,
  { seed = given.seed, atMs }: { seed?: number; atMs: number },
): ScenarioRun {
  const scenario = withSeed(given, seed)
  const desktop = withInvariants(atMinute(firstDesktop(scenario), atMs), scenario)
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
 * @param input An action, or a time to move to.
 * @throws The `Fault` of an action that cannot be done.
 */
export function stepScenario(run: ScenarioRun, input: RunInput): ScenarioStep {
  if (input.type === 'action') return act(run, input.action)
  const current = runAt(run, input.nowMs)
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
  // Events are only computed if a reaction or timer could match.
  const events = hasTriggers(scenario)
    ? [...eventsOf(desktop, action, done), ...closeEventsOf(desktop, done.desktop)]
    : []
  const changed = { desktop: laidOutAgain(desktop, done.desktop), restedAtMs: restedAt(run, action) }
  const behaved = startEventTimers(runWith(run, changed), events)
  const answer = react(behaved, desktop, events)
  if (answer) return answer
  if (behaved.desktop !== desktop) return { run: behaved, via: 'behaviour' }
  const isSame = behaved.due === run.due && behaved.restedAtMs === run.restedAtMs
  return { run: isSame ? run : behaved, via: 'nothing' }
}

/** The time at which a tooltip shows after an action that did not show it itself. */
function restedAt({ scenario, desktop, nowMs, restedAtMs }: ScenarioRun, action: Action): number | undefined {
  if (action.type !== 'hover' || !scenario.live || action.forMs >= DWELL_MS) return undefined
  const { x, y } = desktop.pointer
  const stays = action.at.x === x && action.at.y === y
  return (stays ? restedAtMs : undefined) ?? nowMs + DWELL_MS
}

const hasTriggers = ({ reactions, timers }: Scenario): boolean => reactions.length > 0 || timers.some(({ on }) => on)

/** Scrolling over an element, or bringing its window to the front, does not affect it. */
const TOUCHES_NOTHING: ReadonlySet<ScenarioEvent['tool']> = new Set<ScenarioEvent['tool']>([
  'scroll',
  'bring_to_foreground',
])

/** An element that an action affects. */
export interface AffectedElement extends Target {
  /** Whether the scenario has a reaction to this element. */
  readonly reacts: boolean
}

/**
 * The elements that an action affects: its target, ancestors with reactions, and elements that it presses or chooses.
 * Throws the fault of a rejected action.
 */
export function elementsAffectedBy({ desktop, scenario }: ScenarioRun, action: Action): readonly AffectedElement[] {
  const done = behave(desktop, action, scenario.live)
  const events = eventsOf(desktop, action, done instanceof Fault ? undefined : done)
  return events.flatMap((event) => {
    const { tool, window, chain } = event
    if (!window || TOUCHES_NOTHING.has(tool)) return []
    return chain.flatMap((element, up) => {
      const reacts = hasReactionTo(scenario, event, element)
      return up === 0 || reacts ? [{ window, element: element.id, reacts }] : []
    })
  })
}

/** Whether a reaction matches this event on that element or a descendant. */
const hasReactionTo = ({ reactions }: Scenario, event: ScenarioEvent, element: Element): boolean =>
  reactions.some(
    ({ on }) => (on.target_id ?? on.target_name) !== undefined && matchTrigger(on, { ...event, chain: [element] }),
  )

/** Lays out windows again that changed their size or opened an expander, as far as a layout placed their content. */
function laidOutAgain(before: Desktop, after: Desktop): Desktop {
  if (after.windows === before.windows) return after
  let desktop = after
  for (const window of after.windows) {
    const was = windowByUid(before, window.uid)
    if (was && was !== window && needsNewLayout(was, window)) desktop = changeWindow(desktop, window.uid, layOutWindow)
  }
  return desktop
}

const needsNewLayout = (was: Window, now: Window): boolean =>
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

/** Whether nothing receives the input, which is not an error of the caller. */
const isUnreceived = (fault: Fault, { type }: Action): boolean =>
  fault instanceof UnreceivedInput || (type === 'type' && NOT_TAKEN.has(fault.code))

/** Faults of a field that does not take text: it is read-only, or it or its window is disabled. */
const NOT_TAKEN: ReadonlySet<FaultCode> = new Set<FaultCode>(['PatternUnsupported', 'ElementDisabled'])

/**
 * Applies an action to the desktop. Returns the faults that a reaction may handle, such as an unsupported action, and
 * throws all others.
 */
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
        run: applyConsequence(run, reaction, match.captured, event.window ?? before.active),
        via: 'reaction',
        reaction: index,
      }
    }
  }
  return undefined
}

type Consequence = { readonly set?: ScenarioEffect[] | undefined; readonly transition_to?: string | undefined }

function applyConsequence(
  run: ScenarioRun,
  { set, transition_to }: Consequence,
  captured?: CapturedGroups,
  near?: string,
): ScenarioRun {
  const changed = runWith(run, {
    desktop: withInvariants(applyScenarioChanges(run.desktop, set, captured, near), run.scenario),
  })
  return transition_to === undefined ? changed : goTo(changed, transition_to)
}

function goTo(run: ScenarioRun, name: string): ScenarioRun {
  const { scenario, desktop } = run
  const left = scenario.states.get(run.state)!
  const kept = saveChanges(run.kept, left, desktop)
  const entered = withInvariants(enterState(desktop, left, scenario.states.get(name)!, kept), scenario)
  const due = run.due.filter(({ timer }) => scenario.timers[timer]!.in === undefined)
  const next = runWith(run, { state: name, desktop: entered, kept, due })
  return schedule(next, (timer) => timer.in !== undefined && timer.on === undefined && {})
}

/**
 * Restores the invariants after a change: lists of folders show their files, popups that were written as open are
 * placed, and the focus is valid.
 */
function withInvariants(desktop: Desktop, { live }: Scenario): Desktop {
  const shown = withFolders(desktop)
  return live ? repairFocus(withPopupsPlaced(shown)) : shown
}

/** Starts timers that wait for an event, and restarts them when it happens again (debouncing). */
function startEventTimers(run: ScenarioRun, events: readonly ScenarioEvent[]): ScenarioRun {
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

/** Starts the matching timers of the state with the data of their event. */
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
 * Advances a run to a time. Returns the same run if nothing changes. Timers fire one after another, each at its own
 * time, those of the same time in file order; a tooltip shows at its time. After `MAX_TIMER_FIRINGS` firings the run
 * stops at the time of the last.
 */
export function runAt(run: ScenarioRun, nowMs: number): ScenarioRun {
  const { restedAtMs = Number.POSITIVE_INFINITY } = run
  if (restedAtMs > nowMs) return timedTo(run, nowMs)
  const before = timedTo(run, restedAtMs)
  return before.nowMs < restedAtMs ? before : timedTo(showTooltip(before), nowMs)
}

/** The time of the next timer or tooltip, if any. */
export const nextAtMs = ({ due, restedAtMs = Number.POSITIVE_INFINITY }: ScenarioRun): number | undefined => {
  const atMs = Math.min(due[0]?.atMs ?? Number.POSITIVE_INFINITY, restedAtMs)
  return atMs === Number.POSITIVE_INFINITY ? undefined : atMs
}

/** Timers that start each other without a delay would fire forever. */
export const MAX_TIMER_FIRINGS = 10_000

/** Shows the tooltip after the pointer has showTooltip. */
const showTooltip = (run: ScenarioRun): ScenarioRun =>
  runWith(run, { desktop: hoverAt(run.desktop, run.desktop.pointer, DWELL_MS), restedAtMs: undefined })

function timedTo(run: ScenarioRun, nowMs: number): ScenarioRun {
  let current = run
  let firings = 0
  for (let [next] = current.due; next && next.atMs <= nowMs; [next] = current.due) {
    if (firings++ === MAX_TIMER_FIRINGS) return current
    current = fireTimer(current, next)
  }
  return nowMs > current.nowMs ? runWith(current, { nowMs, desktop: atMinute(current.desktop, nowMs) }) : current
}

const inTime = (a: Due, b: Due): number => a.atMs - b.atMs || a.timer - b.timer

function fireTimer(run: ScenarioRun, due: Due): ScenarioRun {
  const timer = run.scenario.timers[due.timer]!
  const others = run.due.slice(1)
  if (timer.every_ms !== undefined) {
    const again = { ...due, atMs: due.atMs + timer.every_ms }
    others.splice(others.findLastIndex((other) => inTime(other, again) < 0) + 1, 0, again)
  }
  const nowMs = Math.max(run.nowMs, due.atMs)
  const here = runWith(run, { nowMs, due: others, desktop: atMinute(run.desktop, nowMs) })
  return allGuardsPass(here.desktop, timer.when, due.near)
    ? applyConsequence(here, timer, due.captured, due.near)
    : here
}

/** Counts a call of a tool. Returns the counted run and the planned fault that the call meets, if any. */
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

/** The desktop's clock shows minutes, so that the desktop does not change between them. */
function atMinute(desktop: Desktop, nowMs: number): Desktop {
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  return desktopWith(desktop, { nowMs: minuteMs })
}
