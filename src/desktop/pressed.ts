import { type Desktop, desktopWith, type Target } from './desktop.ts'
import { hasFields } from './fields.ts'

/** What came of an action: the next desktop, and the elements that it pressed on the way, in order. */
export interface Outcome {
  readonly desktop: Desktop
  /** Buttons, links and menu items pressed by a click, by a key or by their accessibility action. */
  readonly pressed: readonly Target[]
}

const NOTHING: readonly Target[] = []

/** Notes that an element was pressed, for whoever reacts to it. */
export const notePress = (desktop: Desktop, target: Target): Desktop =>
  desktopWith(desktop, { pressed: [...(desktop.pressed ?? NOTHING), target] })

/** Ends an action: the note is taken off, and a desktop that is otherwise as before is the one from before. */
export function settle(before: Desktop, after: Desktop): Outcome {
  const desktop = desktopWith(after, { pressed: undefined })
  return { desktop: hasFields(before, desktop) ? before : desktop, pressed: after.pressed ?? NOTHING }
}
