import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { scaleTo } from '../../paint/picture.ts'
import type { DesktopContext } from '../desktop-context.ts'
import { chooseWindow } from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'
import { Bounds } from '../wire.ts'
import { cropWindow, padded, toWindowPixels } from './pictures.ts'

type ProposalContext = DesktopContext & ContextOf<'confirmation' | 'budget' | 'secretIds'>

const MAX_PICTURE_WIDTH_PX = 400
const PICTURE_PADDING_PX = 8

const proposeAction = defineTool({
  name: 'propose_action',
  kind: 'look',
  summary:
    'Request a confirmation token for one later action and get the element that it would hit. The token is valid once, for that action on that element.',
  input: z.object({
    action: z.string().min(1).describe('The tool to call later, such as click_element'),
    args: z.record(z.string(), z.unknown()).default({}).describe('The arguments of the tool'),
  }),
  output: z.object({
    confirm_token: z.string(),
    expires_at: z.number(),
    would_target: z.object({
      window_uid: z.string(),
      element_id: z.string(),
      selector: z.string(),
      bounds: Bounds,
      screenshot_b64: z
        .string()
        .nullable()
        .describe('A picture of the element, unless the screenshot budget is used up'),
    }),
  }),
  faults: ['BadRequest', 'WindowGone', 'WindowOccluded', 'ElementNotFound', 'ElementDisabled', 'ElementOccluded'],
  run: async ({ input, preview }, context: ProposalContext) => {
    const { signature, hits } = await preview(
      input.action,
      input.action === 'drag' ? dragArguments(input.args) : input.args,
    )
    const { token, expiresMs } = context.confirmation.propose(
      signature,
      hits,
      context.secretIds,
      context.operatorClock.now(),
    )
    const shown = context.confirmation.asking(hits) ?? hits[0]!
    return {
      confirm_token: token,
      expires_at: expiresMs / 1000,
      would_target: {
        window_uid: shown.target.window,
        element_id: shown.target.element,
        selector: shown.selector,
        bounds: shown.bounds,
        screenshot_b64: await picture(context, shown.target.window, shown.bounds),
      },
    }
  },
})

/** A drag may be proposed by one element, which then stands for both ends. */
function dragArguments(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { selector, element_id, from, to } = args
  const only = from ?? to ?? (selector === undefined && element_id === undefined ? undefined : { selector, element_id })
  return only === undefined ? args : { ...args, from: from ?? only, to: to ?? only }
}

async function picture(context: ProposalContext, window_uid: string, bounds: Rect): Promise<string | null> {
  try {
    return await context.budget.spendScreenshot(async () => {
      const { window } = await chooseWindow(context, { window_uid })
      const wanted = padded(toWindowPixels(window, bounds), PICTURE_PADDING_PX)
      const cut = await cropWindow(window, wanted, context.computer.screenshot)
      return Buffer.from(await scaleTo(cut.picture, MAX_PICTURE_WIDTH_PX).png()).toString('base64')
    })
  } catch (thrown) {
    if (thrown instanceof Fault) return null
    throw thrown
  }
}

export const proposeTools = [proposeAction]
