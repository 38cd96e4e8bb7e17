import type { Awaitable } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'
import type { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import type { Desktop, Monitor } from '../desktop/model/desktop.ts'
import type { Element } from '../desktop/model/element.ts'
import { EMPTY_RECT, type Rect, unite } from '../desktop/model/geometry.ts'
import type { Picture } from '../paint/picture.ts'
import type { AffectedElement } from '../scenario/run/run.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** What the observer drives: a synthetic desktop or a real one. Every outcome a caller can cause is a `Fault`. */
export interface Computer {
  readonly info: ComputerInfo
  monitors(): Awaitable<readonly Monitor[]>
  /** Front to back, without minimised ones. */
  windows(): Awaitable<readonly WindowInfo[]>
  /** The full accessibility tree of a window, or undefined when there is none. */
  tree(uid: string, options?: TreeOptions): Awaitable<Element | undefined>
  /** A covered window is shown whole; an area is shown as it is seen. */
  screenshot(of: ScreenshotTarget): Awaitable<Picture>
  perform(action: Action, options?: PerformOptions): Awaitable<PerformResult>
  close(): Awaitable<void>
  /** Ends all input for good: what is under way breaks off, with no key or button left down. */
  abort?(): void
  /** Undefined on a real desktop. */
  readonly simulation?: Simulation | undefined
}

export type ScreenshotTarget =
  | { readonly window: string }
  | { readonly area: Rect }
  /** The primary monitor of a synthetic desktop, all monitors of a real one. */
  | { readonly screen: true }

/** What a picture of the screen shows, in pixels of the screen. */
export function screenArea(synthetic: boolean, monitors: readonly Monitor[]): Rect {
  const shown = synthetic ? monitors.filter(({ primary }) => primary) : monitors
  return shown.map(({ bounds }) => bounds).reduce(unite, EMPTY_RECT)
}

export interface ComputerInfo {
  /** `Linux`, `Darwin`, `Windows` or `WSL`. */
  readonly platform: string
  /** The name clients look for: `MockAdapter` for the synthetic one. */
  readonly adapter: string
  readonly synthetic: boolean
  readonly supports: {
    readonly accessibilityTree: boolean
    readonly nativeInvoke: boolean
    readonly occlusion: boolean
    readonly drag: boolean
  }
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
  /** The window whose menu, list or tooltip this is. Elements of that window may lie in it, so it covers none of them. */
  readonly popupOf?: string
}

export interface TreeOptions {
  /** Nobody acts on this window: what was read before holds until its program reports a change. */
  readonly background?: boolean
}

export interface PerformOptions {
  /**
   * How long a real desktop is given for a window to open or close after the action, in milliseconds. 0 waits for nothing;
   * without it the action ends once its program has reported a change and is quiet. Synthetic desktops have nothing to wait for.
   */
  readonly settleMs?: number | undefined
  /** The window that had the keyboard when the caller was let through; a real desktop gives keys to no other. */
  readonly keyboardWindow?: string | undefined
}

export interface PerformResult {
  /** How it was done: a scenario's reaction, the desktop's own behaviour, an accessibility action, the pointer, keys. */
  readonly via: 'reaction' | 'behaviour' | 'accessibility' | 'pointer' | 'keyboard' | 'nothing'
  /** Why nothing received the input; only a synthetic computer accepts such input. */
  readonly note?: string
}

/** Control over a synthetic computer as a whole. It holds nothing of what the desktop shows. */
export interface SimulationControl {
  /** The name of the scenario. */
  readonly scenario: string
  readonly task: string | undefined
  readonly state: string
  readonly states: readonly string[]
  readonly oracles: Scenario['oracles']
  readonly seed: number
  /** The number of actions done so far. */
  readonly stepCount: number
  /** Time since the start of the scenario, in milliseconds of its own clock. A rewind takes it back. */
  readonly elapsedMs: number
  /** Time until the next timer, in milliseconds of the scenario's clock. Undefined when none is pending. */
  readonly nextTimerInMs: number | undefined
  /** Returns the fault that the scenario plans for this call of a tool; each call is counted. */
  countToolCall(tool: string): Fault | undefined
  /** Starts another scenario. */
  startScenario(scenario: Scenario, seed?: number): void
  /** Starts again, with the same seed by default. */
  reset(seed?: number): void
  /** Returns to the state after a step, 0 being the start, and discards later steps. */
  rewind(toStep: number): void
}

/** A synthetic computer as a whole, with its data before redaction. */
export interface Simulation extends SimulationControl {
  /** The desktop as a value, with its files and its clipboard. */
  readonly desktop: Desktop
  readonly loadedScenario: Scenario
  /** The elements that these actions, done one after the other, would be about or press on the way. Nothing is done. */
  preview(actions: readonly Action[]): readonly AffectedElement[]
  /** Returns an independent computer that continues from now, or from after a step. */
  fork(options?: { readonly clock?: Clock; readonly atStep?: number }): Computer
}
