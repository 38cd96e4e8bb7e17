import { centerOf, contains, encloses, type Rect, unite } from '../../desktop/model/geometry.ts'
import { type Picture, wordsOf } from '../../paint/picture.ts'
import type { Word } from '../perception.ts'
import { commonColour } from '../vision/colour.ts'

/** A larger area of one colour is a background, not a button. */
const MAX_WIDTH_PX = 400
const MAX_HEIGHT_PX = 64
const SAME_COLOUR = 24
const MARGIN = 2
/** A label is centred in its button, or half an icon beside the centre. The text of a field begins at its edge. */
const MAX_HORIZONTAL_OFFSET_PX = 24
const MAX_VERTICAL_OFFSET_PX = 6

/**
 * Gives a label that stands alone on an area of one colour the box of that area, its button: the centre is the click
 * target, also when the button has an icon.
 */
export async function expandToButtons(
  picture: Picture,
  words: readonly Word[],
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<readonly Word[]> {
  const onPlate = (word: Word): Word => {
    const line = words.filter((other) => other.line === word.line && other.block === word.block)
    const plate = plateOf(picture, word.bounds, line)
    if (!plate) return word
    const others = words.filter(({ bounds }) => contains(plate, centerOf(bounds)))
    return others.every((other) => line.includes(other)) ? { ...word, bounds: plate } : word
  }
  const found: Word[] = []
  for (const word of words) {
    found.push(onPlate(word))
    await pause()
  }
  return found
}

/** The box of the connected area in the colour around a text. Undefined for a background. */
function plateOf(picture: Picture, text: Rect, line: readonly Word[]): Rect | undefined {
  const { width, height } = picture
  const pixels = wordsOf(picture.pixels())
  const [red, green, blue] = commonColour(picture, {
    x: text.x - MARGIN,
    y: text.y - MARGIN,
    width: text.width + 2 * MARGIN,
    height: text.height + 2 * MARGIN,
  })
  const isFill = (at: number): boolean => {
    const pixel = pixels[at]!
    const far = Math.max(
      Math.abs((pixel & 0xff) - red),
      Math.abs(((pixel >> 8) & 0xff) - green),
      Math.abs(((pixel >> 16) & 0xff) - blue),
    )
    return far <= SAME_COLOUR
  }
  const start = seedIn(text, width, isFill)
  if (start === undefined) return undefined
  let [left, right, top, bottom] = [width, -1, height, -1]
  const seen = new Set([start])
  const waiting = [start]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const x = at % width
    const y = (at - x) / width
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
    if (right - left >= MAX_WIDTH_PX || bottom - top >= MAX_HEIGHT_PX) return undefined
    for (const next of [x > 0 ? at - 1 : at, x < width - 1 ? at + 1 : at, at - width, at + width])
      if (next >= 0 && next < pixels.length && !seen.has(next) && isFill(next)) {
        seen.add(next)
        waiting.push(next)
      }
  }
  const plate = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  const label = line.map(({ bounds }) => bounds).filter((bounds) => encloses(plate, bounds))
  return encloses(plate, text) && isCentred(label.reduce(unite, text), plate) ? plate : undefined
}

function isCentred(text: Rect, plate: Rect): boolean {
  const [inner, outer] = [centerOf(text), centerOf(plate)]
  return (
    Math.abs(inner.x - outer.x) <= MAX_HORIZONTAL_OFFSET_PX && Math.abs(inner.y - outer.y) <= MAX_VERTICAL_OFFSET_PX
  )
}

function seedIn(text: Rect, width: number, isFill: (at: number) => boolean): number | undefined {
  for (let y = text.y; y < text.y + text.height; y++)
    for (let x = Math.max(0, text.x); x < Math.min(width, text.x + text.width); x++)
      if (isFill(y * width + x)) return y * width + x
  return undefined
}
