import type { Point } from '../desktop/model/geometry.ts'
import { pixelOf } from './colour.ts'
import { bytesOf, fromPixels, type Picture, wordsOf } from './picture.ts'

/** An arrow whose tip is the hot spot: `#` is its edge, `.` its inside. */
const ARROW: readonly string[] = [
  '#',
  '##',
  '#.#',
  '#..#',
  '#...#',
  '#....#',
  '#.....#',
  '#......#',
  '#.......#',
  '#........#',
  '#.........#',
  '#......#####',
  '#...#..#',
  '#..##..#',
  '#.#  #..#',
  '##   #..#',
  '#     #..#',
  '      #..#',
  '       ##',
]

/** A white pointer with a black edge, or a black one with a white edge. */
export type PointerColour = 'white' | 'black'

const COLOURS: Readonly<Record<PointerColour, { readonly edge: string; readonly inside: string }>> = {
  white: { edge: '#000000', inside: '#ffffff' },
  black: { edge: '#ffffff', inside: '#000000' },
}

/** Paints a mouse pointer over a picture. Its tip is at a point of the picture, which may be outside; `scale` enlarges it. */
export function withPointer(
  picture: Picture,
  { x, y }: Point,
  {
    scale = 1,
    colour = 'white',
  }: { readonly scale?: number | undefined; readonly colour?: PointerColour | undefined } = {},
): Picture {
  const { width, height } = picture
  const size = Math.max(1, Math.round(scale))
  const [edge, inside] = [pixelOf(COLOURS[colour].edge), pixelOf(COLOURS[colour].inside)]
  const pixels = wordsOf(picture.pixels()).slice()
  ARROW.forEach((line, row) => {
    for (let column = 0; column < line.length; column++) {
      const mark = line[column]
      if (mark === ' ') continue
      const [left, top] = [x + column * size, y + row * size]
      for (let down = Math.max(0, top); down < Math.min(height, top + size); down++)
        for (let across = Math.max(0, left); across < Math.min(width, left + size); across++)
          pixels[down * width + across] = mark === '#' ? edge : inside
    }
  })
  return fromPixels(width, height, bytesOf(pixels))
}
