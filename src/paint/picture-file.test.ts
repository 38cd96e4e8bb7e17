import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { desktop, element, monitor, rect, window } from '../desktop/model/builders.ts'
import { createPainter } from './painter.ts'
import { toPictureFile } from './picture-file.ts'
import { themeOf } from './styles/styles.ts'

// Rules such as [PNT28] are stated in SPEC.md beside this file.

type Pixel = readonly [number, number, number, number]

/** A PNG file of rows of pixels. */
function pngOf(rows: readonly (readonly Pixel[])[], options = {}): Buffer {
  const png = new PNG({ width: rows[0]!.length, height: rows.length, ...options })
  png.data = Buffer.from(rows.flat(2))
  return PNG.sync.write(png)
}

const RED: Pixel = [200, 0, 0, 255]
const BLUE: Pixel = [0, 0, 200, 255]
const HALF: Pixel = [0, 0, 200, 128]
const NONE: Pixel = [9, 9, 9, 0]

const painter = createPainter()
const shown = (file: Buffer, details = {}, more = {}) => {
  const image = element(
    'Image',
    'Map',
    { bounds: rect(20, 20, 80, 40), ...details },
    {
      traits: { picture: toPictureFile(file), ...more },
    },
  )
  const bounds = rect(0, 0, 200, 100)
  return desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, image))
}
const pixelAt = (on: ReturnType<typeof shown>, x: number, y: number) => [...painter.area(on, rect(x, y, 1, 1)).pixels()]

describe('pictures of a scenario', () => {
  it('[PNT28] are painted in the middle with their proportions', () => {
    const on = shown(
      pngOf([
        [RED, BLUE],
        [RED, BLUE],
      ]),
    )
    expect([41, 59, 60, 78].map((x) => pixelAt(on, x, 40))).toEqual([RED, RED, BLUE, BLUE].map((pixel) => [...pixel]))
    const outside = pixelAt(on, 30, 40)
    expect(outside).toEqual(pixelAt(on, 150, 80))
  })

  it('[PNT28] blend with what is below them, and scaled pixels with each other by their opacity', () => {
    const on = shown(pngOf([[HALF]]))
    const [red, , blue] = pixelAt(on, 60, 40)
    const surface = themeOf().window.surface
    expect(red).toBe(Math.round((Number.parseInt(surface.slice(1, 3), 16) * 127) / 255))
    expect(blue).toBeGreaterThan(200)
    // The colour of transparent pixels does not count.
    const small = shown(pngOf([[NONE, RED]]), { bounds: rect(20, 20, 1, 1) })
    expect(pixelAt(small, 20, 20)[0]).toBeGreaterThan(200)
  })

  it('[PNT28] are equal for equal bytes, and others for others', () => {
    const [one, other] = [shown(pngOf([[RED]])), shown(pngOf([[BLUE]]))]
    const file = (on: typeof one) => painter.screen(on).pixels()
    expect(Buffer.compare(file(one), file(shown(pngOf([[RED]]))))).toBe(0)
    expect(Buffer.compare(file(one), file(other))).not.toBe(0)
  })

  it('[PNT28] are hidden if they are secret, and pale if they are disabled', () => {
    const red = pngOf([[RED]])
    expect(pixelAt(shown(red), 60, 40)).toEqual([...RED])
    expect(pixelAt(shown(red, {}, { secret: true }), 45, 25)).not.toEqual([...RED])
    expect(pixelAt(shown(red, { enabled: false }), 60, 40)[1]).toBeGreaterThan(100)
  })

  it('[PNT31] are refused if they are not PNG files, broken or too large', () => {
    const png = pngOf([[RED, BLUE]])
    expect(() => toPictureFile(Buffer.from('GIF89a, and more than ten bytes'))).toThrow('cannot be read as a PNG file')
    expect(() => toPictureFile(png.subarray(0, 40))).toThrow('cannot be read as a PNG file')
    expect(() => toPictureFile(Buffer.alloc(4_000_001))).toThrow('at most 4000000 are allowed')
    const wide = Buffer.from(png)
    wide.writeUInt32BE(5000, 16)
    expect(() => toPictureFile(wide)).toThrow()
    const line = new PNG({ width: 4097, height: 1 })
    expect(() => toPictureFile(PNG.sync.write(line))).toThrow('4097 × 1 pixels')
  })
})
