import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { changeRef, type ElementRef, parentOf } from '../tree/element-ref.ts'
import { placed } from '../tree/reposition.ts'
import type { WidgetBehaviour } from './widget.ts'

const MIN_PANE_PX = 24
const KEY_STEP = 16

/** Splitter: the bar between two neighbours. Dragging it, or arrows, resize both. */
export const splitter: WidgetBehaviour = {
  grab: positionOf,
  drag(desktop, ref, from, to, _modifiers, grabbed) {
    const behind = (grabbed ?? positionOf(ref.element)) - positionOf(ref.element)
    return shift(desktop, ref, behind + to.x - from.x, behind + to.y - from.y)
  },
  key(desktop, ref, { modifiers, key }) {
    if (modifiers.length > 0) return undefined
    const by = { left: [-KEY_STEP, 0], right: [KEY_STEP, 0], up: [0, -KEY_STEP], down: [0, KEY_STEP] }[key]
    return by && shift(desktop, ref, by[0]!, by[1]!)
  },
}

const isUpright = ({ bounds }: Element): boolean => bounds.height >= bounds.width

/** The place of a bar along the axis on which it moves. */
function positionOf(bar: Element): number {
  return isUpright(bar) ? bar.bounds.x : bar.bounds.y
}

function shift(desktop: Desktop, ref: ElementRef, dx: number, dy: number): Desktop {
  const holder = parentOf(ref)
  const place = ref.path.at(-1)!
  const before = holder?.element.children[place - 1]
  const after = holder?.element.children[place + 1]
  if (!holder || !before || !after) return desktop
  return changeRef(desktop, holder, (element) => {
    const sized = shifted(before, ref.element, after, dx, dy)
    if (!sized) return element
    return { ...element, children: element.children.map((child, index) => sized[index - place + 1] ?? child) }
  })
}

/** The resized neighbours and the moved bar. Undefined if the bar cannot move. */
function shifted(before: Element, bar: Element, after: Element, dx: number, dy: number): Element[] | undefined {
  const upright = isUpright(bar)
  const size = (rect: Rect) => (upright ? rect.width : rect.height)
  const wanted = upright ? dx : dy
  const least = Math.min(0, MIN_PANE_PX - size(before.bounds))
  const most = Math.max(0, size(after.bounds) - MIN_PANE_PX)
  const by = Math.max(least, Math.min(wanted, most))
  if (by === 0) return undefined
  const grown = (rect: Rect, start: number, length: number): Rect =>
    upright
      ? { ...rect, x: rect.x + start, width: rect.width + length }
      : { ...rect, y: rect.y + start, height: rect.height + length }
  return [
    placed(before, grown(before.bounds, 0, by)),
    placed(bar, grown(bar.bounds, by, 0)),
    placed(after, grown(after.bounds, by, -by)),
  ]
}
