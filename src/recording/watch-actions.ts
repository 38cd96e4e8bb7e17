import type { PerformResult } from '../adapters/computer.ts'
import type { SyntheticComputer } from '../adapters/synthetic.ts'
import type { Action } from '../desktop/input/action.ts'
import type { ElementPlace } from '../viewer/model/element.ts'

/** An action that a computer performed. */
export interface WatchedAction {
  /** In pixels of the screen. */
  readonly action: Action
  /** The element that received it. */
  readonly hit: ElementPlace | undefined
  /** Undefined if the desktop refused it. */
  readonly via: PerformResult['via'] | undefined
}

/** Notes each action that a computer performs from now on. The returned function takes the actions since it was called last. */
export function watchActions(computer: SyntheticComputer): () => readonly WatchedAction[] {
  let watched: WatchedAction[] = []
  const perform = computer.perform.bind(computer)
  computer.perform = (action) => {
    const [first] = computer.preview([action])
    const hit = first && { window: first.window, element: first.element }
    try {
      const result = perform(action)
      watched.push({ action, hit, via: result.via })
      return result
    } catch (thrown) {
      watched.push({ action, hit, via: undefined })
      throw thrown
    }
  }
  return () => {
    const taken = watched
    watched = []
    return taken
  }
}
