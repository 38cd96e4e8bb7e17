import { type CanvasContext, rasterize, toPath2D } from '../canvas/skia.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import { drawLine, elide, wrap } from '../text/text.ts'

/** A sheet on which a document is printed. Places are in pixels of its usual size. */
export interface Sheet {
  readonly width: number
  readonly height: number
  readonly context: CanvasContext
}

export interface Print {
  readonly size: number
  readonly family?: Font['family']
  readonly weight?: number
  readonly isItalic?: true
  readonly colour?: string
  readonly align?: 'start' | 'center' | 'end'
}

export const INK = '#1d1f22'
export const GREY = '#5f656d'

/** The pixels of a document whose usual size is that of the sheet, enlarged to a size. */
export const printed = (
  sheet: { readonly width: number; readonly height: number },
  width: number,
  height: number,
  paper: string,
  print: (sheet: Sheet) => void,
): Uint32Array =>
  rasterize(width, height, (context) => {
    context.fillStyle = paper
    context.fillRect(0, 0, width, height)
    const scale = Math.min(width / sheet.width, height / sheet.height)
    context.scale(scale, scale)
    print({ ...sheet, context })
  })

const fontOf = ({ size, family = 'ui', weight = 400, isItalic }: Print): Font => ({
  family,
  size,
  weight,
  ...(isItalic && { isItalic }),
})

/** Prints a line from `x`, to `x` or around `x`, cut where it is longer than `room`. Returns its width. */
export function line(
  sheet: Sheet,
  x: number,
  baseline: number,
  words: string,
  print: Print,
  room = sheet.width,
): number {
  const font = fontOf(print)
  const shown = elide(words, room, font)
  const width = widthOf(shown, font)
  const { align = 'start', colour = INK } = print
  const start = align === 'start' ? x : align === 'end' ? x - width : x - width / 2
  sheet.context.fillStyle = colour
  sheet.context.strokeStyle = colour
  drawLine(sheet.context, Math.round(start), baseline, shown, font)
  return width
}

/** Prints a longer text in lines from a baseline on, at most to `last`. Returns the baseline after it. */
export function paragraph(
  sheet: Sheet,
  x: number,
  baseline: number,
  words: string,
  print: Print,
  room: number,
  last: number,
): number {
  const step = Math.round(print.size * 1.45)
  const most = Math.max(0, Math.floor((last - baseline) / step) + 1)
  let at = baseline
  for (const { text } of wrap(words, room, fontOf(print), most)) {
    line(sheet, x, at, text.trimEnd(), print, room + 1)
    at += step
  }
  return at
}

export function bar(sheet: Sheet, x: number, y: number, width: number, height: number, colour: string): void {
  sheet.context.fillStyle = colour
  sheet.context.fillRect(x, y, width, height)
}

export function frame(
  sheet: Sheet,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: string,
  thick = 1,
): void {
  bar(sheet, x, y, width, thick, colour)
  bar(sheet, x, y + height - thick, width, thick, colour)
  bar(sheet, x, y, thick, height, colour)
  bar(sheet, x + width - thick, y, thick, height, colour)
}

/** A line of dashes from side to side. */
export function dashes(sheet: Sheet, x: number, y: number, width: number, colour = GREY): void {
  for (let at = 0; at < width; at += 7) bar(sheet, x + at, y, Math.min(4, width - at), 1, colour)
}

/** A line that a pen drew, as an SVG path. */
export function pen(sheet: Sheet, path: string, colour: string, thick: number): void {
  sheet.context.strokeStyle = colour
  sheet.context.lineWidth = thick
  sheet.context.lineCap = 'round'
  sheet.context.lineJoin = 'round'
  sheet.context.stroke(toPath2D(path))
}

export function shape(sheet: Sheet, path: string, colour: string): void {
  sheet.context.fillStyle = colour
  sheet.context.fill(toPath2D(path))
}
