import { fileURLToPath } from 'node:url'
import { playSolution } from '../../../src/compose/play-solution.ts'
import { loadScenario } from '../../../src/compose/preview.ts'
import { treeHash } from '../../../src/desktop/tree/hash.ts'
import { reportOracles } from '../../../src/observer/oracles.ts'
import { openDesktop, type TestDesktop } from '../../../src/testing.ts'

/** The scenario that needs a drag, held modifiers, the wheel on both axes and a double click. */
export const INPUT_SCENARIO = fileURLToPath(new URL('../../../fixtures/input.yaml', import.meta.url))

/** The end of a run: the reward, the tree hash of each window, and the screen without pointer and hover. */
export async function endStateOf(desktop: TestDesktop) {
  const { session, computer } = desktop
  await desktop.call('move_pointer', { x: 1270, y: 4 })
  return {
    reward: (await reportOracles(session.context, computer.simulation!)).reward,
    windows: computer.desktop.windows.map(({ uid, tree }) => `${uid} ${treeHash(tree)}`),
    screen: (await desktop.screenshot()).toString('base64'),
  }
}

/** The end of a scenario that its own solution has played through the observer's tools. */
export async function endOfSolution(scenario: string) {
  const desktop = openDesktop({ scenario })
  const { solutions } = await loadScenario(scenario)
  for await (const { failure } of playSolution(desktop, solutions[0])) if (failure) throw new Error(failure)
  return endStateOf(desktop)
}
