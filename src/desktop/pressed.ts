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
  const { pressed } = after as Underway
  const desktop = pressed ? withoutNote(after) : after
  return { desktop: isSame(before, desktop) ? before : desktop, pressed: pressed ?? NOTHING }
}

const NOTHING: readonly Target[] = []

function withoutNote({ pressed: _, ...desktop }: Underway): Desktop {
  return desktop
}

const isSame = (a: Desktop, b: Desktop): boolean => a === b || (holdsAllOf(a, b) && holdsAllOf(b, a))

function holdsAllOf(desktop: Desktop, other: Desktop): boolean {
  for (const name in other) if (desktop[name as keyof Desktop] !== other[name as keyof Desktop]) return false
  return true
}
