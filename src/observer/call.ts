import type { z } from 'zod'
import { Fault } from '../base/fault.ts'
import { admitTool } from './gates/allowlist.ts'
import { refusal } from './refusal.ts'
import { findTool } from './registry.ts'
import type { Session } from './session.ts'
import type { Outcome, Tool } from './tool.ts'
import { focusedHash } from './trace.ts'
import { isWireTree, printable } from './wire.ts'

export interface CallOptions {
  /** Who asks, for the audit log and the trace: `rest`, `mcp`, `replay`, `agent`, `library`. */
  readonly caller?: string
}

type Arguments = Readonly<Record<string, unknown>>

/**
 * The one way in: every wire and every library call comes through here, so that gates, step ids, causality, the trace,
 * the audit log and redaction are applied once and cannot be gone round. It never throws.
 */
export async function call(session: Session, name: string, args: unknown, options: CallOptions = {}): Promise<Outcome> {
  const tool = findTool(name)
  if (!tool) return refuse(session, undefined, unknownTool(name))
  if (tool.kind === 'act') return session.inTurn(() => run(session, tool, args, options))
  return run(session, tool, args, options)
}

async function run(session: Session, tool: Tool, args: unknown, { caller = 'library' }: CallOptions): Promise<Outcome> {
  const stepId = session.nextStep()
  const startedMs = session.clock.now()
  const given: Arguments = isArguments(args) ? args : {}
  const traced = session.tracing.active && !tool.traits.untraced
  const hashBefore = traced ? await focusedHash(session) : null
  const outcome = await attempt(session, tool, args, stepId)
  const finished = tool.traits.untrusted ? { ...outcome, body: cleaned(outcome.body) } : outcome
  session.audit?.({
    atMs: startedMs,
    stepId,
    caller,
    tool: tool.name,
    ok: finished.fault === undefined,
    changed: typeof finished.body.changed === 'boolean' ? finished.body.changed : undefined,
    args: given,
  })
  if (traced && finished.fault?.code !== 'PermissionDenied')
    await session.tracing.record(session, { tool, args: given, caller, startedMs, hashBefore, body: finished.body })
  return finished
}

async function attempt(session: Session, tool: Tool, args: unknown, stepId: number): Promise<Outcome> {
  try {
    admitTool(tool, session.settings.actions)
    const input = parseInput(tool, args)
    if (!tool.traits.alwaysAllowed) session.budget.admit(session.clock.now())
    if (tool.kind === 'act') {
      session.acted(stepId)
      session.budget.admitAction(session.clock.now())
    }
    if (tool.traits.picture) session.budget.spendScreenshot()
    const planned = session.computer.stage?.meetFault(tool.name)
    if (planned) throw planned
    const causedBy = session.lastAct
    const answer = await tool.run({
      input,
      session,
      stepId,
      nextStep: () => session.nextStep(),
      call: (name, inner) => call(session, name, inner, { caller: 'replay' }),
    })
    if (tool.kind === 'act' && answer.dry_run !== true) session.budget.acted(session.clock.now())
    const body = { ok: true, success: true, step_id: stepId, caused_by_step_id: causedBy, ...answer }
    return { body: tool.traits.untrusted ? { ...body, untrusted: true } : body, fault: undefined }
  } catch (thrown) {
    const outcome = refuse(session, stepId, thrown, tool)
    return tool.traits.untrusted ? { ...outcome, body: { ...outcome.body, untrusted: true } } : outcome
  }
}

function parseInput(tool: Tool, args: unknown): unknown {
  if (args !== undefined && !isArguments(args))
    throw new Fault('BadRequest', `${tool.name} takes its arguments as an object, not as ${kindName(args)}`)
  const parsed = tool.input.safeParse(args ?? {})
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(describeIssue)
  const [first] = issues
  throw new Fault('BadRequest', issues.map(({ field, problem }) => `${field}: ${problem}`).join('; '), {
    field: first?.field,
    issues,
  })
}

function describeIssue(issue: z.core.$ZodIssue): { field: string; problem: string } {
  const path = issue.path.map(String)
  const field = issue.code === 'unrecognized_keys' ? [...path, issue.keys[0]].join('.') : path.join('.')
  return { field: field === '' ? '(arguments)' : field, problem: issue.message }
}

/** The one place where something thrown becomes an answer; a stranger goes to the report and nothing of it to the caller. */
function refuse(session: Session, stepId: number | undefined, thrown: unknown, tool?: Tool): Outcome {
  const fault = Fault.from(thrown)
  if (fault.code === 'Internal') session.report(fault.cause ?? fault, tool?.name ?? '')
  return refusal(fault, stepId === undefined ? {} : { step_id: stepId, caused_by_step_id: session.lastAct })
}

const unknownTool = (name: string) =>
  new Fault('BadRequest', `there is no tool ${JSON.stringify(name)}; GET /api/tools or tools/list names them all`, {
    tool: name,
  })

const isArguments = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const kindName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`

/** Opaque words and pictures, which hold no text of programs. */
const OPAQUE = new Set(['data', 'screenshot_b64', 'tree_token', 'base_token', 'snapshot_id', 'confirm_token'])

/** Free of control characters everywhere; trees are so since they were made. */
function cleaned<T>(value: T): T {
  if (typeof value === 'string') return printable(value) as T
  if (typeof value !== 'object' || value === null || isWireTree(value)) return value
  if (Array.isArray(value)) return value.map(cleaned) as T
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, OPAQUE.has(key) ? inner : cleaned(inner)]),
  ) as T
}
