import { Fault, type FaultContext } from '../../base/fault.ts'
import type { Button, Target } from '../model/desktop.ts'
import type { Point } from '../model/geometry.ts'

export type { Button } from '../model/desktop.ts'
export type Modifier = 'ctrl' | 'shift' | 'alt' | 'meta'

/**
 * Every action on a desktop, synthetic or real. Actions always have a point. If the caller named an element, they also
 * have a target, so that a real computer can prefer the element's accessibility action to the pointer.
 */
export type Action =
  | {
      readonly type: 'click'
      readonly at: Point
      readonly button: Button
      /** 2 for a double click. */
      readonly count: number
      readonly modifiers?: readonly Modifier[]
      readonly target?: Target
    }
  | { readonly type: 'hover'; readonly at: Point; readonly forMs: number; readonly target?: Target }
  | {
      readonly type: 'drag'
      readonly from: Point
      readonly to: Point
      readonly modifiers: readonly Modifier[]
      readonly durationMs: number
      /** The points between the ends that the pointer passes. */
      readonly through?: readonly Point[]
      /** Left by default. */
      readonly button?: Button
      readonly fromTarget?: Target
      readonly toTarget?: Target
    }
  /**
   * Positive clicks scroll up, and `across` to the right. They may be fractions. The point defaults to the pointer. With
   * `reveals`, the list or table of the target, a row that need not be in the tree, scrolls until it is in view. Only
   * synthetic computers know such rows.
   */
  | {
      readonly type: 'scroll'
      readonly clicks: number
      readonly across?: number
      readonly modifiers?: readonly Modifier[]
      readonly at?: Point
      readonly target?: Target
      readonly reveals?: true
    }
  /** Presses a button and holds it. A `hover` then drags. */
  | { readonly type: 'press'; readonly at: Point; readonly button: Button }
  /** Releases a button: a click where it was pressed, otherwise the end of a drag. */
  | { readonly type: 'release'; readonly at: Point; readonly button: Button }
  /** Types into the focused element, and waits after each character for an interval, in milliseconds of desktop time. */
  | { readonly type: 'type'; readonly text: string; readonly intervalMs?: number }
  /** Presses a key or chord such as `ctrl+s` in the focused element. */
  | { readonly type: 'key'; readonly keys: string }
  /** Presses a key and holds it. */
  | { readonly type: 'key_down'; readonly key: string }
  | { readonly type: 'key_up'; readonly key: string }
  /** Holds a key or chord. It repeats, as `repeatsIn` counts. */
  | { readonly type: 'hold'; readonly keys: string; readonly forMs: number }
  | { readonly type: 'focus'; readonly target: Target; readonly at: Point }
  | { readonly type: 'invoke'; readonly target: Target; readonly at: Point }
  | {
      readonly type: 'set_value'
      readonly target: Target
      readonly at: Point
      readonly value: string
      readonly clearFirst: boolean
    }
  | {
      readonly type: 'select'
      readonly target: Target
      readonly at: Point
      readonly option: { readonly name: string } | { readonly index: number }
    }
  | { readonly type: 'clear_text'; readonly target: Target; readonly at: Point }
  | { readonly type: 'activate'; readonly window: string }
  | { readonly type: 'window'; readonly window: string; readonly to: 'close' | 'minimize' | 'maximize' | 'restore' }
  /** Replaces the text of the clipboard. */
  | { readonly type: 'set_clipboard'; readonly text: string }
  /** Writes a file at an absolute path, with the folders that it needs. */
  | { readonly type: 'write_file'; readonly path: string; readonly text: string }
  /** Calls a tool that the page in a browser registers for agents. Only a scenario does something. */
  | {
      readonly type: 'webmcp_call'
      readonly window: string
      readonly name: string
      readonly input: Readonly<Record<string, unknown>>
    }

/** Input that nothing on the desktop receives, such as a click beyond the screens. Nothing was done. */
export class UnreceivedInput extends Fault {
  constructor(message: string, context: FaultContext = {}) {
    super('BadRequest', message, context)
  }
}
