import { rasterize, toPath2D } from '../../frame/skia.ts'
import { badSvg, parseSvg } from './svg-elements.ts'
import { lengthOf, type SvgShape, shapesOf } from './svg-shapes.ts'

/** An SVG file that can be painted in any size. */
export interface SvgPicture {
  /** Its own size in pixels. */
  readonly width: number
  readonly height: number
  /** The part of its plane that it shows. */
  readonly view: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly shapes: readonly SvgShape[]
}

const MAX_LENGTH = 500_000

/** Reads an SVG file. Throws `BadRequest` for one that is broken, too large, or has what is not supported. */
export function readSvg(file: Uint8Array): SvgPicture {
  if (file.length > MAX_LENGTH) throw badSvg(`has ${file.length} bytes; at most ${MAX_LENGTH} are allowed`)
  const root = parseSvg(Buffer.from(file).toString('utf8'))
  const box = root.attributes.get('viewBox')
  const [x = 0, y = 0, across = 0, down = 0] = (box ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  if (box !== undefined && !(across > 0 && down > 0 && Number.isFinite(x + y + across + down)))
    throw badSvg(`has the viewBox ${JSON.stringify(box)}; expected four numbers`)
  const [width, height] = [sizeOf('width', across), sizeOf('height', down)]
  if (!(width > 0 && height > 0)) throw badSvg('has neither a viewBox nor a width and a height')
  const view = box === undefined ? { x: 0, y: 0, width, height } : { x, y, width: across, height: down }
  return { width: Math.round(width) || 1, height: Math.round(height) || 1, view, shapes: shapesOf(root) }

  function sizeOf(key: string, usual: number): number {
    return root.attributes.get(key)?.endsWith('%') ? usual : lengthOf(root, key, usual)
  }
}

/** The premultiplied pixels of an SVG file in a size, in the middle with its proportions. */
export function svgPixels({ view, shapes }: SvgPicture, width: number, height: number): Uint32Array {
  return rasterize(width, height, (context) => {
    const scale = Math.min(width / view.width, height / view.height)
    context.translate((width - view.width * scale) / 2, (height - view.height * scale) / 2)
    context.scale(scale, scale)
    context.translate(-view.x, -view.y)
    for (const { path, transforms, style } of shapes) {
      context.save()
      for (const matrix of transforms) context.transform(...matrix)
      const outline = toPath2D(path)
      if (style.fill !== 'none') {
        context.globalAlpha = style.opacity * style.fillOpacity
        context.fillStyle = style.fill
        context.fill(outline, style.rule)
      }
      if (style.stroke !== 'none' && style.strokeWidth > 0) {
        context.globalAlpha = style.opacity * style.strokeOpacity
        context.strokeStyle = style.stroke
        context.lineWidth = style.strokeWidth
        context.lineCap = style.cap
        context.lineJoin = style.join
        context.miterLimit = 4
        context.stroke(outline)
      }
      context.restore()
    }
  })
}
