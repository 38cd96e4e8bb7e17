import type { Point, Rect } from '../desktop/model/geometry.ts'
import { type CanvasContext, rasterize } from './frame/skia.ts'
import { fromPixels, type Picture } from './picture.ts'
import { drawLine } from './text/draw-line.ts'
import { type Font, widthOf } from './text/fonts.ts'

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
