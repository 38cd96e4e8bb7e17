import { type Desktop, desktopWith, type Press, type Target } from '../model/desktop.ts'
import { hasFields } from '../model/fields.ts'
import { targetOf } from '../tree/element-ref.ts'
import type { Widget } from './widget.ts'

/** What came of an action: the next desktop, and the elements that it pressed on the way, in order. */
export interface Outcome {
  readonly desktop: Desktop
  /** Buttons, links, menu items and what is ticked, chosen or unfolded, by a click, by a key or by their accessibility action. */
  readonly pressed: readonly Press[]
}

const NOTHING: readonly Press[] = []

/** Notes that an element was pressed, for whoever reacts to it. */
export const notePress = (desktop: Desktop, press: Press): Desktop =>
  desktopWith(desktop, { pressed: [...(desktop.pressed ?? NOTHING), press] })

/** Notes that an item was chosen, as a click on it would have done. */
export const noteChoice = (desktop: Desktop, target: Target): Desktop => notePress(desktop, { ...target, chosen: true })

/** As `notePress`, unless what came of the press has been noted already. */
export const noteOnce = (before: Desktop, after: Desktop, target: Target): Desktop =>
  after.pressed === before.pressed ? notePress(after, target) : after

/** A control to which every key that it knows is a press, as its accessibility action is. */
export const pressing = (widget: Widget): Widget => ({
  ...widget,
  invoke: (desktop, ref) => notePress(widget.invoke!(desktop, ref), targetOf(ref)),
  key(desktop, ref, chord) {
    const done = widget.key!(desktop, ref, chord)
    return done && notePress(done, targetOf(ref))
  },
})

/** Ends an action: the note is taken off, and a desktop that is otherwise as before is the one from before. */
export function settle(before: Desktop, after: Desktop): Outcome {
  const desktop = desktopWith(after, { pressed: undefined })
  return { desktop: hasFields(before, desktop) ? before : desktop, pressed: after.pressed ?? NOTHING }
}
