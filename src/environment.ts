import { drive } from './driver.ts'
import type { ToolResult } from './observer/result.ts'
import type { Session } from './observer/session/session.ts'

/** A desktop to train on, in the manner of Gymnasium. */
export interface Environment {
  /** Begins the scenario again, or another one; the same seed gives the same episode. */
  reset(options?: { readonly seed?: number; readonly scenario?: string }): Promise<Beginning>
  /** Does one action: any tool with its arguments. A refused one is told in `info.action` and moves on. */
  step(tool: string, args?: ToolResult): Promise<Transition>
  /**
   * Does several actions, at most 128, as one step with one observation after the last: `info.actions` tells how many
   * there were, `info.action` how the last one went. It ends with the first that is refused or ends the episode.
   */
  steps(actions: readonly EnvironmentAction[]): Promise<Transition>
}

/** One action of an environment: a tool and its arguments. */
export interface EnvironmentAction {
  readonly tool: string
  readonly args?: ToolResult
}

export interface Beginning {
  readonly observation: ToolResult
  readonly info: ToolResult
}

/** The result of a step in an environment. */
export interface Transition extends Beginning {
  /** 1 when the success oracles hold, -1 when a failure oracle does, else 0. */
  readonly reward: number
  readonly terminated: boolean
  readonly truncated: boolean
}

/** What an observation shows of the focused window, and how long an episode may be. */
export interface EnvironmentOptions {
  readonly observe?: 'tree' | 'diff' | 'outline' | 'none'
  /** Also the primary monitor as a PNG in base64. */
  readonly screenshot?: boolean
  readonly maxSteps?: number
}

/**
 * Wraps a session as an environment for training, in the manner of Gymnasium.
 * @param session A session on a synthetic desktop.
 * @param options What observations show, and the most steps of an episode.
 * @throws A `Fault` `PlatformUnsupported` from `reset` and `step` on a real desktop.
 * @example
 * const environment = environmentOf(testbed.session, { observe: 'diff', maxSteps: 50 })
 * const { observation } = await environment.reset({ seed: 3 })
 */
export function environmentOf(session: Session, options: EnvironmentOptions = {}): Environment {
  const { maxSteps, ...shown } = options
  const { do: act } = drive(session)
  const limit = maxSteps === undefined ? {} : { max_steps: maxSteps }
  const step = async (asked: ToolResult) =>
    (await act('session_step', { ...shown, ...limit, ...asked })) as unknown as Transition
  return {
    reset: async (asked = {}) => (await act('session_reset', { ...shown, ...asked })) as unknown as Beginning,
    step: (tool, args = {}) => step({ action: { tool, args } }),
    steps: (actions) => step({ actions }),
  }
}
