import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import { GateArguments, InputResult, performInput, pixelAt, pointFaults, X, Y } from '../actions/input.ts'
import type { ActingContext, DesktopContext } from '../desktop-context.ts'
import { defineTool } from '../tool.ts'
import { ClickCount } from './elements.ts'

/** Primitive input by the mouse: presses and releases, clicks, drags along a path, the wheel on both axes. */

const Button = z
  .enum(['left', 'right', 'middle', 'back', 'forward'])
  .default('left')
  .describe('Mouse button; back and forward are those at the side')

const Modifiers = z
  .array(z.enum(['ctrl', 'shift', 'alt', 'meta']))
  .max(4)
  .default([])
  .describe('Keys to hold meanwhile, beside those that key_down holds')

const Place = {
  x: X.optional().describe('Absolute screen x in pixels; by default where the pointer is'),
  y: Y.optional().describe('Absolute screen y in pixels; by default where the pointer is'),
}

const placeFaults = [...pointFaults, 'PlatformUnsupported'] as const

/** The point of a call, by default the pointer. Throws `BadRequest` for half a point. */
async function placeOf(context: ActingContext, { x, y }: { x?: number | undefined; y?: number | undefined }) {
  if (x !== undefined && y !== undefined) return pixelAt(context, { x, y }, 'physical', 'x')
  if (x === undefined && y === undefined) return (await context.computer.pointer()).at
  const field = x === undefined ? 'x' : 'y'
  throw new Fault('BadRequest', `${field}: give both x and y, or neither`, { field })
}

const getPointer = defineTool({
  name: 'get_pointer',
  kind: 'look',
  summary: 'Get the position of the pointer, and the buttons and keys that are held down.',
  input: z.object({}),
  output: z.object({
    x: z.int().describe('Absolute screen x in pixels'),
    y: z.int().describe('Absolute screen y in pixels'),
    buttons: z.array(z.string()).describe('The buttons that mouse_down holds, in the order in which they were pressed'),
    keys: z.array(z.string()).describe('The keys that key_down holds, in the order in which they were pressed'),
  }),
  faults: ['PlatformUnsupported'],
  traits: { idempotent: true },
  run: async (_, { computer }: DesktopContext) => {
    const { at, buttons, keys } = await computer.pointer()
    return { x: at.x, y: at.y, buttons: [...buttons], keys: [...keys] }
  },
})

const movePointer = defineTool({
  name: 'move_pointer',
  kind: 'act',
  summary: 'Move the pointer to an absolute screen coordinate. While a button is held, this drags.',
  input: GateArguments.extend({ x: X, y: Y }),
  output: InputResult,
  faults: placeFaults,
  run: async (call, context: ActingContext) => {
    const { x, y } = call.input
    const action: Action = { type: 'hover', at: await placeOf(context, { x, y }), forMs: 0 }
    return performInput(call, context, { name: 'move_pointer', action, echo: { action: 'move_pointer', x, y } })
  },
})

const holds = (['mouse_down', 'mouse_up'] as const).map((name) =>
  defineTool({
    name,
    kind: 'act',
    summary:
      name === 'mouse_down'
        ? 'Press a mouse button and hold it until mouse_up. Moves of the pointer then drag.'
        : 'Release a mouse button: a click where it was pressed, otherwise the end of a drag.',
    input: GateArguments.extend({ button: Button, ...Place }),
    output: InputResult,
    faults: placeFaults,
    run: async (call, context: ActingContext) => {
      const { button } = call.input
      const at = await placeOf(context, call.input)
      const action: Action = { type: name === 'mouse_down' ? 'press' : 'release', at, button }
      return performInput(call, context, { name, action, echo: { action: name, x: at.x, y: at.y, button } })
    },
  }),
)

const mouseClick = defineTool({
  name: 'mouse_click',
  kind: 'act',
  summary: 'Click with any button, one to three times, also with held modifiers; by default where the pointer is.',
  input: GateArguments.extend({ button: Button, count: ClickCount, modifiers: Modifiers, ...Place }),
  output: InputResult,
  faults: placeFaults,
  run: async (call, context: ActingContext) => {
    const { button, count, modifiers } = call.input
    const at = await placeOf(context, call.input)
    const action: Action = { type: 'click', at, button, count, modifiers }
    const echo = { action: 'mouse_click', x: at.x, y: at.y, button, count, modifiers }
    return performInput(call, context, { name: 'mouse_click', action, echo })
  },
})

const MAX_PATH_POINTS = 1000

const mouseDrag = defineTool({
  name: 'mouse_drag',
  kind: 'act',
  summary: 'Press a mouse button at the first point of a path, move through the others, and release it at the last.',
  input: GateArguments.extend({
    path: z
      .array(z.object({ x: X, y: Y }))
      .min(2)
      .max(MAX_PATH_POINTS)
      .describe('The points of the drag, in absolute screen pixels'),
    button: Button,
    modifiers: Modifiers,
    duration_ms: z.int().min(0).max(60_000).default(500).describe('The duration of the drag, in milliseconds'),
  }),
  output: InputResult,
  faults: placeFaults,
  run: async (call, context: ActingContext) => {
    const { button, modifiers, duration_ms } = call.input
    const path: Point[] = []
    for (const [index, point] of call.input.path.entries())
      path.push(await pixelAt(context, point, 'physical', `path.${index}`))
    const [from, through, to] = [path[0]!, path.slice(1, -1), path.at(-1)!]
    const action: Action = {
      type: 'drag',
      from,
      to,
      modifiers,
      durationMs: duration_ms,
      ...(through.length > 0 && { through }),
      ...(button !== 'left' && { button }),
    }
    const echo = { action: 'mouse_drag', path, button, modifiers, duration_ms: duration_ms }
    return performInput(call, context, { name: 'mouse_drag', action, echo, lastsMs: duration_ms })
  },
})

/** A wheel event of the web has 120 pixels for each click. */
const PIXELS_PER_CLICK = 120
const MAX_CLICKS = 1000
const Delta = z
  .number()
  .min(-MAX_CLICKS * PIXELS_PER_CLICK)
  .max(MAX_CLICKS * PIXELS_PER_CLICK)
  .default(0)

const mouseScroll = defineTool({
  name: 'mouse_scroll',
  kind: 'act',
  summary: 'Turn the mouse wheel on one or both axes: positive is down and right. By default where the pointer is.',
  input: GateArguments.extend({
    delta_x: Delta.describe('Positive to the right'),
    delta_y: Delta.describe('Positive down'),
    unit: z
      .enum(['clicks', 'pixels'])
      .default('clicks')
      .describe(
        'The unit of both deltas; 120 pixels are one click. A real desktop has whole clicks only, at least one',
      ),
    modifiers: Modifiers,
    ...Place,
  }),
  output: InputResult,
  faults: placeFaults,
  run: async (call, context: ActingContext) => {
    const { delta_x, delta_y, unit, modifiers } = call.input
    const size = unit === 'clicks' ? 1 : PIXELS_PER_CLICK
    const [across, down] = [delta_x / size, delta_y / size]
    const most = Math.max(Math.abs(across), Math.abs(down))
    if (most > MAX_CLICKS)
      throw new Fault('BadRequest', `delta_y: at most ${MAX_CLICKS} clicks at once, not ${most}`, { field: 'delta_y' })
    const at = await placeOf(context, call.input)
    const action: Action = {
      type: 'scroll',
      clicks: 0 - down,
      at,
      ...(across !== 0 && { across }),
      ...(modifiers.length > 0 && { modifiers }),
    }
    const echo = { action: 'mouse_scroll', x: at.x, y: at.y, delta_x, delta_y, unit, modifiers }
    return performInput(call, context, { name: 'mouse_scroll', action, echo })
  },
})

export const mouseTools = [getPointer, movePointer, ...holds, mouseClick, mouseDrag, mouseScroll]
