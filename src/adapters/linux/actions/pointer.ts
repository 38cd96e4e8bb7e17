import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import { centerOf, contains, type Point } from '../../../desktop/model/geometry.ts'
import { shownBounds } from '../../../desktop/tree/visible-bounds.ts'
import { describeElement } from '../../find-option.ts'
import { bringIntoView } from '../../scroll-into-view.ts'
import type { FoundElement } from '../accessibility/element-lookup.ts'
import type { WindowTree } from '../accessibility/window-trees.ts'
import { listXWindows, xWindowUid } from '../x11/windows.ts'
import { type ActionContext, busOf, findElement, findRecentElement } from './action-context.ts'
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
  await context.input.click(at, button, count, modifiers)
}

/** The point where the pointer reaches an element: the wanted one, else the centre of the visible part. */
export async function pointOn(
  context: ActionContext,
  { windowTree, path }: FoundElement<WindowTree>,
  wanted: Point,
): Promise<Point | undefined> {
  const seen = shownBounds(windowTree.tree, path)
  if (!seen) return undefined
  const point = contains(seen, wanted) ? wanted : centerOf(seen)
  const front = (await listXWindows(context.display)).find((window) => contains(window.bounds, point))
  return front && (front.id === windowTree.window.id || front.owner === windowTree.window.id) ? point : undefined
}

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
      find: () => findElement(context, { window: xWindowUid(windowTree.window.id), element: element.id }),
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
    window_uid: xWindowUid(windowTree.window.id),
    element_id: element.id,
  })
}

/** Clicks the centre of an element. */
export async function clickTarget(context: ActionContext, target: Target): Promise<void> {
  const found = await findElement(context, target)
  await clickFoundElement(context, found, await pointOn(context, found, centerOf(found.element.bounds)), LEFT_CLICK)
}
