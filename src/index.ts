/** The public API. `backlot/testing` exports more for tests. */

import { ALL_TOOLS as allTools } from './observer/registry.ts'
import type { ToolInfo } from './observer/tool.ts'
import * as load from './scenario/load/load.ts'
import type { Scenario } from './scenario/scenario.ts'

export { type Clock, realClock, virtualClock } from './base/clock.ts'
export { FAULTS, Fault, type FaultCode } from './base/fault.ts'
export { Config, ConfigError, type ConfigInput, type LoadedConfig, loadConfig } from './compose/config.ts'
export { createDriver, type Driver, type Locator } from './compose/driver.ts'
export {
  createEnvironment,
  type Environment,
  type EnvironmentAction,
  type EnvironmentOptions,
  type ResetResult,
  type StepResult,
} from './compose/environment.ts'
export { loadScenario, render, validateScenario } from './compose/preview.ts'
export { createTestbed, type Testbed, type TestbedOptions } from './compose/testbed.ts'
export { type Check, verifyScenario } from './compose/verify/verify.ts'
export type { Action } from './desktop/input/action.ts'
export type { Desktop, Monitor, Window } from './desktop/model/desktop.ts'
export type { Element } from './desktop/model/element.ts'
export { applyTreeChanges, diffTrees, type TreeChange } from './desktop/tree/diff.ts'
export { treeHash } from './desktop/tree/hash.ts'
export { querySelectorAll, selectorOf } from './desktop/tree/select.ts'
export { formatSelector, parseSelector } from './desktop/tree/selector.ts'
export { call } from './observer/call.ts'
export { DesktopSession } from './observer/session/session.ts'
export { createPainter } from './paint/painter.ts'
export type { Picture } from './paint/picture.ts'
export { comparePictures } from './paint/picture-similarity.ts'
export { createAnthropicToolset } from './protocols/computer-tools/anthropic/dialect.ts'
export {
  type BrowserDriverOptions,
  createAnthropicBrowserToolset,
  createOpenAiBrowserDriver,
  type OpenAiBrowserDriver,
  type OpenAiBrowserOptions,
} from './protocols/computer-tools/browser-drivers.ts'
export type {
  ComputerCallOptions,
  ComputerCallResult,
  ComputerDriverOptions,
  ComputerTarget,
  ComputerToolOptions,
} from './protocols/computer-tools/dialect.ts'
export {
  createOpenAiComputer,
  createOpenAiDriver,
  type OpenAiAgentsComputer,
  type OpenAiComputerOptions,
  type OpenAiDriver,
} from './protocols/computer-tools/openai.ts'
export type { RemoteDesktop } from './protocols/computer-tools/remote.ts'
export type { ComputerDefinitions, ComputerOutputs, ComputerVendor } from './protocols/computer-tools/vendors.ts'
export { computerTool, runComputerCall } from './protocols/computer-tools/vendors.ts'
export { startScenario, stepScenario } from './scenario/run/step.ts'
export type { Scenario } from './scenario/scenario.ts'
export type { ScenarioRun } from './scenario/scenario-run.ts'

/** The tools of the observer, sorted by name. `call` takes their names. */
export const TOOLS: readonly ToolInfo[] = allTools

/**
 * Parses the YAML text of a scenario.
 * @param text The YAML text.
 * @param options The file name in error messages, and the maximum number of values in the text.
 * @throws A `Fault` `ScenarioInvalid` that lists every problem with line and column.
 * @example
 * const scenario = parseScenario(readFileSync('my.yaml', 'utf8'), { file: 'my.yaml' })
 */
export const parseScenario: (text: string, options?: load.ParseOptions) => Scenario = load.parseScenario
