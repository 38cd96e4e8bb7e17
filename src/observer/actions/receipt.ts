import * as z from 'zod'
import type { Target } from '../../desktop/model/desktop.ts'
import { type Element, focusedElement, memoize, nodeById, pathOf } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { selectorOf } from '../../desktop/tree/select.ts'
import type { ToolResult } from '../result.ts'
import type { ResolvedElement } from '../targets/elements.ts'
import { Bounds } from '../wire.ts'
import type { ActionResult } from './perform.ts'

/** The argument for how long to wait for the effect of an action. */
export const SettleMs = z
  .int()
  .min(0)
  .max(10_000)
  .optional()
  .describe(
    'On a real desktop: how long to wait for a window to open or close, in milliseconds; 0 does not wait. By default until the program is idle',
  )

const State = z.object({
  tree_hash: z.string().describe('Empty when the window is closed'),
  focused_selector: z.string(),
})

/** The fields of every result of an action (observer document, "ActionReceipt"). */
export const ActionFields = z.object({
  action: z.string(),
  dry_run: z.boolean(),
  changed: z.boolean().describe('Whether a client could distinguish the screen from the screen before'),
  new_dialogs: z.array(z.object({ window_uid: z.string(), title: z.string() })),
  duration_ms: z.number(),
  via: z
    .string()
    .describe('How the action was performed: reaction, behaviour, accessibility, pointer, keyboard or nothing'),
  before_unavailable: z
    .boolean()
    .optional()
    .describe('The program did not return its tree within 150 ms; `changed` compares windows and pixels'),
  after_unavailable: z.boolean().optional().describe('The program did not return its tree after the action'),
  stale_observation: z
    .boolean()
    .optional()
    .describe('The screen had changed by itself since the last observation or action'),
  warning: z.string().optional(),
  note: z.string().optional().describe('Why nothing received the input, or how the action was performed'),
})

const ReceiptTarget = z.object({
  window_uid: z.string(),
  element_id: z.string(),
  selector: z.string(),
  bounds: Bounds,
})

/** The fields of a receipt of an action that names no element: the element at the point, or the one with the keyboard. */
export const ReceiptFields = z.object({
  target: ReceiptTarget.nullable().describe(
    'The element at the point, at the start of the drag, or with the keyboard, which may be the window; null without a window',
  ),
  before: State,
  after: State,
})
export type ReceiptFields = z.infer<typeof ReceiptFields>

/** The result of every element action (observer document, "ActionReceipt"). */
export const Receipt = ActionFields.extend({
  target: ReceiptTarget,
  before: State,
  after: State,
  ambiguous_matches: z.int().optional().describe('The number of elements that the selector matches, if more than one'),
}).meta({ id: 'ActionReceipt' })

/** The receipt of an action on an element of a window. */
export const receiptOf = (
  name: string,
  uid: string,
  { element, selector }: ResolvedElement,
  { fields, note, before, after }: ActionResult,
) =>
  // Object.assign is faster than spreading, see `call.ts`.
  Object.assign({ action: name }, fields, {
    target: { window_uid: uid, element_id: element.id, selector, bounds: element.bounds },
    before: stateOf(before.trees.get(uid)),
    after: stateOf(after.trees.get(uid)),
    ...(note !== undefined && { note }),
  })

/** The receipt of an action on an element that the caller did not name, by default the one with the keyboard. */
export function receiptFieldsOf(
  { before, after }: ActionResult,
  aimedAt: Target | 'keyboard' | undefined,
): ReceiptFields {
  const focused = before.windows.find((window) => window.focused)?.uid
  const uid = aimedAt === undefined || aimedAt === 'keyboard' ? focused : aimedAt.window
  const tree = uid === undefined ? undefined : before.trees.get(uid)
  const element =
    aimedAt === 'keyboard' ? tree && (focusedElement(tree) ?? tree) : tree && aimedAt && nodeById(tree, aimedAt.element)
  return {
    target:
      uid !== undefined && tree && element
        ? {
            window_uid: uid,
            element_id: element.id,
            selector: selectorOf(tree, pathOf(tree, element.id)!),
            bounds: element.bounds,
          }
        : null,
    before: stateOf(tree),
    after: stateOf(uid === undefined ? undefined : after.trees.get(uid)),
  }
}

const stateOf = (tree: Element | undefined): z.infer<typeof State> => ({
  tree_hash: tree ? treeHash(tree) : '',
  focused_selector: tree ? focusedSelector(tree) : '',
})

/** The derived selector of the focused element, `""` without one. */
const focusedSelector = memoize((tree) => {
  const focused = focusedElement(tree)
  const path = focused && pathOf(tree, focused.id)
  return path ? selectorOf(tree, path) : ''
})

/** A receipt that says what was chosen for the caller: the window, or the first of several elements. */
export function withChoices(
  receipt: ToolResult,
  warning: string | undefined,
  { matches }: ResolvedElement,
): ToolResult {
  const several = matches.length > 1
  if (!several && warning === undefined) return receipt
  const ambiguous = several ? `${matches.length} elements match; the first was used` : undefined
  const text = [warning, ambiguous].filter((each) => each !== undefined).join('; ')
  return { ...receipt, ...(text !== '' && { warning: text }), ...(several && { ambiguous_matches: matches.length }) }
}
