import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { type Element, nodeById } from '../../desktop/model/element.ts'
import { translate } from '../../desktop/model/geometry.ts'
import { withoutClosed } from '../../desktop/tree/modal.ts'
import { describeWindow } from '../../paint/describe.ts'
import type { Picture } from '../../paint/picture.ts'
import type { Word } from '../../perception/perception.ts'
import type { PictureContext } from '../desktop-context.ts'
import { drawSketch, readText, SketchSize } from '../screen/screen-text.ts'
import { captureTree, chooseWindow, issueTreeToken, requireTree, WindowChoice } from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'
import { Bounds } from '../wire.ts'
import { Crop, CroppedWindow, cropPicture, describeCrop } from './pictures.ts'

type DescriptionContext = PictureContext & ContextOf<'budget'>

const CHARACTERS_PER_TOKEN = 4
const NO_TREE = '[No accessibility tree for this window]'
const OCR_OFF = '[OCR disabled in config (ocr.enabled = false)]'
const OCR_MISSING = '[OCR unavailable: no text recognition is installed]'
const OCR_EMPTY = '[No text detected by OCR]'
const VLM_UNSET = '[VLM not configured: set vlm.base_url and vlm.model]'

/** Joins words by line, with a blank line between blocks. */
function linesOf(words: readonly Word[]): string {
  let text = ''
  let previous: Word | undefined
  for (const word of words) {
    if (previous) text += word.block !== previous.block ? '\n\n' : word.line !== previous.line ? '\n' : ' '
    text += word.text
    previous = word
  }
  return text
}

async function ocrSource(context: PictureContext, picture: Picture): Promise<string> {
  if (!context.settings.ocr.enabled) return OCR_OFF
  if (!context.perception.ocr) return OCR_MISSING
  try {
    return context.redaction.text(linesOf(await readText(context, picture))) || OCR_EMPTY
  } catch (thrown) {
    return `[OCR unavailable: ${Fault.from(thrown).message}]`
  }
}

/** The text of a vision model, or a message in brackets when there is none or it does not respond. */
async function vlmSource(
  context: DescriptionContext,
  picture: Picture,
  description: string,
): Promise<string | undefined> {
  const { vision } = context.perception
  const { enabled, model } = context.settings.vlm
  if (!enabled) return undefined
  if (!vision || model === null) return VLM_UNSET
  try {
    context.budget.admitVlm()
    const { text, tokens } = await vision.describe(
      picture,
      `Describe this window for someone who cannot see it.\n\n${description}`,
    )
    context.budget.spendVlmTokens(tokens)
    return context.redaction.text(text)
  } catch (thrown) {
    return `[VLM unavailable: ${Fault.from(thrown).message}]`
  }
}

const getScreenDescription = defineTool({
  name: 'get_screen_description',
  kind: 'look',
  summary:
    'Describe a window in words: its accessibility tree as prose, the text in its picture, and the description of a vision model if one is configured. Every mode returns all of them.',
  input: WindowChoice.extend({
    mode: z
      .enum(['accessibility', 'ocr', 'vlm', 'combined', 'auto'])
      .optional()
      .describe('Accepted for compatibility; the result is always combined'),
    max_tokens: z.int().min(1).optional().describe('Cut the description at this length, four characters per token'),
    focus_element: z.string().optional().describe('An element id: describe only this subtree'),
  }),
  output: z.object({
    window: z.string(),
    window_uid: z.string(),
    mode: z.literal('combined'),
    effective_mode: z.literal('combined'),
    accessibility: z.string(),
    ocr: z.string().optional().describe('Only while ocr.enabled'),
    vlm: z.string().optional().describe('Only while vlm.enabled'),
    description: z.string(),
    truncated: z.boolean(),
    tree_token: z.string().nullable(),
  }),
  faults: ['WindowGone', 'ElementNotFound'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input }, context: DescriptionContext) => {
    const { window } = await chooseWindow(context, input)
    const tree = await captureTree(context, window)
    const token = await issueTreeToken(context, window)
    const part = scoped(tree, input.focus_element)
    const accessibility = part ? describeWindow(window, withoutClosed(part)) : NO_TREE
    const picture = await context.redaction.legible({ window: window.uid })
    const ocr = context.settings.ocr.enabled ? await ocrSource(context, picture) : undefined
    const vlm = await vlmSource(context, picture, accessibility)
    const sources = { accessibility, ...(ocr !== undefined && { ocr }), ...(vlm !== undefined && { vlm }) }
    const whole = Object.entries(sources)
      .map(([name, text]) => `[${name}]\n${text}`)
      .join('\n\n')
    const most = input.max_tokens === undefined ? whole.length : input.max_tokens * CHARACTERS_PER_TOKEN
    const truncated = whole.length > most
    return {
      window: window.title,
      window_uid: window.uid,
      mode: 'combined',
      effective_mode: 'combined',
      ...sources,
      description: truncated ? `${whole.slice(0, most)}… [truncated]` : whole,
      truncated,
      tree_token: token,
    }
  },
})

function scoped(tree: Element | undefined, id: string | undefined): Element | undefined {
  if (id === undefined) return tree
  const node = tree && nodeById(tree, id)
  if (!node)
    throw new Fault('ElementNotFound', `focus_element: no element has the id ${JSON.stringify(id)}`, { element_id: id })
  return node
}

const getScreenSketch = defineTool({
  name: 'get_screen_sketch',
  kind: 'look',
  summary: 'Draw a window as boxes of characters: position and size of its controls, with a legend for small ones.',
  input: WindowChoice.extend(SketchSize.shape).extend({
    structured: z.boolean().default(false).describe('Also list every element with its position in the grid'),
    ocr: z.boolean().default(false).describe('Also return the text in the picture'),
  }),
  output: z.object({
    window: z.string(),
    window_uid: z.string(),
    grid_width: z.int(),
    grid_height: z.int(),
    ocr_overlay: z.boolean(),
    sketch: z.string(),
    elements: z.array(z.looseObject({})).optional(),
    legend: z.record(z.string(), z.string()).optional(),
    ocr_text: z.string().optional(),
  }),
  faults: ['WindowGone'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input }, context: PictureContext) => {
    const { window } = await chooseWindow(context, input)
    const drawn = drawSketch(context, window, await requireTree(context, window), input)
    return {
      window: window.title,
      window_uid: window.uid,
      grid_width: drawn.width,
      grid_height: drawn.height,
      ocr_overlay: input.ocr,
      sketch: drawn.text,
      ...(input.structured && { elements: drawn.elements, legend: drawn.legend }),
      ...(input.ocr && { ocr_text: await ocrSource(context, await legibleShot(context, window)) }),
    }
  },
})

const legibleShot = async (context: PictureContext, window: WindowInfo): Promise<Picture> =>
  context.redaction.legible({ window: window.uid })

const getOcr = defineTool({
  name: 'get_ocr',
  kind: 'look',
  summary: 'Recognise the words in the picture of a window or a part of it, with boxes and confidence.',
  input: Crop,
  output: z.object({
    ...CroppedWindow,
    engine: z.string(),
    tree_token: z.string().nullable(),
    words: z.array(z.object({ text: z.string(), confidence: z.number(), bbox: Bounds })),
  }),
  faults: ['WindowGone', 'ElementNotFound', 'PlatformUnsupported', 'BadRequest'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input }, context: PictureContext) => {
    const cut = await cropPicture(context, input, context.redaction.legible)
    const words = await readText(context, cut.picture)
    const { x, y } = cut.source ?? { x: 0, y: 0 }
    return {
      ...describeCrop(cut),
      engine: context.perception.ocr?.name ?? '',
      tree_token: cut.window ? await issueTreeToken(context, cut.window) : null,
      words: words.map(({ text, confidence, bounds }) => ({ text, confidence, bbox: translate(bounds, x, y) })),
    }
  },
})

export const wordTools = [getScreenDescription, getScreenSketch, getOcr]
