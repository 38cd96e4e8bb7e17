import { visualLine } from '../../desktop/model/bidi.ts'
import { EMPTY_RECT, encloses, isEmptyRect, type Rect, subtractAll, unite } from '../../desktop/model/geometry.ts'
import type { TextRun } from '../picture.ts'
import { widthOf } from '../text/fonts.ts'
import type { Mark, MarkStyle } from './mark.ts'

/** A part of a frame: marks, then child layers, then the marks above those. An immutable value, compared by `===`. */
export interface Layer {
  readonly marks: readonly Mark[]
  readonly children: readonly Layer[]
  readonly over: readonly Mark[]
  /** Nothing of this layer is painted outside it. */
  readonly clip: Rect | undefined
  /** The corners that are cut away, after everything in this layer has been painted. */
  readonly rounded: { readonly rect: Rect; readonly radius: number } | undefined
  /** The area that it covers completely. */
  readonly covers: Rect | undefined
  /** The element whose text is not mirrored on a mirrored desktop. The marks on it are moved as one. */
  readonly upright: Rect | undefined
  /** The pixels it may touch, and no other. */
  readonly ink: Rect
}

/** A layer with its ink computed. */
export function layer({
  marks = [],
  children = [],
  over = [],
  clip,
  rounded,
  covers,
  upright,
}: Partial<Omit<Layer, 'ink'>>): Layer {
  let ink = EMPTY_RECT
  for (const mark of marks) ink = around(ink, mark.ink)
  for (const child of children) ink = around(ink, child.ink)
  for (const mark of over) ink = around(ink, mark.ink)
  return { marks, children, over, clip, rounded, covers, upright, ink: clip ? overlapOf(ink, clip) : ink }
}

/** The smallest rectangle around both. Usually the first already contains the second. */
const around = (ink: Rect, other: Rect): Rect => (encloses(ink, other) ? ink : unite(ink, other))

export const EMPTY_LAYER: Layer = layer({})

/** The intersection of two rectangles; of size 0 if they do not overlap. */
export function overlapOf(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : { x, y, width: 0, height: 0 }
}

/** The legible text in `view`, in painting order, with bounds relative to it. */
export function textIn(layers: readonly Layer[], view: Rect): readonly TextRun[] {
  const found: TextRun[] = []
  const holes: Rect[] = []
  // Front to back, so that covers are known before the layers below them.
  for (let place = layers.length - 1; place >= 0; place--) readBelow(layers[place]!, view, holes, found)
  return found
    .reverse()
    .map(({ text, bounds }) => ({ text, bounds: { ...bounds, x: bounds.x - view.x, y: bounds.y - view.y } }))
}

function readBelow(layer: Layer, clip: Rect, holes: Rect[], found: TextRun[]): void {
  const inside = layer.clip ? overlapOf(clip, layer.clip) : clip
  if (isEmptyRect(inside)) return
  readMarks(layer.over, inside, holes, found)
  for (let place = layer.children.length - 1; place >= 0; place--)
    readBelow(layer.children[place]!, inside, holes, found)
  readMarks(layer.marks, inside, holes, found)
  if (layer.covers) holes.push(overlapOf(layer.covers, inside))
}

function readMarks(marks: readonly Mark[], clip: Rect, holes: readonly Rect[], found: TextRun[]): void {
  for (let place = marks.length - 1; place >= 0; place--) {
    const mark = marks[place]!
    if (!mark.run || mark.look.kind !== 'text') continue
    const pieces = subtractAll(overlapOf(mark.run.bounds, clip), holes)
    for (const piece of pieces.toReversed()) {
      // A strip of less than half the height is not legible.
      if (piece.height * 2 < mark.run.bounds.height) continue
      const run = cut(mark.run, piece, mark.look)
      if (run.text.trim() !== '') found.push(run)
    }
  }
}

/** The characters of a run whose middle is inside a part of it. */
function cut(run: TextRun, part: Rect, { font, direction }: Extract<MarkStyle, { kind: 'text' }>): TextRun {
  const { bounds, text } = run
  if (part.x <= bounds.x && part.x + part.width >= bounds.x + bounds.width)
    return { text, bounds: { ...bounds, y: part.y, height: part.height } }
  const line = visualLine(text, (each) => widthOf(each, font), direction)
  let first = text.length
  let last = 0
  let start = Number.POSITIVE_INFINITY
  let end = 0
  let from = 0
  for (const character of text) {
    const to = from + character.length
    for (const { left, right } of line.spansOf(from, to)) {
      const middle = bounds.x + (left + right) / 2
      if (middle < part.x || middle >= part.x + part.width) continue
      first = Math.min(first, from)
      last = to
      start = Math.min(start, left)
      end = Math.max(end, right)
    }
    from = to
  }
  if (last === 0) return { text: '', bounds: EMPTY_RECT }
  return {
    text: text.slice(first, last),
    bounds: {
      x: bounds.x + Math.floor(start),
      y: part.y,
      width: Math.ceil(end) - Math.floor(start),
      height: part.height,
    },
  }
}
