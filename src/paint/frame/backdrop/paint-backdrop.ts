import type { Rect } from '../../../desktop/model/geometry.ts'
import { pixelOf } from '../../colour.ts'
import { gradientPixel } from '../blend.ts'
import type { MarkStyle } from '../mark.ts'
import type { BackdropShape } from './backdrop-style.ts'
import { facetPainter } from './facet.ts'
import { glowPainter } from './glow.ts'
import { ribbonPainter } from './ribbon.ts'
import type { RowPainter } from './row-painter.ts'
import { wavePainter } from './wave.ts'

type BackdropLook = Extract<MarkStyle, { kind: 'backdrop' }>

/** The painters of looks, the lowest first. They are tables by column, much smaller than a picture. */
const painters = new WeakMap<BackdropLook, readonly RowPainter[]>()

function paintersOf(look: BackdropLook): readonly RowPainter[] {
  const known = painters.get(look)
  if (known) return known
  const glow = look.glow ? [glowPainter(look.glow, look.span)] : []
  const made = [...glow, ...look.shapes.map((shape) => painterOf(shape, look))]
  painters.set(look, made)
  return made
}

function painterOf(shape: BackdropShape, { span, soft }: BackdropLook): RowPainter {
  switch (shape.kind) {
    case 'wave':
      return wavePainter(shape, span, soft)
    case 'ribbon':
      return ribbonPainter(shape, span, soft)
    case 'facet':
      return facetPainter(shape, span, soft)
  }
}

/**
 * Paints the part of a wallpaper inside `area`, row by row. Everything is computed from sums, products and square roots, so
 * that every processor has the same pixels.
 */
export function paintBackdrop(pixels: Uint32Array, view: Rect, look: BackdropLook, area: Rect): void {
  const { span } = look
  const [top, bottom] = [pixelOf(look.top), pixelOf(look.bottom)]
  const shapes = paintersOf(look)
  const from = area.x - span.x
  for (let y = area.y; y < area.y + area.height; y++) {
    const row = y - span.y
    const start = (y - view.y) * view.width - view.x + area.x
    const lowest = shapes.findLastIndex(({ fillsFrom }) => row >= fillsFrom)
    if (lowest < 0) pixels.fill(gradientPixel(top, bottom, row, span.height - 1), start, start + area.width)
    for (let place = Math.max(0, lowest); place < shapes.length; place++) {
      const shape = shapes[place]!
      if (row >= shape.first) shape.paint(pixels, start, row, from, area.width)
    }
  }
}
