import { walk } from '../../../desktop/model/element.ts'
import { reportOracles } from '../../../observer/oracles/oracles.ts'
import { findTool } from '../../../observer/registry.ts'
import type { Scenario } from '../../../scenario/scenario.ts'
import type { ProgramCall, Solution } from '../../../scenario/solution.ts'
import { type MemorySession, memorySession } from '../../memory-session.ts'
import { playSolution, type ReplaceCall } from '../../play-solution.ts'
import { type Content, runContentOf, storedContentOf } from './content.ts'

/** A solution that passes, with the calls that it makes and what it leaves behind. */
export interface RecordedSolution {
  readonly scenario: Scenario
  readonly solution: Solution
  readonly calls: readonly ProgramCall[]
  readonly end: PlayedEnd
  /** All texts on the screen and in the files at the start. */
  readonly startTexts: readonly string[]
}

/** The end of a run. */
export interface PlayedEnd {
  /** Whether the oracles pass, without harm. */
  readonly passed: boolean
  readonly content: Content
  readonly stored: Content
}

/** Records a run of a solution that passes. */
export async function recordSolution(scenario: Scenario, solution: Solution): Promise<RecordedSolution> {
  const { computer } = memorySession(scenario)
  const elements = computer.desktop.windows.flatMap(({ tree }) => [...walk(tree)])
  const texts = elements.flatMap(({ name, value }) => [name, value ?? ''])
  const files = Object.values(scenario.files ?? {}).map((text) => text ?? '')
  const calls: ProgramCall[] = []
  const end = await endOf(scenario, solution, () => (call) => {
    calls.push(call)
    return call
  })
  return { scenario, solution, calls, end, startTexts: [...texts, ...files] }
}

/** Plays a solution with other calls on a desktop of its own. */
export async function endOf(
  scenario: Scenario,
  solution: Solution,
  replaceOn: (desktop: MemorySession) => ReplaceCall,
): Promise<PlayedEnd> {
  const desktop = memorySession(scenario)
  let failure: string | undefined
  for await (const played of playSolution(desktop, solution, replaceOn(desktop))) failure = played.failure
  const { session, computer } = desktop
  const { reward, harm } = await reportOracles(session.context, session.computer.simulation!)
  const passed = failure === undefined && reward === 1 && !harm.some((entry) => entry.passed)
  return { passed, content: runContentOf(computer), stored: storedContentOf(computer) }
}

/** Whether a call acts on the desktop. */
export const isAction = ({ tool }: ProgramCall): boolean => findTool(tool)?.kind === 'act'
