import type { Element } from '../../desktop/model/element.ts'
import { isEmptyRect } from '../../desktop/model/geometry.ts'
import { kindOf, kindsWith } from '../../desktop/model/role.ts'
import type { Overflow } from '../../desktop/model/traits.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { isDialog } from '../../desktop/tree/modal.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { isEdgeBar, offsetOf, scrolledTo } from '../../desktop/widgets/scrolling/scrolling.ts'
import { layoutStyleOf } from './style.ts'

/** Elements that scroll if their laid out content does not fit, including the root of a window. */
const OVERFLOWS = kindsWith('overflows')

/**
 * Makes an element scrollable if its content overflows, and keeps its scroll offset. `top` is the height of a title.
 */
export function withOverflow(element: Element, metrics: Metrics, top?: number): Element {
  const kind = kindOf(element.role)
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
