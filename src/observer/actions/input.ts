import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { contains, type Point } from '../../desktop/model/geometry.ts'
import type { ActingContext } from '../desktop-context.ts'
import { targetsAt } from '../policies/hits.ts'
import type { ToolResult } from '../result.ts'
import type { ToolInvocation } from '../tool.ts'
import { scaleBounds } from '../wire.ts'
import { performActions } from './perform.ts'
import { ActionFields, ReceiptFields, receiptFieldsOf, SettleMs } from './receipt.ts'

const NOTE = 'Mock adapter — no real OS action performed'

/** The result of an action without an element. It repeats the arguments. */
export const InputResult = z.looseObject({
  ...ActionFields.shape,
  scenario_reaction: z.boolean().optional(),
})

/** The result of an action without an element that the document gives a full receipt. */
export const InputReceipt = InputResult.extend(ReceiptFields.shape)

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
  /** What the receipt is about: the element at this point, this element, or the one with the keyboard. None without it. */
  readonly receipt?: { readonly at: Point } | { readonly on: Target } | 'keyboard' | undefined
}

/** Performs actions without an element. */
export async function performInput(
  call: ToolInvocation<z.infer<typeof GateArguments>>,
  context: ActingContext,
  { name, action, echo, lastsMs = 0, receipt }: InputRequest,
) {
  const { dry_run: dryRun, confirm_token: confirmToken, settle_ms: settleMs } = call.input
  const aimedAt = receipt && receipt !== 'keyboard' ? await targetOf(context, receipt) : receipt
  const done = await performActions(call, context, {
    name,
    actions: Array.isArray(action) ? action : [action as Action],
    dryRun,
    confirmToken,
    durationMs: lastsMs,
    settleMs,
    window: aimedAt === 'keyboard' ? undefined : aimedAt?.window,
  })
  const { fields, via, note } = done
  return {
    ...echo,
    ...fields,
    ...(receipt && receiptFieldsOf(done, aimedAt)),
    ...(via === 'reaction' && { scenario_reaction: true }),
    ...(context.computer.info.synthetic && (note !== undefined || via !== 'reaction') && { note: note ?? NOTE }),
  }
}

/** The element of a receipt: the given one, else the one at a point as clients see it. */
async function targetOf(
  { computer }: ActingContext,
  receipt: { readonly at: Point } | { readonly on: Target },
): Promise<Target | undefined> {
  return 'on' in receipt ? receipt.on : (await targetsAt(computer, receipt.at))[0]
}

/**
 * Converts a caller's point to pixels. Throws `BadRequest` outside of the monitors of a real desktop. On a synthetic desktop
 * such a point receives nothing.
 */
export async function pixelAt(
  context: ActingContext,
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
