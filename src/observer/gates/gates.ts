import { type Awaitable, andThen } from '../../base/async.ts'
import { type IgnoredArgument, ignoredArguments, knownArguments } from '../arguments.ts'
import type { Instant } from '../desktop-context.ts'
import { advanceTime } from '../desktop-context.ts'
import type { SentAs } from '../policies/secrets.ts'
import type { CallOutcome } from '../result.ts'
import type { ScreenState } from '../screen/screen-state.ts'
import type { DesktopSession } from '../session/session.ts'
import { withoutRefs } from '../targets/ref-arguments.ts'
import { type Audience, type CallWatch, readInput, type Tool } from '../tool.ts'
import type { DoorCall } from '../trace/trace-row.ts'
import { sanitize } from '../wire.ts'
import { assertToolAllowed } from './allowlist.ts'
import { assertAudience, assertNotFinished } from './audience.ts'

/** A call of a known tool on its way through the gates. */
export interface RunningCall {
  readonly session: DesktopSession
  readonly tool: Tool
  readonly args: unknown
  readonly caller: string
  readonly audience: Audience
  readonly sentAs: SentAs
  readonly ignored: readonly IgnoredArgument[] | undefined
  readonly watch: CallWatch
  readonly door: DoorCall | undefined
  readonly stepId: number
  readonly started: Instant
  /** The screen before the call, if a trace records it. */
  screenBefore: ScreenState | undefined
  /** The number of actions in the journal of the desktop before the call. */
  actionsBefore: number
  /** The arguments as the tool takes them, once they fit its schema. */
  input: unknown
  /** The latest input call when this one was admitted. */
  causedBy: number | null
  /** What the call takes from the budget until it has ended. */
  spending: 'action' | 'screenshot' | undefined
}

/** A step before a tool runs. Throws the fault that refuses the call. Only gates that wait return a promise. */
export type CallGate = (call: RunningCall) => Awaitable<void>

/** What every call passes before its tool runs, in this order. */
export const GATES: readonly CallGate[] = [
  captureForTrace,
  countActions,
  noteInput,
  checkAudience,
  checkNotFinished,
  checkAllowlist,
  checkNotStopped,
  readArguments,
  checkSessionTime,
  noteCause,
  reserveBudget,
  failAsPlanned,
  disturb,
]

/** What an action passes of them when its hits are only foreseen. */
export const PREVIEW_GATES: readonly CallGate[] = [checkAllowlist, checkNotStopped, checkActionsLeft, readArguments]

/** A call that has ended. */
export interface EndedCall {
  readonly call: RunningCall
  readonly outcome: CallOutcome
}

/** What happens after every call, refused or not, in this order. */
export const RECORDERS: readonly ((ended: EndedCall) => Awaitable<void>)[] = [recordCall, recordInTrace]

function captureForTrace(call: RunningCall): Awaitable<void> {
  const { tracing } = call.session.context
  if (!tracing.active || call.tool.traits.untraced) return
  return tracing.begin(call.session.context).then((screen) => {
    call.screenBefore = screen
  })
}

function countActions(call: RunningCall): void {
  call.actionsBefore = actionsOf(call.session)
}

/** The number of actions in the journal of a desktop. */
export const actionsOf = ({ context }: DesktopSession): number => context.redaction.journal?.actionCount ?? 0

/** A refused action is the latest one too. */
function noteInput({ session, tool, stepId }: RunningCall): void {
  if (tool.kind === 'act') session.setLastAction(stepId)
}

function checkAudience({ tool, audience, caller }: RunningCall): void {
  assertAudience(tool, audience, caller)
}

function checkNotFinished({ session, tool, audience }: RunningCall): void {
  assertNotFinished(session, tool, audience)
}

function checkAllowlist({ session, tool }: RunningCall): void {
  assertToolAllowed(tool, session.context.settings)
}

function checkNotStopped({ session, tool }: RunningCall): void {
  if (tool.kind === 'act') session.assertInputAllowed()
}

function readArguments(call: RunningCall): Awaitable<void> {
  return andThen(withoutRefs(readInput(call.tool, call.args), call.session.context), (input) => {
    call.input = input
  })
}

function checkSessionTime({ session, tool }: RunningCall): void {
  if (!tool.traits.alwaysAllowed) session.budget.admit(session.operatorClock.now())
}

function noteCause(call: RunningCall): void {
  call.causedBy = call.session.lastActionId
}

function checkActionsLeft({ session }: RunningCall): void {
  session.budget.admitAction(session.operatorClock.now())
}

function reserveBudget(call: RunningCall): void {
  const { session, tool } = call
  if (tool.kind === 'act') {
    session.budget.beginAction(session.operatorClock.now())
    call.spending = 'action'
  } else if (tool.traits.picture) {
    session.budget.takeScreenshot()
    call.spending = 'screenshot'
  }
}

/** Fails as the scenario plans for this call. */
function failAsPlanned({ session, tool }: RunningCall): void {
  const planned = session.computer.simulation?.countToolCall(tool.name)
  if (planned) throw planned
}

/** Lets the faults of the catalogue disturb a call of an agent: time passes, or the call fails. */
function disturb({ session, tool }: RunningCall): Awaitable<void> {
  const { simulation } = session.computer
  if (!simulation || simulation.faultNames.length === 0 || !isDisturbed(tool)) return
  const { fault, delayMs = 0 } = simulation.disturbCall()
  const fail = () => {
    if (fault) throw fault
  }
  const delay = delayMs > 0 ? advanceTime(session.context, delayMs) : undefined
  return delay instanceof Promise ? delay.then(fail) : fail()
}

/** Faults disturb what agents do on the desktop, and neither the harness nor the end of a run. */
const isDisturbed = ({ audience, kind, name }: Tool): boolean =>
  audience === 'agent' && kind !== 'manage' && name !== 'finish'

function recordCall({ call, outcome }: EndedCall): void {
  const { session, started, stepId, caller, tool, sentAs, actionsBefore } = call
  session.recordCall({
    startedAt: started,
    stepId,
    caller,
    tool: tool.name,
    knownArguments: () => knownArguments(call),
    ignoredArguments: () => ignoredNames(call),
    sentAs,
    outcome,
    actionsFrom: actionsBefore,
  })
}

function recordInTrace({ call, outcome }: EndedCall): Awaitable<void> {
  const { session, screenBefore } = call
  if (!screenBefore || outcome.fault?.code === 'PermissionDenied') return
  const recorded = {
    ...call,
    args: knownArguments(call),
    ignored: ignoredNames(call),
    body: sanitize(outcome.body),
  }
  return session.context.tracing.record(session.context, screenBefore, recorded)
}

const ignoredNames = ({ tool, args, ignored }: RunningCall): readonly string[] =>
  ignoredArguments(tool, args, ignored).map(({ name }) => name)
