import { type Awaitable, andThen, orElse } from '../base/awaitable.ts'
import { Fault } from '../base/fault.ts'
import { didYouMean } from '../base/text/suggest.ts'
import { assertToolAllowed } from './gates/allowlist.ts'
import { assertAudience, assertNotFinished } from './gates/audience.ts'
import type { SentAs } from './gates/secrets.ts'
import { type IgnoredArgument, ignoredArguments, ignoredFields } from './ignored-arguments.ts'
import { knownArguments } from './known-arguments.ts'
import { toRefusal } from './refusal.ts'
import { ALL_TOOLS, findTool } from './registry.ts'
import { CachedResult, CallOutcome, isToolArguments, type ToolArguments, type ToolResult } from './result.ts'
import { advanceTime } from './session/advance-time.ts'
import type { Instant } from './session/parts.ts'
import type { Session } from './session/session.ts'
import { type ActionPreview, type Audience, type CallWatch, readInput, type Tool, type ToolInvocation } from './tool.ts'
import type { ToolInput, ToolOutcome } from './tool-types.ts'
import type { DoorCall } from './trace/trace-row.ts'
import { sanitize } from './wire/sanitize.ts'

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
  session: Session,
  name: Name,
  args: ToolInput<Name>,
  options?: CallOptions,
): Promise<ToolOutcome<Name>> => (await callNow(session, name, args, options)) as ToolOutcome<Name>

/** Like `call`, but returns the outcome synchronously if neither the desktop nor an earlier call has to be awaited. */
export const callNow = (
  session: Session,
  name: string,
  args: unknown,
  options: CallOptions = {},
): Awaitable<CallOutcome> =>
  andThen(dispatch(session, name, args, options), (outcome) => sanitized(withWarnings(session, options, outcome)))

/** The outcome with a warning for each file that could not be written, for the harness only. */
function withWarnings(session: Session, { audience = 'harness' }: CallOptions, outcome: CallOutcome): CallOutcome {
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
  session: Session,
  name: string,
  args: unknown,
  options: CallOptions,
  within = false,
): Awaitable<CallOutcome> {
  const tool = findTool(name)
  if (!tool) return refuseUnknown(session, name, options)
  if (isInTurn(tool) && !within) return session.enqueue(() => run(session, tool, args, options))
  return run(session, tool, args, options)
}

const isInTurn = ({ kind, traits }: Tool): boolean => kind === 'act' || traits.sequential === true

const TOOL_NAMES: readonly string[] = ALL_TOOLS.map((tool) => tool.name)
/** Of the name of an unknown tool, what is compared with the known ones. */
const MAX_NAME_LENGTH = 100

function refuseUnknown(session: Session, name: string, { caller = 'library', sentAs = {} }: CallOptions): CallOutcome {
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

/** The number of actions in the journal of a desktop. */
const actionsOf = ({ context }: Session): number => context.redaction.journal?.actionCount ?? 0

const NO_ARGUMENTS: ToolArguments = {}

const UNWATCHED: CallWatch = {}

/** A call of a known tool. */
interface CallRequest {
  readonly tool: Tool
  readonly args: unknown
  readonly caller: string
  readonly audience: Audience
  readonly sentAs: SentAs
  readonly stepId: number
  readonly started: Instant
  readonly ignored: readonly IgnoredArgument[] | undefined
  readonly watch: CallWatch
  readonly door: DoorCall | undefined
  /** The parsed arguments, once they fit the schema. */
  input?: unknown
}

function run(
  session: Session,
  tool: Tool,
  args: unknown,
  { caller = 'library', audience = 'harness', sentAs = {}, ignored, watch = UNWATCHED, door }: CallOptions,
): Awaitable<CallOutcome> {
  const request: CallRequest = {
    tool,
    args,
    caller,
    audience,
    sentAs,
    ignored,
    watch,
    door,
    stepId: session.nextStep(),
    started: session.now(),
  }
  return session.context.tracing.active && !tool.traits.untraced
    ? runTraced(session, request)
    : runRecorded(session, request)
}

async function runTraced(session: Session, request: CallRequest): Promise<CallOutcome> {
  const trace = await session.context.tracing.begin(session.context)
  const outcome = await runRecorded(session, request)
  if (trace && outcome.fault?.code !== 'PermissionDenied') {
    const ignored = ignoredNames(request)
    const recorded = { ...request, args: knownArguments(request), ignored, body: sanitize(outcome.body) }
    await session.context.tracing.record(session.context, trace, recorded)
  }
  return outcome
}

const ignoredNames = ({ tool, args, ignored }: CallRequest): readonly string[] =>
  ignoredArguments(tool, args, ignored).map(({ name }) => name)

function runRecorded(session: Session, request: CallRequest): Awaitable<CallOutcome> {
  const actionsFrom = actionsOf(session)
  return andThen(execute(session, request), (outcome) => {
    const { tool, caller, sentAs, stepId, started } = request
    session.recordCall({
      startedAt: started,
      stepId,
      caller,
      tool: tool.name,
      knownArguments: () => knownArguments(request),
      ignoredArguments: () => ignoredNames(request),
      sentAs,
      outcome,
      actionsFrom,
    })
    return outcome
  })
}

const UNTRUSTED = { untrusted: true }
const NO_MARK = {}

function execute(session: Session, request: CallRequest): Awaitable<CallOutcome> {
  const { tool, args, stepId } = request
  const ignored = ignoredFields(ignoredArguments(tool, args, request.ignored))
  const mark = tool.traits.untrusted ? UNTRUSTED : NO_MARK
  return orElse(
    () => {
      const input = checkGates(session, request)
      const caused_by_step_id = session.lastActionId
      return andThen(runWithinBudget(session, request, input), (result) => {
        const { fresh, cached } = result instanceof CachedResult ? result : { fresh: result, cached: undefined }
        // Object.assign is faster than spreading here: V8 spreads field by field after other fields.
        const body = Object.assign(
          { ok: true, success: true, step_id: stepId, caused_by_step_id },
          fresh,
          mark,
          ignored,
        )
        return new CallOutcome(body, undefined, cached)
      })
    },
    (thrown): CallOutcome => {
      const fault = Fault.from(thrown)
      if (fault.code === 'Internal' || fault.code === 'StorageFailed')
        session.context.report(fault.cause ?? fault, tool.name)
      return toRefusal(fault, { step_id: stepId, caused_by_step_id: session.lastActionId, ...mark, ...ignored })
    },
  )
}

/** Checks a call against all gates and returns its input. Throws the fault that refuses it. */
function checkGates(session: Session, request: CallRequest): unknown {
  const { tool, args, audience, caller, stepId } = request
  if (tool.kind === 'act') session.setLastAction(stepId)
  assertAudience(tool, audience, caller)
  assertNotFinished(session, tool, audience)
  assertToolAllowed(tool, session.context.settings)
  if (tool.kind === 'act') session.assertInputAllowed()
  const input = readInput(tool, args)
  request.input = input
  if (!tool.traits.alwaysAllowed) session.budget.admit(session.operatorClock.now())
  return input
}

/** Executes an admitted call within its budget. */
function runWithinBudget(session: Session, request: CallRequest, input: unknown): Awaitable<ToolResult | CachedResult> {
  const { budget, operatorClock } = session
  const work = () => runUnlessFaultPlanned(session, request, input)
  if (request.tool.kind === 'act') return budget.spendAction(() => operatorClock.now(), work, isDone)
  return request.tool.traits.picture ? budget.spendScreenshot(work) : work()
}

/** Whether an action was performed and not only checked. */
const isDone = (answer: ToolResult | CachedResult): boolean =>
  (answer instanceof CachedResult ? answer.fresh : answer).dry_run !== true

/** Runs the tool. Throws the fault that the scenario plans for this call. */
function runUnlessFaultPlanned(
  session: Session,
  request: CallRequest,
  input: unknown,
): Awaitable<ToolResult | CachedResult> {
  const { tool } = request
  const planned = session.computer.simulation?.countToolCall(tool.name)
  if (planned) throw planned
  const work = () => tool.run(invocationOf(session, request, input), session.context)
  return andThen(passFaults(session, tool), work)
}

/** Lets the faults of the catalogue disturb a call of an agent: time passes, or the call fails. */
function passFaults(session: Session, tool: Tool): Awaitable<void> {
  const { simulation } = session.computer
  if (!simulation || simulation.faultNames.length === 0 || !isDisturbed(tool)) return
  const { fault, delayMs = 0 } = simulation.disturbCall()
  return andThen(delayMs > 0 ? advanceTime(session.context, delayMs) : undefined, () => {
    if (fault) throw fault
  })
}

/** Faults disturb what agents do on the desktop, and neither the harness nor the end of a run. */
const isDisturbed = ({ audience, kind, name }: Tool): boolean =>
  audience === 'agent' && kind !== 'manage' && name !== 'finish'

const invocationOf = (
  session: Session,
  { tool, audience, stepId, watch }: Pick<CallRequest, 'tool' | 'audience' | 'stepId' | 'watch'>,
  input: unknown,
): ToolInvocation<unknown> => ({
  input,
  watch,
  stepId,
  nextStep: () => session.nextStep(),
  call: (name, args, forAudience = audience) => {
    const narrowed = audience === 'agent' ? 'agent' : forAudience
    return dispatch(session, name, args, { caller: tool.name, audience: narrowed }, isInTurn(tool))
  },
  preview: (name, args) => previewAction(session, name, args, audience, stepId),
})

/** The elements that an action would hit, as unredacted role and name. Empty if they cannot be determined. Does nothing. */
export async function previewHits(session: Session, name: string, args: unknown): Promise<readonly string[]> {
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
  session: Session,
  name: string,
  args: unknown,
  audience: Audience,
  stepId: number,
): Promise<ActionPreview> {
  const tool = findTool(name)
  if (tool?.kind !== 'act')
    throw new Fault('BadRequest', `action: ${JSON.stringify(name)} is not a tool that acts`, { field: 'action' })
  assertToolAllowed(tool, session.context.settings)
  session.assertInputAllowed()
  session.budget.admitAction(session.operatorClock.now())
  let preview: ActionPreview | undefined
  const input = readInput(tool, { ...(isToolArguments(args) ? args : {}), dry_run: true })
  await tool.run(
    {
      ...invocationOf(session, { tool, audience, stepId, watch: UNWATCHED }, input),
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
