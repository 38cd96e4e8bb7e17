import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path } from '../../../desktop/model/element.ts'
import { centerOf, contains, type Point } from '../../../desktop/model/geometry.ts'
import { shownBounds } from '../../../desktop/visible-bounds.ts'
import type { PerformResult } from '../../computer.ts'
import { bringIntoView, describeElement } from '../../element-target.ts'
import type { Accessibility, AccessibleApp } from '../accessibility/accessibility.ts'
import { type FoundElement, findTarget } from '../accessibility/element-tree.ts'
import type { WindowTree } from '../accessibility/window-trees.ts'
import type { Bus } from '../dbus.ts'
import type { DesktopInput, DesktopWindow, SessionClipboard, WindowSystem } from '../desktop-backend.ts'
import { grabFocus, scrollIntoView } from './patterns.ts'

/** A single click with the left button. */
export const LEFT_CLICK = { button: 'left', count: 1 } as const

/** Clicks an element at a point, else where it can be reached after scrolling. */
export async function clickFoundElement(
  context: ActionContext,
  found: FoundElement<WindowTree>,
  point: Point | undefined,
  { button, count, modifiers }: Pick<Extract<Action, { type: 'click' }>, 'button' | 'count' | 'modifiers'>,
): Promise<void> {
  const at = point ?? (await pointAfterScrolling(context, found))
  const { menuPress, tree } = found.windowTree
  if (menuPress && isInMenu(tree, found.path)) await context.input.pause(menuPress.atMs + MENU_IGNORES_MS - Date.now())
  await context.input.click(at, button, count, modifiers)
}

/** GTK 3 ignores clicks in a menu for half a second after the press that has opened it. */
const MENU_IGNORES_MS = 550

/** The point where the pointer reaches an element: the wanted one, else the centre of the visible part. */
export async function pointOn(
  context: ActionContext,
  { windowTree, path }: FoundElement<WindowTree>,
  wanted: Point,
): Promise<Point | undefined> {
  const seen = shownBounds(windowTree.tree, path)
  if (!seen) return undefined
  const point = contains(seen, wanted) ? wanted : centerOf(seen)
  const front = (await context.windows.list()).find((window) => contains(window.bounds, point))
  if (front && (front.id === windowTree.window.id || front.owner === windowTree.window.id)) return point
  // On Wayland menus are no windows of the session, and may reach beyond their own.
  return windowTree.window.isWayland && isInMenu(windowTree.tree, path) ? point : undefined
}

const isInMenu = (tree: Element, path: Path): boolean =>
  path.some((_, depth) => nodeAt(tree, path.slice(0, depth + 1))?.role === 'Menu')

/** The point where the pointer reaches a target, after scrolling if necessary. */
export async function pointOver(context: ActionContext, target: Target, at: Point): Promise<Point> {
  const found = await findRecentElement(context, target)
  return (await pointOn(context, found, at)) ?? pointAfterScrolling(context, found)
}

async function pointAfterScrolling(context: ActionContext, found: FoundElement<WindowTree>): Promise<Point> {
  const { windowTree, element } = found
  const { input } = context
  const moved = await bringIntoView(
    {
      inTree: (each) => ({ tree: each.windowTree.tree, path: each.path, element: each.element }),
      find: () => findElement(context, { window: context.windows.uidOf(windowTree.window.id), element: element.id }),
      scrollIntoView: ({ source }) => scrollIntoView(busOf(context), source),
      focus: ({ source }) => grabFocus(busOf(context), source),
      pause: input.pause,
      wheel: async (at, clicks) => {
        await input.move(at)
        await input.scroll(clicks)
      },
    },
    found,
  )
  const point = await pointOn(context, moved, centerOf(moved.element.bounds))
  if (point) return point
  throw new Fault('ElementOccluded', `${describeElement(element)} is covered, scrolled out of view or off the screen`, {
    window_uid: context.windows.uidOf(windowTree.window.id),
    element_id: element.id,
  })
}

/** Clicks an element at a point, by default its centre. */
export async function clickTarget(
  context: ActionContext,
  target: Target,
  pointOf: (element: Element) => Point = ({ bounds }) => centerOf(bounds),
): Promise<void> {
  const found = await findElement(context, target)
  await clickFoundElement(context, found, await pointOn(context, found, pointOf(found.element)), LEFT_CLICK)
}

/** The parts of a real desktop that an action needs. */
export interface ActionContext {
  readonly windows: WindowSystem
  readonly input: DesktopInput
  /** Absent where only keys reach the clipboard. */
  readonly clipboard: SessionClipboard | undefined
  /** Absent where programs offer no accessibility at all. */
  readonly accessibility: Accessibility | undefined
  /** The tree of a window, at most `maxAgeMs` old. */
  windowTree(uid: string, maxAgeMs?: number): Promise<WindowTree>
  appOf(window: DesktopWindow): Promise<AccessibleApp | undefined>
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
export async function ensureActive({ windows }: ActionContext, window: DesktopWindow): Promise<void> {
  if ((await windows.active()) !== window.id) await windows.activate(window.id)
}
