import * as z from 'zod'
import { type Computer, screenArea } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { contains, intersect, type Rect, sameRect } from '../../desktop/model/geometry.ts'
import { encodeLossy } from '../../paint/frame/skia.ts'
import { type Picture, resize } from '../../paint/picture.ts'
import { withPointer } from '../../paint/pointer.ts'
import type { DesktopParts } from '../session/parts.ts'
import { defineTool } from '../tool.ts'
import { Bounds } from '../wire/element.ts'
import { base64Of } from './pictures.ts'

const MAX_SIDE_PX = 10_000
/** The most pixels of an enlarged region. */
const MAX_ENLARGED_PIXELS = 16_777_216

const Input = z.object({
  region: Bounds.optional().describe(
    'Only this part of the screen, in absolute screen pixels. With a budget it is enlarged or reduced to fit it: a zoom',
  ),
  max_width: z.int().min(1).max(MAX_SIDE_PX).optional().describe('The budget for the width, in pixels'),
  max_height: z.int().min(1).max(MAX_SIDE_PX).optional().describe('The budget for the height, in pixels'),
  max_pixels: z
    .int()
    .min(1)
    .max(MAX_SIDE_PX ** 2)
    .optional()
    .describe('The budget for width times height'),
  format: z.enum(['png', 'jpeg', 'webp']).default('png').describe('The format of the picture'),
  quality: z.int().min(1).max(100).default(80).describe('The quality of a JPEG or WebP picture'),
  pointer: z.boolean().default(false).describe('Paint the mouse pointer into the picture'),
})
type Input = z.infer<typeof Input>

const captureScreen = defineTool({
  name: 'capture_screen',
  kind: 'look',
  summary:
    'Take a screenshot of the screen or of a region, in a size that fits a budget. A pixel (x, y) of the picture shows the point region.x + (x + 0.5) * region.width / width of the screen, and the same for y.',
  input: Input,
  output: z.object({
    format: z.enum(['png', 'jpeg', 'webp']),
    encoding: z.literal('base64'),
    width: z.int(),
    height: z.int(),
    data: z.string(),
    region: Bounds.describe('The part of the screen that the picture shows'),
    clipped: z.boolean().optional().describe('The requested region reached beyond the screen'),
  }),
  faults: ['BadRequest', 'PlatformUnsupported'],
  traits: { picture: true, idempotent: true },
  run: async ({ input }, { computer }: DesktopParts) => {
    const screen = screenArea(computer.info.synthetic, await computer.monitors())
    const region = input.region ? partOf(screen, input.region) : screen
    const shown = await computer.screenshot(input.region ? { area: region } : { screen: true })
    const pointed = input.pointer ? await pointedPicture(computer, shown, region) : shown
    const { width, height } = sizeWithin(region, input, input.region !== undefined)
    const picture = resize(pointed, width, height)
    return {
      format: input.format,
      encoding: 'base64',
      width,
      height,
      data: await encoded(picture, input),
      region: { x: region.x, y: region.y, width: region.width, height: region.height },
      ...(input.region && !sameRect(region, input.region) && { clipped: true }),
    }
  },
})

function partOf(screen: Rect, wanted: Rect): Rect {
  const part = intersect(screen, wanted)
  if (part) return part
  throw new Fault(
    'BadRequest',
    `region: outside of the screen, which is ${screen.width}x${screen.height} at ${screen.x},${screen.y}`,
    { field: 'region', screen },
  )
}

/** Paints the mouse pointer into a picture of a region of the screen. */
export async function pointedPicture(
  computer: Pick<Computer, 'monitors' | 'pointer' | 'info'>,
  picture: Picture,
  region: Rect,
): Promise<Picture> {
  const { at } = await computer.pointer()
  const monitor = (await computer.monitors()).find(({ bounds }) => contains(bounds, at))
  const look = { scale: monitor?.scaleFactor, colour: computer.info.pointer }
  return withPointer(picture, { x: at.x - region.x, y: at.y - region.y }, look)
}

/** The most pixels of a picture: its width, its height and their product. */
export interface PictureBudget {
  readonly max_width?: number | undefined
  readonly max_height?: number | undefined
  readonly max_pixels?: number | undefined
}

/** The size of a picture of a part of the screen: as large as the budget allows, and enlarged only if asked for. */
export function sizeWithin(
  { width, height }: Pick<Rect, 'width' | 'height'>,
  budget: PictureBudget,
  enlarge = false,
): { readonly width: number; readonly height: number } {
  const { max_width: maxWidth, max_height: maxHeight, max_pixels: maxPixels } = budget
  const factors = [
    ...(maxWidth === undefined ? [] : [maxWidth / width]),
    ...(maxHeight === undefined ? [] : [maxHeight / height]),
    ...(maxPixels === undefined ? [] : [Math.sqrt(maxPixels / (width * height))]),
  ]
  if (factors.length === 0) return { width, height }
  const limit = enlarge ? Math.max(1, Math.sqrt(MAX_ENLARGED_PIXELS / (width * height))) : 1
  const factor = Math.min(...factors, limit)
  return { width: scaledSide(width, factor), height: scaledSide(height, factor) }
}

/** Rounded down, so that the budget holds. The small sum makes up for rounding errors of the factor. */
const scaledSide = (side: number, factor: number): number => Math.max(1, Math.floor(side * factor + 1e-6))

const encoded = async (picture: Picture, { format, quality }: Input): Promise<string> =>
  format === 'png'
    ? base64Of(picture)
    : (await encodeLossy(picture, picture.pixels(), format, quality)).toString('base64')

export const captureTools = [captureScreen]
