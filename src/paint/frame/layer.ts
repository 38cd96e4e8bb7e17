import { visualLine } from '../../desktop/model/bidi.ts'
import { EMPTY_RECT, encloses, isEmptyRect, type Rect, subtractAll, unite } from '../../desktop/model/geometry.ts'
import type { TextRun } from '../picture.ts'
import { widthOf } from '../text/fonts.ts'
import type { DrawOp, DrawStyle } from './draw-op.ts'

/** A part of a frame: operations, then child layers, then the operations above those. An immutable value, compared by `===`. */
export interface Layer {
  readonly ops: readonly DrawOp[]
  readonly children: readonly Layer[]
  readonly over: readonly DrawOp[]
  /** Nothing of this layer is painted outside it. */
  readonly clip: Rect | undefined
  /** The corners that are cut away, after everything in this layer has been painted. */
  readonly rounded: { readonly rect: Rect; readonly radius: number } | undefined
  /** The area that it covers completely. */
  readonly covers: Rect | undefined
  /** The element whose text is not mirrored on a mirrored desktop. The operations on it are moved as one. */
  readonly upright: Rect | undefined
  /** The pixels it may touch, and no other. */
  readonly bounds: Rect
}

/** A layer with its bounds computed. */
export function layer({
  ops = [],
  children = [],
  over = [],
  clip,
  rounded,
  covers,
  upright,
}: Partial<Omit<Layer, 'ink'>>): Layer {
  let bounds = EMPTY_RECT
  for (const op of ops) bounds = around(bounds, op.bounds)
  for (const child of children) bounds = around(bounds, child.bounds)
  for (const op of over) bounds = around(bounds, op.bounds)
  return { ops, children, over, clip, rounded, covers, upright, bounds: clip ? overlapOf(bounds, clip) : bounds }
}

/** The smallest rectangle around both. Usually the first already contains the second. */
const around = (bounds: Rect, other: Rect): Rect => (encloses(bounds, other) ? bounds : unite(bounds, other))

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
  readOps(layer.over, inside, holes, found)
  for (let place = layer.children.length - 1; place >= 0; place--)
    readBelow(layer.children[place]!, inside, holes, found)
  readOps(layer.ops, inside, holes, found)
  if (layer.covers) holes.push(overlapOf(layer.covers, inside))
}

function readOps(ops: readonly DrawOp[], clip: Rect, holes: readonly Rect[], found: TextRun[]): void {
  for (let place = ops.length - 1; place >= 0; place--) {
    const op = ops[place]!
    if (!op.run || op.style.kind !== 'text') continue
    const pieces = subtractAll(overlapOf(op.run.bounds, clip), holes)
    for (const piece of pieces.toReversed()) {
      // A strip of less than half the height is not legible.
      if (piece.height * 2 < op.run.bounds.height) continue
      const run = cut(op.run, piece, op.style)
      if (run.text.trim() !== '') found.push(run)
    }
  }
}

/** The characters of a run whose middle is inside a part of it. */
function cut(run: TextRun, part: Rect, { font, direction }: Extract<DrawStyle, { kind: 'text' }>): TextRun {
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
