import type { Fault } from '../base/fault.ts'
import { call } from '../observer/call.ts'
import type { Session } from '../observer/session/session.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** A call of a solution that was made. */
export interface PlayedCall {
  /** Counts from 1. */
  readonly number: number
  readonly tool: string
  /** Why the call failed. */
  readonly fault?: Fault | undefined
}

/** Makes the calls of a scenario's solution one after another. Ends after the first that fails. */
export async function* playSolution(session: Session, { solution }: Scenario): AsyncGenerator<PlayedCall, void> {
  for (const [index, step] of solution.entries()) {
    const { fault } = await call(session, step.call, step.with)
    yield { number: index + 1, tool: step.call, fault: fault as Fault | undefined }
    if (fault) return
  }
}
