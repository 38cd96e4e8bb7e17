import { type Picture, wordsOf } from '../../paint/picture.ts'

/** The largest size of a text caret in pixels. */
const CARET_WIDTH = 3
const CARET_HEIGHT = 64

/** Whether two pictures of one area are equal, except for a blinking caret. */
export function isSamePicture(before: Picture, after: Picture): boolean {
  if (before.width !== after.width || before.height !== after.height) return false
  const [one, other] = [wordsOf(before.pixels()), wordsOf(after.pixels())]
  const { width, height } = before
  let left = width
  let right = -1
  let top = height
  let bottom = -1
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (one[at] === other[at]) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  return right < 0 || (right - left < CARET_WIDTH && bottom - top < CARET_HEIGHT)
}
