import * as z from 'zod'
import type { Awaitable } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { ToolName } from '../../scenario/tools.ts'
import { Receipt, ReceiptFields } from '../actions/receipt.ts'
import type { ActingContext, TreeContext } from '../desktop-context.ts'
import { advanceTime } from '../desktop-context.ts'
import type { ToolResult } from '../result.ts'
import { chooseWindow, WindowChoice } from '../targets/window-lookup.ts'
import { type DefinedTool, defineTool, type ToolInvocation } from '../tool.ts'
import type { ContextOf, ToolContext } from '../tool-context.ts'
import { actOnElement, ClickCount, clickActions, ElementTarget, elementFaults, MouseButton } from './elements.ts'
import { pressKeyTool, runPressKey, runTypeText, typeTextTool } from './input.ts'
import { Observation, observe, Since } from './observe.ts'

const observeArguments = {
  wait_after_ms: z
    .int()
    .min(0)
    .max(60_000)
    .default(200)
    .describe('How long to wait before the observation, in milliseconds'),
  since: Since,
}

type ObserveArguments = { readonly wait_after_ms: number; readonly since?: string | undefined }

/**
 * Acts, waits, then observes the requested window. The observation is a separate step, caused by the action. If it is not
 * available, for example because the program does not respond, the result still contains the receipt of the action.
 */
async function thenObserve(
  { stepId, nextStep }: ToolInvocation<ObserveArguments>,
  context: TreeContext,
  receipt: ToolResult,
  { wait_after_ms, since }: ObserveArguments,
  choice: WindowChoice,
): Promise<ToolResult> {
  if (receipt.dry_run !== true) await advanceTime(context, wait_after_ms)
  try {
    const { window } = await chooseWindow(context, choice)
    const observation = await observe(context, window, { since })
    return {
      ...receipt,
      observation: { ok: true, success: true, step_id: nextStep(), caused_by_step_id: stepId, ...observation },
    }
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code === 'Internal') throw thrown
    return { ...receipt, observation_unavailable: thrown.message }
  }
}

/** The window of the action if it is open, else the focused one. */
async function stillOpen(context: ContextOf<'computer'>, uid: string): Promise<WindowChoice> {
  const windows = await context.computer.windows()
  return windows.some((window) => window.uid === uid) ? { window_uid: uid } : {}
}

/** The observation after the action, with an envelope of its own. */
const CompositeObservation = Observation.extend({
  ok: z.boolean(),
  success: z.boolean(),
  step_id: z.int(),
  caused_by_step_id: z.int(),
})
const observed = z.object({
  observation: CompositeObservation.optional(),
  observation_unavailable: z.string().optional().describe('Why there is no observation, though the action was done'),
})

const clickElementAndObserve = defineTool({
  name: 'click_element_and_observe',
  kind: 'act',
  summary: 'Click an element, wait, and observe its window.',
  input: ElementTarget.extend({ button: MouseButton, count: ClickCount, ...observeArguments }),
  output: Receipt.extend(observed.shape),
  faults: elementFaults,
  traits: { untrusted: true },
  run: async (call, context: ActingContext & TreeContext) => {
    const receipt = await actOnElement(
      call,
      context,
      'click_element',
      clickActions(call.input.button, call.input.count),
    )
    const { window_uid } = receipt.target as { window_uid: string }
    return thenObserve(call, context, receipt, call.input, await stillOpen(context, window_uid))
  },
})

/** Defines a tool that sends input to the focused element, then observes the requested window, else the focused one. */
const inputAndObserve = <Name extends ToolName, Input extends z.ZodObject, Output extends z.ZodObject>(
  name: Name,
  base: DefinedTool<ToolName, Input, Output>,
  act: (call: ToolInvocation<z.infer<Input>>, context: ActingContext, receipt: 'keyboard') => Awaitable<ToolResult>,
  summary: string,
) =>
  defineTool({
    name,
    kind: 'act',
    summary,
    input: base.input.extend(WindowChoice.shape).extend(observeArguments),
    output: base.output.extend(ReceiptFields.shape).extend(observed.shape),
    faults: [...base.faults, 'WindowGone'],
    traits: { untrusted: true },
    run: async (call, context: ToolContext) => {
      const input = call.input as unknown as ObserveArguments & WindowChoice
      const choice = WindowChoice.parse(input)
      if (choice.window_uid !== undefined) await chooseWindow(context, choice)
      const receipt = await act({ ...call, input: call.input as unknown as z.infer<Input> }, context, 'keyboard')
      return thenObserve({ ...call, input }, context, receipt, input, choice)
    },
  })

export const compositeTools = [
  clickElementAndObserve,
  inputAndObserve('type_and_observe', typeTextTool, runTypeText, 'Type text, wait, and observe the window.'),
  inputAndObserve('press_key_and_observe', pressKeyTool, runPressKey, 'Press a key, wait, and observe the window.'),
]
