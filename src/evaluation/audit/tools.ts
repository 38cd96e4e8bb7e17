import { toolsFor } from '../../observer/registry.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { AdversaryProgram } from './adversary.ts'
import { oddArguments, plausibleArguments } from './arguments.ts'
import { type AdversaryRun, openAttempt } from './attempt.ts'
import { isButtonLike, shownControls } from './controls.ts'

/** Texts with which an agent can end a run without having looked at it. */
const ANY_ANSWERS = ['', 'x', 'done', 'It is not possible.']

/** Calls every tool of agents, and ends the run with texts that answer nothing. */
export const toolPrograms = (): readonly AdversaryProgram[] => [
  callEvery,
  ...ANY_ANSWERS.flatMap((text) => [finishWith('done', text), finishWith('infeasible', text)]),
]

async function* callEvery(attempt: AdversaryRun): AsyncGenerator<void, void> {
  // Pressing controls is the work of another adversary.
  for (const tool of toolsFor('agent')) {
    if (tool.name === 'finish') continue
    const control = shownControls(attempt.desktop.computer).findLast(
      (each) => !isButtonLike(each) && each.element.children.length === 0,
    )
    for (const args of oddArguments(tool)) await attempt.call(tool.name, args)
    await attempt.call(tool.name, plausibleArguments(tool, control))
  }
  yield
}

const finishWith = (status: 'done' | 'infeasible', text: string): AdversaryProgram =>
  async function* (attempt) {
    await attempt.call('finish', { status, text })
    yield
  }

/** Finds a tool of the harness that an agent may call. */
export async function findOpenHarnessTool(scenario: Scenario): Promise<Pick<AdversaryRun, 'calls'> | undefined> {
  const agentTools = new Set(toolsFor('agent').map(({ name }) => name))
  for (const tool of toolsFor('harness').filter(({ name }) => !agentTools.has(name))) {
    const attempt = openAttempt(scenario)
    for (const args of [{}, plausibleArguments(tool, undefined)]) {
      const { fault } = await attempt.call(tool.name, args)
      if (fault?.code !== 'PermissionDenied') return { calls: attempt.calls.slice(-1) }
    }
  }
  return undefined
}
