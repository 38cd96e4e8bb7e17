import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../picture.ts'
import { canonicalCodes, codeLengths } from './deflate.ts'
import { bandsOf, encodePng, pngHead, pngTail } from './encode.ts'

// Rules such as [PNT3] are stated in SPEC.md beside this file.

/** Pixels in stretches of one colour, of slowly changing ones and of noise, as screens have them. */
const picture = fc
  .record({
    width: fc.integer({ min: 1, max: 700 }),
    height: fc.integer({ min: 1, max: 40 }),
    seed: fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
  })
  .map(({ width, height, seed }) => {
    const pixels = new Uint32Array(width * height)
    pixels.forEach((_, at) => {
      const row = Math.floor(at / width)
      const draw = seed[(row * 7 + Math.floor((at % width) / (1 + (seed[0]! % 200)))) % seed.length]!
      const colour = draw % 3 === 0 ? draw * 31 : draw % 3 === 1 ? draw + row * 0x010203 : draw * at
      pixels[at] = ((colour & 0xffffff) | 0xff000000) >>> 0
    })
    return { width, height, pixels }
  })

/** What the IDAT chunks of a file hold together. */
function deflated(file: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12)
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      pieces.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)))
  return Buffer.concat(pieces)
}

describe('a PNG file', () => {
  it('[PNT3] decodes to its source pixels, for any pixels', () => {
    fc.assert(
      fc.property(picture, ({ width, height, pixels }) => {
        const file = encodePng(width, height, pixels)
        const decoded = PNG.sync.read(file)
        expect([decoded.width, decoded.height]).toEqual([width, height])
        expect(Buffer.compare(decoded.data, bytesOf(pixels))).toBe(0)
        // It throws when the check sum is wrong, of which the reader above takes no notice.
        expect(inflateSync(deflated(file)).length).toBe(height * (1 + 3 * width))
      }),
      { numRuns: 150 },
    )
  })

  it('[PNT104] has the same bytes when a band is updated as when it is new', () => {
    const change = fc.record({ x: fc.nat(699), y: fc.nat(39), across: fc.nat(120), down: fc.nat(20), colour: fc.nat() })
    const changes = fc.array(change, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(picture, changes, ({ width, height, pixels }, parts) => {
        const bands = bandsOf(width, height)
        for (const band of bands) band.update(pixels)
        for (const { x, y, across, down, colour } of parts) {
          const part = {
            x: x % width,
            y: y % height,
            width: 1 + (across % (width - (x % width))),
            height: 1 + (down % (height - (y % height))),
          }
          for (let row = part.y; row < part.y + part.height; row++)
            for (let at = part.x; at < part.x + part.width; at++)
              pixels[row * width + at] = ((((colour * at) >>> (row % 3)) & 0xffffff) | 0xff000000) >>> 0
          for (const band of bands) band.outdate(part)
        }
        for (const band of bands) band.update(pixels)
        const anew = bandsOf(width, height)
        for (const band of anew) band.update(pixels)
        expect(bands.map((band) => band.base64)).toEqual(anew.map((band) => band.base64))
        expect(bands.map((band) => band.sum)).toEqual(anew.map((band) => band.sum))
      }),
      { numRuns: 150 },
    )
  })

  it('[PNT3] consists of pieces whose base64 concatenates to that of the whole', () => {
    const pixels = Uint32Array.from({ length: 50 * 40 }, (_, at) => 0xff000000 + at * 37)
    const bands = bandsOf(50, 40)
    for (const band of bands) band.update(pixels)
    const pieces = [pngHead(50, 40), ...bands.map((band) => band.chunk), pngTail(bands)]
    const letters = pieces.map((piece) => piece.toString('base64'))
    expect(letters.join('')).toBe(encodePng(50, 40, pixels).toString('base64'))
  })
})

describe('a prefix code', () => {
  it('fills the space of codes and is no longer than allowed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000), { minLength: 2, maxLength: 80 }), (drawn) => {
        const lengths = codeLengths(
          drawn.map((weight) => weight + 1),
          8,
        )
        expect(Math.max(...lengths)).toBeLessThanOrEqual(8)
        expect(lengths.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1)
      }),
    )
  })

  it('is the one of the deflate document, first bit lowest', () => {
    // RFC 1951, 3.2.2: the lengths 3 3 3 3 3 2 4 4 give 010 011 100 101 110 00 1110 1111.
    expect(Array.from(canonicalCodes(Uint8Array.from([3, 3, 3, 3, 3, 2, 4, 4])))).toEqual([
      0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111,
    ])
  })
})
