import type { SyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { type MemorySession, memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { checkSuccess } from '../../compose/verify/solution-run.ts'
import { call } from '../../observer/call.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { ProgramCall, Solution } from '../../scenario/solution.ts'

/** The faults of the catalogue after which every solution of a pack goes on: none of them loses what was entered. */
export const RECOVERABLE_FAULTS = ['latency', 'lost-click', 'occluding-toast', 'update-dialog'] as const

/** A run of a solution with a fault. */
interface RecoveredRun {
  /** Undefined when the oracles pass. */
  readonly failure: string | undefined
  /** How often the fault fired. */
  readonly fired: number
}

/** Plays a solution with a fault: declines dialogs, waits for notifications to go, and repeats a click that changed nothing. */
export async function playWithRecovery(scenario: Scenario, solution: Solution, fault: string): Promise<RecoveredRun> {
  const desktop = memorySession(scenario, { faults: [fault] })
  let clicked: { readonly call: ProgramCall; readonly before: readonly unknown[] } | undefined
  const recover = async (): Promise<void> => {
    await declineInterruptions(desktop)
    for (let times = 0; clicked && times < MAX_REPEATS && isSame(clicked.before, stateOf(desktop.computer)); times++)
      await call(desktop.session, clicked.call.tool, clicked.call.args)
    clicked = undefined
  }
  let failure: string | undefined
  const played = playSolution(desktop, solution, async (planned) => {
    await recover()
    if (planned.tool.endsWith('click_element')) clicked = { call: planned, before: stateOf(desktop.computer) }
    return planned
  })
  for await (const { failure: found } of played) failure = found
  if (failure === undefined) await recover()
  failure ??= await checkSuccess(desktop.session)
  return { failure, fired: desktop.computer.firedFaults.length }
}

/** `lost-click` fires at most three times. */
const MAX_REPEATS = 3
const MAX_NOTIFICATION_MS = 60_000

async function declineInterruptions({ session, computer }: MemorySession): Promise<void> {
  for (const { uid, process } of computer.desktop.windows) {
    if (process === 'updater') await call(session, 'click_element', { window_uid: uid, selector: 'Button "Later"' })
    if (uid.startsWith('toast'))
      await call(session, 'wait_for', {
        any_of: [{ type: 'window_disappears', window_uid: uid }],
        timeout_ms: MAX_NOTIFICATION_MS,
      })
  }
}

/** The trees and the data, of which a part that has not changed is the same object. */
const stateOf = ({ desktop, run }: SyntheticComputer): readonly unknown[] => [
  desktop.active,
  run.data,
  ...desktop.windows.map(({ tree }) => tree),
]

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((part, index) => part === other[index])
