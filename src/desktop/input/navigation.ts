import type { Desktop } from '../model/desktop.ts'
import type { Point } from '../model/geometry.ts'
import type { Button } from '../model/held.ts'
import { type ElementRef, targetOf } from '../tree/element-ref.ts'
import { hitTest } from '../tree/hit.ts'
import { recordPressOnce } from '../widgets/action-effect.ts'
import { widgetAt } from '../widgets/widgets.ts'
import { blockerOf } from '../windows/stacking.ts'
import { parseChord } from './keys.ts'
import { shortcutIn } from './shortcut.ts'
import { UnreceivedInput } from './unreceived.ts'

/** The buttons of a mouse that go back and forward in a history. */
export type NavigationButton = Extract<Button, 'back' | 'forward'>

export const isNavigation = (button: Button): button is NavigationButton => button === 'back' || button === 'forward'

/** The keys that do the same: a control with one of them as its shortcut, or a reaction to one, has the history. */
export const NAVIGATION_KEYS: Readonly<Record<NavigationButton, readonly string[]>> = {
  back: ['browserback', 'alt+left'],
  forward: ['browserforward', 'alt+right'],
}

/** Presses the control with the shortcut for back or forward in the window at a point. Throws `UnreceivedInput` without one. */
export function goThroughHistory(desktop: Desktop, at: Point, button: NavigationButton): Desktop {
  const ref = historyControl(desktop, at, button)
  const invoke = ref && widgetAt(ref)?.invoke
  if (!ref || !invoke)
    throw new UnreceivedInput(`nothing at ${at.x},${at.y} goes ${button} in a history, so nothing received the button`)
  return recordPressOnce(desktop, invoke(desktop, ref), targetOf(ref))
}

function historyControl(desktop: Desktop, at: Point, button: NavigationButton): ElementRef | undefined {
  const window = hitTest(desktop, at)?.window
  if (!window || window.busy || blockerOf(desktop, window)) return undefined
  for (const keys of NAVIGATION_KEYS[button]) {
    const ref = shortcutIn(window, parseChord(keys))
    if (ref) return ref
  }
  return undefined
}
