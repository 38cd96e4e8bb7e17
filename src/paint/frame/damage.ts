import { type Rect, sameRect, unite } from '../../desktop/model/geometry.ts'
import { type Layer, overlapOf } from './layer.ts'
import type { Mark } from './mark.ts'

/** More than this many rectangles cost more than the pixels they save. */
const MAX_RECTANGLES = 8

/**
 * The areas inside `view` where two frames may differ; elsewhere they have the same marks in the same order. Equal
 * layers are skipped, so this costs what changed.
 */
export function damageBetween(before: readonly Layer[], after: readonly Layer[], view: Rect): readonly Rect[] {
  const rects: Rect[] = []
  compareLayers(before, after, view, rects)
  return rects
}

function compareLayers(before: readonly Layer[], after: readonly Layer[], clip: Rect, rects: Rect[]): void {
  if (before === after) return
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let beforeEnd = before.length
  let afterEnd = after.length
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--
    afterEnd--
  }
  const isPaired = beforeEnd === afterEnd
  for (let place = start; place < afterEnd; place++)
    if (isPaired) compareLayer(before[place]!, after[place]!, clip, rects)
    else add(after[place]!.ink, clip, rects)
  if (!isPaired) for (let place = start; place < beforeEnd; place++) add(before[place]!.ink, clip, rects)
}

function compareLayer(before: Layer, after: Layer, clip: Rect, rects: Rect[]): void {
  if (before === after) return
  if (!sameEdges(before, after)) {
    add(before.ink, clip, rects)
    add(after.ink, clip, rects)
    return
  }
  const inside = after.clip ? overlapOf(clip, after.clip) : clip
  if (inside.width === 0) return
  compareMarks(before.marks, after.marks, inside, rects)
  compareLayers(before.children, after.children, inside, rects)
  compareMarks(before.over, after.over, inside, rects)
}

/** The similarity of two frames, from 0 to 1: the share of equal layers, otherwise of equal layers inside them. */
export function similarityOf(before: readonly Layer[], after: readonly Layer[]): number {
  if (before === after) return 1
  const most = Math.max(before.length, after.length)
  let sum = 0
  for (let place = 0; place < most; place++) sum += likenessOf(before[place], after[place])
  return sum / most
}

function likenessOf(before: Layer | undefined, after: Layer | undefined): number {
  if (before === after) return 1
  if (!before || !after) return 0
  if (before.children.length > 0 && after.children.length > 0) return similarityOf(before.children, after.children)
  const rects: Rect[] = []
  compareLayer(before, after, after.ink, rects)
  return rects.length === 0 ? 1 : 0
}

/** Whether two layers are clipped alike. */
function sameEdges(a: Layer, b: Layer): boolean {
  if (!a.clip !== !b.clip || !a.rounded !== !b.rounded) return false
  if (a.clip && b.clip && !sameRect(a.clip, b.clip)) return false
  return !a.rounded || !b.rounded || (a.rounded.radius === b.rounded.radius && sameRect(a.rounded.rect, b.rounded.rect))
}

function compareMarks(before: readonly Mark[], after: readonly Mark[], clip: Rect, rects: Rect[]): void {
  if (before === after) return
  const most = Math.max(before.length, after.length)
  for (let place = 0; place < most; place++) {
    const old = before[place]
    const now = after[place]
    if (old && now && (old === now || (old.key === now.key && sameRect(old.ink, now.ink)))) continue
    if (old) add(old.ink, clip, rects)
    if (now) add(now.ink, clip, rects)
  }
}

/** Adds a rectangle, merged with those that it overlaps or touches. */
function add(ink: Rect, clip: Rect, rects: Rect[]): void {
  let rect = overlapOf(ink, clip)
  if (rect.width === 0) return
  for (let place = rects.length - 1; place >= 0; place--) {
    const both = unite(rect, rects[place]!)
    if (area(both) > (area(rect) + area(rects[place]!)) * 1.3 && rects.length <= MAX_RECTANGLES) continue
    rects.splice(place, 1)
    rect = both
    place = rects.length
  }
  rects.push(rect)
}

const area = ({ width, height }: Rect): number => width * height
