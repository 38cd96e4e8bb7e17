import * as z from 'zod'
import { type Computer, screenArea } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import type { Monitor } from '../../desktop/model/desktop.ts'
import { contains, intersect, type Rect, sameRect, unite } from '../../desktop/model/geometry.ts'
import { encodeLossy } from '../../paint/canvas/skia.ts'
import { type Picture, resize } from '../../paint/picture.ts'
import { withPointer } from '../../paint/pointer.ts'
import type { DesktopContext } from '../desktop-context.ts'
import { defineTool } from '../tool.ts'
import { Bounds } from '../wire.ts'
import { base64Of } from './pictures.ts'

const MAX_SIDE_PX = 10_000
/** The most pixels of an enlarged region. */
const MAX_ENLARGED_PIXELS = 16_777_216

/** The argument that chooses a monitor by its index in get_monitors. */
export const MonitorIndex = z
  .int()
  .min(0)
  .optional()
  .describe('Show this monitor, by its index in get_monitors; of a synthetic desktop the primary one by default')

const Input = z.object({
  region: Bounds.optional().describe(
    'Only this part of the screen, in absolute screen pixels. With a budget it is enlarged or reduced to fit it: a zoom',
  ),
  monitor: MonitorIndex,
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
  run: async ({ input }, { computer }: DesktopContext) => {
    const monitors = await computer.monitors()
    const chosen = input.monitor === undefined ? undefined : monitorBounds(monitors, input.monitor)
    const region = input.region
      ? partOf(chosen ? [chosen] : monitors.map(({ bounds }) => bounds), input.region)
      : (chosen ?? screenArea(computer.info.synthetic, monitors))
    const shown = await computer.screenshot(input.region || chosen ? { area: region } : { screen: true })
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

/** The bounds of a monitor. Throws `BadRequest` with the monitors. */
export function monitorBounds(monitors: readonly Monitor[], index: number): Rect {
  const monitor = monitors.find((each) => each.index === index)
  if (monitor) return monitor.bounds
  throw new Fault('BadRequest', `monitor: there is no monitor ${index}; ${monitorsInWords(monitors)}`, {
    field: 'monitor',
  })
}

const placed = ({ width, height, x, y }: Rect): string => `${width}x${height} at ${x},${y}`

function monitorsInWords(monitors: readonly Monitor[]): string {
  const listed = monitors.map(({ index, bounds }) => `${index} (${placed(bounds)})`)
  return listed.length === 1 ? `the only one is ${listed[0]}` : `the monitors are ${listed.join(', ')}`
}

/** The part of a region that the monitors show. It is black where no monitor is. */
function partOf(shown: readonly Rect[], wanted: Rect): Rect {
  const part = shown
    .flatMap((bounds) => intersect(bounds, wanted) ?? [])
    .reduce<Rect | undefined>((whole, seen) => (whole ? unite(whole, seen) : seen), undefined)
  if (part) return part
  const where = shown.map(placed).join(', ')
  throw new Fault('BadRequest', `region: outside of the screen, which is ${where}`, {
    field: 'region',
    screen: shown[0],
  })
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
