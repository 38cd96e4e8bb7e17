import type { Awaitable } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { call, callNow } from '../../observer/call.ts'
import type { CallOutcome, ToolArguments, ToolResult } from '../../observer/result.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { Audience, CallWatch } from '../../observer/tool.ts'
import type { ModelScreen } from './screen.ts'

/** A call of a tool of the observer, translated from an action of a model. */
export interface ToolStep {
  readonly tool: string
  readonly args: ToolArguments
  /** Whether it releases what an earlier step holds. It runs also after a failure. */
  readonly cleanup?: true
}

/** An action of a model. */
export interface TranslatedAction {
  /** The action as it was sent, for the trace. */
  readonly raw: unknown
  readonly steps: readonly ToolStep[]
}

/** On whose behalf steps are executed. */
export interface StepCaller {
  readonly session: DesktopSession
  readonly audience: Audience
  /** The vendor whose dialect the caller speaks. */
  readonly door: string
  readonly watch?: CallWatch | undefined
}

/** A call that waits until a person has confirmed it. */
export interface NeededConfirmation {
  /** The id to acknowledge. */
  readonly id: string
  /** Describes what the call would do. */
  readonly message: string
  /** Safety checks of the vendor's API that are to be acknowledged, if it was not the gate that stopped the call. */
  readonly checks?: readonly object[]
}

/** What became of a call. */
export interface StepsOutcome {
  /** The results of the executed steps, without those of clean-up. */
  readonly results: readonly ToolResult[]
  readonly fault?: Fault
  readonly confirmation?: NeededConfirmation
}

/** Whether a call did or tried more than to take the screenshot that follows. */
export const hasDone = ({ results, fault }: StepsOutcome): boolean => results.length > 0 || fault !== undefined

/** Ids that a caller acknowledges, or true for whatever the same call waits for. */
export type Acknowledgement = readonly string[] | boolean

/**
 * Executes actions in order up to the first failure. If the confirmation gate refuses a step, the call waits for an
 * acknowledgement: the same call with its id continues at that step. `key` identifies the call.
 */
export async function runActions(
  caller: StepCaller,
  actions: readonly TranslatedAction[],
  key: string,
  acknowledged: Acknowledgement = false,
): Promise<StepsOutcome> {
  const resumed = takePending(caller.session, key, acknowledged)
  const results: ToolResult[] = []
  for (const [index, action] of actions.entries()) {
    if (index < (resumed?.action ?? 0)) continue
    if (caller.watch?.signal?.aborted) return { results, fault: new Fault('Timeout', 'the caller has gone') }
    const outcome = await runAction(caller, action, resumed?.action === index ? resumed : undefined)
    results.push(...outcome.results)
    if (!outcome.refused) continue
    const { step, fault } = outcome.refused
    if (fault.code !== 'ConfirmationRequired') return { results, fault }
    const confirmation = await propose(
      caller,
      { key, action: index, ...resumeAt(action, step) },
      action.steps[step]!,
      fault,
    )
    return { results, fault, ...(confirmation && { confirmation }) }
  }
  return { results }
}

interface ActionOutcome {
  readonly results: readonly ToolResult[]
  readonly refused?: { readonly step: number; readonly fault: Fault }
}

async function runAction(
  caller: StepCaller,
  { raw, steps }: TranslatedAction,
  resumed: PendingCall | undefined,
): Promise<ActionOutcome> {
  const results: ToolResult[] = []
  for (const [step, { tool, args, cleanup }] of steps.entries()) {
    if (step < (resumed?.from ?? 0)) continue
    const token = resumed?.confirmed === step ? { confirm_token: resumed.id } : {}
    const { body, fault } = await callStep(caller, tool, { ...args, ...token }, raw)
    if (fault) {
      for (const later of steps.slice(step + 1)) if (later.cleanup) await callStep(caller, later.tool, later.args, raw)
      return { results, refused: { step, fault } }
    }
    if (!cleanup) results.push(body)
  }
  return { results }
}

/** Calls a tool of the observer on behalf of a caller. */
export const callStep = async (
  { session, audience, door, watch }: StepCaller,
  tool: string,
  args: ToolArguments,
  raw: unknown,
): Promise<CallOutcome> =>
  callNow(session, tool, args, { caller: door, audience, watch, door: { door, call: raw }, passesOn: 'pictures' })

/** Where an action continues. Keys that it held have been released, so an action that holds keys starts again. */
const resumeAt = ({ steps }: TranslatedAction, step: number): Pick<PendingCall, 'from' | 'confirmed'> => ({
  from: steps.some(({ cleanup }) => cleanup) ? 0 : step,
  confirmed: step,
})

/** Proposes a step to the confirmation gate. Undefined if proposals are not allowed either. */
async function propose(
  caller: StepCaller,
  pending: Omit<PendingCall, 'id'>,
  { tool, args }: ToolStep,
  fault: Fault,
): Promise<NeededConfirmation | undefined> {
  const { session, audience, door } = caller
  const proposed = await call(
    session,
    'propose_action',
    { action: tool, args },
    { caller: door, audience, passesOn: 'pictures' },
  )
  if (proposed.fault) return undefined
  const id = String(proposed.body.confirm_token)
  addPending(session, { ...pending, id })
  const { target } = fault.context as { target?: { selector?: unknown } }
  return { id, message: `${tool} on ${String(target?.selector ?? 'an element')} needs the confirmation of a person` }
}

/** A screenshot: base64 data of a PNG. */
export interface ModelPicture {
  readonly data: string
  readonly width: number
  readonly height: number
}

/** The step that takes a screenshot of the whole screen. */
export const screenshotStep = ({ budget, pointer }: ModelScreen): ToolStep => ({
  tool: 'capture_screen',
  args: { ...budget, ...(pointer && { pointer }) },
})

/** The picture in the result of `capture_screen`. */
export const pictureOf = (result: ToolResult | undefined): ModelPicture | undefined =>
  typeof result?.data === 'string' ? (result as ToolResult & ModelPicture) : undefined

/** Takes a screenshot. Undefined if that is not possible, for example because the budget is used up. */
export async function takeScreenshot(
  caller: StepCaller,
  screen: ModelScreen,
  raw: unknown,
): Promise<ModelPicture | undefined> {
  const { tool, args } = screenshotStep(screen)
  return pictureOf((await callStep(caller, tool, args, raw)).body)
}

/** Runs work that may throw the fault of a call. */
export async function faultOf<T>(work: () => Awaitable<T>): Promise<{ readonly value: T } | { readonly fault: Fault }> {
  try {
    return { value: await work() }
  } catch (thrown) {
    if (thrown instanceof Fault) return { fault: thrown }
    throw thrown
  }
}

/** A call that stopped at a step for which the confirmation gate requires a token. */
interface PendingCall {
  /** The token, which is also the id to acknowledge. */
  readonly id: string
  /** Identifies the call: its JSON. */
  readonly key: string
  /** The index of the action at which it continues. */
  readonly action: number
  /** The index of the step in that action at which it continues. */
  readonly from: number
  /** The index of the step that the token confirms. */
  readonly confirmed: number
}

const MAX_PENDING = 100

const waiting = new WeakMap<DesktopSession, Map<string, PendingCall>>()

/** Remembers a call until it is acknowledged. Forgets the oldest of more than a hundred. */
function addPending(session: DesktopSession, pending: PendingCall): void {
  const calls = waiting.get(session) ?? new Map<string, PendingCall>()
  waiting.set(session, calls)
  for (const [id, { key }] of calls) if (key === pending.key || calls.size >= MAX_PENDING) calls.delete(id)
  calls.set(pending.id, pending)
}

/** Removes and returns the call that an acknowledgement continues. Undefined for an unknown id and for another call. */
function takePending(
  session: DesktopSession,
  key: string,
  acknowledged: readonly string[] | boolean,
): PendingCall | undefined {
  if (acknowledged === false) return undefined
  const calls = waiting.get(session)
  for (const pending of calls?.values() ?? []) {
    if (pending.key !== key || (acknowledged !== true && !acknowledged.includes(pending.id))) continue
    calls!.delete(pending.id)
    return pending
  }
  return undefined
}
