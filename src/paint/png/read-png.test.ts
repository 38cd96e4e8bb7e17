import { createRequire } from 'node:module'
import type * as Canvas from '@napi-rs/canvas'
import { expect, it } from 'vitest'
import { fromImage } from '../canvas/skia.ts'
import { fromPixels, fromPng } from '../picture.ts'
import { sizeOf } from './read-png.ts'

// Rules such as [PNT74] are stated in SPEC.md beside this file.

const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

const u32 = (value: number): readonly number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const u16 = (value: number): readonly number[] => [value >> 8, value & 255]
const backwards = (parts: readonly number[]): readonly number[] => [...parts].reverse()

/** The header of a file of each format with this size, without contents. */
const HEADS: Readonly<Record<string, (width: number, height: number) => Buffer>> = {
  PNG: (width, height) =>
    bytes([0x89], 'PNG\r\n\x1a\n', u32(13), 'IHDR', u32(width), u32(height), [8, 0, 0, 0, 0], u32(0)),
  JPEG: (width, height) =>
    bytes([0xff, 0xd8, 0xff, 0xe0, ...u16(6)], 'JFIF', [
      0xff,
      0xc2,
      ...u16(17),
      8,
      ...u16(height),
      ...u16(width),
      3,
      ...Array(9).fill(1),
    ]),
  GIF: (width, height) => bytes('GIF89a', backwards(u16(width)), backwards(u16(height)), [0, 0, 0]),
  'lossy WebP': (width, height) =>
    bytes('RIFF', u32(0), 'WEBPVP8 ', u32(0), [0, 0, 0, 0x9d, 1, 0x2a], backwards(u16(width)), backwards(u16(height))),
  'lossless WebP': (width, height) =>
    bytes('RIFF', u32(0), 'WEBPVP8L', u32(0), [0x2f], backwards(u32((height - 1) * 0x4000 + (width - 1)))),
  'extended WebP': (width, height) =>
    bytes(
      'RIFF',
      u32(0),
      'WEBPVP8X',
      u32(0),
      u32(0),
      backwards(u32(width - 1)).slice(0, 3),
      backwards(u32(height - 1)).slice(0, 3),
    ),
}

it.each(Object.keys(HEADS))('[PNT74] reads the size of a %s from its first bytes', async (format) => {
  expect(sizeOf(HEADS[format]!(300, 200))).toEqual({ width: 300, height: 200 })
  // All of them can say so much, and none has such sides on a screen.
  const large = HEADS[format]!(16_383, 16_382)
  await expect(fromImage(large)).rejects.toMatchObject({
    code: 'BadRequest',
    message: 'the picture has 16383 × 16382 = 268386306 pixels; at most 48000000 are allowed',
  })
  for (let length = 0; length < large.length; length++)
    await expect(fromImage(large.subarray(0, length))).rejects.toMatchObject({ code: 'BadRequest' })
})

it.each([
  [40_000, 1],
  [1, 40_000],
  [20_000, 4],
  [16_385, 1],
])('[PNT74] refuses a picture of %i by %i', async (width, height) => {
  await expect(fromImage(HEADS.PNG!(width, height))).rejects.toMatchObject({ code: 'BadRequest' })
  expect(() => fromPng(HEADS.PNG!(width, height))).toThrow(expect.objectContaining({ code: 'BadRequest' }))
})

it('[PNT74] accepts the size of three large monitors side by side', () => {
  const wide = { width: 15_360, height: 2880 }
  expect(sizeOf(HEADS.PNG!(wide.width, wide.height))).toEqual(wide)
})

it('reads each format, on white where it is not opaque, also where it is larger than a band', async () => {
  const { createCanvas } = createRequire(import.meta.url)('@napi-rs/canvas') as typeof Canvas
  const canvas = createCanvas(900, 1300)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ff0000'
  context.fillRect(0, 1200, 900, 100)
  for (const type of ['image/png', 'image/webp'] as const) {
    const picture = await fromImage(canvas.toBuffer(type as 'image/png'))
    const pixels = picture.pixels()
    const at = (x: number, y: number) => [...pixels.subarray((y * 900 + x) * 4, (y * 900 + x) * 4 + 4)]
    expect([at(0, 0), at(899, 1299)]).toEqual([
      [255, 255, 255, 255],
      [type === 'image/png' ? 255 : expect.closeTo(254, -1), expect.any(Number), expect.any(Number), 255],
    ])
  }
})

it('returns the written pixels, for any pixels', async () => {
  const pixels = Uint8Array.from({ length: 700 * 800 * 4 }, (_, at) =>
    at % 4 === 3 ? 255 : (at * 31 + (at >> 9)) & 255,
  )
  const picture = await fromImage(Buffer.from(await fromPixels(700, 800, pixels).png()))
  expect(Buffer.compare(picture.pixels(), pixels)).toBe(0)
})
