import { Fault } from '../../base/fault.ts'
import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Desktop, Target } from '../../desktop/model/desktop.ts'
import { hookOf } from '../faults/catalogue.ts'
import type {
  ActiveObservation,
  CallDisturbance,
  ChosenFault,
  FaultEntry,
  FaultHook,
  FaultMoment,
  FaultRun,
  FiredFault,
} from '../faults/fault-kind.ts'
import { laidOutAgain } from '../layout/layout.ts'
import type { PlannedFault } from '../scenario-file.ts'
import { appendToLog, isInState, runWith, type ScenarioRun } from '../scenario-run.ts'
import type { ScenarioEffect } from '../schema/effect.ts'
import { applyEffects } from './effects/effects.ts'
import { actualIdOf } from './observe.ts'

type HookOn<On extends FaultHook<ChosenFault>['on']> = Extract<FaultHook<ChosenFault>, { on: On }>

/** Performs an action on a run with faults: they may drop or change it, change what is seen after it, and act themselves. */
export function actWithFaults<
  Step extends {
    readonly run: ScenarioRun
    readonly reactions: readonly number[]
    readonly lastFrom?: ScenarioRun | undefined
  },
>(run: ScenarioRun, action: Action, act: (run: ScenarioRun, action: Action) => Step): Step {
  const before = countStep(run)
  const altered = alter(before, withActualTargets(run, action))
  const done = act(altered.run, altered.action)
  if (altered.droppedBy !== undefined) {
    const attempt = { action: altered.action, desktop: done.run.desktop }
    const dropped = showAttempt(altered.run, altered.droppedBy, { before: before.desktop, attempt })
    return { ...done, run: fireSteps(observe(dropped, before)), reactions: [], lastFrom: undefined }
  }
  return { ...done, run: fireSteps(observe(done.run, before)) }
}

/** Applies the faults of step 0. */
export const applyFaultsAtStart = (run: ScenarioRun): ScenarioRun => (run.faults ? fireSteps(run) : run)

/** Counts a call of an agent's tool and decides how faults disturb it. */
export function disturbCall(run: ScenarioRun): { readonly run: ScenarioRun } & CallDisturbance {
  let current = run
  let fault: CallDisturbance['fault']
  let delayMs = 0
  for (const { index, hook } of entriesOn(run, 'call')) {
    const { run: next, random } = takeChance(current, index)
    current = next
    if (!random) continue
    const outcome = hook.outcome(next.faults!.entries[index]!.chosen, random)
    fault ??= outcome.fault
    delayMs += outcome.delayMs ?? 0
  }
  return { run: current, ...(fault && { fault }), delayMs }
}

/** An action on the elements that the ids of the trees that were seen stand for. */
export function withActualTargets(run: ScenarioRun, action: Action): Action {
  if (!run.faults) return action
  const actual = (target: Target): Target => ({ ...target, element: actualIdOf(run, target) })
  switch (action.type) {
    case 'drag':
      return {
        ...action,
        ...(action.fromTarget && { fromTarget: actual(action.fromTarget) }),
        ...(action.toTarget && { toTarget: actual(action.toTarget) }),
      }
    case 'click':
    case 'hover':
    case 'scroll':
      return action.target ? { ...action, target: actual(action.target) } : action
    case 'type':
    case 'key':
    case 'press':
    case 'release':
    case 'key_down':
    case 'key_up':
    case 'hold':
    case 'activate':
    case 'window':
    case 'set_clipboard':
    case 'write_file':
    case 'webmcp_call':
      return action
    case 'focus':
    case 'invoke':
    case 'set_value':
    case 'select':
    case 'clear_text':
      return { ...action, target: actual(action.target) }
  }
}

const countStep = (run: ScenarioRun): ScenarioRun =>
  runWith(run, { faults: { ...run.faults!, steps: run.faults!.steps + 1 } })

interface Alteration {
  readonly run: ScenarioRun
  readonly action: Action
  /** The index of the fault that drops the action. */
  readonly droppedBy?: number
}

function alter(run: ScenarioRun, given: Action): Alteration {
  let current = run
  let action = given
  for (const { index, hook } of entriesOn(run, 'action')) {
    if (!hook.applies(action)) continue
    const { run: next, random } = takeChance(current, index)
    current = next
    if (!random) continue
    const altered = hook.alter(momentOf(next, index, random), action)
    if (altered === 'dropped') return { run: next, action, droppedBy: index }
    current = withEffects(next, altered.effects)
    action = altered.action ?? action
  }
  return { run: current, action }
}

/** Lets faults change what is seen from now on, if the action changed the desktop. */
function observe(run: ScenarioRun, { desktop: before }: ScenarioRun): ScenarioRun {
  if (run.desktop === before) return run
  return entriesOn(run, 'observation').reduce((current, { index, hook }) => {
    if (hook.constant) return current
    const { run: next, random } = takeChance(current, index)
    if (!random) return next
    const untilMs = next.nowMs + Number(next.faults!.entries[index]!.chosen.for_ms)
    return withEntry(next, index, { active: { untilMs, before, random } })
  }, run)
}

/** Lets trees show what a dropped action tried, if its fault does that. */
function showAttempt(
  run: ScenarioRun,
  index: number,
  attempt: Pick<ActiveObservation, 'before' | 'attempt'>,
): ScenarioRun {
  const { chosen, random, active } = run.faults!.entries[index]!
  const hook = hookOf(chosen)
  if (hook.on !== 'action' || !hook.tree) return run
  const untilMs = run.nowMs + Number(chosen.for_ms)
  const earlier = active && active.untilMs > run.nowMs ? active : undefined
  return withEntry(run, index, { active: { untilMs, random, earlier, ...attempt } })
}

function fireSteps(run: ScenarioRun): ScenarioRun {
  return entriesOn(run, 'step').reduce((current, { index, hook }) => {
    const { steps, entries } = current.faults!
    const entry = entries[index]!
    if (entry.atStep !== steps || entry.firings > 0) return current
    const [random, next] = drawSplit(entry.random)
    const fired = recordFiring(current, index, next)
    return withEffects(fired, hook.effects(momentOf(fired, index, random)))
  }, run)
}

/** The entries of a kind of hook, by index. */
const entriesOn = <On extends FaultHook<ChosenFault>['on']>(run: ScenarioRun, on: On) =>
  run.faults!.entries.flatMap(({ chosen }, index) => {
    const hook = hookOf(chosen)
    return hook.on === on ? [{ index, hook: hook as HookOn<On> }] : []
  })

const momentOf = (run: ScenarioRun, index: number, random: Random): FaultMoment<ChosenFault> => ({
  desktop: run.desktop,
  params: run.faults!.entries[index]!.chosen,
  random,
})

const CERTAIN = 1_000_000

/** Counts a chance of a fault. Returns a generator for its firing if it fires. */
function takeChance(run: ScenarioRun, index: number): { readonly run: ScenarioRun; readonly random?: Random } {
  const { chosen, random, chances, firings } = run.faults!.entries[index]!
  const { probability, times, after } = chosen as ChosenFault &
    Readonly<Record<'probability' | 'times' | 'after', number>>
  const [drawn, afterDraw] = drawInteger(random, 0, CERTAIN - 1)
  const [own, next] = drawSplit(afterDraw)
  const counted = withEntry(run, index, { chances: chances + 1, random: next })
  const fires = chances >= after && firings < times && drawn < probability * CERTAIN
  return fires ? { run: recordFiring(counted, index, next), random: own } : { run: counted }
}

/** Counts and records a firing. */
function recordFiring(run: ScenarioRun, index: number, random: Random): ScenarioRun {
  const { steps, fired, entries, startMs } = run.faults!
  const { chosen, firings } = entries[index]!
  const { fault } = chosen
  const counted = withEntry(run, index, { firings: firings + 1, random })
  return runWith(counted, {
    faults: { ...counted.faults!, fired: [...fired, { fault, step: steps, elapsedMs: run.nowMs - startMs }] },
    log: appendToLog(run.log, { atMs: run.nowMs, kind: 'fault', name: fault, fields: { step: steps } }),
  })
}

function withEntry(run: ScenarioRun, index: number, fields: Partial<FaultEntry>): ScenarioRun {
  const faults: FaultRun = run.faults!
  return runWith(run, {
    faults: { ...faults, entries: faults.entries.with(index, { ...faults.entries[index]!, ...fields }) },
  })
}

/** Applies effects as those of a reaction in no particular window. */
function withEffects(run: ScenarioRun, effects: readonly ScenarioEffect[] = []): ScenarioRun {
  if (effects.length === 0) return run
  const applied = applyEffects(run, effects, {})
  return runWith(applied, { desktop: laidOutAgain(run.desktop, applied.desktop) })
}

/** The step after which a fault of a step fires, unless it names one. */
const FIRST_STEP = 1
const LAST_STEP = 4

/** The state of the faults at the start of a run; undefined without any. Each fault draws on its own. */
export function startFaults(
  own: readonly ChosenFault[],
  chosen: readonly ChosenFault[],
  start: { readonly seed: number; readonly desktop: Desktop; readonly atMs: number },
): FaultRun | undefined {
  const all = [...own, ...chosen]
  if (all.length === 0) return undefined
  const parent = split(seededRandom(start.seed), 'faults')
  const numbers = new Map<string, number>()
  const fired: FiredFault[] = []
  const entries = all.map((each): FaultEntry => {
    const { fault } = each
    const number = (numbers.get(fault) ?? 0) + 1
    numbers.set(fault, number)
    const [step, random] = drawInteger(split(parent, `${fault} ${number}`), FIRST_STEP, LAST_STEP)
    const [where, next] = drawSplit(random)
    const hook = hookOf(each)
    const isConstant = hook.on === 'observation' && hook.constant === true
    if (isConstant) fired.push({ fault, step: 0, elapsedMs: 0 })
    return {
      chosen: each,
      random: next,
      chances: 0,
      firings: 0,
      atStep: typeof each.step === 'number' ? each.step : step,
      active: isConstant ? { untilMs: Number.POSITIVE_INFINITY, before: start.desktop, random: where } : undefined,
    }
  })
  return { chosen, entries, steps: 0, startMs: start.atMs, fired }
}

const MAX_SEED = 0x7fff_ffff

/** A generator for one firing, and the next generator. */
function drawSplit(random: Random): [Random, Random] {
  const [seed, next] = drawInteger(random, 0, MAX_SEED)
  return [seededRandom(seed), next]
}

/** Counts a call of a tool. Returns the counted run and the planned fault that the call meets, if any. */
export function countToolCall(run: ScenarioRun, tool: string): { readonly run: ScenarioRun; readonly fault?: Fault } {
  const { faults } = run.scenario
  const asked = faults.map((planned) => planned.on.tool === tool && isInState(planned.in, run.state))
  if (!asked.includes(true)) return { run }
  const counted = runWith(run, { faultCalls: run.faultCalls.map((calls, index) => (asked[index] ? calls + 1 : calls)) })
  const met = faults.find((planned, index) => asked[index] && strikes(planned, run.faultCalls[index]!))
  return met ? { run: counted, fault: new Fault(met.code, met.message, { planned: true, tool }) } : { run: counted }
}

const strikes = ({ skip, times }: PlannedFault, calls: number): boolean => calls >= skip && calls < skip + times
