import { Fault } from '../../../base/fault.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import { centerOf, contains, type Point } from '../../../desktop/model/geometry.ts'
import { shownBounds } from '../../../desktop/tree/visible-bounds.ts'
import { describeElement } from '../../find-option.ts'
import { bringIntoView } from '../../scroll-into-view.ts'
import { type ActionOf, type FoundInWindow, findInWindow, type WindowsContext } from './action-context.ts'

/** The parts of a click that do not depend on its place. */
type ClickKind = Pick<ActionOf<'click'>, 'button' | 'count' | 'modifiers'>

/** Clicks an element at a point, else where it can be reached after scrolling. */
export async function clickInWindow(
  context: WindowsContext,
  found: FoundInWindow,
  wanted: Point = centerOf(found.element.bounds),
  { button, count, modifiers }: ClickKind = { button: 'left', count: 1 },
): Promise<void> {
  await context.input.click(await reachablePoint(context, found, wanted), button, count, modifiers)
}

/** The point where the pointer reaches a target, after scrolling if necessary. */
export const pointOverTarget = async (context: WindowsContext, target: Target, at: Point): Promise<Point> =>
  reachablePoint(context, await findInWindow(context, target), at)

/** The point on an element that no other window covers, after scrolling if necessary. Throws `ElementOccluded`. */
async function reachablePoint(context: WindowsContext, found: FoundInWindow, wanted: Point): Promise<Point> {
  const shown = await uncoveredPoint(context, found, wanted)
  if (shown) return shown
  const { accessibility, input } = context
  const { uid, element } = found
  const moved = await bringIntoView<FoundInWindow>(
    {
      inTree: (each) => each,
      find: () => findInWindow(context, { window: uid, element: element.id }, 0),
      scrollIntoView: ({ ref }) => accessibility.scrollIntoView(ref),
      focus: ({ ref }) => accessibility.focus(ref),
      wheel: async (at, clicks) => {
        await input.move(at)
        await input.scroll(clicks)
      },
      pause: input.pause,
    },
    found,
  )
  const point = await uncoveredPoint(context, moved, centerOf(moved.element.bounds))
  if (point) return point
  throw new Fault('ElementOccluded', `${describeElement(element)} is covered, scrolled out of view or off the screen`, {
    window_uid: uid,
    element_id: element.id,
  })
}

/** The wanted point, else the centre of the visible part. Undefined when another window is in front there. */
async function uncoveredPoint(
  { accessibility, assertReachable }: WindowsContext,
  { uid, tree, path }: FoundInWindow,
  wanted: Point,
): Promise<Point | undefined> {
  const seen = shownBounds(tree, path)
  if (!seen) return undefined
  const point = contains(seen, wanted) ? wanted : centerOf(seen)
  const front = (await accessibility.windows()).find(({ bounds }) => contains(bounds, point))
  if (!front || (front.uid !== uid && front.popupOf !== uid)) return undefined
  assertReachable(front)
  return point
}
