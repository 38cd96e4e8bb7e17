import * as z from 'zod'
import { type Awaitable, andThen } from '../../base/awaitable.ts'
import type { Action } from '../../desktop/input/action.ts'
import { type Element, memoize, pathOf } from '../../desktop/model/element.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import { selectorOf } from '../../desktop/selector/select.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import type { ToolResult } from '../result.ts'
import type { ActionParts } from '../session/parts.ts'
import { actionPoint } from '../targets/actionable.ts'
import { type ElementChoice, type ResolvedElement, resolveElement } from '../targets/elements.ts'
import { focusedElement } from '../targets/focused-element.ts'
import { chooseWindow, requireTree, type WindowChoice } from '../targets/windows.ts'
import type { ToolInvocation } from '../tool.ts'
import { Bounds } from '../wire/element.ts'
import { type ActionResult, performActions } from './perform.ts'

/** How long the effect of an action may take. */
export const SettleMs = z
  .int()
  .min(0)
  .max(10_000)
  .optional()
  .describe(
    'On a real desktop: wait this long for a window to open or close, in milliseconds; 0 waits for nothing. By default until the program is quiet',
  )

const State = z.object({
  tree_hash: z.string().describe('Empty when the window is gone'),
  focused_selector: z.string(),
})

/** What every answer to an action tells (observer document, "ActionReceipt"). */
export const ActionFields = z.object({
  action: z.string(),
  dry_run: z.boolean(),
  changed: z.boolean().describe('Whether a client could tell the screen from what it was before'),
  new_dialogs: z.array(z.object({ window_uid: z.string(), title: z.string() })),
  duration_ms: z.number(),
  via: z.string().describe('How it was done: reaction, behaviour, accessibility, pointer, keyboard or nothing'),
  before_unavailable: z
    .boolean()
    .optional()
    .describe('The program did not give its tree within 150 ms; `changed` compares windows and pixels'),
  after_unavailable: z.boolean().optional().describe('The program does not give its tree after the action'),
  stale_observation: z
    .boolean()
    .optional()
    .describe('The screen had changed by itself since it was last observed or acted on'),
  warning: z.string().optional(),
  note: z.string().optional().describe('Why nothing received the input, or how the action was done'),
})

/** The answer of every element action (observer document, "ActionReceipt"). */
export const Receipt = ActionFields.extend({
  target: z.object({
    window_uid: z.string(),
    element_id: z.string(),
    selector: z.string(),
    bounds: Bounds,
  }),
  before: State,
  after: State,
  ambiguous_matches: z.int().optional().describe('How many elements the selector matches, when several'),
}).meta({ id: 'ActionReceipt' })

export interface ElementAction {
  /** The name in the receipt, and what a confirmation token is proposed for. */
  readonly name: string
  readonly window: WindowChoice
  readonly element: ElementChoice
  readonly dryRun: boolean
  readonly confirmToken: string | undefined
  readonly perform: (target: { window: string; element: string }, at: Point, element: Element) => readonly Action[]
  /** How long the action itself lasts, in milliseconds. */
  readonly durationMs?: number
  readonly settleMs?: number | undefined
}

/** Does something to one element: finds it, checks that it can be reached, acts, and gives the receipt. */
export function actOnElement(
  call: ToolInvocation<unknown>,
  context: ActionParts,
  asked: ElementAction,
): Awaitable<ToolResult> {
  return andThen(chooseWindow(context, asked.window), ({ window, warning }) =>
    andThen(requireTree(context, window), (tree) => {
      const found = resolveElement(tree, asked.element, window.uid)
      return andThen(actionPoint(context, window, tree, found, { scrolls: true }), (at) => {
        const { name, dryRun, confirmToken, durationMs: lastsMs = 0, settleMs } = asked
        const target = { window: window.uid, element: found.element.id }
        const actions = asked.perform(target, at, found.element)
        const done = performActions(call, context, {
          name,
          actions,
          target,
          tree: tree,
          dryRun,
          confirmToken,
          durationMs: lastsMs,
          settleMs,
        })
        return andThen(done, (done) => warned(receiptOf(name, window.uid, found, done), warning, found))
      })
    }),
  )
}

const receiptOf = (
  name: string,
  uid: string,
  { element, selector }: ResolvedElement,
  { fields, note, before, after }: ActionResult,
) =>
  // Not by spreading, as in `call.ts`.
  Object.assign({ action: name }, fields, {
    target: { window_uid: uid, element_id: element.id, selector, bounds: element.bounds },
    before: stateOf(before.trees.get(uid)),
    after: stateOf(after.trees.get(uid)),
    ...(note !== undefined && { note }),
  })

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

function warned(receipt: ToolResult, warning: string | undefined, { matches }: ResolvedElement): ToolResult {
  const several = matches.length > 1
  if (!several && warning === undefined) return receipt
  const ambiguous = several ? `${matches.length} elements match; the first was used` : undefined
  const said = [warning, ambiguous].filter((each) => each !== undefined).join('; ')
  return { ...receipt, ...(said !== '' && { warning: said }), ...(several && { ambiguous_matches: matches.length }) }
}
