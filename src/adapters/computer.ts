import type { Awaitable } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'
import type { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import type { Desktop, Monitor } from '../desktop/model/desktop.ts'
import type { Element } from '../desktop/model/element.ts'
import type { Rect } from '../desktop/model/geometry.ts'
import type { Picture } from '../paint/picture.ts'
import type { Touched } from '../scenario/run.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** What the observer drives: a synthetic desktop or a real one. Every outcome a caller can cause is a `Fault`. */
export interface Computer {
  readonly about: About
  monitors(): Awaitable<readonly Monitor[]>
  /** Front to back, without minimised ones. */
  windows(): Awaitable<readonly WindowInfo[]>
  /** The full accessibility tree of a window, or undefined when there is none. */
  tree(uid: string, options?: TreeOptions): Awaitable<Element | undefined>
  /** A covered window is shown whole; an area is shown as it is seen. */
  screenshot(of: Shot): Awaitable<Picture>
  perform(action: Action, options?: PerformOptions): Awaitable<Performed>
  close(): Awaitable<void>
  /** Ends all input for good: what is under way breaks off, with no key or button left down. */
  halt?(): void
  /** Only a synthetic computer has one. */
  readonly stage?: Stage | undefined
}

export type Shot =
  | { readonly window: string }
  | { readonly area: Rect }
  /** The whole primary monitor. */
  | { readonly screen: true }

export interface About {
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
}

export interface Performed {
  /** How it was done: a scenario's reaction, the desktop's own behaviour, an accessibility action, the pointer, keys. */
  readonly via: 'reaction' | 'behaviour' | 'accessibility' | 'pointer' | 'keyboard' | 'nothing'
  /** Why nothing received the input; only a synthetic computer accepts such input. */
  readonly note?: string
}

/** What is known of a scenario on a synthetic computer, and what can be done to it as a whole. */
export interface Stage {
  /** Its name. */
  readonly scenario: string
  /** The scenario itself. */
  readonly played: Scenario
  readonly state: string
  readonly states: readonly string[]
  readonly oracles: Scenario['oracles']
  readonly seed: number
  /** The desktop as a value, with its files and its clipboard. */
  readonly desktop: Desktop
  /** How many actions were done so far. */
  readonly stepCount: number
  /** How long it has been playing, in milliseconds of its own time, which going back takes back. */
  readonly elapsedMs: number
  /** In how many milliseconds of its own time something happens by itself next, if anything does. */
  readonly nextInMs: number | undefined
  /** The elements that these actions, done one after the other, would be about or press on the way. Nothing is done. */
  foresee(actions: readonly Action[]): readonly Touched[]
  /** The fault that the scenario plans for this call of a tool; each call is counted. */
  meetFault(tool: string): Fault | undefined
  /** Plays another scenario from its beginning. */
  play(scenario: Scenario, seed?: number): void
  /** Begins again, with the same seed unless another is given. */
  reset(seed?: number): void
  /** Goes back to how it was after a step, 0 being the beginning; the steps after it are forgotten. */
  rewind(toStep: number): void
  /** A computer of its own that goes on from here, or from after a step. */
  fork(options?: { readonly clock?: Clock; readonly atStep?: number }): Computer
}
