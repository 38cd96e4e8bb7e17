import { isInTab } from '../../desktop/model/control-metrics.ts'
import { changeAt, controlPart, type Element, withFields } from '../../desktop/model/element.ts'
import { isEmptyRect } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWith } from '../../desktop/model/role.ts'
import { shellText } from '../../desktop/model/shell-texts.ts'
import type { Overflow } from '../../desktop/model/traits.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { isDialog } from '../../desktop/tree/modal.ts'
import { subtreePredicate, visibilityOf } from '../../desktop/tree/visibility.ts'
import { isEdgeBar, offsetOf, scrolledTo } from '../../desktop/widgets/scrolling.ts'
import { layoutStyleOf } from './style.ts'

/** Elements that scroll if their laid out content does not fit, including the root of a window. */
const OVERFLOWS = rolesWith('overflows')

/**
 * Makes an element scrollable if its content overflows, and keeps its scroll offset. `top` is the height of a title.
 */
export function withOverflow(element: Element, metrics: Metrics, top?: number): Element {
  const kind = roleKind(element.role)
  if (!OVERFLOWS.has(kind)) return element
  const overflow = overflowOf(
    element,
    metrics,
    top ?? (kind === 'dialog' ? layoutStyleOf(element, false, metrics).top : 0),
  )
  const known = element.traits?.overflow
  const same = known === overflow || (known && overflow && JSON.stringify(known) === JSON.stringify(overflow))
  const { x, y } = offsetOf(element)
  if (same) return overflow ? scrolledTo(element, y, x) : element
  if (overflow) return scrolledTo(withTraits(element, { overflow }), y, x)
  return withTraits(scrolledTo(element, 0, 0), { overflow: undefined })
}

function overflowOf(element: Element, metrics: Metrics, top: number): Overflow | undefined {
  const { x, y, width, height } = element.bounds
  const moved = offsetOf(element)
  const bars = element.children.filter((child) => isEdgeBar(element, child))
  const isPlaced = (child: Element) => child.place !== undefined && !child.traits?.hidden && !isDialog(child)
  const content = element.children.filter(
    (child) => isPlaced(child) && visibilityOf(element, child) === 'inline' && !bars.includes(child),
  )
  const under = content.some(({ bounds }) => bounds.y + bounds.height + moved.y > y + height - footOf(bars, element))
  const beside = content.some(({ bounds }) => bounds.x + bounds.width + moved.x > x + width)
  if ((!under && !beside) || isEmptyRect(element.bounds)) return undefined
  const head = bars.filter((bar) => bar.bounds.y <= (content[0]?.bounds.y ?? 0) + moved.y)
  const { padding } = layoutStyleOf(element, false, metrics)
  return {
    top: Math.max(top, ...head.map(({ bounds }) => bounds.y + bounds.height - y)),
    bottom: footOf(bars, element),
    end: padding,
  }
}

/** The height of the bars at the bottom of an element. */
export function footOf(bars: readonly Element[], { bounds }: Element): number {
  const bottom = bounds.y + bounds.height
  const feet = bars.filter((bar) => bar.bounds.y > bounds.y + bounds.height / 2)
  return Math.max(0, ...feet.map((bar) => bottom - bar.bounds.y))
}

const isBarOrTabs = ({ role }: Element): boolean => roleKind(role) === 'toolbar' || roleKind(role) === 'tabs'
const holdsBar = subtreePredicate('special', isBarOrTabs)

/**
 * Moves the last tools of each tool bar, and the last tabs, that do not fit into the menu of a button `More`. `widthOf`
 * measures an element of a bar. Returns the same tree if nothing changes.
 */
export function withMoreButtons(root: Element, metrics: Metrics, widthOf: (child: Element) => number): Element {
  if (!metrics.bar.hasMore || !holdsBar(root)) return root
  let next = root
  root.children.forEach((_, index) => {
    next = changeAt(next, [index], (here) => withMoreButtons(here, metrics, widthOf))
  })
  return isBarOrTabs(root) && root.layout?.arrange === undefined ? fitted(next, metrics, widthOf) : next
}

function fitted(bar: Element, metrics: Metrics, widthOf: (child: Element) => number): Element {
  const isTabs = roleKind(bar.role) === 'tabs'
  const own = bar.children.filter(({ traits }) => !traits?.opensMore)
  const shown = own.filter(
    ({ traits, place, role }) => !traits?.hidden && place !== undefined && (!isTabs || roleKind(role) === 'tab'),
  )
  const gap = isTabs ? TAB_GAP : metrics.bar.toolGap
  const widths = new Map(shown.map((child) => [child, widthOf(child) + gap]))
  const least = shown.reduce(
    (sum, child) => sum + (canShrink(child, isTabs) ? metrics.control.minFieldInBar + gap : widths.get(child)!),
    0,
  )
  const away = new Set<Element>()
  if (least - gap > roomIn(bar, isTabs, metrics)) {
    let over = least + metrics.control.inBar - roomIn(bar, isTabs, metrics)
    for (const child of shown.toReversed()) {
      if (over <= 0) break
      if (!canMove(child, isTabs)) continue
      away.add(child)
      over -= widths.get(child)!
    }
  }
  const children = own.map((child) => {
    const inMore = away.has(child) || undefined
    return child.traits?.inMore === inMore ? child : withTraits(child, { inMore })
  })
  if (away.size > 0) {
    const known = bar.children.find(({ traits }) => traits?.opensMore)
    const last = children.findLastIndex(({ traits }) => traits?.inMore)
    children.splice(last + 1, 0, known ?? moreButton(bar, metrics))
  }
  const isSame = children.length === bar.children.length && children.every((child, at) => child === bar.children[at])
  return isSame ? bar : withFields(bar, { children })
}

/** Between the tabs of a row, as in a layout. */
const TAB_GAP = 4

function roomIn(element: Element, isTabs: boolean, { bar, title: { header } }: Metrics): number {
  const { bounds, traits } = element
  if (traits?.titleAt !== undefined && header) return bounds.width - header.start - header.end
  return bounds.width - 2 * (isTabs ? (hasPages(element) ? 0 : bar.tabMargin) : bar.toolPadding)
}

/** Whether tabs have pages below them, not only a part of the window that they change. */
export const hasPages = ({ children }: Element): boolean =>
  children.some((child) => (roleKind(child.role) === 'tab' ? hasPage(child) : !child.traits?.opensMore))

const hasPage = (tab: Element): boolean => tab.children.some((child) => !isInTab(child))

const canShrink = (child: Element, isTabs: boolean): boolean =>
  !isTabs && (child.place?.grow !== undefined || roleKind(child.role) === 'edit')

/** A tab with a page of its own stays, because it shows the page. */
const canMove = (child: Element, isTabs: boolean): boolean =>
  isTabs ? !hasPage(child) : MOVES.has(roleKind(child.role))

const MOVES: ReadonlySet<string> = new Set(['button', 'separator'])

const moreButton = ({ id, bounds: { x, y } }: Element, { language }: Metrics): Element =>
  controlPart(
    `${id}.more`,
    'Button',
    shellText({ ...(language !== undefined && { language }) }, 'More'),
    { x, y, width: 0, height: 0 },
    {
      place: {},
      traits: { icon: 'more', iconOnly: true, opensMore: true },
    },
  )

/** The width that an element without children has in a bar or a row of tabs. */
export const plainWidth = (child: Element, inBar: boolean, metrics: Metrics): number => {
  const { width, minWidth = 0 } = layoutStyleOf(child, inBar, metrics)
  return width ?? minWidth
}
