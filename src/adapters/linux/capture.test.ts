import fc from 'fast-check'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { pictureFromBgrx } from './capture.ts'

it('[LX6] converts BGRX pixels to opaque RGBA, also in the PNG', async () => {
  const size = fc.integer({ min: 1, max: 24 })
  await fc.assert(
    fc.asyncProperty(size, size, fc.integer(), async (width, height, seed) => {
      const raw = Buffer.from(
        Array.from({ length: width * height * 4 }, (_, at) => Math.imul(at + seed, 2654435761) >>> 24),
      )
      const picture = pictureFromBgrx(width, height, raw)
      const expected = Buffer.from(raw)
      for (let at = 0; at < raw.length; at += 4) expected.set([raw[at + 2]!, raw[at + 1]!, raw[at]!, 255], at)
      const png = PNG.sync.read(await picture.png())
      expect(Buffer.from(picture.pixels())).toEqual(expected)
      expect([png.width, png.height]).toEqual([width, height])
      expect(png.data.equals(expected)).toBe(true)
    }),
    { numRuns: 40 },
  )
})
