import * as z from 'zod'
import type { Shot, WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import { Latest } from '../../base/latest.ts'
import { intersect, type Rect } from '../../desktop/geometry.ts'
import { crop, type Picture, scaleTo } from '../../paint/picture.ts'
import type { Session } from '../session.ts'
import { drawSketch, Grid } from '../sketching.ts'
import { capture, chooseWindow, findElement, treeOf, WindowChoice } from '../target.ts'
import { type Answer, defineTool, Repeated } from '../tool.ts'
import { Bounds } from '../wire.ts'

const Image = {
  format: z.literal('png'),
  encoding: z.literal('base64'),
  width: z.int(),
  height: z.int(),
  data: z.string(),
}

/** Pictures that were asked for last, which on an unchanged desktop are asked for again. */
const encoded = new Latest<Picture, Answer>(8)

/** A picture as answers carry it: PNG in base64. */
export const encodePicture = (picture: Picture): Awaitable<Answer> =>
  encoded.get(picture) ??
  andThen(lettersOf(picture), (data) => {
    const { width, height } = picture
    return encoded.keep(picture, { format: 'png', encoding: 'base64', width, height, data })
  })

/** The PNG in base64. */
export const lettersOf = (picture: Picture): Awaitable<string> =>
  picture.base64?.() ?? andThen(picture.png(), (file) => file.toString('base64'))

const isChosen = (choice: WindowChoice): boolean =>
  choice.window_uid !== undefined || choice.window_index !== undefined || choice.window_title !== undefined

const getScreenshot = defineTool({
  name: 'get_screenshot',
  kind: 'look',
  summary: 'A screenshot of a window, or of the whole primary monitor when none is named, as a PNG.',
  input: WindowChoice,
  output: z.object({ window: z.string(), window_uid: z.string().optional(), ...Image }),
  faults: ['WindowGone'],
  traits: { picture: true, idempotent: true },
  run: ({ input, session }) => {
    if (!isChosen(input)) return photograph(session, { screen: true }, { window: '(full screen)' })
    return andThen(chooseWindow(session, input), ({ window: { title: window, uid: window_uid } }) =>
      photograph(session, { window: window_uid }, { window, window_uid }),
    )
  },
})

const photograph = (session: Session, of: Shot, about: Answer): Awaitable<Repeated> =>
  andThen(session.computer.screenshot(of), (picture) =>
    andThen(encodePicture(picture), (image) => new Repeated(image, about)),
  )

export const Crop = WindowChoice.extend({
  element_id: z.string().optional().describe('Only this element'),
  bbox: Bounds.optional().describe('Only this part, in screen pixels'),
  padding_px: z.int().min(0).max(500).default(0).describe('Pixels to add on each side'),
})

/** The part of a window's picture that is asked for, and where it lies in the window. */
export async function cropped(
  session: Session,
  window: WindowInfo,
  { element_id, bbox, padding_px }: Pick<z.infer<typeof Crop>, 'element_id' | 'bbox' | 'padding_px'>,
): Promise<{ picture: Picture; source: Rect | undefined }> {
  const picture = await session.computer.screenshot({ window: window.uid })
  const wanted = bbox ?? (element_id === undefined ? undefined : await boundsOf(session, window, element_id))
  if (!wanted) return { picture, source: undefined }
  const padded = {
    x: wanted.x - window.bounds.x - padding_px,
    y: wanted.y - window.bounds.y - padding_px,
    width: wanted.width + 2 * padding_px,
    height: wanted.height + 2 * padding_px,
  }
  const source = intersect(padded, { x: 0, y: 0, width: picture.width, height: picture.height })
  if (!source)
    throw new Fault('BadRequest', `bbox: it lies outside of the window ${JSON.stringify(window.title)}`, {
      field: 'bbox',
      bounds: window.bounds,
    })
  return { picture: crop(picture, source), source }
}

async function boundsOf(session: Session, window: WindowInfo, elementId: string): Promise<Rect> {
  const found = findElement(await treeOf(session, window), { element_id: elementId }, window.uid)
  return found.element.bounds
}

const getScreenshotCropped = defineTool({
  name: 'get_screenshot_cropped',
  kind: 'look',
  summary: 'A screenshot of one element or one part of a window.',
  input: Crop.extend({
    max_width: z.int().min(1).max(10_000).optional().describe('Scale down to this width in pixels'),
  }),
  output: z.object({ window: z.string(), window_uid: z.string(), source_bbox: Bounds.optional(), ...Image }),
  faults: ['WindowGone', 'ElementNotFound', 'BadRequest'],
  traits: { picture: true, idempotent: true },
  run: async ({ input, session }) => {
    const { window } = await chooseWindow(session, input)
    const { picture, source } = await cropped(session, window, input)
    const scaled = input.max_width === undefined ? picture : scaleTo(picture, input.max_width)
    return {
      window: window.title,
      window_uid: window.uid,
      ...(source && { source_bbox: source }),
      ...(await encodePicture(scaled)),
    }
  },
})

const getFullScreenshot = defineTool({
  name: 'get_full_screenshot',
  kind: 'look',
  summary: 'A screenshot of the whole primary monitor, together with a sketch of one window.',
  input: WindowChoice.extend(Grid.shape),
  output: z.object({
    window: z.string().nullable(),
    screenshot_scope: z.literal('full_display'),
    sketch: z.string().nullable(),
    ...Image,
  }),
  faults: ['WindowGone'],
  traits: { picture: true, idempotent: true },
  run: async ({ input, session }) => {
    const picture = await session.computer.screenshot({ screen: true })
    const empty = (await session.computer.windows()).length === 0
    const window = empty && !isChosen(input) ? undefined : (await chooseWindow(session, input)).window
    const tree = window && (await capture(session, window))
    return {
      window: window?.title ?? null,
      screenshot_scope: 'full_display',
      ...(await encodePicture(picture)),
      sketch: window && tree ? drawSketch(session, window, tree, input).text : null,
    }
  },
})

export const pictureTools = [getScreenshot, getScreenshotCropped, getFullScreenshot]
