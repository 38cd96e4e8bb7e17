/** The public API: everything that programs may rely on. Tests find more in `backlot/testing`. */

import { ALL_TOOLS as allTools } from './observer/registry.ts'
import type { ToolInfo } from './observer/tool.ts'
import * as load from './scenario/load.ts'
import type { Scenario } from './scenario/scenario.ts'

export { type Clock, realClock, virtualClock } from './base/clock.ts'
export { FAULTS, Fault, type FaultCode } from './base/fault.ts'
export { Config, ConfigError, type LoadedConfig, loadConfig, type WrittenConfig } from './config.ts'
export type { Action } from './desktop/input/action.ts'
export type { Desktop, Monitor, Window } from './desktop/model/desktop.ts'
export type { Element } from './desktop/model/element.ts'
export { applyTreeChanges, diffTrees, type TreeChange } from './desktop/tree/diff.ts'
export { treeHash } from './desktop/tree/hash.ts'
export { select, selectorOf } from './desktop/tree/select.ts'
export { formatSelector, parseSelector } from './desktop/tree/selector.ts'
export { type Driver, drive, type Part } from './driver.ts'
export {
  type Environment,
  type EnvironmentAction,
  type EnvironmentOptions,
  environmentOf,
  type Transition,
} from './environment.ts'
export { call } from './observer/call.ts'
export { Session } from './observer/session/session.ts'
export { compare } from './paint/compare/ssim.ts'
export { createPainter } from './paint/painter.ts'
export type { Picture } from './paint/picture.ts'
export { type Claim, proveScenario } from './proof.ts'
export { type ScenarioRun, startRun, step } from './scenario/run.ts'
export type { Scenario } from './scenario/scenario.ts'
export { openScenario, render, validateScenario } from './studio.ts'
export { createTestbed, type Testbed, type TestbedOptions } from './testbed.ts'

/** The tools of the observer, sorted by name. `call` takes their names. */
export const TOOLS: readonly ToolInfo[] = allTools

/**
 * Reads the text of a scenario.
 * @param text The YAML text.
 * @param options The name of the file in problems, and the most values that the text may make.
 * @throws A `Fault` `ScenarioInvalid` that lists every problem with line and column.
 * @example
 * const scenario = loadScenario(readFileSync('my.yaml', 'utf8'), { file: 'my.yaml' })
 */
export const loadScenario: (text: string, options?: load.LoadOptions) => Scenario = load.loadScenario
