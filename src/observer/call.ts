import { type Awaitable, andThen, orElse } from '../base/awaitable.ts'
import { isTooDeep } from '../base/depth.ts'
import { Fault } from '../base/fault.ts'
import { assertToolAllowed } from './gates/allowlist.ts'
import { assertAudience, assertNotFinished } from './gates/audience.ts'
import type { SentAs } from './gates/secrets.ts'
import { type IgnoredArgument, ignoredArguments, ignoredFields } from './ignored-arguments.ts'
import { toRefusal } from './refusal.ts'
import { findTool, inputSchema } from './registry.ts'
import { CachedResult, CallOutcome, isToolArguments, type ToolArguments, type ToolResult } from './result.ts'
import type { Instant } from './session/parts.ts'
import type { Session } from './session/session.ts'
import { type ActionPreview, type Audience, readInput, type Tool, type ToolInvocation } from './tool.ts'
import type { ToolInput, ToolOutcome } from './tool-types.ts'
import { sanitize } from './wire/sanitize.ts'

export interface CallOptions {
  /** Who asks, for the audit log and the trace: `rest`, `socket`, `mcp`, `agent`, `library`, or a tool such as `replay_step`. */
  readonly caller?: string
  /** `agent` refuses the tools of the harness; so does everything that such a call calls in turn. */
  readonly audience?: Audience
  /** The names under which a wire received arguments that it has renamed for the tool. */
  readonly sentAs?: SentAs
  /** What the route has left out of the arguments, because nothing there knows it. */
  readonly ignored?: readonly IgnoredArgument[] | undefined
}

/**
 * Calls a tool. Every wire and every library call comes through here, so that gates, step ids, causality, the trace, the audit
 * log and redaction are applied once and cannot be gone round. It never throws: a refusal is in `fault`.
 * @param session The session to act on.
 * @param name The name of a tool, as in `TOOLS`.
 * @param args The arguments of the tool.
 * @param options Who calls, for the audit log and the trace.
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

/** The same, and its outcome at once where the desktop and all calls before leave nothing to wait for. */
export const callNow = (
  session: Session,
  name: string,
  args: unknown,
  options: CallOptions = {},
): Awaitable<CallOutcome> => andThen(answer(session, name, args, options), shown)

/** An outcome as callers may have it. */
function shown(outcome: CallOutcome): CallOutcome {
  const { fresh, fault, cached } = outcome
  const [cleanFresh, cleanCached] = [sanitize(fresh), cached && sanitizeOnce(cached)]
  return cleanFresh === fresh && cleanCached === cached ? outcome : new CallOutcome(cleanFresh, fault, cleanCached)
}

/** The outcome as the tool gave it. `within`: a tool asks whose turn it is. */
function answer(
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

function refuseUnknown(session: Session, name: string, { caller = 'library', sentAs = {} }: CallOptions): CallOutcome {
  const message = `there is no tool ${JSON.stringify(name)}; GET /api/tools or tools/list names them all`
  const outcome = toRefusal(new Fault('BadRequest', message, { tool: name }))
  session.recordCall({
    startedAt: session.now(),
    stepId: undefined,
    caller,
    tool: name,
    arguments: NOTHING_KNOWN,
    sentAs,
    outcome,
  })
  return outcome
}

const NOTHING_KNOWN = () => ({ args: {}, ignored: [] })

/** A call of a tool that there is. */
interface Asked {
  readonly tool: Tool
  readonly args: unknown
  readonly caller: string
  readonly audience: Audience
  readonly sentAs: SentAs
  readonly stepId: number
  readonly started: Instant
  readonly ignored: readonly IgnoredArgument[] | undefined
  /** The arguments as the tool reads them, once they have passed its schema. */
  input?: unknown
}

function run(
  session: Session,
  tool: Tool,
  args: unknown,
  { caller = 'library', audience = 'harness', sentAs = {}, ignored }: CallOptions,
): Awaitable<CallOutcome> {
  const asked: Asked = {
    tool,
    args,
    caller,
    audience,
    sentAs,
    ignored,
    stepId: session.nextStep(),
    started: session.now(),
  }
  return session.context.tracing.active && !tool.traits.untraced ? runTraced(session, asked) : runNoted(session, asked)
}

async function runTraced(session: Session, asked: Asked): Promise<CallOutcome> {
  const trace = await session.context.tracing.begin(session.context)
  const outcome = await runNoted(session, asked)
  if (trace && outcome.fault?.code !== 'PermissionDenied') {
    const told = { ...asked, args: knownArguments(asked), body: sanitize(outcome.body) }
    await session.context.tracing.record(session.context, trace, told)
  }
  return outcome
}

function runNoted(session: Session, asked: Asked): Awaitable<CallOutcome> {
  return andThen(attempt(session, asked), (outcome) => {
    const { tool, caller, sentAs, stepId, started } = asked
    const given = () => ({
      args: knownArguments(asked),
      ignored: ignoredArguments(tool, asked.args, asked.ignored).map(({ name }) => name),
    })
    session.recordCall({ startedAt: started, stepId, caller, tool: tool.name, arguments: given, sentAs, outcome })
    return outcome
  })
}

/** The arguments as traces and the audit log record them: what the tool ignores is not written down, nor kept for a replay. */
function knownArguments({ tool, args, input }: Asked): ToolArguments {
  if (!isToolArguments(args) || isTooDeep(args)) return {}
  return input === undefined ? argumentsFor(tool, args) : (knownPart(args, input) as ToolArguments)
}

/** The arguments that have the name of one of a tool. */
function argumentsFor(tool: Tool, args: ToolArguments): ToolArguments {
  const properties = inputSchema(tool).properties ?? {}
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(properties, name)))
}

/** What was given, without what the schema has dropped, and without what a tool that is named in it ignores. */
function knownPart(given: unknown, read: unknown): unknown {
  if (Array.isArray(given)) return Array.isArray(read) ? given.map((item, at) => knownPart(item, read[at])) : given
  if (!isToolArguments(given) || !isToolArguments(read)) return given
  const known = Object.entries(given).filter(([name]) => Object.hasOwn(read, name))
  const named = findTool(String(given.tool ?? given.action))
  return Object.fromEntries(
    known.map(([name, value]) => [
      name,
      named && name === 'args' && isToolArguments(value) ? argumentsFor(named, value) : knownPart(value, read[name]),
    ]),
  )
}

const UNTRUSTED = { untrusted: true }
const NO_MARK = {}

function attempt(session: Session, asked: Asked): Awaitable<CallOutcome> {
  const { tool, args, stepId } = asked
  const ignored = ignoredFields(ignoredArguments(tool, args, asked.ignored))
  const mark = tool.traits.untrusted ? UNTRUSTED : NO_MARK
  return orElse(
    () => {
      const input = admit(session, asked)
      const caused_by_step_id = session.lastAct
      return andThen(execute(session, asked, input), (result) => {
        const { fresh, cached } = result instanceof CachedResult ? result : { fresh: result, cached: undefined }
        // Not by spreading, which V8 does field by field behind other fields.
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
      return toRefusal(fault, { step_id: stepId, caused_by_step_id: session.lastAct, ...mark, ...ignored })
    },
  )
}

/** The input of a call that passes all gates; throws what refuses it. */
function admit(session: Session, asked: Asked): unknown {
  const { tool, args, audience, stepId } = asked
  if (tool.kind === 'act') session.setLastAction(stepId)
  assertAudience(tool, audience)
  assertNotFinished(session, tool, audience)
  assertToolAllowed(tool, session.context.settings)
  if (tool.kind === 'act') session.assertInputAllowed()
  const input = readInput(tool, args)
  asked.input = input
  if (!tool.traits.alwaysAllowed) session.budget.admit(session.operatorClock.now())
  return input
}

/** Does what a call asks for that was let in, out of the budget for such calls. */
function execute(session: Session, asked: Asked, input: unknown): Awaitable<ToolResult | CachedResult> {
  const { budget, operatorClock } = session
  const work = () => runUnlessFaultPlanned(session, asked, input)
  if (asked.tool.kind === 'act') return budget.spendAction(() => operatorClock.now(), work, isDone)
  return asked.tool.traits.picture ? budget.spendScreenshot(work) : work()
}

/** Whether an action was done, instead of being checked only. */
const isDone = (answer: ToolResult | CachedResult): boolean =>
  (answer instanceof CachedResult ? answer.fresh : answer).dry_run !== true

/** What the tool comes to, unless the scenario plans a fault for it, which is then thrown. */
function runUnlessFaultPlanned(session: Session, asked: Asked, input: unknown): Awaitable<ToolResult | CachedResult> {
  const { tool } = asked
  const planned = session.computer.simulation?.countToolCall(tool.name)
  if (planned) throw planned
  return tool.run(callOf(session, asked, input), session.context)
}

const callOf = (
  session: Session,
  { tool, audience, stepId }: Pick<Asked, 'tool' | 'audience' | 'stepId'>,
  input: unknown,
): ToolInvocation<unknown> => ({
  input,
  stepId,
  nextStep: () => session.nextStep(),
  call: (name, args) => answer(session, name, args, { caller: tool.name, audience }, isInTurn(tool)),
  preview: (name, args) => foresee(session, name, args, audience, stepId),
})

/** The elements that an action would hit, as role and name, unredacted. None where that cannot be told; nothing is done. */
export async function previewHits(session: Session, name: string, args: unknown): Promise<readonly string[]> {
  try {
    const { hits } = await foresee(session, name, args, 'agent', 0)
    return hits.map((hit) => session.context.confirmation.describe(hit))
  } catch (thrown) {
    if (thrown instanceof Fault) return []
    throw thrown
  }
}

/** A tool run dry, to learn what it would hit. Throws what would refuse it. */
async function foresee(
  session: Session,
  name: string,
  args: unknown,
  audience: Audience,
  stepId: number,
): Promise<ActionPreview> {
  const tool = findTool(name)
  if (tool?.kind !== 'act')
    throw new Fault('BadRequest', `action: ${JSON.stringify(name)} is no tool that acts`, { field: 'action' })
  assertToolAllowed(tool, session.context.settings)
  session.assertInputAllowed()
  session.budget.admitAction(session.operatorClock.now())
  let foreseen: ActionPreview | undefined
  const input = readInput(tool, { ...(isToolArguments(args) ? args : {}), dry_run: true })
  await tool.run(
    {
      ...callOf(session, { tool, audience, stepId }, input),
      nextStep: () => stepId,
      onPreview: (told) => {
        foreseen = told
      },
    },
    session.context,
  )
  if (!foreseen || foreseen.hits.length === 0)
    throw new Fault('BadRequest', `args: this ${name} would hit no element, so it needs no token`, { field: 'args' })
  return foreseen
}

const clean = new WeakMap<ToolResult, ToolResult>()

/** What is in several answers is cleaned for the first of them. */
function sanitizeOnce(same: ToolResult): ToolResult {
  const known = clean.get(same) ?? sanitize(same)
  clean.set(same, known)
  return known
}
