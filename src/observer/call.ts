import { type Awaitable, andThen, callInOrder } from '../base/async.ts'
import { Fault } from '../base/fault.ts'
import { didYouMean } from '../base/strings.ts'
import { type IgnoredArgument, ignoredArguments, ignoredFields } from './arguments.ts'
import { actionsOf, GATES, PREVIEW_GATES, RECORDERS, type RunningCall } from './gates/gates.ts'
import type { SentAs } from './policies/secrets.ts'
import { ALL_TOOLS, findTool, type ToolInput, type ToolOutcome } from './registry.ts'
import {
  CachedResult,
  CallOutcome,
  isToolArguments,
  type PassesOn,
  type ToolArguments,
  type ToolResult,
  toRefusal,
} from './result.ts'
import type { DesktopSession } from './session/session.ts'
import { isLookedFor, noteAnswer } from './sights.ts'
import type { ActionPreview, Audience, CallWatch, Tool, ToolInvocation } from './tool.ts'
import type { DoorCall } from './trace/trace-row.ts'
import { sanitize } from './wire.ts'

export interface CallOptions {
  /** The caller, for the audit log and the trace: `rest`, `person`, `socket`, `mcp`, `agent`, `library`, or a tool such as `replay_step`. */
  readonly caller?: string
  /** `agent` refuses the tools of the harness, also in calls that this call makes. */
  readonly audience?: Audience
  /** The names under which a wire received arguments that it has renamed for the tool. */
  readonly sentAs?: SentAs
  /** Arguments that the route has omitted because they are unknown there. */
  readonly ignored?: readonly IgnoredArgument[] | undefined
  /** Reports and ends waits. Other calls are short and run to their end. */
  readonly watch?: CallWatch | undefined
  /** The call that a door translated into this one, for the trace. */
  readonly door?: DoorCall | undefined
  /** What of the answer the agent gets; `everything` by default. A door that gives it other words calls `noteText` with them. */
  readonly passesOn?: PassesOn
}

/**
 * Calls a tool. Every wire and the library use this function, so that gates, step ids, causality, the trace, the audit log
 * and redaction are applied once and cannot be bypassed. It never throws: a refusal is in `fault`.
 * @param session The session to act on.
 * @param name The name of a tool, as in `TOOLS`.
 * @param args The arguments of the tool.
 * @param options The caller, for the audit log and the trace.
 * @example
 * const { body, fault } = await call(session, 'click_element', { selector: 'Button "Save"' })
 * if (fault) throw fault
 */
export const call = async <Name extends string>(
  session: DesktopSession,
  name: Name,
  args: ToolInput<Name>,
  options?: CallOptions,
): Promise<ToolOutcome<Name>> => (await callNow(session, name, args, options)) as ToolOutcome<Name>

/** Like `call`, but returns the outcome synchronously if neither the desktop nor an earlier call has to be awaited. */
export const callNow = (
  session: DesktopSession,
  name: string,
  args: unknown,
  options: CallOptions = {},
): Awaitable<CallOutcome> =>
  andThen(dispatch(session, name, args, options), (outcome) =>
    andThen(noteObservation(session, name, outcome, options), () => sanitized(withWarnings(session, options, outcome))),
  )

/** Notes what an answer to an agent shows, for scenarios whose oracles ask. A person who takes over is not an agent. */
function noteObservation(
  { context }: DesktopSession,
  name: string,
  outcome: CallOutcome,
  { caller, passesOn = 'everything' }: CallOptions,
): Awaitable<void> {
  if (caller === 'person' || passesOn === 'nothing' || !isLookedFor(context)) return
  const tool = findTool(name)
  if (tool?.audience === 'agent') return noteAnswer(context, { tool, body: outcome.body, passesOn })
}

/** The outcome with a warning for each file that could not be written, for the harness only. */
function withWarnings(
  session: DesktopSession,
  { audience = 'harness' }: CallOptions,
  outcome: CallOutcome,
): CallOutcome {
  const warnings = audience === 'harness' ? session.lostWrites.take() : []
  if (warnings.length === 0) return outcome
  return new CallOutcome({ ...outcome.fresh, warnings }, outcome.fault, outcome.cached)
}

/** The outcome without control characters. */
function sanitized(outcome: CallOutcome): CallOutcome {
  const { fresh, fault, cached } = outcome
  const [cleanFresh, cleanCached] = [sanitize(fresh), cached && sanitizeOnce(cached)]
  return cleanFresh === fresh && cleanCached === cached ? outcome : new CallOutcome(cleanFresh, fault, cleanCached)
}

/** The outcome as the tool returned it. `within`: the caller is a tool that already runs in sequence. */
function dispatch(
  session: DesktopSession,
  name: string,
  args: unknown,
  options: CallOptions,
  within = false,
): Awaitable<CallOutcome> {
  const tool = findTool(name)
  if (!tool) return refuseUnknown(session, name, options)
  const work = () => run(beginCall(session, tool, args, options))
  return isInTurn(tool) && !within ? session.queue.run(work) : work()
}

const isInTurn = ({ kind, traits }: Tool): boolean => kind === 'act' || traits.sequential === true

const TOOL_NAMES: readonly string[] = ALL_TOOLS.map((tool) => tool.name)
/** Of the name of an unknown tool, what is compared with the known ones. */
const MAX_NAME_LENGTH = 100

function refuseUnknown(
  session: DesktopSession,
  name: string,
  { caller = 'library', sentAs = {} }: CallOptions,
): CallOutcome {
  const near = didYouMean(name.slice(0, MAX_NAME_LENGTH), TOOL_NAMES)
  const message = `there is no tool ${JSON.stringify(name)}${near}; GET /api/tools or tools/list lists all tools`
  const outcome = toRefusal(new Fault('BadRequest', message, { tool: name }))
  session.recordCall({
    startedAt: session.now(),
    stepId: undefined,
    caller,
    tool: name,
    knownArguments: () => NO_ARGUMENTS,
    ignoredArguments: () => [],
    sentAs,
    outcome,
    actionsFrom: actionsOf(session),
  })
  return outcome
}

const NO_ARGUMENTS: ToolArguments = {}

const UNWATCHED: CallWatch = {}

const beginCall = (
  session: DesktopSession,
  tool: Tool,
  args: unknown,
  { caller = 'library', audience = 'harness', sentAs = {}, ignored, watch = UNWATCHED, door }: CallOptions,
  stepId = session.nextStep(),
): RunningCall => ({
  session,
  tool,
  args,
  caller,
  audience,
  sentAs,
  ignored,
  watch,
  door,
  stepId,
  started: session.now(),
  screenBefore: undefined,
  actionsBefore: 0,
  input: undefined,
  causedBy: null,
  spending: undefined,
})

/**
 * Lets a call pass the gates, runs its tool and records the outcome. As long as nothing has to be awaited this is synchronous:
 * with a promise for each of these a click takes a third longer.
 */
function run(call: RunningCall): Awaitable<CallOutcome> {
  let result: Awaitable<ToolResult | CachedResult>
  try {
    const passed = callInOrder(GATES, call)
    result = passed ? passed.then(() => runTool(call)) : runTool(call)
  } catch (thrown) {
    return record(call, refusalOf(call, thrown))
  }
  if (!(result instanceof Promise)) return record(call, outcomeOf(call, result))
  return result
    .then(
      (answer) => outcomeOf(call, answer),
      (thrown) => refusalOf(call, thrown),
    )
    .then((outcome) => record(call, outcome))
}

const runTool = (call: RunningCall) => call.tool.run(invocationOf(call), call.session.context)

function record(call: RunningCall, outcome: CallOutcome): Awaitable<CallOutcome> {
  const recorded = callInOrder(RECORDERS, { call, outcome })
  return recorded ? recorded.then(() => outcome) : outcome
}

const UNTRUSTED = { untrusted: true }
const NO_MARK = {}

const markOf = ({ tool }: RunningCall) => (tool.traits.untrusted ? UNTRUSTED : NO_MARK)

const ignoredBy = ({ tool, args, ignored }: RunningCall) => ignoredFields(ignoredArguments(tool, args, ignored))

function outcomeOf(call: RunningCall, result: ToolResult | CachedResult): CallOutcome {
  const { fresh, cached } = result instanceof CachedResult ? result : { fresh: result, cached: undefined }
  const { session, stepId, causedBy } = call
  // What was only checked is no action.
  if (call.spending === 'action')
    session.budget.endAction(fresh.dry_run === true ? undefined : session.operatorClock.now())
  // Object.assign is faster than spreading here: V8 spreads field by field after other fields.
  const body = Object.assign(
    { ok: true, success: true, step_id: stepId, caused_by_step_id: causedBy },
    fresh,
    markOf(call),
    ignoredBy(call),
  )
  return new CallOutcome(body, undefined, cached)
}

function refusalOf(call: RunningCall, thrown: unknown): CallOutcome {
  const { session, tool, stepId, spending } = call
  if (spending === 'action') session.budget.endAction()
  if (spending === 'screenshot') session.budget.returnScreenshot()
  const fault = Fault.from(thrown)
  if (fault.code === 'Internal' || fault.code === 'StorageFailed')
    session.context.report(fault.cause ?? fault, tool.name)
  return toRefusal(fault, {
    step_id: stepId,
    caused_by_step_id: session.lastActionId,
    ...markOf(call),
    ...ignoredBy(call),
  })
}

const invocationOf = ({ session, tool, audience, stepId, watch, input }: RunningCall): ToolInvocation<unknown> => ({
  input,
  watch,
  stepId,
  nextStep: () => session.nextStep(),
  call: (name, args, forAudience = audience, passesOn = 'everything') => {
    const narrowed = audience === 'agent' ? 'agent' : forAudience
    const options: CallOptions = { caller: tool.name, audience: narrowed, passesOn }
    const outcome = dispatch(session, name, args, options, isInTurn(tool))
    if (!tool.traits.repeatsCalls) return outcome
    return andThen(outcome, (done) => andThen(noteObservation(session, name, done, options), () => done))
  },
  preview: (name, args) => previewAction(session, name, args, audience, stepId),
})

/** The elements that an action would hit, as unredacted role and name. Empty if they cannot be determined. Does nothing. */
export async function previewHits(session: DesktopSession, name: string, args: unknown): Promise<readonly string[]> {
  try {
    const { hits } = await previewAction(session, name, args, 'agent', 0)
    return hits.map((hit) => session.context.confirmation.describe(hit))
  } catch (thrown) {
    if (thrown instanceof Fault) return []
    throw thrown
  }
}

/** Runs a tool dry and returns the elements that it would hit. Throws the fault that would refuse the call. */
async function previewAction(
  session: DesktopSession,
  name: string,
  args: unknown,
  audience: Audience,
  stepId: number,
): Promise<ActionPreview> {
  const tool = findTool(name)
  if (tool?.kind !== 'act')
    throw new Fault('BadRequest', `action: ${JSON.stringify(name)} is not a tool that acts`, { field: 'action' })
  const given = { ...(isToolArguments(args) ? args : {}), dry_run: true }
  const call = beginCall(session, tool, given, { audience }, stepId)
  await callInOrder(PREVIEW_GATES, call)
  let preview: ActionPreview | undefined
  await tool.run(
    {
      ...invocationOf(call),
      nextStep: () => stepId,
      onPreview: (found) => {
        preview = found
      },
    },
    session.context,
  )
  if (!preview || preview.hits.length === 0)
    throw new Fault('BadRequest', `args: this ${name} would hit no element, so it needs no token`, { field: 'args' })
  return preview
}

const clean = new WeakMap<ToolResult, ToolResult>()

/** Sanitizes a part that several results share only once. */
function sanitizeOnce(same: ToolResult): ToolResult {
  const known = clean.get(same) ?? sanitize(same)
  clean.set(same, known)
  return known
}
