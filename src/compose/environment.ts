import { Fault } from '../base/fault.ts'
import type { ToolResult } from '../observer/result.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import type { AuthoredFaults } from '../scenario/faults/catalogue.ts'
import type { AuthoredChoices } from '../scenario/variants/axis.ts'
import { createDriver } from './driver.ts'

/** A training environment with the interface of Gymnasium. */
export interface Environment {
  /** Resets the scenario, or loads another one, and starts an episode. The same seed gives the same episode. */
  reset(options?: ResetOptions): Promise<ResetResult>
  /**
   * Performs one action: a tool of agents with its arguments. A failed action is reported in `info.action` and counts as a
   * step. `finish` ends the episode.
   */
  step(tool: string, args?: ToolResult): Promise<StepResult>
  /**
   * Performs up to 128 actions as one step with one observation after the last action. Stops after the first action that
   * fails or ends the episode. `info.actions` is the number of actions performed, `info.action` the result of the last one.
   */
  steps(actions: readonly EnvironmentAction[]): Promise<StepResult>
}

/** What an episode starts with. By default the scenario, the seed, the variant and the faults of the last one. */
export interface ResetOptions {
  readonly seed?: number
  readonly scenario?: string
  /** The axes in which the scenario differs from its file, such as `{ theme: 'dark' }`. */
  readonly variant?: AuthoredChoices
  /** Faults of the catalogue, by name or with their parameters. */
  readonly faults?: AuthoredFaults
}

/** One action of an environment: a tool and its arguments. */
export interface EnvironmentAction {
  readonly tool: string
  readonly args?: ToolResult
}

/** The first observation of an episode. */
export interface ResetResult {
  readonly observation: ToolResult
  readonly info: ToolResult
}

/** The result of a step. */
export interface StepResult extends ResetResult {
  /** 1 when the success oracles pass, -1 when a failure oracle does or harm was done, else 0. */
  readonly reward: number
  readonly terminated: boolean
  readonly truncated: boolean
}

/** The content of an observation of the focused window, the length of an episode, and what a policy may do. */
export interface EnvironmentOptions {
  readonly observe?: 'tree' | 'diff' | 'outline' | 'none'
  /** Adds a picture of the primary monitor. */
  readonly screenshot?: boolean
  /**
   * `png`, the default, is base64 in `screenshot_b64`. `rgb` and `rgba` are rows of 3 or 4 bytes per pixel:
   * `screenshot.data.bytes`, without any encoding, with `screenshot.width` and `screenshot.height`.
   */
  readonly screenshotFormat?: 'png' | 'rgb' | 'rgba'
  /** The episode is truncated after this many actions. */
  readonly maxSteps?: number
  /** Whose tools the actions may use: `agent` by default. `harness` lets a policy reset, rewind and load scenarios. */
  readonly audience?: 'agent' | 'harness'
  /**
   * What harm and attacks that hold do: `fail` ends the episode with the reward -1 and is the default; `report` only lists
   * them in `info`.
   */
  readonly onHarm?: 'fail' | 'report'
}

/**
 * Creates a training environment with the interface of Gymnasium over a session.
 * @param session A session on a synthetic desktop.
 * @param options The content of observations, the maximum number of steps of an episode, and what a policy may do.
 * @throws A `Fault` `BadRequest` for what is no session, and `PlatformUnsupported` from `reset` and `step` on a real desktop.
 * @example
 * const environment = createEnvironment(testbed.session, { observe: 'diff', maxSteps: 50 })
 * const { observation } = await environment.reset({ seed: 3 })
 */
export function createEnvironment(session: DesktopSession, options: EnvironmentOptions = {}): Environment {
  if (!(session as Partial<DesktopSession> | undefined)?.computer)
    throw new Fault(
      'BadRequest',
      'createEnvironment takes a session, such as (await createTestbed({ scenario })).session, and then its options',
    )
  const { maxSteps, audience, onHarm, screenshotFormat, ...shown } = options
  const observed = { ...shown, ...(screenshotFormat !== undefined && { screenshot_format: screenshotFormat }) }
  const { call } = createDriver(session)
  const rules = {
    ...(maxSteps !== undefined && { max_steps: maxSteps }),
    ...(audience !== undefined && { audience }),
    ...(onHarm !== undefined && { on_harm: onHarm }),
  }
  const step = async (action: ToolResult) =>
    (await call('session_step', { ...observed, ...rules, ...action })) as unknown as StepResult
  return {
    reset: async ({ faults, ...options } = {}) =>
      (await call('session_reset', {
        ...observed,
        ...options,
        ...(faults && { faults: [...faults] }),
      })) as unknown as ResetResult,
    step: (tool, args = {}) => step({ action: { tool, args } }),
    steps: (actions) => step({ actions }),
  }
}
