import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawInteger, type Random } from '../../base/random.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import { intersect, type Rect, translate } from '../../desktop/model/geometry.ts'
import { revealedIds } from '../../desktop/tree/visible-bounds.ts'
import { fromPixels, type Picture } from '../../paint/picture.ts'

/** The elements that a screenshot of the window shows: not hidden, with an area inside the window. */
export function visibleElements(tree: Element): readonly Element[] {
  const revealed = revealedIds(tree)
  return [...walk(tree)].filter(
    ({ id, bounds }) => revealed.has(id) && bounds.width > 1 && bounds.height > 1 && intersect(bounds, tree.bounds),
  )
}

/** Returns `count` different items in a random order. */
export function sampleRandomly<T>(things: readonly T[], count: number, random: Random): readonly T[] {
  const left = [...things]
  const sample: T[] = []
  let next = random
  while (left.length > 0 && sample.length < count) {
    const [index, later] = drawInteger(next, 0, left.length - 1)
    sample.push(...left.splice(index, 1))
    next = later
  }
  return sample
}

/** Whether a part of a picture has pixels of different colours. */
export function hasContent(picture: Picture, part: Rect): boolean {
  const pixels = picture.pixels()
  const seen = intersect(part, { x: 0, y: 0, width: picture.width, height: picture.height })
  if (!seen) return false
  const at = (x: number, y: number) => (y * picture.width + x) * 4
  const first = at(seen.x, seen.y)
  for (let y = seen.y; y < seen.y + seen.height; y++)
    for (let x = seen.x; x < seen.x + seen.width; x++)
      for (let channel = 0; channel < 3; channel++)
        if (pixels[at(x, y) + channel] !== pixels[first + channel]) return true
  return false
}

const RED = [220, 0, 60] as const

/** Writes a screenshot with the bounding boxes of elements to `reports/boxes/NAME.png`. */
export async function drawBoxes(
  name: string,
  picture: Picture,
  window: Rect,
  elements: readonly Element[],
): Promise<void> {
  const { width, height } = picture
  const pixels = Uint8Array.from(picture.pixels())
  const dot = (x: number, y: number) => {
    if (x >= 0 && y >= 0 && x < width && y < height) pixels.set(RED, (y * width + x) * 4)
  }
  for (const { bounds } of elements) {
    const box = translate(bounds, -window.x, -window.y)
    for (let x = box.x; x < box.x + box.width; x++) for (const y of [box.y, box.y + box.height - 1]) dot(x, y)
    for (let y = box.y; y < box.y + box.height; y++) for (const x of [box.x, box.x + box.width - 1]) dot(x, y)
  }
  const folder = join('reports', 'boxes')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.png`), await fromPixels(width, height, pixels).png())
}
