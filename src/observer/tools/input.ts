import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Action, Modifier } from '../../desktop/input/action.ts'
import { centerOf, type Point } from '../../desktop/model/geometry.ts'
import {
  CoordinateSpace,
  GateArguments,
  InputReceipt,
  InputResult,
  performInput,
  pixelAt,
  pointFaults,
  X,
  Y,
} from '../actions/input.ts'
import type { ActingContext } from '../desktop-context.ts'
import { actionPoint } from '../targets/actionable.ts'
import { ElementChoice, resolveElement } from '../targets/elements.ts'
import { chooseWindow, requireTree, WindowChoice } from '../targets/window-lookup.ts'
import { defineTool, type ToolInvocation } from '../tool.ts'
import { CLICK_VARIANTS, MouseButton } from './elements.ts'

const MAX_TEXT_CHARACTERS = 100_000

const PointInput = GateArguments.extend({ x: X, y: Y, coordinate_space: CoordinateSpace })

const pointOf = ({ input }: ToolInvocation<z.infer<typeof PointInput>>, context: ActingContext): Promise<Point> =>
  pixelAt(context, { x: input.x, y: input.y }, input.coordinate_space, 'x')

const clickAt = defineTool({
  name: 'click_at',
  kind: 'act',
  summary:
    'Click at an absolute screen coordinate. Take it from the bounds of an element: x + width div 2, y + height div 2.',
  input: PointInput.extend({ button: MouseButton, double: z.boolean().default(false).describe('Double-click') }),
  output: InputResult,
  faults: pointFaults,
  run: async (call, context: ActingContext) => {
    const { x, y, button, double } = call.input
    const action: Action = { type: 'click', at: await pointOf(call, context), button, count: double ? 2 : 1 }
    return performInput(call, context, { name: 'click_at', action, echo: { action: 'click_at', x, y, button, double } })
  },
})

const clickVariants = CLICK_VARIANTS.map(({ name: variant, button, count, atPoint }) => {
  const name = `${variant}_at` as const
  return defineTool({
    name,
    kind: 'act',
    summary: atPoint,
    input: PointInput,
    output: InputResult,
    faults: pointFaults,
    run: async (call, context: ActingContext) => {
      const { x, y } = call.input
      const action: Action = { type: 'click', at: await pointOf(call, context), button, count }
      return performInput(call, context, { name, action, echo: { action: name, x, y } })
    },
  })
})

const hoverAt = defineTool({
  name: 'hover_at',
  kind: 'act',
  summary: 'Hover at an absolute screen coordinate.',
  input: PointInput.extend({
    hover_ms: z.int().min(0).max(60_000).default(250).describe('How long to hover, in milliseconds'),
  }),
  output: InputReceipt,
  faults: pointFaults,
  run: async (call, context: ActingContext) => {
    const { x, y, hover_ms } = call.input
    const at = await pointOf(call, context)
    const action: Action = { type: 'hover', at, forMs: hover_ms }
    const echo = { action: 'hover_at', x, y, hover_ms }
    return performInput(call, context, { name: 'hover_at', action, echo, lastsMs: hover_ms, receipt: { at } })
  },
})

const scroll = defineTool({
  name: 'scroll',
  kind: 'act',
  summary:
    'Scroll with the mouse wheel: positive clicks scroll up, negative ones down. Without x and y at the pointer.',
  input: GateArguments.extend({
    clicks: z.int().min(-1000).max(1000).default(3).describe('Wheel steps'),
    x: X.optional(),
    y: Y.optional(),
    coordinate_space: CoordinateSpace,
  }),
  output: InputResult,
  faults: pointFaults,
  run: async (call, context: ActingContext) => {
    const { x, y, clicks, coordinate_space } = call.input
    const echo = { action: 'scroll', clicks }
    if (x === undefined && y === undefined)
      return performInput(call, context, { name: 'scroll', action: { type: 'scroll', clicks }, echo })
    if (x === undefined || y === undefined) {
      const field = x === undefined ? 'x' : 'y'
      throw new Fault('BadRequest', `${field}: give both x and y, or neither`, { field })
    }
    const at = await pixelAt(context, { x, y }, coordinate_space, 'x')
    return performInput(call, context, {
      name: 'scroll',
      action: { type: 'scroll', clicks, at },
      echo: { ...echo, x, y },
    })
  },
})

const MAX_TYPING_MS = 60_000

const TypeInput = GateArguments.extend({
  text: z.string().max(MAX_TEXT_CHARACTERS).describe('Text to type'),
  interval_ms: z.int().min(0).max(10_000).optional().describe('The pause after each character, in milliseconds'),
})
const KeyInput = GateArguments.extend({ keys: z.string().min(1).describe('Key or chord') })

export const typeTextTool = defineTool({
  name: 'type_text',
  kind: 'act',
  summary: 'Type text into the focused element. For key combinations use press_key.',
  input: TypeInput,
  output: InputResult,
  faults: [...pointFaults, 'ElementDisabled'],
  run: (call, context: ActingContext) => runTypeText(call, context),
})

/** Types text. With `receipt`, the result has the receipt of the element with the keyboard. */
export function runTypeText(
  call: ToolInvocation<z.infer<typeof TypeInput>>,
  context: ActingContext,
  receipt?: 'keyboard',
) {
  const { text, interval_ms: intervalMs = 0 } = call.input
  const length = [...text].length
  if (length * intervalMs > MAX_TYPING_MS)
    throw new Fault(
      'BadRequest',
      `interval_ms: ${length} characters at intervals of ${intervalMs} ms take more than ${MAX_TYPING_MS / 1000} s; type them in parts`,
      { field: 'interval_ms' },
    )
  const action: Action = { type: 'type', text, ...(intervalMs > 0 && { intervalMs }) }
  const echo = { action: 'type', length, ...(intervalMs > 0 && { interval_ms: intervalMs }) }
  return performInput(call, context, { name: 'type_text', action, echo, receipt })
}

export const pressKeyTool = defineTool({
  name: 'press_key',
  kind: 'act',
  summary: "Press a key or chord; modifiers first, joined with '+': enter, tab, ctrl+s, alt+f4, ctrl+shift+n.",
  input: KeyInput,
  output: InputResult,
  faults: pointFaults,
  run: (call, context: ActingContext) => runPressKey(call, context),
})

/** Presses a key. With `receipt`, the result has the receipt of the element with the keyboard. */
export function runPressKey(
  call: ToolInvocation<z.infer<typeof KeyInput>>,
  context: ActingContext,
  receipt?: 'keyboard',
) {
  const { keys } = call.input
  const echo = { action: 'key', value: keys }
  return performInput(call, context, { name: 'press_key', action: { type: 'key', keys }, echo, receipt })
}

const DragEnd = z
  .object({
    x: X.optional(),
    y: Y.optional(),
    ...ElementChoice.shape,
  })
  .describe('{x, y}, {selector} or {element_id}')
type DragEnd = z.infer<typeof DragEnd>

const drag = defineTool({
  name: 'drag',
  kind: 'act',
  summary: 'Drag with the left mouse button from one place to another.',
  input: GateArguments.extend(WindowChoice.shape).extend({
    from: DragEnd,
    to: DragEnd,
    coordinate_space: CoordinateSpace,
    modifiers: z
      .array(z.enum(['ctrl', 'shift', 'alt', 'meta']))
      .default([])
      .describe('Keys that are held during the drag'),
    duration_s: z.number().min(0).max(60).default(0.5).describe('The duration of the move, in seconds'),
  }),
  output: InputReceipt,
  faults: [...pointFaults, 'WindowGone', 'WindowOccluded', 'ElementNotFound', 'ElementDisabled', 'ElementOccluded'],
  run: async (call, context: ActingContext) => {
    const { input } = call
    const from = await endOf(call, context, input.from, 'from')
    const to = await endOf(call, context, input.to, 'to')
    const modifiers: readonly Modifier[] = input.modifiers
    const durationMs = Math.round(input.duration_s * 1000)
    const middle = centerOf({ ...from.at, width: to.at.x - from.at.x, height: to.at.y - from.at.y })
    return performInput(call, context, {
      name: 'drag',
      action: {
        type: 'drag',
        from: from.at,
        to: to.at,
        modifiers,
        durationMs,
        ...(from.target && { fromTarget: from.target }),
        ...(to.target && { toTarget: to.target }),
      },
      echo: {
        action: 'drag',
        from: [from.at.x, from.at.y],
        to: [to.at.x, to.at.y],
        modifiers,
        path: [from.at, middle, to.at].map(({ x, y }) => [x, y]),
        duration_s: input.duration_s,
      },
      lastsMs: durationMs,
      receipt: from.target ? { on: from.target } : { at: from.at },
    })
  },
})

/** The position of one end of a drag, in pixels. A point takes precedence over an element. */
async function endOf(
  { input }: ToolInvocation<WindowChoice & { coordinate_space: CoordinateSpace }>,
  context: ActingContext,
  { x, y, selector, element_id }: DragEnd,
  field: string,
) {
  if (x !== undefined && y !== undefined)
    return { at: await pixelAt(context, { x, y }, input.coordinate_space, field), target: undefined }
  if (selector === undefined && element_id === undefined)
    throw new Fault('BadRequest', `${field}: give {x, y}, {selector} or {element_id}`, { field })
  const { window } = await chooseWindow(context, input)
  const tree = await requireTree(context, window)
  const found = resolveElement(tree, { selector, element_id }, window.uid)
  const at = await actionPoint(context, window, tree, found)
  return { at, target: { window: window.uid, element: found.element.id } }
}

export const inputTools = [clickAt, typeTextTool, pressKeyTool, scroll, hoverAt, ...clickVariants, drag]
