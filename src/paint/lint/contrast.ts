import { intersect, type Rect } from '../../desktop/model/geometry.ts'
import type { Picture } from '../picture.ts'

/** The ratio of the luminances of two colours, from 1 to 21 (WCAG 2, "contrast ratio"). Colours are 0xbbggrr. */
export function contrastRatio(one: number, other: number): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const luminanceOf = (colour: number): number =>
  0.2126 * linear(colour & 255) + 0.7152 * linear((colour >> 8) & 255) + 0.0722 * linear((colour >> 16) & 255)

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/**
 * The contrast of the text in a part of a picture: that of its most frequent colour, the background, with the colour
 * that differs most from it. Undefined when the part has one colour.
 */
export function measureContrast(picture: Picture, part: Rect): number | undefined {
  const area = intersect(part, { x: 0, y: 0, width: picture.width, height: picture.height })
  if (!area) return undefined
  const pixels = picture.pixels()
  const counts = new Map<number, number>()
  for (let y = area.y; y < area.y + area.height; y++)
    for (let x = area.x; x < area.x + area.width; x++) {
      const at = (y * picture.width + x) * 4
      const colour = pixels[at]! | (pixels[at + 1]! << 8) | (pixels[at + 2]! << 16)
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
  if (counts.size < 2) return undefined
  let background = 0
  let most = 0
  for (const [colour, count] of counts) if (count > most) [background, most] = [colour, count]
  let highest = 1
  for (const colour of counts.keys()) highest = Math.max(highest, contrastRatio(background, colour))
  return highest
}
