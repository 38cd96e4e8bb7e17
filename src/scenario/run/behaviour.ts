import { Fault, type FaultCode } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { performAction } from '../../desktop/input/apply.ts'
import { UnreceivedInput } from '../../desktop/input/unreceived.ts'
import type { ActionEffect } from '../../desktop/widgets/action-effect.ts'
import type { ScenarioRun } from './scenario-run.ts'

/**
 * Applies an action to the desktop. Returns the faults that a reaction may handle, such as an unsupported action, and
 * throws all others.
 */
export function behave(
  { desktop, scenario: { live }, nowMs }: Pick<ScenarioRun, 'desktop' | 'scenario' | 'nowMs'>,
  action: Action,
): ActionEffect | Fault {
  try {
    return performAction(desktop, action, { live, nowMs })
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
