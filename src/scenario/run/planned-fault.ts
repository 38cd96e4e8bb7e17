import { Fault } from '../../base/fault.ts'
import type { PlannedFault } from '../schema/fault.ts'
import { isInState, runWith, type ScenarioRun } from './scenario-run.ts'

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
