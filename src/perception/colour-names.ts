import { intersect, type Rect } from '../desktop/model/geometry.ts'
import { type Picture, wordsOf } from '../paint/picture.ts'

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number]

/** The most frequent colour of an area. */
export function commonColour(picture: Picture, area: Rect): Colour {
  const pixels = wordsOf(picture.pixels())
  const part = intersect(area, { x: 0, y: 0, width: picture.width, height: picture.height })
  const counts = new Map<number, number>()
  if (part)
    for (let y = Math.floor(part.y); y < part.y + part.height; y++)
      for (let x = Math.floor(part.x); x < part.x + part.width; x++) {
        const pixel = pixels[y * picture.width + x]!
        counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
      }
  let common = 0
  let most = 0
  for (const [pixel, count] of counts)
    if (count > most) {
      common = pixel
      most = count
    }
  return [common & 0xff, (common >> 8) & 0xff, (common >> 16) & 0xff]
}

const HUES: readonly (readonly [upTo: number, name: string])[] = [
  [18, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [165, 'green'],
  [255, 'blue'],
  [290, 'purple'],
  [340, 'pink'],
  [361, 'red'],
]

/** The common name of a colour. */
export function colourName([red, green, blue]: Colour): string {
  const high = Math.max(red, green, blue)
  const low = Math.min(red, green, blue)
  const light = (high + low) / 2
  if (high - low < 30) return light > 235 ? 'white' : light < 40 ? 'black' : 'grey'
  const range = high - low
  const sector =
    high === red ? ((green - blue) / range) % 6 : high === green ? (blue - red) / range + 2 : (red - green) / range + 4
  const hue = (sector * 60 + 360) % 360
  return HUES.find(([upTo]) => hue < upTo)![1]
}
