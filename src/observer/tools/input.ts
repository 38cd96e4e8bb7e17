import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Action, Modifier } from '../../desktop/input/action.ts'
import { centerOf, contains, type Point } from '../../desktop/model/geometry.ts'
import { performActions } from '../actions/perform.ts'
import { ActionFields, SettleMs } from '../actions/receipt.ts'
import type { ToolResult } from '../result.ts'
import type { ActionParts } from '../session/parts.ts'
import { actionPoint } from '../targets/actionable.ts'
import { ElementChoice, resolveElement } from '../targets/elements.ts'
import { chooseWindow, requireTree, WindowChoice } from '../targets/windows.ts'
import { defineTool, type ToolInvocation } from '../tool.ts'
import { scaleBounds } from '../wire/element.ts'
import { CLICK_VARIANTS, MouseButton } from './elements.ts'

const NOTE = 'Mock adapter — no real OS action performed'
const MAX_TEXT_CHARACTERS = 100_000

/** The answer of an action that names no element; it repeats what was asked for. */
const Done = z.looseObject({
  ...ActionFields.shape,
  scenario_reaction: z.boolean().optional(),
})

const Gates = z.object({
  dry_run: z.boolean().default(false).describe('Check only, do nothing'),
  confirm_token: z.string().optional().describe('From propose_action, when the operator asks for confirmation'),
  settle_ms: SettleMs,
})

const Space = z
  .enum(['physical', 'logical'])
  .default('physical')
  .describe('What x and y count: pixels, or pixels divided by the scale factor of the monitor')
type Space = z.infer<typeof Space>

const X = z.int().describe('Absolute screen x in pixels')
const Y = z.int().describe('Absolute screen y in pixels')
const Place = Gates.extend({ x: X, y: Y, coordinate_space: Space })

const pointFaults = ['BadRequest', 'ConfirmationRequired', 'ConfirmationInvalid'] as const

interface Doing {
  /** The tool's name, for confirmation. */
  readonly name: string
  readonly action: Action
  /** What the answer repeats of the request. */
  readonly echo: ToolResult
  readonly lastsMs?: number
}

/** Does something that names no element. */
async function actAnywhere(
  call: ToolInvocation<z.infer<typeof Gates>>,
  context: ActionParts,
  { name, action, echo, lastsMs = 0 }: Doing,
) {
  const { dry_run: dryRun, confirm_token: confirmToken, settle_ms: settleMs } = call.input
  const { fields, via, note } = await performActions(call, context, {
    name,
    actions: [action],
    dryRun,
    confirmToken,
    durationMs: lastsMs,
    settleMs,
  })
  return {
    ...echo,
    ...fields,
    ...(via === 'reaction' && { scenario_reaction: true }),
    ...(context.computer.info.synthetic && via !== 'reaction' && { note: note ?? NOTE }),
  }
}

/**
 * The pixel that a caller's point names. Throws `BadRequest` when a real desktop has no monitor there; on a synthetic one
 * nothing receives the input.
 */
async function pixelAt(context: ActionParts, point: Point, space: Space, field: string): Promise<Point> {
  const monitors = await context.computer.monitors()
  // Wayland tells nothing of monitors, and takes no pointer, which the computer says.
  if (monitors.length === 0) return point
  for (const { bounds, scaleFactor } of monitors) {
    if (space === 'physical' && contains(bounds, point)) return point
    if (space === 'logical' && contains(scaleBounds(bounds, 1 / scaleFactor), point))
      return { x: Math.round(point.x * scaleFactor), y: Math.round(point.y * scaleFactor) }
  }
  if (context.computer.info.synthetic) {
    const factor = space === 'logical' ? (monitors.find(({ primary }) => primary)?.scaleFactor ?? 1) : 1
    return { x: Math.round(point.x * factor), y: Math.round(point.y * factor) }
  }
  const screens = monitors
    .map(({ bounds, scaleFactor }) => (space === 'physical' ? bounds : scaleBounds(bounds, 1 / scaleFactor)))
    .map(({ x, y, width, height }) => `${width}x${height} at ${x},${y}`)
  throw new Fault('BadRequest', `${field}: (${point.x}, ${point.y}) is on no monitor; there is ${screens.join(', ')}`, {
    field,
    point,
  })
}

const placeOf = ({ input }: ToolInvocation<z.infer<typeof Place>>, context: ActionParts): Promise<Point> =>
  pixelAt(context, { x: input.x, y: input.y }, input.coordinate_space, 'x')

const clickAt = defineTool({
  name: 'click_at',
  kind: 'act',
  summary:
    'Click at an absolute screen coordinate. Take it from the bounds of an element: x + width div 2, y + height div 2.',
  input: Place.extend({ button: MouseButton, double: z.boolean().default(false).describe('Double-click') }),
  output: Done,
  faults: pointFaults,
  run: async (call, context: ActionParts) => {
    const { x, y, button, double } = call.input
    const action: Action = { type: 'click', at: await placeOf(call, context), button, count: double ? 2 : 1 }
    return actAnywhere(call, context, { name: 'click_at', action, echo: { action: 'click_at', x, y, button, double } })
  },
})

const clickVariants = CLICK_VARIANTS.map(({ name: variant, button, count, atPoint }) => {
  const name = `${variant}_at` as const
  return defineTool({
    name,
    kind: 'act',
    summary: atPoint,
    input: Place,
    output: Done,
    faults: pointFaults,
    run: async (call, context: ActionParts) => {
      const { x, y } = call.input
      const action: Action = { type: 'click', at: await placeOf(call, context), button, count }
      return actAnywhere(call, context, { name, action, echo: { action: name, x, y } })
    },
  })
})

const hoverAt = defineTool({
  name: 'hover_at',
  kind: 'act',
  summary: 'Rest the pointer at an absolute screen coordinate.',
  input: Place.extend({
    hover_ms: z.int().min(0).max(60_000).default(250).describe('How long, in milliseconds'),
  }),
  output: Done,
  faults: pointFaults,
  run: async (call, context: ActionParts) => {
    const { x, y, hover_ms } = call.input
    const action: Action = { type: 'hover', at: await placeOf(call, context), forMs: hover_ms }
    const echo = { action: 'hover_at', x, y, hover_ms }
    return actAnywhere(call, context, { name: 'hover_at', action, echo, lastsMs: hover_ms })
  },
})

const scroll = defineTool({
  name: 'scroll',
  kind: 'act',
  summary: 'Turn the wheel: positive clicks scroll up, negative down. Without x and y where the pointer is.',
  input: Gates.extend({
    clicks: z.int().min(-1000).max(1000).default(3).describe('Wheel steps'),
    x: X.optional(),
    y: Y.optional(),
    coordinate_space: Space,
  }),
  output: Done,
  faults: pointFaults,
  run: async (call, context: ActionParts) => {
    const { x, y, clicks, coordinate_space } = call.input
    const echo = { action: 'scroll', clicks }
    if (x === undefined && y === undefined)
      return actAnywhere(call, context, { name: 'scroll', action: { type: 'scroll', clicks }, echo })
    if (x === undefined || y === undefined) {
      const field = x === undefined ? 'x' : 'y'
      throw new Fault('BadRequest', `${field}: give both x and y, or neither`, { field })
    }
    const at = await pixelAt(context, { x, y }, coordinate_space, 'x')
    return actAnywhere(call, context, {
      name: 'scroll',
      action: { type: 'scroll', clicks, at },
      echo: { ...echo, x, y },
    })
  },
})

export const typeTextTool = defineTool({
  name: 'type_text',
  kind: 'act',
  summary: 'Type text into the focused element. For key combinations use press_key.',
  input: Gates.extend({ text: z.string().max(MAX_TEXT_CHARACTERS).describe('Text to type') }),
  output: Done,
  faults: [...pointFaults, 'ElementDisabled'],
  run: (call, context: ActionParts) => {
    const { text } = call.input
    const echo = { action: 'type', length: [...text].length }
    return actAnywhere(call, context, { name: 'type_text', action: { type: 'type', text }, echo })
  },
})

export const pressKeyTool = defineTool({
  name: 'press_key',
  kind: 'act',
  summary: "Press a key or chord; modifiers first, joined with '+': enter, tab, ctrl+s, alt+f4, ctrl+shift+n.",
  input: Gates.extend({ keys: z.string().min(1).describe('Key or chord') }),
  output: Done,
  faults: pointFaults,
  run: (call, context: ActionParts) => {
    const { keys } = call.input
    const echo = { action: 'key', value: keys }
    return actAnywhere(call, context, { name: 'press_key', action: { type: 'key', keys }, echo })
  },
})

const End = z
  .object({
    x: X.optional(),
    y: Y.optional(),
    ...ElementChoice.shape,
  })
  .describe('{x, y}, {selector} or {element_id}')
type End = z.infer<typeof End>

const drag = defineTool({
  name: 'drag',
  kind: 'act',
  summary: 'Press the left button at one place, move to another and let go.',
  input: Gates.extend(WindowChoice.shape).extend({
    from: End,
    to: End,
    coordinate_space: Space,
    modifiers: z
      .array(z.enum(['ctrl', 'shift', 'alt', 'meta']))
      .default([])
      .describe('Keys held meanwhile'),
    duration_s: z.number().min(0).max(60).default(0.5).describe('How long the move takes, in seconds'),
  }),
  output: Done,
  faults: [...pointFaults, 'WindowGone', 'WindowOccluded', 'ElementNotFound', 'ElementDisabled', 'ElementOccluded'],
  run: async (call, context: ActionParts) => {
    const { input } = call
    const from = await endOf(call, context, input.from, 'from')
    const to = await endOf(call, context, input.to, 'to')
    const modifiers: readonly Modifier[] = input.modifiers
    const durationMs = Math.round(input.duration_s * 1000)
    const middle = centerOf({ ...from.at, width: to.at.x - from.at.x, height: to.at.y - from.at.y })
    return actAnywhere(call, context, {
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
    })
  },
})

/** Where one end of a drag is, in pixels: a point wins over an element. */
async function endOf(
  { input }: ToolInvocation<WindowChoice & { coordinate_space: Space }>,
  context: ActionParts,
  { x, y, selector, element_id }: End,
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
