import type { Button, Modifier } from '../input/action.ts'
import type { Chord } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Point } from '../model/geometry.ts'
import type { Spot } from '../tree/spot.ts'

/** A click as the element under it sees it. */
export interface Gesture {
  readonly at: Point
  readonly button: Button
  /** 2 is a double click, 3 a triple one. */
  readonly count: number
  readonly modifiers: readonly Modifier[]
}

/** Which option of a list, combo box, menu or row of tabs is meant. */
export type Option = { readonly name: string } | { readonly index: number }

/**
 * How one kind of control behaves. Each function gets the desktop and where the control stands in it, and gives the
 * next desktop; the same one when it has nothing to do. A function that is missing is something the control cannot do.
 */
export interface Widget {
  /** A left click; the window has come to the front and the keyboard has moved already. */
  click?(desktop: Desktop, spot: Spot, gesture: Gesture): Desktop
  /** What its accessibility action does: press, tick, open. Without it a click in the middle is all there is. */
  invoke?(desktop: Desktop, spot: Spot): Desktop
  /** A key while it has the keyboard; undefined when the key means nothing here, so that others may have it. */
  key?(desktop: Desktop, spot: Spot, chord: Chord): Desktop | undefined
  /** Text while it has the keyboard. */
  type?(desktop: Desktop, spot: Spot, text: string): Desktop
  setValue?(desktop: Desktop, spot: Spot, value: string, clearFirst: boolean): Desktop
  select?(desktop: Desktop, spot: Spot, option: Option): Desktop
  /** A press at `from` that is let go at `to`; undefined when it is no drag of this control. */
  drag?(desktop: Desktop, spot: Spot, from: Point, to: Point, modifiers: readonly Modifier[]): Desktop | undefined
  /** The wheel over it, positive clicks up; undefined when it does not scroll, so that what holds it may. */
  scroll?(desktop: Desktop, spot: Spot, clicks: number): Desktop | undefined
}
