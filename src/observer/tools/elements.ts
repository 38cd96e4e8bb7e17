import * as z from 'zod'
import { type Awaitable, andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { Action, Button } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import { performActions } from '../actions/perform.ts'
import { Receipt, receiptOf, SettleMs, withChoices } from '../actions/receipt.ts'
import type { ActingContext } from '../desktop-context.ts'
import type { ToolResult } from '../result.ts'
import { actionPoint } from '../targets/actionable.ts'
import { ElementChoice, type ResolvedElement, resolveReachable } from '../targets/elements.ts'
import { chooseWindow, requireTree, WindowChoice } from '../targets/window-lookup.ts'
import { defineTool, type ToolInvocation } from '../tool.ts'

/** The arguments that every element action takes. */
export const ElementTarget = WindowChoice.extend(ElementChoice.shape).extend({
  dry_run: z.boolean().default(false).describe('Check only, perform nothing'),
  confirm_token: z.string().optional().describe('From propose_action, if the operator requires confirmation'),
  settle_ms: SettleMs,
})
export type ElementTarget = z.infer<typeof ElementTarget>

export const MouseButton = z.enum(['left', 'right', 'middle']).default('left').describe('Mouse button')

export const ClickCount = z.int().min(1).max(3).default(1).describe('The number of clicks; 2 is a double click')

export const elementFaults = [
  'WindowGone',
  'ElementNotFound',
  'ElementDisabled',
  'ElementOccluded',
  'WindowOccluded',
  'ConfirmationRequired',
  'ConfirmationInvalid',
] as const

/** The actions on an element at a point in it. */
type ActionsAt = (target: { readonly window: string; readonly element: string }, at: Point) => readonly Action[]

/**
 * Acts on the element that the input names: finds it, checks that it is actionable, performs the action and returns the receipt.
 * @param name The name in the receipt, for which a confirmation token is proposed.
 * @param durationMs The duration of the action itself.
 */
export function actOnElement(
  call: ToolInvocation<ElementTarget>,
  context: ActingContext,
  name: string,
  perform: ActionsAt,
  durationMs = 0,
): Awaitable<ToolResult> {
  const { input } = call
  return andThen(findActionTarget(context, input), ({ window, warning, tree, found, reveals, at }) => {
    const target = { window, element: found.element.id }
    const done = performActions(call, context, {
      name,
      actions: [...scrollTo(reveals), ...perform(target, at)],
      target,
      tree,
      dryRun: input.dry_run,
      confirmToken: input.confirm_token,
      durationMs,
      settleMs: input.settle_ms,
    })
    return andThen(done, (done) => withChoices(receiptOf(name, window, found, done), warning, found))
  })
}

/** An element that can be acted on. */
interface ReadyTarget {
  /** The id of its window. */
  readonly window: string
  readonly warning: string | undefined
  /** The tree of its window as it is. */
  readonly tree: Element
  readonly found: ResolvedElement
  /** What has to be scrolled first, so that the element is shown. */
  readonly reveals: Target | undefined
  readonly at: Point
}

/** Finds the element that a call names, and the point at which the pointer acts on it. Throws the faults of element actions. */
export const findActionTarget = (context: ActingContext, request: ElementTarget): Awaitable<ReadyTarget> =>
  andThen(chooseWindow(context, request), ({ window, warning }) =>
    andThen(requireTree(context, window), (current) => {
      const { found, tree, reveals } = resolveReachable(context, current, request, window.uid)
      return andThen(actionPoint(context, window, tree, found, { scrolls: true }), (at) => ({
        window: window.uid,
        warning,
        tree: current,
        found,
        reveals,
        at,
      }))
    }),
  )

/** The action that scrolls to a row before it is acted on. */
const scrollTo = (reveals: Target | undefined): readonly Action[] =>
  reveals ? [{ type: 'scroll', clicks: 0, target: reveals, reveals: true }] : []

export const clickActions =
  (button: Button, count: number): ActionsAt =>
  (target, at): readonly Action[] => [{ type: 'click', at, button, count, target }]

const clickElement = defineTool({
  name: 'click_element',
  kind: 'act',
  summary: 'Click an element in the centre of its visible part.',
  input: ElementTarget.extend({ button: MouseButton, count: ClickCount }),
  output: Receipt,
  faults: elementFaults,
  run: (call, context: ActingContext) =>
    actOnElement(call, context, 'click_element', clickActions(call.input.button, call.input.count)),
})

/** Clicks that have a tool of their own, on an element and at a point. */
export const CLICK_VARIANTS = [
  {
    name: 'right_click',
    button: 'right',
    count: 1,
    onElement: 'Click the element with the right button, which usually opens its context menu.',
    atPoint: 'Click with the right button at an absolute screen coordinate.',
  },
  {
    name: 'double_click',
    button: 'left',
    count: 2,
    onElement: 'Double-click the element.',
    atPoint: 'Double-click at an absolute screen coordinate.',
  },
] as const

const clickVariants = CLICK_VARIANTS.map(({ name, button, count, onElement }) =>
  defineTool({
    name: `${name}_element`,
    kind: 'act',
    summary: onElement,
    input: ElementTarget,
    output: Receipt,
    faults: elementFaults,
    run: (call, context: ActingContext) => actOnElement(call, context, 'click_element', clickActions(button, count)),
  }),
)

const focusElement = defineTool({
  name: 'focus_element',
  kind: 'act',
  summary: 'Give the element the keyboard focus.',
  input: ElementTarget,
  output: Receipt,
  faults: [...elementFaults, 'PatternUnsupported'],
  traits: { idempotent: true },
  run: (call, context: ActingContext) =>
    actOnElement(call, context, 'focus_element', (target, at) => [{ type: 'focus', target, at }]),
})

const invokeElement = defineTool({
  name: 'invoke_element',
  kind: 'act',
  summary: "Perform the element's main action: press a button, follow a link, tick a check box.",
  input: ElementTarget,
  output: Receipt,
  faults: [...elementFaults, 'PatternUnsupported'],
  run: (call, context: ActingContext) =>
    actOnElement(call, context, 'invoke_element', (target, at) => [{ type: 'invoke', target, at }]),
})

const setValue = defineTool({
  name: 'set_value',
  kind: 'act',
  summary: 'Set the value of a field, or append to it with clear_first false.',
  input: ElementTarget.extend({
    value: z.string().nullable().describe('The new text; null clears the field'),
    clear_first: z.boolean().default(true).describe('Replace instead of appending'),
  }),
  output: Receipt,
  faults: [...elementFaults, 'PatternUnsupported'],
  traits: { destructive: true },
  run: (call, context: ActingContext) =>
    actOnElement(call, context, 'set_value', (target, at) => [
      { type: 'set_value', target, at, value: call.input.value ?? '', clearFirst: call.input.clear_first },
    ]),
})

const selectOption = defineTool({
  name: 'select_option',
  kind: 'act',
  summary: 'Select an option of a list, combo box, tab bar or menu, by name or position.',
  input: ElementTarget.extend({
    option_name: z.string().optional().describe('The name of the option'),
    option_index: z.int().min(0).optional().describe('Its position, 0-based'),
  }),
  output: Receipt,
  faults: [...elementFaults, 'PatternUnsupported', 'BadRequest'],
  traits: { idempotent: true },
  run: (call, context: ActingContext) => {
    const { option_name: name, option_index: index } = call.input
    if (name === undefined && index === undefined)
      throw new Fault('BadRequest', 'option_name: give option_name or option_index', { field: 'option_name' })
    const option = name === undefined ? { index: index! } : { name }
    return actOnElement(call, context, 'select_option', (target, at) => [{ type: 'select', target, at, option }])
  },
})

const hoverElement = defineTool({
  name: 'hover_element',
  kind: 'act',
  summary: 'Hover over the element, for example to show a tooltip.',
  input: ElementTarget.extend({
    hover_ms: z.int().min(0).max(60_000).default(250).describe('How long to hover, in milliseconds'),
  }),
  output: Receipt,
  faults: elementFaults,
  run: (call, context: ActingContext) =>
    actOnElement(
      call,
      context,
      'hover_element',
      (target, at) => [{ type: 'hover', target, at, forMs: call.input.hover_ms }],
      call.input.hover_ms,
    ),
})

const keyIntoElement = defineTool({
  name: 'key_into_element',
  kind: 'act',
  summary: 'Focus the element and press a key or chord, such as ctrl+a.',
  input: ElementTarget.extend({ keys: z.string().min(1).describe('Modifiers first, joined with +') }),
  output: Receipt,
  faults: [...elementFaults, 'BadRequest'],
  run: (call, context: ActingContext) =>
    actOnElement(call, context, 'key_into_element', (target, at) => [
      { type: 'focus', target, at },
      { type: 'key', keys: call.input.keys },
    ]),
})

const clearText = defineTool({
  name: 'clear_text',
  kind: 'act',
  summary: 'Clear a text field.',
  input: ElementTarget,
  output: Receipt,
  faults: [...elementFaults, 'PatternUnsupported'],
  traits: { idempotent: true, destructive: true },
  run: (call, context: ActingContext) =>
    actOnElement(call, context, 'clear_text', (target, at) => [{ type: 'clear_text', target, at }]),
})

export const elementTools = [
  clickElement,
  focusElement,
  setValue,
  invokeElement,
  selectOption,
  hoverElement,
  ...clickVariants,
  keyIntoElement,
  clearText,
]
