import { axisLines, chartGeometry, sectorPath, shareInPercent } from '../../desktop/model/chart.ts'
import { type DrawnChart, type DrawnPicture, drawnSize } from '../../desktop/model/drawn-picture.ts'
import { controlPart } from '../../desktop/model/element.ts'
import { bytesOf, resample, wordsOf } from '../picture.ts'
import { ID_PORTRAIT, printBusinessCard, printForm, printIdCard, printLetter, printReceipt } from './documents.ts'
import { photoPixels } from './photo/photo.ts'
import { clamp, grain, mix, noise, pictureSeed } from './raster.ts'
import { bar, frame, GREY, INK, line, pen, printed, type Sheet, shape } from './sheet.ts'

/** The opaque pixels of a drawn picture in a size, red in the lowest byte. Equal data have equal pixels on every machine. */
export function drawnPixels(picture: DrawnPicture, width: number, height: number): Uint32Array {
  if (picture.kind === 'photo') return photoPixels(picture, width, height)
  // Words are printed in their usual size and made smaller as a whole, as a photograph of them is.
  const sheet = drawnSize({ ...picture, width: undefined, height: undefined })
  const isSmaller = width < sheet.width || height < sheet.height
  const [across, down] = isSmaller ? enlarged(sheet, width, height) : [width, height]
  const pixels = scanned(picture, document(picture, sheet, across, down), across, down)
  if (!isSmaller) return pixels
  return wordsOf(resample(bytesOf(pixels), { width: across, height: down }, { width, height }, 4))
}

/** The proportions of a size, at least as large as a sheet. */
function enlarged(sheet: Size, width: number, height: number): readonly [number, number] {
  const scale = Math.min(MAX_SHRINK, Math.max(sheet.width / width, sheet.height / height))
  return [Math.round(width * scale), Math.round(height * scale)]
}

/** A smaller thumbnail is printed in less than its usual size. */
const MAX_SHRINK = 6

interface Size {
  readonly width: number
  readonly height: number
}

type Document = Exclude<DrawnPicture, { kind: 'photo' }>

function document(picture: Document, sheet: Size, width: number, height: number): Uint32Array {
  const on = (paper: string, print: (sheet: Sheet) => void) => printed(sheet, width, height, paper, print)
  switch (picture.kind) {
    case 'receipt':
      return on('#fbfaf5', (page) => printReceipt(page, picture))
    case 'letter':
      return on('#fdfdfb', (page) => printLetter(page, picture))
    case 'form':
      return on('#fcfcf9', (page) => printForm(page, picture))
    case 'business-card':
      return on('#fcfcfa', (page) => printBusinessCard(page, picture))
    case 'id-card':
      return withPortrait(
        on('#e3edf5', (page) => printIdCard(page, picture)),
        picture.seed ?? picture.name,
        width,
        height,
        Math.min(width / sheet.width, height / sheet.height),
      )
    case 'chart':
      return on('#ffffff', (page) => printChart(page, picture))
  }
}

function withPortrait(pixels: Uint32Array, seed: string, width: number, height: number, scale: number): Uint32Array {
  const [x, y] = [Math.round(ID_PORTRAIT.x * scale), Math.round(ID_PORTRAIT.y * scale)]
  const across = Math.min(width - x, Math.round(ID_PORTRAIT.width * scale))
  const down = Math.min(height - y, Math.round(ID_PORTRAIT.height * scale))
  if (across < 1 || down < 1) return pixels
  const face = photoPixels({ kind: 'photo', seed, scene: 'portrait', time: 'overcast' }, across, down)
  for (let row = 0; row < down; row++)
    pixels.set(face.subarray(row * across, (row + 1) * across), (y + row) * width + x)
  return pixels
}

const CHART_COLOURS = ['#2f6fb2', '#d9822b', '#4f9a5d', '#b4434b', '#7d64ad', '#8a6a4f', '#3f9aa6'] as const

/** A chart as a program exports it. */
function printChart(sheet: Sheet, { chart, title = '', points }: DrawnChart): void {
  const bounds = { x: 0, y: 0, width: sheet.width, height: sheet.height }
  const values = points.map(({ name, value }, index) =>
    controlPart(String(index), 'DataPoint', name, bounds, { valueNow: value }),
  )
  const geometry = chartGeometry(controlPart('chart', 'Chart', title, bounds, { children: values, traits: { chart } }))
  const { plot } = geometry
  const colourOf = (index: number) => CHART_COLOURS[index % CHART_COLOURS.length]!
  frame(sheet, 0, 0, sheet.width, sheet.height, '#c8ccd0')
  if (title !== '')
    line(sheet, sheet.width / 2, 22, title, { size: 16, weight: 600, align: 'center' }, sheet.width - 16)
  if (chart === 'pie') {
    geometry.points.forEach((point, index) => {
      const sector = sectorPath(plot.width, plot.width / 2 - 2, point.sector)
      sheet.context.save()
      sheet.context.translate(plot.x, plot.y)
      if (sector !== undefined) {
        shape(sheet, sector, colourOf(index))
        pen(sheet, sector, '#ffffff', 1)
      }
      sheet.context.restore()
      const { x, y, width } = point.label
      bar(sheet, x, y + 5, 12, 12, colourOf(index))
      const words = `${points[index]!.name} (${shareInPercent(point, geometry)} %)`
      line(sheet, x + 18, y + 16, words, { size: 14 }, width - 18)
    })
    return
  }
  for (const { y, text, isZero } of axisLines(geometry)) {
    bar(sheet, plot.x, y, plot.width, 1, isZero ? GREY : '#dfe2e5')
    line(sheet, plot.x - 6, y + 5, text, { size: 13, colour: GREY, align: 'end' })
  }
  if (chart === 'bar')
    for (const { bounds: area } of geometry.points) bar(sheet, area.x, area.y, area.width, area.height, colourOf(0))
  else if (geometry.points.length > 0)
    pen(
      sheet,
      geometry.points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(' '),
      colourOf(0),
      2,
    )
  geometry.points.forEach(({ label }, index) => {
    line(
      sheet,
      label.x + label.width / 2,
      label.y + 15,
      points[index]!.name,
      { size: 13, colour: INK, align: 'center' },
      label.width - 2,
    )
  })
}

/** The colour of the lid of the scanner, red in the lowest byte. */
const LID = 0xffcccfce

/** A document as a scanner sees it: turned, with shade, a crease and specks. Without `turn` and `noise`, as it was printed. */
function scanned(picture: Document, pixels: Uint32Array, width: number, height: number): Uint32Array {
  if (picture.kind === 'chart') return pixels
  const { turn = 0, noise: strength = 0 } = picture
  if (turn === 0 && strength === 0) return pixels
  const seed = pictureSeed(JSON.stringify(picture))
  const angle = (clamp(turn, -10, 10) * Math.PI) / 180
  // Series of sine and cosine: exact enough for small angles, and the same on every machine.
  const squared = angle * angle
  const sine = angle * (1 - squared / 6 + (squared * squared) / 120)
  const cosine = 1 - squared / 2 + (squared * squared) / 24
  const result = new Uint32Array(width * height)
  const [middle, centre] = [(width - 1) / 2, (height - 1) / 2]
  const crease = height * (0.3 + 0.4 * grain(1, 2, seed))
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const dx = column - middle
      const dy = row - centre
      const x = middle + dx * cosine + dy * sine
      const y = centre + dy * cosine - dx * sine
      const left = Math.floor(x)
      const top = Math.floor(y)
      const across = x - left
      const down = y - top
      const isInside = left >= 0 && top >= 0 && left + 1 < width && top + 1 < height
      const at = top * width + left
      const first = isInside ? pixels[at]! : LID
      const second = isInside ? pixels[at + 1]! : LID
      const third = isInside ? pixels[at + width]! : LID
      const fourth = isInside ? pixels[at + width + 1]! : LID
      const shade =
        1 - strength * (0.1 * (column / width) + 0.14 * noise((column / width) * 3, (row / width) * 3, seed))
      const fold = strength * 26 * Math.max(0, 1 - Math.abs(y - crease) / 2.5)
      const speck = (grain(column, row, seed) - 0.5) * 44 * strength
      let pixel = 0xff000000
      for (let channel = 0; channel < 3; channel++) {
        const shift = channel * 8
        const above = mix((first >>> shift) & 255, (second >>> shift) & 255, across)
        const below = mix((third >>> shift) & 255, (fourth >>> shift) & 255, across)
        const value = mix(above, below, down) * shade - fold + speck
        pixel |= Math.round(clamp(value, 0, 255)) << shift
      }
      result[row * width + column] = pixel >>> 0
    }
  return result
}
