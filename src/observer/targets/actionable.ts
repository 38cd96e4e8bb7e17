import type { WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/async.ts'
import { Fault, type FaultCode } from '../../base/fault.ts'
import { scrollByWheel } from '../../desktop/apply/wheel.ts'
import { hitTree } from '../../desktop/hit.ts'
import type { Element, Path } from '../../desktop/model/element.ts'
import { centerOf, intersect, type Point, type Rect } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWith } from '../../desktop/model/role.ts'
import { isClosed } from '../../desktop/tree/modal.ts'
import { moreButtonOf, visibilityOf } from '../../desktop/tree/visibility.ts'
import { clickPoint, isConcealed, shownBounds } from '../../desktop/visible-bounds.ts'
import type { DesktopContext } from '../desktop-context.ts'
import type { ResolvedElement } from './elements.ts'
import { uncoveredRegions, visibleRegionsOf } from './window-lookup.ts'

/**
 * The point at which an action hits an element. Throws `ElementDisabled`, `ElementOccluded` or `WindowOccluded`.
 * `scrolls`: the action scrolls the element into view by itself.
 */
export function actionPoint(
  context: DesktopContext,
  window: WindowInfo,
  tree: Element,
  found: ResolvedElement,
  { scrolls = false }: { readonly scrolls?: boolean } = {},
): Awaitable<Point> {
  const { element, path } = found
  if (!element.enabled) throw outOfReach('ElementDisabled', window, found, 'is disabled')
  const shown = shownBounds(tree, path)
  // A real computer scrolls to the element when it acts on it.
  if (!shown && scrolls && !context.computer.info.synthetic && !isConcealed(tree, path)) return centerOf(element.bounds)
  if (!shown) throw outOfSight(context, window, tree, found)
  // Where windows have no positions, none is known to cover another.
  const { synthetic, supports } = context.computer.info
  if (!synthetic && supports.stacking_order !== true) return centerOf(shown)
  return andThen(uncoveredRegions(context, window, shown), (regions) => {
    const at = clickPoint(regions, shown)
    if (!at) return explainCovered(context, window, found, shown)
    if (isBehind(context, tree, path, at)) throw occluded(window, found, 'is behind another element of its window')
    return at
  })
}

/**
 * The fault of an element that is not visible in its window. If scrolling helps, it has the point and the distance; if a button
 * opens the menu that the element is in, it has its id.
 */
function outOfSight(context: DesktopContext, window: WindowInfo, tree: Element, found: ResolvedElement): Fault {
  const opener = closedMenuOf(tree, found.path)
  if (opener)
    return new Fault(
      'ElementOccluded',
      `${described(found)} is in the menu of ${opener.role} ${JSON.stringify(opener.name)}; click that first`,
      { ...contextOf(window, found), opened_by: opener.id },
      {},
      'click_element',
    )
  const concealed = explainConcealed(window, tree, found)
  if (concealed) return concealed
  const { synthetic, mirrored } = context.computer.info
  const wheel = synthetic ? scrollByWheel(tree, found.path, mirrored) : undefined
  if (!wheel) return outOfReach('ElementOccluded', window, found, 'is not shown in its window')
  const { x, y, clicks } = wheel
  return new Fault(
    'ElementOccluded',
    `${described(found)} is scrolled out of view; scroll at ${x},${y} by ${clicks} clicks`,
    { ...contextOf(window, found), scroll: wheel },
    {},
    'scroll',
  )
}

/** Their content opens with a click on them. */
const OPENS_ON_CLICK = rolesWith('opens')

/**
 * The fault of an element that is hidden, or in something that is closed or hidden, the outermost of several. It names the
 * element to click first if that opens it. Undefined for an element that is only clipped. Raising the window would not help.
 */
function explainConcealed(window: WindowInfo, tree: Element, found: ResolvedElement): Fault | undefined {
  let parent = tree
  for (const index of found.path) {
    const child = parent.children[index]!
    if (child.traits?.hidden) {
      const state = isClosed(child) ? 'closed' : 'hidden'
      const isItself = child === found.element
      return occluded(window, found, isItself ? `is ${state}` : `is in ${nameOf(child)}, which is ${state}`)
    }
    if (visibilityOf(parent, child) === 'folded') {
      if (!OPENS_ON_CLICK.has(roleKind(parent.role))) return occluded(window, found, 'is not shown in its window')
      return occluded(window, found, `is in ${nameOf(parent)}, which is closed; click that first`, parent)
    }
    parent = child
  }
  return undefined
}

/** The button of a bar that opens the menu with what does not fit, when an element is in that menu and it is closed. */
function closedMenuOf(tree: Element, path: Path): Element | undefined {
  let bar = tree
  for (const index of path) {
    const child = bar.children[index]
    if (!child) return undefined
    if (child.traits?.inMore) return bar.expanded === true ? undefined : moreButtonOf(bar)
    bar = child
  }
  return undefined
}

/** Throws `WindowOccluded` when the whole window is covered, else `ElementOccluded`. */
async function explainCovered(
  context: DesktopContext,
  window: WindowInfo,
  found: ResolvedElement,
  shown: Rect,
): Promise<never> {
  const notifications = await notificationsOver(context, window, shown)
  const [notification] = notifications
  if (notification && clickPoint(await uncoveredRegions(context, window, shown, notifications), shown))
    throw new Fault(
      'ElementOccluded',
      `${described(found)} is covered by the notification ${JSON.stringify(notification.title)}; close it or wait until it is gone`,
      { ...contextOf(window, found), covered_by: notification.uid },
      {},
      'wait_for',
    )
  if ((await visibleRegionsOf(context, window)).length === 0)
    throw new Fault(
      'WindowOccluded',
      `the window ${JSON.stringify(window.title)} is covered or off the screen; bring_to_foreground raises it`,
      contextOf(window, found),
    )
  throw outOfReach('ElementOccluded', window, found, 'is covered by another window or off the screen')
}

/** The notifications of a synthetic desktop that cover a part of a rectangle of a window. */
async function notificationsOver(
  { computer }: DesktopContext,
  { uid }: WindowInfo,
  shown: Rect,
): Promise<readonly WindowInfo[]> {
  if (!computer.info.synthetic) return []
  const found: WindowInfo[] = []
  for (const above of await computer.windows()) {
    if (above.uid === uid) break
    if (!intersect(above.bounds, shown)) continue
    const tree = await computer.tree(above.uid)
    if (tree && roleKind(tree.role) === 'toast') found.push(above)
  }
  return found
}

const outOfReach = (code: FaultCode, window: WindowInfo, found: ResolvedElement, how: string): Fault =>
  new Fault(code, `${described(found)} ${how}`, contextOf(window, found))

/** The fault of an element that no other window covers, with the element to click first, if that helps. */
const occluded = (window: WindowInfo, found: ResolvedElement, how: string, opener?: Element): Fault =>
  new Fault(
    'ElementOccluded',
    `${described(found)} ${how}`,
    { ...contextOf(window, found), opened_by: opener?.id },
    {},
    opener ? 'click_element' : null,
  )

const described = ({ element }: ResolvedElement): string => nameOf(element)

const nameOf = ({ role, name }: Element): string => `${role} ${JSON.stringify(name)}`

const contextOf = ({ uid }: WindowInfo, { element, selector }: ResolvedElement) => ({
  selector,
  element_id: element.id,
  window_uid: uid,
  bounds: element.bounds,
})

/** Whether another element of the window is at the point. Unknown on a real desktop, where elements often overlap. */
function isBehind(context: DesktopContext, tree: Element, path: Path, at: Point): boolean {
  if (!context.computer.info.synthetic) return false
  const hit = hitTree(tree, at) ?? []
  const shorter = Math.min(hit.length, path.length)
  return path.slice(0, shorter).some((index, depth) => hit[depth] !== index)
}
