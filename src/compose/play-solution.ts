import type { Awaitable } from '../base/async.ts'
import { Fault } from '../base/fault.ts'
import { type Element, walk } from '../desktop/model/element.ts'
import { call } from '../observer/call.ts'
import type { CallOutcome } from '../observer/result.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import { evaluateLive } from '../scenario/data/scope.ts'
import { type DataValue, mapFields, textOfValue, typeOf } from '../scenario/expression/data-type.ts'
import { evaluateTemplate } from '../scenario/live/live-template.ts'
import { liveContext, scopeOf } from '../scenario/live-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ScenarioRun } from '../scenario/scenario-run.ts'
import {
  callsOf,
  describePlace,
  type LoopNames,
  type ProgramCall,
  type Solution,
  type SolutionEvaluator,
} from '../scenario/solution.ts'
import { type MemorySession, memorySession } from './memory-session.ts'

/** A call of a solution that was made. */
export interface PlayedCall {
  /** Counts from 1, with all rounds of loops. */
  readonly number: number
  readonly tool: string
  /** The call, or the expression that has no value, has failed; with its place in the file. */
  readonly failure?: string
  readonly fault?: Fault | undefined
  /** Undefined where an expression has no value. */
  readonly call: ProgramCall | undefined
}

/** The call that is made in place of a planned one; undefined leaves it out. Calls count from 0. */
export type ReplaceCall = (planned: ProgramCall, index: number) => Awaitable<ProgramCall | undefined>

/** Makes the calls of a solution one after another. Ends after the first that fails. */
export async function* playSolution(
  { session, computer }: Pick<MemorySession, 'session' | 'computer'>,
  solution: Solution | undefined,
  replace: ReplaceCall = (planned) => planned,
): AsyncGenerator<PlayedCall, void> {
  if (!solution) return
  let number = 0
  try {
    for (const planned of callsOf(solution, solutionEvaluator(computer))) {
      const made = await replace(planned, number++)
      if (!made) continue
      const { tool, args, place } = made
      const outcome = await (computer.variant ? callInView : call)(session, tool, args)
      const fault = outcome.fault as Fault | undefined
      const failure = fault && `${describePlace(place)}, ${tool}: ${fault.code}: ${fault.message}`
      yield { number, tool, call: made, ...(fault && { fault, failure: failure! }) }
      if (fault) return
    }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    yield { number: number + 1, tool: 'solution', call: undefined, fault: thrown, failure: thrown.message }
  }
}

/** A step of a solution needs at most this many corrections of what is in view. */
const MAX_CORRECTIONS = 5
const MAX_NOTIFICATION_MS = 60_000

/**
 * Calls a tool. In a variant the element may be scrolled out of view, in a menu of what does not fit, or covered by a notification
 * or another window: then it first scrolls, opens the menu, waits, or brings the window to the front, as the fault says.
 */
async function callInView(session: DesktopSession, tool: string, args: unknown): Promise<CallOutcome> {
  let isRaised = false
  for (let corrections = 0; ; corrections++) {
    const outcome = await call(session, tool, args)
    const { code, context } = outcome.fault ?? {}
    if (corrections === MAX_CORRECTIONS) return outcome
    const window_uid = String(context?.window_uid)
    if (code === 'ElementOccluded' && context?.scroll) await call(session, 'scroll', context.scroll)
    else if (code === 'ElementOccluded' && context?.opened_by)
      await callInView(session, 'click_element', { window_uid, element_id: String(context.opened_by) })
    else if (code === 'ElementOccluded' && context?.covered_by)
      await call(session, 'wait_for', {
        any_of: [{ type: 'window_disappears', window_uid: String(context.covered_by) }],
        timeout_ms: MAX_NOTIFICATION_MS,
      })
    else if ((code === 'WindowOccluded' || code === 'ElementOccluded') && context?.window_uid && !isRaised) {
      isRaised = true
      await call(session, 'bring_to_foreground', { window_uid })
    } else return outcome
  }
}

/** Evaluates the expressions of a solution on a run as it is at each moment. */
const solutionEvaluator = (desktop: { readonly run: ScenarioRun }): SolutionEvaluator => ({
  value: (expression, names) => {
    const { run } = desktop
    const result = evaluateLive(scopeOf(run), expression, liveContext(run), localsOf(names))
    if ('message' in result) throw new Fault('BadRequest', `${expression}: ${result.message}`)
    return result.value instanceof Date ? textOfValue(result.value) : result.value
  },
  fill: (text, names): DataValue => {
    const { run } = desktop
    const { program } = run.scenario
    return program ? evaluateTemplate(program, text, liveContext(run), { locals: localsOf(names) }).value : text
  },
})

const localsOf = (names: LoopNames) => ({ types: mapFields(names, typeOf), values: names })

/** Collects every element that the solutions and an obedient agent show. Built-in dialogs are in no state of the scenario. */
export async function elementsSeen(scenario: Scenario): Promise<readonly Element[]> {
  const trees = new Set<Element>()
  for (const solution of [...scenario.solutions, scenario.obedience]) {
    const desktop = memorySession(scenario)
    for await (const { fault } of playSolution(desktop, solution))
      if (!fault) for (const { uid } of desktop.computer.windows()) trees.add(desktop.computer.tree(uid)!)
  }
  return [...trees].flatMap((tree) => [...walk(tree)])
}
