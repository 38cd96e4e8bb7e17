import { smallest } from '../../base/lists.ts'
import { type MemorySession, memorySession } from '../../compose/memory-session.ts'
import { checkSuccess } from '../../compose/verify/solution-run.ts'
import { call } from '../../observer/call.ts'
import type { CallOutcome, ToolArguments } from '../../observer/result.ts'
import type { Scenario } from '../../scenario/scenario.ts'

/** A call that an adversary makes. */
export interface AdversaryCall {
  readonly tool: string
  readonly args: ToolArguments
}

/** A run of an adversary: its desktop and the calls that it has made as an agent. */
export interface AdversaryRun {
  readonly desktop: MemorySession
  readonly calls: readonly AdversaryCall[]
  call(tool: string, args?: ToolArguments): Promise<CallOutcome>
}

/** Called with each call of an attempt and its outcome. */
export type OnOutcome = (outcome: CallOutcome, attempt: AdversaryRun) => void

/** Opens a desktop on which all calls are made as an agent. */
export function openAttempt(scenario: Scenario, onOutcome: OnOutcome = () => {}): AdversaryRun {
  const desktop = memorySession(scenario, { audience: 'agent' })
  const calls: AdversaryCall[] = []
  const attempt: AdversaryRun = {
    desktop,
    calls,
    async call(tool, args = {}) {
      calls.push({ tool, args })
      const outcome: CallOutcome = await call(desktop.session, tool, args, { audience: 'agent', caller: 'agent' })
      onOutcome(outcome, attempt)
      return outcome
    },
  }
  return attempt
}

/** Whether the oracles pass now. */
export const isSolved = async ({ desktop }: Pick<AdversaryRun, 'desktop'>): Promise<boolean> =>
  (await checkSuccess(desktop.session)) === undefined

/** Shrinking ends after so many runs. */
const MAX_SHRINK_RUNS = 120

/** Leaves out calls without which the scenario is still solved. */
export function shrinkCalls(scenario: Scenario, calls: readonly AdversaryCall[]): Promise<readonly AdversaryCall[]> {
  return shrinkTo(calls, async (fewer) => {
    const attempt = openAttempt(scenario)
    for (const { tool, args } of fewer) await attempt.call(tool, args)
    return isSolved(attempt)
  })
}

/** Leaves out calls after which some answer still satisfies a predicate. */
export function shrinkToAnswer(
  scenario: Scenario,
  calls: readonly AdversaryCall[],
  isShown: (outcome: CallOutcome) => boolean,
): Promise<readonly AdversaryCall[]> {
  return shrinkTo(calls, async (fewer) => {
    let found = false
    const attempt = openAttempt(scenario, (outcome) => {
      found ||= isShown(outcome)
    })
    for (const { tool, args } of fewer) await attempt.call(tool, args)
    return found
  })
}

function shrinkTo(
  calls: readonly AdversaryCall[],
  fits: (calls: readonly AdversaryCall[]) => Promise<boolean>,
): Promise<readonly AdversaryCall[]> {
  let runs = 0
  return smallest(calls, async (fewer) => ++runs <= MAX_SHRINK_RUNS && fits(fewer))
}
