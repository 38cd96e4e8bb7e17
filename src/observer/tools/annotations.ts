import * as z from 'zod'
import type { ScreenshotTarget } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { annotationsOf, cocoDocument } from '../../paint/annotations/coco.ts'
import { annotate, drawnMarks, LABEL_SIZE, marksOf } from '../../paint/annotations/set-of-marks.ts'
import type { DesktopContext } from '../desktop-context.ts'
import { chooseWindow, WindowChoice } from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'
import { Bounds } from '../wire.ts'
import { MonitorIndex, monitorBounds } from './capture.ts'
import { base64Of } from './pictures.ts'

const Box = z
  .tuple([z.int(), z.int(), z.int(), z.int()])
  .describe('Left, top, width and height in pixels of the picture')

const Annotated = z.object({
  id: z.int().describe('Counts from 1, the lowest element first; the number of its mark'),
  image_id: z.int(),
  category_id: z.int(),
  bbox: Box.describe('Around the visible pixels'),
  segmentation: z
    .object({ size: z.tuple([z.int(), z.int()]), counts: z.array(z.int()) })
    .describe('The visible pixels as uncompressed run lengths of COCO, column by column'),
  area: z.int().describe('The number of visible pixels'),
  iscrowd: z.literal(0),
  role: z.string(),
  name: z.string(),
  element_id: z.string(),
  window_uid: z.string(),
  parent_id: z.int().nullable().describe('The annotation of the nearest visible element around it'),
  z: z.int().describe('The height in the stack, from 0'),
  clickable: z.boolean(),
  occluded: z.number().describe('The share of the element that is covered, clipped or outside of the picture'),
})

const getAnnotations = defineTool({
  name: 'get_annotations',
  kind: 'look',
  audience: 'harness',
  summary:
    'Get the ground truth of a screenshot as COCO JSON: the box and the mask of the visible part of each element, the texts with their boxes, and optionally the picture, plain or with numbered marks. Without a window, of the primary monitor.',
  input: WindowChoice.extend({
    region: Bounds.optional().describe('Only this part of the screen, in absolute screen pixels'),
    monitor: MonitorIndex,
    picture: z
      .enum(['none', 'plain', 'marks'])
      .default('none')
      .describe('Also return the picture; marks are numbered by the ids of the annotations'),
  }),
  output: z.object({
    images: z.array(z.object({ id: z.int(), file_name: z.string(), width: z.int(), height: z.int() })),
    annotations: z.array(Annotated),
    categories: z.array(z.object({ id: z.int(), name: z.string(), supercategory: z.string() })),
    texts: z.array(z.object({ image_id: z.int(), text: z.string(), bbox: Box })),
    picture: z.object({ format: z.literal('png'), encoding: z.literal('base64'), data: z.string() }).optional(),
  }),
  faults: ['WindowGone', 'PlatformUnsupported', 'BadRequest'],
  traits: { picture: true, untrusted: true, idempotent: true },
  run: async ({ input }, context: DesktopContext) => {
    const { computer } = context
    if (!computer.elementAreas)
      throw new Fault('PlatformUnsupported', 'annotations need a synthetic desktop; this one is real')
    const of = await targetOf(input, context)
    const picture = await computer.screenshot(of)
    const areas = await computer.elementAreas(of)
    const { width, height } = picture
    const file_name = 'window' in of ? 'window.png' : 'screen.png'
    const document = cocoDocument([annotationsOf(areas, picture.text ?? [], { id: 1, file_name, width, height })])
    if (input.picture === 'none') return { ...document }
    const shown =
      input.picture === 'marks' ? annotate(picture, drawnMarks(marksOf(areas, picture, LABEL_SIZE))) : picture
    return { ...document, picture: { format: 'png', encoding: 'base64', data: await base64Of(shown) } }
  },
})

/** What the picture shows. Throws `BadRequest` for a window and a region at once. */
async function targetOf(
  input: WindowChoice & { readonly region?: z.infer<typeof Bounds> | undefined; readonly monitor?: number | undefined },
  context: DesktopContext,
): Promise<ScreenshotTarget> {
  const { region, monitor, ...choice } = input
  const isChosen = [choice.window_uid, choice.window_index, choice.window_title].some((each) => each !== undefined)
  if (region && isChosen)
    throw new Fault('BadRequest', 'region: it is a part of the screen; leave out the window', { field: 'region' })
  if (monitor !== undefined && (region || isChosen))
    throw new Fault('BadRequest', 'monitor: give a monitor, a region or a window', { field: 'monitor' })
  if (region) return { area: region }
  if (monitor !== undefined) return { area: monitorBounds(await context.computer.monitors(), monitor) }
  return isChosen ? { window: (await chooseWindow(context, choice)).window.uid } : { screen: true }
}

export const annotationTools = [getAnnotations]
