import type { Button, Modifier } from '../input/action.ts'
import type { Chord } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Point } from '../model/geometry.ts'
import type { ElementRef } from '../tree/element-ref.ts'

/** A click as the element under it sees it. */
export interface ClickGesture {
  readonly at: Point
  readonly button: Button
  /** 2 is a double click, 3 a triple one. */
  readonly count: number
  readonly modifiers: readonly Modifier[]
}

/** Which option of a list, combo box, menu or row of tabs is meant. */
export type OptionQuery = { readonly name: string } | { readonly index: number }

/**
 * How one kind of control behaves. Each function gets the desktop and where the control stands in it, and gives the
 * next desktop; the same one when it has nothing to do. A function that is missing is something the control cannot do.
 */
export interface WidgetBehaviour {
  /** A left click; the window has come to the front and the keyboard has moved already. */
  click?(desktop: Desktop, ref: ElementRef, gesture: ClickGesture): Desktop
  /** What its accessibility action does: press, tick, open. Without it a click in the middle is all there is. */
  invoke?(desktop: Desktop, ref: ElementRef): Desktop
  /** A key while it has the keyboard; undefined when the key means nothing here, so that others may have it. */
  key?(desktop: Desktop, ref: ElementRef, chord: Chord): Desktop | undefined
  /** Text while it has the keyboard. */
  type?(desktop: Desktop, ref: ElementRef, text: string): Desktop
  setValue?(desktop: Desktop, ref: ElementRef, value: string, clearFirst: boolean): Desktop
  select?(desktop: Desktop, ref: ElementRef, option: OptionQuery): Desktop
  /** A press at `from` that is let go at `to`; undefined when it is no drag of this control. */
  drag?(desktop: Desktop, ref: ElementRef, from: Point, to: Point, modifiers: readonly Modifier[]): Desktop | undefined
  /** The wheel over it, positive clicks up; undefined when it does not scroll, so that what holds it may. */
  scroll?(desktop: Desktop, ref: ElementRef, clicks: number): Desktop | undefined
}
