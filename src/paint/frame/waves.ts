import type { Rect } from '../../desktop/model/geometry.ts'
import { pixelOf } from '../colour.ts'
import { gradientPixel, mixPixels } from './blend.ts'
import type { MarkStyle, Wave } from './mark.ts'

type WavesLook = Extract<MarkStyle, { kind: 'waves' }>

/** The edge of a wave: for each column its row, and the share of the pixel there that is below it, 0 to 255. */
interface WaveEdge {
  readonly rows: Int32Array
  readonly shares: Uint8Array
  readonly highest: number
  readonly lowest: number
}

const edges = new WeakMap<WavesLook, readonly WaveEdge[]>()

function edgesOf(look: WavesLook): readonly WaveEdge[] {
  const known = edges.get(look)
  if (known) return known
  const made = look.waves.map((wave) => edgeOf(wave, look.span))
  edges.set(look, made)
  return made
}

function edgeOf(wave: Wave, { width, height }: Rect): WaveEdge {
  const rows = new Int32Array(width)
  const shares = new Uint8Array(width)
  for (let x = 0; x < width; x++) {
    const edge = heightAt(wave, (x + 0.5) / width) * height
    rows[x] = Math.floor(edge)
    shares[x] = Math.round(255 * (Math.floor(edge) + 1 - edge))
  }
  return {
    rows,
    shares,
    highest: rows.reduce((a, b) => Math.min(a, b), height),
    lowest: rows.reduce((a, b) => Math.max(a, b), -1),
  }
}

/** A cubic curve: it starts and ends at the first and last height, and bends towards those between. */
function heightAt({ edge: [a, b, c, d] }: Wave, share: number): number {
  const rest = 1 - share
  return a * rest * rest * rest + 3 * b * rest * rest * share + 3 * c * rest * share * share + d * share * share * share
}

/** Paints the part of waves inside `area` on opaque pixels. The edges are smooth. */
export function paintWaves(pixels: Uint32Array, view: Rect, look: WavesLook, area: Rect): void {
  const { span } = look
  const found = edgesOf(look)
  const colours = [look, ...look.waves].map(({ top, bottom }) => [pixelOf(top), pixelOf(bottom)] as const)
  for (let y = area.y; y < area.y + area.height; y++) {
    const row = y - span.y
    const start = (y - view.y) * view.width - view.x + area.x
    const behind = found.findLastIndex(({ lowest }) => lowest < row)
    for (let place = behind; place < found.length; place++) {
      const edge = found[place]
      if (place > behind && edge!.highest > row) continue
      const shade = gradientPixel(...colours[place + 1]!, row, span.height - 1)
      if (place === behind) pixels.fill(shade, start, start + area.width)
      else paintRow(pixels, start, shade, edge!, row, area.x - span.x, area.width)
    }
  }
}

function paintRow(
  pixels: Uint32Array,
  start: number,
  shade: number,
  { rows, shares }: WaveEdge,
  row: number,
  from: number,
  width: number,
): void {
  for (let at = 0; at < width; at++) {
    const edge = rows[from + at]!
    if (edge < row) pixels[start + at] = shade
    else if (edge === row) pixels[start + at] = mixPixels(shade, pixels[start + at]!, shares[from + at]!, 255)
  }
}
