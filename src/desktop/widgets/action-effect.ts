import { type CellEdit, type Desktop, desktopWith, type Press, type Target } from '../model/desktop.ts'
import { hasFields } from '../model/fields.ts'
import { targetOf } from '../tree/element-ref.ts'
import type { WidgetBehaviour } from './widget.ts'

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
