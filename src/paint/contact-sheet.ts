import { rasterize } from './canvas/skia.ts'
import { bytesOf, fromPixels, type Picture, resize, wordsOf } from './picture.ts'
import { type Font, widthOf } from './text/fonts.ts'
import { drawLine, elide } from './text/text.ts'

/** A picture of a contact sheet, with the words below it. */
export interface SheetCell {
  readonly picture: Picture
  readonly caption: string
}

export interface SheetSize {
  readonly columns: number
  /** The width of a cell in pixels. Wider pictures are scaled down, narrower ones keep their size. */
  readonly cell: number
}

const FONT: Font = { family: 'ui', size: 13, weight: 500 }
const CAPTION_PX = 26
const GAP_PX = 16
const GROUND = '#ffffff'
const WORDS = '#1d2433'

/** Pictures side by side in rows, each with its caption below. A row is as high as its highest picture. */
export function contactSheet(cells: readonly SheetCell[], { columns, cell }: SheetSize): Picture {
  const pictures = cells.map(({ picture }) => (picture.width <= cell ? picture : scaled(picture, cell)))
  const rows = Math.ceil(cells.length / columns)
  const heights = Array.from({ length: rows }, (_, row) =>
    Math.max(...pictures.slice(row * columns, (row + 1) * columns).map(({ height }) => height)),
  )
  const width = GAP_PX + Math.min(columns, cells.length) * (cell + GAP_PX)
  const height = GAP_PX + heights.reduce((sum, each) => sum + each + CAPTION_PX + GAP_PX, 0)
  const tops = heights.map((_, row) =>
    heights.slice(0, row).reduce((sum, each) => sum + each + CAPTION_PX + GAP_PX, GAP_PX),
  )
  const at = (index: number) => ({
    x: GAP_PX + (index % columns) * (cell + GAP_PX),
    y: tops[Math.floor(index / columns)]!,
  })
  const pixels = rasterize(width, height, (context) => {
    context.fillStyle = GROUND
    context.fillRect(0, 0, width, height)
    context.fillStyle = WORDS
    for (const [index, { caption }] of cells.entries()) {
      const words = elide(caption, cell, FONT)
      const x = at(index).x + Math.round((cell - widthOf(words, FONT)) / 2)
      drawLine(context, x, at(index).y + heights[Math.floor(index / columns)]! + CAPTION_PX - 9, words, FONT)
    }
  })
  for (const [index, picture] of pictures.entries()) {
    const place = at(index)
    const source = wordsOf(picture.pixels())
    const left = place.x + Math.round((cell - picture.width) / 2)
    for (let row = 0; row < picture.height; row++)
      pixels.set(source.subarray(row * picture.width, (row + 1) * picture.width), (place.y + row) * width + left)
  }
  return fromPixels(width, height, bytesOf(pixels))
}

const scaled = (picture: Picture, width: number): Picture =>
  resize(picture, width, Math.max(1, Math.round((picture.height * width) / picture.width)))
