import { Fault, type FaultCode } from '../../base/fault.ts'
import { performAction } from '../../desktop/apply/apply.ts'
import { type Action, UnreceivedInput } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { ActionEffect } from '../../desktop/widgets/widget.ts'
import type { Scenario } from '../scenario.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { eventsOf, type ScenarioEvent } from './event.ts'
import { withItemsInTree } from './show-data.ts'
import { matchTrigger, namesTarget } from './triggers.ts'

/**
 * Applies an action to the desktop. Returns the faults that a reaction may handle, such as an unsupported action, and
 * throws all others.
 */
export function behave(run: ScenarioRun, action: Action): ActionEffect | Fault {
  const { desktop, scenario, nowMs } = run
  try {
    const done = performAction(desktop, action, { isInteractive: scenario.isInteractive, nowMs })
    const shown = withItemsInTree(run, done.desktop)
    return shown === done.desktop ? done : { ...done, desktop: shown }
  } catch (error) {
    if (error instanceof Fault && error.code === 'PatternUnsupported') return error
    if (error instanceof UnreceivedInput || (error instanceof Fault && action.type === 'type')) return error
    throw error
  }
}

/** Whether nothing receives the input, which is not an error of the caller. */
export const isUnreceived = (fault: Fault, { type }: Action): boolean =>
  fault instanceof UnreceivedInput || (type === 'type' && NOT_TAKEN.has(fault.code))

/** Faults of a field that does not take text: it is read-only, or it or its window is disabled. */
const NOT_TAKEN: ReadonlySet<FaultCode> = new Set<FaultCode>(['PatternUnsupported', 'ElementDisabled'])

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
export function elementsAffectedBy(run: ScenarioRun, action: Action): readonly AffectedElement[] {
  const { desktop, scenario } = run
  const done = behave(run, action)
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
  reactions.some(({ on }) => namesTarget(on) && matchTrigger(on, { ...event, chain: [element] }))
