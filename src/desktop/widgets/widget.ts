import type { Button, Modifier } from '../input/action.ts'
import type { Chord } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Point, Rect } from '../model/geometry.ts'
import type { ElementRef } from '../tree/element-ref.ts'

/** A click on an element. */
export interface ClickGesture {
  readonly at: Point
  readonly button: Button
  /** 2 for a double click, 3 for a triple click. */
  readonly count: number
  readonly modifiers: readonly Modifier[]
}

/** The element that a drop goes to, and, in a list, the line without height where the dropped item would be. */
export interface DropTarget {
  readonly ref: ElementRef
  readonly line?: Rect
}

/** The option of a list, combo box, menu or row of tabs to choose. */
export type OptionQuery = { readonly name: string } | { readonly index: number }

/**
 * The behaviour of one kind of control. Each function takes the desktop and a reference to the control, and returns the
 * next desktop, or the same one if nothing changes. A missing function means that the control does not support the
 * action.
 */
export interface WidgetBehaviour {
  /** Handles a left click, after the window came to the front and the focus moved. */
  click?(desktop: Desktop, ref: ElementRef, gesture: ClickGesture): Desktop
  /** The accessibility action: press, toggle, open. The default is a click in the middle. */
  invoke?(desktop: Desktop, ref: ElementRef): Desktop
  /**
   * Handles a key while it has the focus. Returns undefined for keys without a meaning, so that others can handle them.
   */
  key?(desktop: Desktop, ref: ElementRef, chord: Chord): Desktop | undefined
  /** Handles typed text while it has the focus. */
  type?(desktop: Desktop, ref: ElementRef, text: string): Desktop
  setValue?(desktop: Desktop, ref: ElementRef, value: string, clearFirst: boolean): Desktop
  select?(desktop: Desktop, ref: ElementRef, option: OptionQuery): Desktop
  /**
   * The position in the control that a press at a point takes hold of: an offset in a text, the value of a scrollbar. The
   * control then follows the pointer, and `drag` receives the position. Undefined if the control is only dropped.
   */
  grab?(element: Element, at: Point): number | undefined
  /**
   * Handles a drag from `from` to `to`, whose press took hold of `grabbed`. Returns undefined if the control cannot be
   * dragged there.
   */
  drag?(
    desktop: Desktop,
    ref: ElementRef,
    from: Point,
    to: Point,
    modifiers: readonly Modifier[],
    grabbed: number | undefined,
  ): Desktop | undefined
  /** What would take the element if a drag ended at a point. Undefined if nothing there takes it. */
  dropTarget?(desktop: Desktop, ref: ElementRef, at: Point): DropTarget | undefined
  /**
   * Handles the wheel, positive clicks up, or to the left on the axis `x`. Clicks may be fractions. Returns undefined if it
   * does not scroll on that axis, so that an ancestor can.
   */
  scroll?(desktop: Desktop, ref: ElementRef, clicks: number, axis: WheelAxis): Desktop | undefined
}

/** The direction of a wheel: `y` is up and down. */
export type WheelAxis = 'x' | 'y'

/** The whole clicks of a wheel, for controls that change in steps: at least one. */
export const wholeClicks = (clicks: number): number => Math.sign(clicks) * Math.max(1, Math.round(Math.abs(clicks)))
