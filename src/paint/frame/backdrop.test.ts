import { expect, it } from 'vitest'
import { rect } from '../../desktop/model/builders.ts'
import { pixelOf } from '../colour.ts'
import { type BackdropShape, backdrop } from './draw-op.ts'
import { composite, createFrameBuffer } from './frame-buffer.ts'
import { layer } from './layer.ts'

// Rules such as [PNT89] are stated in SPEC.md two folders above.

const SPAN = rect(0, 0, 60, 40)
const hill = { kind: 'wave', top: '#ff0000', bottom: '#ff0000', edge: [0.25, 0.25, 0.75, 0.75] } as const
const front = { kind: 'wave', top: '#00ff00', bottom: '#00ff00', edge: [0.9, 0.9, 0.9, 0.9] } as const
const op = backdrop(SPAN, { top: '#0000ff', bottom: '#0000ff', shapes: [hill, front] })

function painted(...areas: readonly (typeof SPAN)[]) {
  const frame = createFrameBuffer(SPAN)
  for (const area of areas) composite(frame, [layer({ ops: [op] })], area)
  return frame.pixels
}

it('[PNT89] fills the area below each edge, the last wave in front', () => {
  const pixels = painted(SPAN)
  const at = (x: number, y: number) => pixels[y * SPAN.width + x]
  expect(at(0, 0)).toBe(pixelOf('#0000ff'))
  expect(at(59, 20)).toBe(pixelOf('#0000ff'))
  expect(at(0, 20)).toBe(pixelOf('#ff0000'))
  expect(at(30, 39)).toBe(pixelOf('#00ff00'))
})

it('[PNT89] mixes colours at the edge of a wave', () => {
  const column = Array.from({ length: SPAN.height }, (_, y) => painted(SPAN)[y * SPAN.width + 30]! & 255)
  const mixed = column.filter((red) => red > 0 && red < 255)
  expect(mixed.length).toBeLessThanOrEqual(2)
  expect(painted(SPAN).some((pixel) => (pixel & 255) > 0 && (pixel & 255) < 255)).toBe(true)
})

it('[PNT90] paints parts as the whole', () => {
  const parts = painted(rect(0, 0, 23, 40), rect(23, 0, 37, 11), rect(23, 11, 37, 29))
  expect(parts).toEqual(painted(SPAN))
})

const shade = { top: '#ff0000', bottom: '#ff0000' }

function paintedShapes(shapes: readonly BackdropShape[], soft = 1) {
  const frame = createFrameBuffer(SPAN)
  const style = { top: '#0000ff', bottom: '#0000ff', shapes }
  composite(frame, [layer({ ops: [backdrop(SPAN, style, SPAN, soft)] })], SPAN)
  return (x: number, y: number) => frame.pixels[y * SPAN.width + x]!
}

it('[PNT89] fills a facet inside all its sides, whichever way its corners go round', () => {
  const corners = [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.5, 0.9],
  ] as const
  const at = paintedShapes([{ kind: 'facet', ...shade, corners }])
  const turned = paintedShapes([{ kind: 'facet', ...shade, corners: corners.toReversed() }])
  for (const [x, y, colour] of [
    [30, 10, '#ff0000'],
    [30, 33, '#ff0000'],
    [5, 30, '#0000ff'],
    [30, 2, '#0000ff'],
    [30, 38, '#0000ff'],
  ] as const) {
    expect([x, y, at(x, y)]).toEqual([x, y, pixelOf(colour)])
    expect(turned(x, y)).toBe(at(x, y))
  }
})

it('[PNT89] shades a facet and a wave from left to right', () => {
  const right = { top: '#00ff00', bottom: '#00ff00' }
  const all = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const
  for (const shape of [
    { kind: 'facet', ...shade, right, corners: all },
    { kind: 'wave', ...shade, right, edge: [-1, -1, -1, -1] },
  ] as const) {
    const at = paintedShapes([shape])
    expect([at(0, 20) & 255, (at(59, 20) >>> 8) & 255]).toEqual([255, 255])
    expect(at(30, 20) & 255).toBeLessThan(160)
  }
})

it('[PNT89] paints a ribbon between its curves, from its first colour to its last', () => {
  const at = paintedShapes([
    {
      kind: 'ribbon',
      upper: [0.25, 0.25, 0.25, 0.25],
      lower: [0.75, 0.75, 0.75, 0.75],
      colours: ['#ff0000', '#00ff00'],
    },
  ])
  expect([at(30, 5), at(30, 35)]).toEqual([pixelOf('#0000ff'), pixelOf('#0000ff')])
  expect(at(30, 10) & 255).toBeGreaterThan(200)
  expect((at(30, 29) >>> 8) & 255).toBeGreaterThan(200)
})

it('[PNT91] fades the edges of shapes over as many pixels as asked', () => {
  const mixed = (soft: number) => {
    const at = paintedShapes([{ kind: 'wave', ...shade, edge: [0.5, 0.5, 0.5, 0.5] }], soft)
    return Array.from({ length: SPAN.height }, (_, y) => at(30, y) & 255).filter((red) => red > 0 && red < 255).length
  }
  expect([mixed(1), mixed(16)]).toEqual([0, 16])
})
