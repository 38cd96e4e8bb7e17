import { expect, it } from 'vitest'
import { pictureOfQImage } from './kwin-pictures.ts'

// Rules such as [LX63h] are stated in the README of the adapter.

/** Two rows of one pixel, with four bytes of padding. */
const BYTES = Buffer.from([1, 2, 3, 255, 9, 9, 9, 9, 4, 5, 6, 0, 9, 9, 9, 9])
const raw = (format: number) => ({ width: 1, height: 2, stride: 8, format })

it.each([
  ['blue first', 5, [3, 2, 1, 255, 6, 5, 4, 255]],
  ['red first', 17, [1, 2, 3, 255, 4, 5, 6, 255]],
])('[LX63h] reads pictures whose bytes are %s', (_, format, pixels) => {
  const picture = pictureOfQImage(raw(format), BYTES)
  expect([picture.width, picture.height, [...picture.pixels()]]).toEqual([1, 2, pixels])
})

it('[LX63h] refuses pictures of an unknown format', () => {
  expect(() => pictureOfQImage(raw(7), BYTES)).toThrow(expect.objectContaining({ code: 'PlatformUnsupported' }))
})
