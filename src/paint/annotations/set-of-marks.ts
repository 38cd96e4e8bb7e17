import { encloses, intersect, type Point, type Rect } from '../../desktop/model/geometry.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { type CanvasContext, rasterize } from '../canvas/skia.ts'
import { fromPixels, type Picture } from '../picture.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import { drawLine } from '../text/text.ts'
import type { ElementArea } from './areas.ts'

/** A mark of an element: its number and where its label is. */
export interface ElementMark {
  /** The id of its annotation. */
  readonly id: number
  readonly box: Rect
  readonly label: Rect
}

/** Labels of one height, whose width depends on their number. */
export interface LabelSize {
  readonly height: number
  readonly widthOf: (label: string) => number
}

/** Elements that are marked: those that a click acts on. The cells of a row are marked by their row. */
const isMarked = ({ clickable, element }: ElementArea): boolean => clickable && roleKind(element.role) !== 'cell'

/** The marks of a picture, numbered as its annotations. Labels are in the picture and cover neither each other nor their element. */
export function marksOf(
  areas: readonly ElementArea[],
  picture: Pick<Picture, 'width' | 'height' | 'text'>,
  size: LabelSize,
  firstId = 1,
): readonly ElementMark[] {
  const marked = areas.flatMap((area, index) => (isMarked(area) ? [{ id: firstId + index, box: area.box }] : []))
  const taken = [...marked.map(({ box }) => box), ...(picture.text ?? []).map(({ bounds }) => bounds)]
  const placed: Rect[] = []
  return marked.map(({ id, box }) => {
    const label = placeLabel(box, { width: size.widthOf(String(id)), height: size.height }, picture, taken, placed)
    placed.push(label)
    return { id, box, label }
  })
}

type Size = Pick<Rect, 'width' | 'height'>

/** A label that is so far from its element is still easy to relate to it. */
const NEAR_PX = 60

/** The place of a label: beside its element, near it, else the nearest that is free. It avoids what is `taken` if it is near. */
function placeLabel(box: Rect, size: Size, picture: Size, taken: readonly Rect[], placed: readonly Rect[]): Rect {
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  const near = {
    x: box.x - NEAR_PX,
    y: box.y - NEAR_PX,
    width: box.width + 2 * NEAR_PX,
    height: box.height + 2 * NEAR_PX,
  }
  const isApart = (label: Rect) => !placed.some((other) => intersect(other, label))
  const isFree = (label: Rect) => encloses(whole, label) && !intersect(label, box) && isApart(label)
  const obstacles = taken.filter((other) => !encloses(other, box) && intersect(other, near))
  const isClear = (label: Rect) => isFree(label) && !obstacles.some((other) => intersect(other, label))
  const beside = placesAround(box, size)
  return (
    beside.find(isClear) ??
    nearestOnGrid(box, size, intersect(near, whole), isClear) ??
    beside.find(isFree) ??
    nearestOnGrid(box, size, whole, isFree) ??
    // An element that fills the picture has its label inside.
    nearestOnGrid(box, size, whole, isApart) ?? { x: box.x, y: box.y, ...size }
  )
}

/** The places that touch an element, the preferred first: above its start, then around it. */
function placesAround({ x, y, width, height }: Rect, size: Size): readonly Rect[] {
  const [above, below] = [y - size.height, y + height]
  const [left, right] = [x - size.width, x + width]
  const [end, bottom] = [x + width - size.width, y + height - size.height]
  const points = [
    [x, above],
    [left, y],
    [right, y],
    [x, below],
    [end, above],
    [end, below],
    [left, above],
    [right, above],
    [left, below],
    [right, below],
    [left, bottom],
    [right, bottom],
    [x + ((width - size.width) >> 1), above],
    [x + ((width - size.width) >> 1), below],
  ] as const
  return points.map(([left, top]) => ({ x: left, y: top, ...size }))
}

const GRID_PX = 4

/** The free place on a grid in an area that is nearest to the top left corner of an element. */
function nearestOnGrid(
  box: Rect,
  size: Size,
  area: Rect | undefined,
  isFree: (label: Rect) => boolean,
): Rect | undefined {
  if (!area) return undefined
  let nearest: Rect | undefined
  let least = Number.POSITIVE_INFINITY
  for (let y = area.y; y + size.height <= area.y + area.height; y += GRID_PX)
    for (let x = area.x; x + size.width <= area.x + area.width; x += GRID_PX) {
      const distance = (x - box.x) ** 2 + (y - box.y) ** 2
      const label = { x, y, ...size }
      if (distance >= least || !isFree(label)) continue
      nearest = label
      least = distance
    }
  return nearest
}

const COLOURS = ['#b3261e', '#0b57d0', '#146c2e', '#7a3ea1', '#8f4a00', '#00639b'] as const

/** Marks as annotations to draw. Colours alternate, so that a label differs from those beside it. */
export const drawnMarks = (marks: readonly ElementMark[]): readonly Annotation[] =>
  marks.map(({ id, box, label }) => ({
    at: box,
    label: String(id),
    labelAt: label,
    colour: COLOURS[id % COLOURS.length]!,
  }))

/** A mark drawn on a picture: a frame or a dot in a colour, optionally with a label. */
export interface Annotation {
  readonly at: Rect | Point
  readonly label?: string | undefined
  /** The rectangle of the label, by default above the mark. A line joins them if it is apart from the mark. */
  readonly labelAt?: Rect | undefined
  /** `#rrggbb`; red by default. */
  readonly colour?: string | undefined
}

const FONT: Font = { family: 'ui', size: 12, weight: 600 }
const LINE = 2
const SPOT_RADIUS = 6
const TAG_HEIGHT = 16
const TAG_PADDING = 4
const RED = '#d11a2a'

/** Draws annotations over a picture, later ones on top. */
export function annotate(picture: Picture, annotations: readonly Annotation[]): Picture {
  const { width, height } = picture
  const over = rasterize(width, height, (context) => {
    for (const annotation of annotations) draw(context, annotation, width)
  })
  return fromPixels(width, height, blended(picture.pixels(), new Uint8Array(over.buffer)))
}

/** The size of labels, to place them. */
export const LABEL_SIZE = {
  height: TAG_HEIGHT,
  widthOf: (label: string): number => Math.ceil(widthOf(label, FONT)) + 2 * TAG_PADDING,
}

function draw(context: CanvasContext, { at, label, labelAt, colour = RED }: Annotation, width: number): void {
  context.strokeStyle = colour
  context.fillStyle = colour
  context.lineWidth = LINE
  if ('width' in at) context.strokeRect(at.x, at.y, at.width, at.height)
  else {
    context.beginPath()
    context.arc(at.x, at.y, SPOT_RADIUS, 0, 2 * Math.PI)
    context.fill()
  }
  if (!label) return
  if (labelAt) {
    drawPlaced(context, at, label, labelAt)
    return
  }
  const tagWidth = Math.ceil(widthOf(label, FONT)) + 2 * TAG_PADDING
  const x = Math.max(0, Math.min(at.x, width - tagWidth))
  const above = at.y - TAG_HEIGHT - ('width' in at ? 0 : SPOT_RADIUS)
  const y = above >= 0 ? above : at.y + ('width' in at ? at.height : SPOT_RADIUS)
  context.fillRect(x, y, tagWidth, TAG_HEIGHT)
  drawLabel(context, label, x + TAG_PADDING, y + TAG_HEIGHT - TAG_PADDING)
}

function drawLabel(context: CanvasContext, label: string, x: number, baseline: number): void {
  context.fillStyle = '#ffffff'
  context.strokeStyle = '#ffffff'
  drawLine(context, x, baseline, label, FONT)
}

function drawPlaced(context: CanvasContext, at: Rect | Point, label: string, place: Rect): void {
  const mark = 'width' in at ? at : { ...at, width: 1, height: 1 }
  const nearest = (from: number, length: number, to: number) => Math.max(from, Math.min(to, from + length))
  const [middleX, middleY] = [place.x + place.width / 2, place.y + place.height / 2]
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(middleX, middleY)
  context.lineTo(nearest(mark.x, mark.width, middleX), nearest(mark.y, mark.height, middleY))
  context.stroke()
  context.fillRect(place.x, place.y, place.width, place.height)
  drawLabel(context, label, place.x + TAG_PADDING, place.y + place.height - TAG_PADDING)
}

/** Blends premultiplied pixels over opaque ones. */
function blended(below: Uint8Array, above: Uint8Array): Uint8Array {
  const pixels = below.slice()
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = above[at + 3]!
    if (alpha === 0) continue
    for (let channel = at; channel < at + 3; channel++)
      pixels[channel] = above[channel]! + Math.round((pixels[channel]! * (255 - alpha)) / 255)
  }
  return pixels
}
