import type { Button, Modifier } from '../input/action.ts'
import type { Chord } from '../input/keys.ts'
import { type CellEdit, type Desktop, desktopWith, type Press, type Target } from '../model/desktop.ts'
import { type Element, hasFields } from '../model/element.ts'
import type { Point, Rect } from '../model/geometry.ts'
import { type ElementRef, targetOf } from '../tree/element-ref.ts'

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

/** The effect of an action: the next desktop, and the elements that it pressed, in order. */
export interface ActionEffect {
  readonly desktop: Desktop
  /**
   * Buttons, links, menu items, and elements that were toggled, chosen or expanded, by a click, a key or their
   * accessibility action.
   */
  readonly pressed: readonly Press[]
  /** Set if invalid fields blocked the button that the action pressed. Then the action triggers no reaction. */
  readonly refused?: true
  /** New texts that the user gave cells of virtual tables, in order. Absent without any. */
  readonly cellEdits?: readonly CellEdit[]
}

const NOTHING: readonly Press[] = []
const NO_EDITS: readonly CellEdit[] = []

/** Records that an element was pressed, for reactions. */
export const recordPress = (desktop: Desktop, press: Press): Desktop =>
  desktopWith(desktop, { pressed: [...(desktop.pressed ?? NOTHING), press] })

/** Records the new text of a cell, for the data that the table shows. */
export const recordCellEdit = (desktop: Desktop, edit: CellEdit): Desktop =>
  desktopWith(desktop, { cellEdits: [...(desktop.cellEdits ?? NO_EDITS), edit] })

/** Records that an item was chosen, as by a click. */
export const recordChoice = (desktop: Desktop, target: Target): Desktop =>
  recordPress(desktop, { ...target, chosen: true })

/** Like `recordPress`, unless the action recorded a press already. */
export const recordPressOnce = (before: Desktop, after: Desktop, target: Target): Desktop =>
  after.pressed === before.pressed ? recordPress(after, target) : after

/** Wraps a control whose every key is a press, like its accessibility action. */
export const reportingKeyPresses = (widget: WidgetBehaviour): WidgetBehaviour => ({
  ...widget,
  invoke: (desktop, ref) => recordPress(widget.invoke!(desktop, ref), targetOf(ref)),
  key(desktop, ref, chord) {
    const done = widget.key!(desktop, ref, chord)
    return done && recordPress(done, targetOf(ref))
  },
})

/** Finishes an action: removes the records, and returns the previous desktop if nothing else changed. */
export function finishAction(before: Desktop, after: Desktop): ActionEffect {
  const desktop = desktopWith(after, { pressed: undefined, refused: undefined, cellEdits: undefined })
  return {
    desktop: hasFields(before, desktop) ? before : desktop,
    pressed: after.pressed ?? NOTHING,
    ...(after.refused && { refused: after.refused }),
    ...(after.cellEdits && { cellEdits: after.cellEdits }),
  }
}
