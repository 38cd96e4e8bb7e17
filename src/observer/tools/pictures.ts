import * as z from 'zod'
import type { ScreenshotTarget, WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { intersect, type Rect, translate } from '../../desktop/model/geometry.ts'
import { crop, type Picture, scaleTo } from '../../paint/picture.ts'
import type { DesktopContext, PictureContext } from '../desktop-context.ts'
import { CachedResult, type ToolResult } from '../result.ts'
import { drawSketch, SketchSize } from '../screen/screen-text.ts'
import { resolveElement } from '../targets/elements.ts'
import { captureTree, chooseWindow, requireTree, WindowChoice } from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'
import { Bounds } from '../wire.ts'

const Image = {
  format: z.literal('png'),
  encoding: z.literal('base64'),
  width: z.int(),
  height: z.int(),
  data: z.string(),
}

/** The latest encoded pictures. An unchanged desktop returns the same picture again. */
const encoded = new LruCache<Picture, ToolResult>(8)

/** Encodes a picture for a result: PNG in base64. */
export const encodePicture = (picture: Picture): Awaitable<ToolResult> =>
  encoded.get(picture) ??
  andThen(base64Of(picture), (data) => {
    const { width, height } = picture
    return encoded.keep(picture, { format: 'png', encoding: 'base64', width, height, data })
  })

/** The picture as PNG in base64. */
export const base64Of = (picture: Picture): Awaitable<string> =>
  picture.base64?.() ?? andThen(picture.png(), (file) => file.toString('base64'))

const isChosen = (choice: WindowChoice): boolean =>
  choice.window_uid !== undefined || choice.window_index !== undefined || choice.window_title !== undefined

/** Replaces the name of the window in a picture of the screen. */
const SCREEN = '(full screen)'

const getScreenshot = defineTool({
  name: 'get_screenshot',
  kind: 'look',
  summary:
    'Take a screenshot of a window as a PNG. Without a window, of the primary monitor, or of all monitors on a real desktop.',
  input: WindowChoice,
  output: z.object({ window: z.string(), window_uid: z.string().optional(), ...Image }),
  faults: ['WindowGone'],
  traits: { picture: true, idempotent: true },
  run: ({ input }, context: DesktopContext) => {
    if (!isChosen(input)) return photograph(context, { screen: true }, { window: SCREEN })
    return andThen(chooseWindow(context, input), ({ window: { title: window, uid: window_uid } }) =>
      photograph(context, { window: window_uid }, { window, window_uid }),
    )
  },
})

const photograph = (context: DesktopContext, of: ScreenshotTarget, about: ToolResult): Awaitable<CachedResult> =>
  andThen(context.computer.screenshot(of), (picture) =>
    andThen(encodePicture(picture), (image) => new CachedResult(image, about)),
  )

export const Crop = WindowChoice.extend({
  element_id: z.string().optional().describe('Only this element'),
  bbox: Bounds.optional().describe(
    'Only this part, in pixels of the window, as in source_bbox and the boxes of words; in pixels of the screen without a window',
  ),
  padding_px: z.int().min(0).max(500).default(0).describe('Pixels to add on each side'),
})
export type Crop = z.infer<typeof Crop>

/** A picture of a window, or of a part of it or of the screen. */
export interface CroppedPicture {
  readonly picture: Picture
  /** Undefined for a part of the screen. */
  readonly window: WindowInfo | undefined
  /** The requested part, in pixels of the window or of the screen; undefined for a whole window. */
  readonly source: Rect | undefined
}

type Take = (of: ScreenshotTarget) => Awaitable<Picture>

/** Crops a picture of a window or of the screen. Throws `BadRequest` when the part is outside. */
export async function cropPicture(
  context: DesktopContext,
  input: Crop,
  take: Take = context.computer.screenshot,
): Promise<CroppedPicture> {
  const { element_id, bbox, padding_px } = input
  if (bbox && !isChosen(input)) return cutOfScreen(context, padded(bbox, padding_px), take)
  const { window } = await chooseWindow(context, input)
  const wanted =
    bbox ?? (element_id === undefined ? undefined : toWindowPixels(window, await boundsOf(context, window, element_id)))
  return { window, ...(await cropWindow(window, wanted && padded(wanted, padding_px), take)) }
}

/** Crops a picture of a window, in pixels of the window. */
export async function cropWindow(window: WindowInfo, wanted: Rect | undefined, take: Take) {
  const picture = await take({ window: window.uid })
  if (!wanted) return { picture, source: undefined }
  const { width, height } = picture
  const source = intersect(wanted, { x: 0, y: 0, width, height })
  if (source) return { picture: crop(picture, source), source }
  throw new Fault(
    'BadRequest',
    `bbox: outside of the window ${JSON.stringify(window.title)}, which is ${width}x${height} pixels`,
    { field: 'bbox', window: { width, height } },
  )
}

async function cutOfScreen(context: DesktopContext, wanted: Rect, take: Take): Promise<CroppedPicture> {
  const screens = (await context.computer.monitors()).map(({ bounds }) => bounds)
  const source = screens.map((screen) => intersect(wanted, screen)).find((part) => part !== undefined)
  if (source) return { picture: await take({ area: source }), window: undefined, source }
  throw new Fault(
    'BadRequest',
    'bbox: outside of all monitors; name the window that it is relative to, or call get_monitors',
    {
      field: 'bbox',
      monitors: screens,
    },
  )
}

export const padded = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

/** Converts a rectangle of the screen to pixels of a window. */
export const toWindowPixels = ({ bounds }: WindowInfo, rect: Rect): Rect => translate(rect, -bounds.x, -bounds.y)

async function boundsOf(context: DesktopContext, window: WindowInfo, elementId: string): Promise<Rect> {
  const found = resolveElement(await requireTree(context, window), { element_id: elementId }, window.uid)
  return found.element.bounds
}

/** The fields that identify the window of a cropped picture. */
export const CroppedWindow = {
  window: z.string(),
  window_uid: z.string().optional().describe('Absent for a part of the screen'),
  relative_to: z.enum(['window', 'screen']).describe('What the boxes of this result are relative to'),
}

export const describeCrop = ({ window }: CroppedPicture) => ({
  window: window?.title ?? SCREEN,
  ...(window && { window_uid: window.uid }),
  relative_to: window ? 'window' : 'screen',
})

const getScreenshotCropped = defineTool({
  name: 'get_screenshot_cropped',
  kind: 'look',
  summary: 'Take a screenshot of one element or of a part of a window or of the screen.',
  input: Crop.extend({
    max_width: z.int().min(1).max(10_000).optional().describe('Scale down to this width in pixels'),
  }),
  output: z.object({ ...CroppedWindow, source_bbox: Bounds.optional(), ...Image }),
  faults: ['WindowGone', 'ElementNotFound', 'BadRequest'],
  traits: { picture: true, idempotent: true },
  run: async ({ input }, context: DesktopContext) => {
    const cut = await cropPicture(context, input)
    const scaled = input.max_width === undefined ? cut.picture : scaleTo(cut.picture, input.max_width)
    return {
      ...describeCrop(cut),
      ...(cut.source && { source_bbox: cut.source }),
      ...(await encodePicture(scaled)),
    }
  },
})

const getFullScreenshot = defineTool({
  name: 'get_full_screenshot',
  kind: 'look',
  summary: 'Take a screenshot of the primary monitor (of all on a real desktop) with a sketch of one window.',
  input: WindowChoice.extend(SketchSize.shape),
  output: z.object({
    window: z.string().nullable(),
    screenshot_scope: z.literal('full_display'),
    sketch: z.string().nullable(),
    ...Image,
  }),
  faults: ['WindowGone'],
  traits: { picture: true, idempotent: true },
  run: async ({ input }, context: PictureContext) => {
    const picture = await context.computer.screenshot({ screen: true })
    const empty = (await context.computer.windows()).length === 0
    const window = empty && !isChosen(input) ? undefined : (await chooseWindow(context, input)).window
    const tree = window && (await captureTree(context, window))
    return {
      window: window?.title ?? null,
      screenshot_scope: 'full_display',
      ...(await encodePicture(picture)),
      sketch: window && tree ? drawSketch(context, window, tree, input).text : null,
    }
  },
})

export const pictureTools = [getScreenshot, getScreenshotCropped, getFullScreenshot]
