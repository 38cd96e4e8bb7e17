import { expect, it } from 'vitest'
import { rect } from '../../../desktop/model/builders.ts'
import { pixelOf } from '../../colour.ts'
import { composite, createFrameBuffer } from '../frame-buffer.ts'
import { layer } from '../layer.ts'
import { backdrop } from '../mark.ts'

// Rules such as [P34] are stated in SPEC.md two folders above.

const SPAN = rect(0, 0, 60, 40)
const hill = { kind: 'wave', top: '#ff0000', bottom: '#ff0000', edge: [0.25, 0.25, 0.75, 0.75] } as const
const front = { kind: 'wave', top: '#00ff00', bottom: '#00ff00', edge: [0.9, 0.9, 0.9, 0.9] } as const
const mark = backdrop(SPAN, { top: '#0000ff', bottom: '#0000ff', shapes: [hill, front] })

function painted(...areas: readonly (typeof SPAN)[]) {
  const frame = createFrameBuffer(SPAN)
  for (const area of areas) composite(frame, [layer({ marks: [mark] })], area)
  return frame.pixels
}

it('[P34] fills the area below each edge, the last wave in front', () => {
  const pixels = painted(SPAN)
  const at = (x: number, y: number) => pixels[y * SPAN.width + x]
  expect(at(0, 0)).toBe(pixelOf('#0000ff'))
  expect(at(59, 20)).toBe(pixelOf('#0000ff'))
  expect(at(0, 20)).toBe(pixelOf('#ff0000'))
  expect(at(30, 39)).toBe(pixelOf('#00ff00'))
})

it('[P34] mixes colours at the edge of a wave', () => {
  const column = Array.from({ length: SPAN.height }, (_, y) => painted(SPAN)[y * SPAN.width + 30]! & 255)
  const mixed = column.filter((red) => red > 0 && red < 255)
  expect(mixed.length).toBeLessThanOrEqual(2)
  expect(painted(SPAN).some((pixel) => (pixel & 255) > 0 && (pixel & 255) < 255)).toBe(true)
})

it('[P34] paints parts as the whole', () => {
  const parts = painted(rect(0, 0, 23, 40), rect(23, 0, 37, 11), rect(23, 11, 37, 29))
  expect(parts).toEqual(painted(SPAN))
})
