import type { Action } from '../../../desktop/input/action.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import type { Point } from '../../../desktop/model/geometry.ts'
import type { PerformResult } from '../../computer.ts'
import type { Accessibility, AccessibleApp } from '../accessibility/accessibility.ts'
import { type FoundElement, findTarget } from '../accessibility/element-lookup.ts'
import type { WindowTree } from '../accessibility/window-trees.ts'
import type { Bus } from '../dbus/bus.ts'
import type { DesktopInput } from '../input/input.ts'
import type { Display } from '../x11/display.ts'
import { activateXWindow, activeWindow, type XWindow } from '../x11/windows.ts'

/** The parts of a real desktop that an action needs. */
export interface ActionContext {
  readonly display: Display
  readonly input: DesktopInput
  /** Absent where programs offer no accessibility at all. */
  readonly accessibility: Accessibility | undefined
  /** The tree of a window, at most `maxAgeMs` old. */
  windowTree(uid: string, maxAgeMs?: number): Promise<WindowTree>
  appOf(window: XWindow): Promise<AccessibleApp | undefined>
  /** Invalidates the cached trees of a program, even if it reports no change. */
  expire(app: AccessibleApp): void
}

/** How an action was performed. */
export type Via = PerformResult['via']

/** An action on an element. */
export type TargetedAction = Extract<Action, { target: Target; at: Point }>

/** A program that reports no change for this time counts as settled. */
export const QUIET_MS = 50

/** The maximum time for a list to open. */
export const MAX_OPEN_MS = 500

/** The interval of polling for a change. */
export const POLL_INTERVAL_MS = 10

/** Finds an element in a tree that is at most `maxAgeMs` old. */
export const findElement = async (
  context: ActionContext,
  target: Target,
  maxAgeMs = 0,
): Promise<FoundElement<WindowTree>> => findTarget(await context.windowTree(target.window, maxAgeMs), target)

/** A tree that was read to find an element is recent enough to act on it, unless its program has reported a change. */
const MAX_RECENT_TREE_AGE_MS = 100

/** Finds an element in a recent tree. */
export const findRecentElement = (context: ActionContext, target: Target): Promise<FoundElement<WindowTree>> =>
  findElement(context, target, MAX_RECENT_TREE_AGE_MS)

/** The accessibility bus, which exists when an element was found. */
export const busOf = (context: ActionContext): Bus => context.accessibility!.bus

/** Activates a window unless it is active. */
export async function ensureActive({ display }: ActionContext, window: XWindow): Promise<void> {
  if ((await activeWindow(display)) !== window.id) await activateXWindow(display, window.id)
}
