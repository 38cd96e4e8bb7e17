import type { WrittenElement } from '../../schema/element.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { windowsOf } from '../../schema/visit.ts'

/** Changes the trees of all windows: those of the states, and those that effects open by name. */
export function mapTrees(written: WrittenScenario, change: (tree: WrittenElement) => WrittenElement): WrittenScenario {
  const changed = <T extends { tree?: WrittenElement | undefined }>(window: T): T =>
    window.tree ? { ...window, tree: change(window.tree) } : window
  const states = Object.fromEntries(
    Object.entries(written.states).map(([name, state]) => [
      name,
      state && { ...state, windows: windowsOf(state).map(changed) },
    ]),
  )
  return { ...written, states, ...(written.windows && { windows: written.windows.map(changed) }) }
}

/** The trees of all windows: those of the states, and those that effects open by name. */
export const treesOf = (written: WrittenScenario): readonly WrittenElement[] =>
  [...Object.values(written.states).flatMap((state) => windowsOf(state)), ...(written.windows ?? [])].flatMap(
    ({ tree }) => tree ?? [],
  )
