import type { Awaitable } from '../base/async.ts'
import type { Clock } from '../base/clock.ts'
import type { Fault } from '../base/fault.ts'
import type { Action, Button } from '../desktop/input/action.ts'
import type { Desktop, Monitor, Target } from '../desktop/model/desktop.ts'
import type { Element } from '../desktop/model/element.ts'
import { EMPTY_RECT, type Point, type Rect, unite } from '../desktop/model/geometry.ts'
import type { ElementArea } from '../paint/annotations/areas.ts'
import type { Picture } from '../paint/picture.ts'
import type { ActionExplanation } from '../scenario/explain-action.ts'
import type { CallDisturbance, ChosenFault, FiredFault } from '../scenario/faults/fault-kind.ts'
import type { AffectedElement } from '../scenario/run/step.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ScenarioRun } from '../scenario/scenario-run.ts'
import type { AuthoredChoices, VariantChoices } from '../scenario/variants/axis.ts'
import type { Capabilities } from './capabilities.ts'

/** A synthetic or real desktop, as the observer drives it. Every failure that a caller can cause is a `Fault`. */
export interface Computer {
  readonly info: ComputerInfo
  monitors(): Awaitable<readonly Monitor[]>
  /** The windows front to back, without minimised and hidden ones. */
  windows(): Awaitable<readonly WindowInfo[]>
  /**
   * The windows that are not on the screen: those that the author of a scenario hides, and on a real desktop those that are
   * minimised or on another workspace, which have `state` or `workspace`.
   */
  hiddenWindows?(): Awaitable<readonly WindowInfo[]>
  /** The full accessibility tree of a window, or undefined when there is none. */
  tree(uid: string, options?: TreeOptions): Awaitable<Element | undefined>
  /** What its program needs to offer a tree of a window that has none, in words. */
  treeRemedy?(uid: string): Awaitable<string | undefined>
  /**
   * Trees of a window in which rows of its lists and tables are elements that are not in its tree. Undefined where the
   * tree has all rows.
   */
  treesWithOtherRows?(uid: string): Iterable<Element>
  /** The tree after scrolling to a row of `treesWithOtherRows`, as a scroll action that `reveals` it does. */
  treeWithRowInView?(target: Target): Element | undefined
  /** A window is shown completely, even where it is covered. An area shows what is visible there. */
  screenshot(of: ScreenshotTarget): Awaitable<Picture>
  /** The visible area of each element in a screenshot, the lowest first. Undefined on a real desktop. */
  elementAreas?(of: ScreenshotTarget): Awaitable<readonly ElementArea[]>
  perform(action: Action, options?: PerformOptions): Awaitable<PerformResult>
  /** The text of the clipboard of a real desktop. Undefined where only keys reach it, and on a synthetic desktop, which has `simulation`. */
  readClipboard?(): Awaitable<string>
  /** The position of the pointer in screen pixels, and what is held down. */
  pointer(): Awaitable<PointerState>
  close(): Awaitable<void>
  /**
   * Stops all input permanently. The running action is aborted, and no key or button stays down. With `closing`, others who
   * drive the same desktop go on.
   */
  abort?(options?: { readonly closing?: boolean }): void
  /** Undefined on a real desktop. */
  readonly simulation?: Simulation | undefined
}

/** The pointer of a desktop. */
export interface PointerState {
  readonly at: Point
  readonly buttons: readonly Button[]
  /** The names of keys, as `parseKey` returns them. */
  readonly keys: readonly string[]
}

export type ScreenshotTarget = (
  | { readonly window: string }
  | { readonly area: Rect }
  /** The primary monitor of a synthetic desktop, all monitors of a real one. */
  | { readonly screen: true }
) & {
  /** The screen as it is, without the faults of a scenario: for gates and oracles. */
  readonly actual?: true
}

/** The area that a screenshot of the screen shows, in screen pixels. */
export function screenArea(synthetic: boolean, monitors: readonly Monitor[]): Rect {
  const shown = synthetic ? monitors.filter(({ primary }) => primary) : monitors
  return shown.map(({ bounds }) => bounds).reduce(unite, EMPTY_RECT)
}

export interface ComputerInfo {
  /** `Linux`, `Darwin`, `Windows` or `WSL`. */
  readonly platform: string
  /** The name that clients check, such as `MockAdapter` for the synthetic computer. */
  readonly adapter: string
  readonly synthetic: boolean
  /** Whether the screen runs from right to left. */
  readonly mirrored?: boolean
  /** The colour of the mouse pointer in pictures; white by default. */
  readonly pointer?: 'white' | 'black'
  /** Whether it types at intervals by itself. Otherwise each character is an action of its own. */
  readonly typesAtIntervals?: boolean
  /** For each capability true, or the reason why this computer does not have it. */
  readonly supports: Capabilities
  /** What everyone who uses this computer should know. */
  readonly notice?: string
}

export interface WindowInfo {
  readonly uid: string
  readonly handle: string
  readonly title: string
  readonly process: string
  readonly pid: number
  readonly bounds: Rect
  readonly focused: boolean
  readonly monitorIndex?: number
  readonly scaleFactor?: number
  readonly state?: 'minimized'
  /** The name of its workspace, if that is not the current one. */
  readonly workspace?: string
  /** The window that this menu, list or tooltip belongs to. It may contain elements of that window, so it covers none of them. */
  readonly popupOf?: string
  /** A bar, the launcher or the icons of a desktop with a style: not a window of an application. */
  readonly shell?: true
}

/** Whether a window is not on the screen, but a person can bring it back: it is minimised, or on another workspace. */
export const isAway = ({ state, workspace }: WindowInfo): boolean => state !== undefined || workspace !== undefined

export interface TreeOptions {
  /** Allows a cached tree until its program reports a change, because no action is about this window. */
  readonly background?: boolean
  /** The tree as it is, without the faults of a scenario: for gates and oracles. */
  readonly actual?: boolean
  /** The tree as the scenario has it, not as its personality shows it. */
  readonly asWritten?: boolean
}

export interface PerformOptions {
  /**
   * How long a real desktop waits for a window to open or close after the action, in milliseconds. 0 does not wait.
   * By default the action ends once its program has reported a change and is quiet. Synthetic desktops never wait.
   */
  readonly settleMs?: number | undefined
  /** The window that had the keyboard when the action was admitted. A real desktop sends keys to no other window. */
  readonly keyboardWindow?: string | undefined
}

export interface PerformResult {
  /** How the action was performed: a scenario's reaction, built-in behaviour, an accessibility action, the pointer, keys. */
  readonly via: 'reaction' | 'behaviour' | 'accessibility' | 'pointer' | 'keyboard' | 'nothing'
  /** Why no element received the input. Only a synthetic computer accepts such input. */
  readonly note?: string
}

/** Control over a synthetic computer, without access to the content of its desktop. */
export interface SimulationControl {
  /** The name of the scenario. */
  readonly scenario: string
  /** A hash of its file, as `scenarioHash` computes it. Undefined for one that no file made. */
  readonly scenarioHash: string | undefined
  /** Its file as it was opened: a path, or a name of the gallery. Undefined for one that no file made. */
  readonly scenarioFile: string | undefined
  /** Whether `{{ … }}` is an expression in its texts. */
  readonly isComposed: boolean
  readonly task: string | undefined
  readonly state: string
  readonly states: readonly string[]
  readonly oracles: Scenario['oracles']
  readonly seed: number
  /** The values of the axes in which the scenario differs from its file. Undefined if in none. */
  readonly variant: VariantChoices | undefined
  /** What the variant could not do. */
  readonly variantWarnings: readonly string[]
  /** The number of actions performed so far. */
  readonly stepCount: number
  /** Time since the start of the scenario, in milliseconds of its own clock. A rewind takes it back. */
  readonly elapsedMs: number
  /** What the clock of the scenario, which starts at `start_time`, is ahead of the computer's, in milliseconds. */
  readonly clockShiftMs: number
  /** Time until the next timer, in milliseconds of the scenario's clock. Undefined when none is pending. */
  readonly nextTimerInMs: number | undefined
  /** Counts a call of a tool and returns the fault that the scenario plans for it. */
  countToolCall(tool: string): Fault | undefined
  /** The faults that were chosen for the run, without those of the scenario. */
  readonly chosenFaults: readonly ChosenFault[]
  /** The names of all faults of the catalogue that the run has. */
  readonly faultNames: readonly string[]
  /** The faults of the catalogue that have fired, in order. */
  readonly firedFaults: readonly FiredFault[]
  /** Decides how the faults of the catalogue disturb a call of an agent. */
  disturbCall(): CallDisturbance
  /** Starts another scenario, without faults by default. */
  startScenario(scenario: Scenario, seed?: number, faults?: readonly ChosenFault[]): void
  /**
   * Restarts the scenario, with the same seed, variant and faults by default. Throws `BadRequest` for an unknown axis or
   * value.
   */
  reset(seed?: number, variant?: AuthoredChoices, faults?: readonly ChosenFault[]): void
  /** Returns to the state after a step, 0 being the start, and discards later steps. */
  rewind(toStep: number): void
}

/** Called with what a simulation does. It must not throw. */
export interface RunWatcher {
  /** Before an action, as callers see it, is performed on a run. It may be refused. */
  onAction(run: ScenarioRun, action: Action): void
  /** After the run has changed by an action or by time. */
  onChange(before: ScenarioRun, after: ScenarioRun, fired: FiredBehaviour): void
}

/** The parts of the scenario that changed a run, by their index in the file. */
export interface FiredBehaviour {
  /** In the order in which they were applied. */
  readonly reactions: readonly number[]
  /** In the order of firing; `SCHEDULED` for effects that were scheduled. */
  readonly timers: readonly number[]
}

/** The windows and trees of a run at one moment. */
export interface RunView {
  /** Front to back. */
  readonly windows: readonly WindowInfo[]
  tree(uid: string): Element | undefined
}

/** A synthetic computer with its unredacted data. */
export interface Simulation extends SimulationControl {
  /** The desktop as a value, with its files and its clipboard. */
  readonly desktop: Desktop
  /** The run with its data and its log. */
  readonly run: ScenarioRun
  readonly loadedScenario: Scenario
  /** The run as it was at the start. */
  readonly firstRun: ScenarioRun
  /** The elements that these actions would affect if performed in order. Performs none of them. */
  preview(actions: readonly Action[]): readonly AffectedElement[]
  /** Tells a watcher of each action and each change of the run from now on, besides those before. */
  watch(watcher: RunWatcher): void
  /** The windows and trees of a run, as callers see them without faults. */
  viewAt(run: ScenarioRun): RunView
  /** What the scenario would do with actions on a run, one after the other. Performs none of them. */
  explain(run: ScenarioRun, actions: readonly Action[]): readonly ActionExplanation[]
  /** Returns an independent computer that continues from now, or from after a step. */
  fork(options?: { readonly clock?: Clock; readonly atStep?: number }): Computer
}
