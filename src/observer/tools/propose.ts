import { z } from 'zod'
import { Fault } from '../../base/fault.ts'
import { nodeById } from '../../desktop/element.ts'
import type { Rect } from '../../desktop/geometry.ts'
import { scaleTo } from '../../paint/picture.ts'
import type { Hit } from '../gates/confirmation.ts'
import type { Session } from '../session.ts'
import { chooseWindow, ElementChoice, findElement, treeOf, WindowChoice } from '../target.ts'
import { defineTool } from '../tool.ts'
import { Bounds } from '../wire.ts'
import { meetsAt } from './input.ts'
import { cropped } from './pictures.ts'

const SHOWN_WIDTH_MOST = 400
const SHOWN_PADDING = 8

/** What the arguments of a proposed action say of its target; other arguments do not matter here. */
const Proposed = WindowChoice.extend(ElementChoice.shape).extend({ x: z.int().optional(), y: z.int().optional() })

/** Actions that a receipt names differently from their tool: a token fits the receipt's name. */
const SAME_ACTION: Readonly<Record<string, string>> = {
  right_click_element: 'click_element',
  double_click_element: 'click_element',
  click_element_and_observe: 'click_element',
  type_and_observe: 'type_text',
  press_key_and_observe: 'press_key',
}

const proposeAction = defineTool({
  name: 'propose_action',
  kind: 'look',
  summary:
    'Ask for the confirmation token of one later action, and see what it would hit. The token fits that action on that element once.',
  input: z.object({
    action: z.string().min(1).describe('The tool that will be called, such as click_element'),
    args: z.record(z.string(), z.unknown()).default({}).describe('Its arguments'),
  }),
  output: z.object({
    confirm_token: z.string(),
    expires_at: z.number(),
    would_target: z.object({
      window_uid: z.string(),
      element_id: z.string(),
      selector: z.string(),
      bounds: Bounds,
      screenshot_b64: z.string().nullable(),
    }),
  }),
  faults: ['BadRequest', 'WindowGone', 'ElementNotFound'],
  run: async ({ input, session }) => {
    const args = Proposed.safeParse(input.args)
    if (!args.success) throw new Fault('BadRequest', `args: ${z.prettifyError(args.error)}`, { field: 'args' })
    const hit = await wouldHit(session, args.data)
    const action = SAME_ACTION[input.action] ?? input.action
    const { token, expiresMs } = session.confirmation.propose(action, hit, session.ids, session.clock.now())
    return {
      confirm_token: token,
      expires_at: expiresMs / 1000,
      would_target: {
        window_uid: hit.target.window,
        element_id: hit.target.element,
        selector: hit.selector,
        bounds: hit.element.bounds,
        screenshot_b64: await picture(session, hit.target.window, hit.element.bounds),
      },
    }
  },
})

/** The element that the arguments name, by selector, id or coordinates. */
async function wouldHit(session: Session, args: z.infer<typeof Proposed>): Promise<Hit> {
  const { x, y, selector, element_id } = args
  if (x !== undefined && y !== undefined && selector === undefined && element_id === undefined)
    return hitAt(session, x, y)
  const { window } = await chooseWindow(session, args)
  const tree = await treeOf(session, window)
  const found = findElement(tree, { selector, element_id }, window.uid)
  const bare = await session.bare.tree(window.uid)
  const element = (bare && nodeById(bare, found.element.id)) ?? found.element
  return { target: { window: window.uid, element: element.id }, element, selector: found.selector }
}

async function hitAt(session: Session, x: number, y: number): Promise<Hit> {
  const [met] = await meetsAt(session, { x, y })
  const tree = met && (await session.bare.tree(met.window))
  const element = tree && nodeById(tree, met.element)
  if (!met || !element) throw new Fault('ElementNotFound', `there is no element at (${x}, ${y})`, { x, y })
  return { target: { window: met.window, element: met.element }, element, selector: met.selector }
}

async function picture(session: Session, window_uid: string, bounds: Rect): Promise<string | null> {
  try {
    const { window } = await chooseWindow(session, { window_uid })
    const cut = await cropped(session, window, { element_id: undefined, bbox: bounds, padding_px: SHOWN_PADDING })
    return Buffer.from(await scaleTo(cut.picture, SHOWN_WIDTH_MOST).png()).toString('base64')
  } catch (thrown) {
    if (thrown instanceof Fault) return null
    throw thrown
  }
}

export const proposeTools = [proposeAction]
