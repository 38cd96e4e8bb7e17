import type { Desktop, Target } from './desktop.ts'

/** What came of an action: the next desktop, and the elements that it pressed on the way, in order. */
export interface Outcome {
  readonly desktop: Desktop
  /** Buttons, links and menu items pressed by a click, by a key or by their accessibility action. */
  readonly pressed: readonly Target[]
}

/** A desktop on its way through one action carries what was pressed so far. */
interface Underway extends Desktop {
  readonly pressed?: readonly Target[]
}

/** Notes that an element was pressed, for whoever reacts to it. */
export function notePress(desktop: Desktop, target: Target): Desktop {
  const underway: Underway = { ...desktop, pressed: [...((desktop as Underway).pressed ?? []), target] }
  return underway
}

/** Ends an action: the note is taken off, and a desktop that is otherwise as before is the one from before. */
export function settle(before: Desktop, after: Desktop): Outcome {
  const { pressed = [], ...desktop }: Underway = after
  if (after === before) return { desktop: before, pressed }
  const names = Object.keys({ ...before, ...desktop }) as (keyof Desktop)[]
  const same = names.every((name) => before[name] === desktop[name])
  return { desktop: same ? before : desktop, pressed }
}
