import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { contains, type Point } from '../../desktop/model/geometry.ts'
import type { ToolResult } from '../result.ts'
import type { ActionParts } from '../session/parts.ts'
import type { ToolInvocation } from '../tool.ts'
import { scaleBounds } from '../wire/element.ts'
import { performActions } from './perform.ts'
import { ActionFields, SettleMs } from './receipt.ts'

const NOTE = 'Mock adapter — no real OS action performed'

/** The result of an action without an element. It repeats the arguments. */
export const InputResult = z.looseObject({
  ...ActionFields.shape,
  scenario_reaction: z.boolean().optional(),
})

export const GateArguments = z.object({
  dry_run: z.boolean().default(false).describe('Check only, perform nothing'),
  confirm_token: z.string().optional().describe('From propose_action, if the operator requires confirmation'),
  settle_ms: SettleMs,
})

export const CoordinateSpace = z
  .enum(['physical', 'logical'])
  .default('physical')
  .describe('The unit of x and y: pixels, or pixels divided by the scale factor of the monitor')
export type CoordinateSpace = z.infer<typeof CoordinateSpace>

export const X = z.int().describe('Absolute screen x in pixels')
export const Y = z.int().describe('Absolute screen y in pixels')
export const pointFaults = ['BadRequest', 'ConfirmationRequired', 'ConfirmationInvalid'] as const

interface InputRequest {
  /** The tool's name, for confirmation. */
  readonly name: string
  /** One action, or several that are performed in order. */
  readonly action: Action | readonly Action[]
  /** The arguments that the result repeats. */
  readonly echo: ToolResult
  readonly lastsMs?: number
}

/** Performs actions without an element. */
export async function performInput(
  call: ToolInvocation<z.infer<typeof GateArguments>>,
  context: ActionParts,
  { name, action, echo, lastsMs = 0 }: InputRequest,
) {
  const { dry_run: dryRun, confirm_token: confirmToken, settle_ms: settleMs } = call.input
  const { fields, via, note } = await performActions(call, context, {
    name,
    actions: Array.isArray(action) ? action : [action as Action],
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
 * Converts a caller's point to pixels. Throws `BadRequest` outside of the monitors of a real desktop. On a synthetic desktop
 * such a point receives nothing.
 */
export async function pixelAt(
  context: ActionParts,
  point: Point,
  space: CoordinateSpace,
  field: string,
): Promise<Point> {
  const monitors = await context.computer.monitors()
  // Wayland reports no monitors and accepts no pointer input, which the computer rejects.
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
