import { type Desktop, desktopWith, type Press, type Target } from '../model/desktop.ts'
import { hasFields } from '../model/fields.ts'
import { targetOf } from '../tree/element-ref.ts'
import type { WidgetBehaviour } from './widget.ts'

/** What came of an action: the next desktop, and the elements that it pressed on the way, in order. */
export interface ActionEffect {
  readonly desktop: Desktop
  /** Buttons, links, menu items and what is ticked, chosen or unfolded, by a click, by a key or by their accessibility action. */
  readonly pressed: readonly Press[]
}

const NOTHING: readonly Press[] = []

/** Notes that an element was pressed, for whoever reacts to it. */
export const recordPress = (desktop: Desktop, press: Press): Desktop =>
  desktopWith(desktop, { pressed: [...(desktop.pressed ?? NOTHING), press] })

/** Notes that an item was chosen, as a click on it would have done. */
export const recordChoice = (desktop: Desktop, target: Target): Desktop =>
  recordPress(desktop, { ...target, chosen: true })

/** As `notePress`, unless what came of the press has been noted already. */
export const recordPressOnce = (before: Desktop, after: Desktop, target: Target): Desktop =>
  after.pressed === before.pressed ? recordPress(after, target) : after

/** A control to which every key that it knows is a press, as its accessibility action is. */
export const reportingKeyPresses = (widget: WidgetBehaviour): WidgetBehaviour => ({
  ...widget,
  invoke: (desktop, ref) => recordPress(widget.invoke!(desktop, ref), targetOf(ref)),
  key(desktop, ref, chord) {
    const done = widget.key!(desktop, ref, chord)
    return done && recordPress(done, targetOf(ref))
  },
})

/** Ends an action: the note is taken off, and a desktop that is otherwise as before is the one from before. */
export function finishAction(before: Desktop, after: Desktop): ActionEffect {
  const desktop = desktopWith(after, { pressed: undefined })
  return { desktop: hasFields(before, desktop) ? before : desktop, pressed: after.pressed ?? NOTHING }
}
