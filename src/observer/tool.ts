import type * as z from 'zod'
import type { Awaitable } from '../base/async.ts'
import { isTooDeep, MAX_JSON_DEPTH, MAX_LISTED_ISSUES, problemWords } from '../base/external-values.ts'
import { Fault, type FaultCode } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import { problemsOfSchema } from '../scenario/source/problem.ts'
import type { ToolName } from '../scenario/tools.ts'
import type { ActionSignature, Hit } from './policies/confirmation.ts'
import {
  type CachedResult,
  type CallOutcome,
  isToolArguments,
  type PassesOn,
  type ToolArguments,
  type ToolResult,
} from './result.ts'
import type { ToolContext } from './tool-context.ts'

type Kind = 'look' | 'act' | 'manage'

/** Who may use a tool: `agent`, the program under test, or `harness`, which starts, controls and judges its run. */
export type Audience = 'agent' | 'harness'

/** Tools that look or act are for agents by default. A tool that manages must name its audience. */
type AudienceByKind =
  | { readonly kind: Exclude<Kind, 'manage'>; readonly audience?: Audience }
  | { readonly kind: 'manage'; readonly audience: Audience }

/**
 * An operation on a desktop. Its schemas define the types, the validation, the MCP listing, the OpenAPI page and the
 * conformance contract. A tool does not depend on HTTP or MCP.
 */
export interface Tool<Input = unknown> extends ToolInfo {
  readonly input: z.ZodType<Input>
  /** The fields of the result besides the envelope. */
  readonly output: z.ZodObject
  readonly traits: ToolTraits
  readonly run: (call: ToolInvocation<Input>, context: ToolContext) => Awaitable<ToolResult | CachedResult>
}

/** The parts of a tool that need no schema to read. */
export interface ToolInfo {
  /** Listed in `scenario/tools.ts`, since scenarios name tools as well. */
  readonly name: ToolName
  /** `act` changes the desktop and spends the action budget; `look` reads it; `manage` concerns the session itself. */
  readonly kind: Kind
  readonly audience: Audience
  readonly summary: string
  /** The faults that a caller can cause, besides those of the gates. */
  readonly faults: readonly FaultCode[]
}

export interface ToolTraits {
  /** The result contains text of programs. It is marked as untrusted and stripped of control characters. */
  readonly untrusted?: boolean
  /** Spends the screenshot budget. */
  readonly picture?: boolean
  /** Repeats recorded calls, whose answers an agent was given. */
  readonly repeatsCalls?: boolean
  /** Allowed even when the operator's list denies it. */
  readonly alwaysAllowed?: boolean
  /** A repeated call changes nothing more. */
  readonly idempotent?: boolean
  /** May destroy a person's work. */
  readonly destructive?: boolean
  /** Concerns tools of web pages: allowed, and for agents listed, only where the operator offers them. */
  readonly ofPages?: boolean
  /** Omitted from traces. */
  readonly untraced?: boolean
  /** Runs in sequence with actions, with all calls that it makes. Tools that act always do. */
  readonly sequential?: boolean
}

/** How far a call that waits has come. */
export interface Progress {
  readonly elapsedMs: number
  readonly timeoutMs: number
}

/** How the caller watches a call that waits. */
export interface CallWatch {
  /** Ends a wait early. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export interface ToolInvocation<Input> {
  readonly input: Input
  readonly watch: CallWatch
  /** The number of this call in its session. */
  readonly stepId: number
  /** Takes another number, for a tool of two steps: an action and an observation. */
  readonly nextStep: () => number
  /** Set when an action is only proposed. Called with the elements that it would hit. */
  readonly onPreview?: (foreseen: ActionPreview) => void
  /** Returns the elements that another tool would hit, and does nothing. Throws the fault that would refuse the call. */
  readonly preview: (name: string, args: unknown) => Promise<ActionPreview>
  /** Calls another tool of this session through all gates, for the audience of this call or for a narrower one. */
  readonly call: (name: string, args: unknown, audience?: Audience, passesOn?: PassesOn) => Awaitable<CallOutcome>
}

/** The signature of an action and the elements that it would hit. */
export interface ActionPreview {
  readonly signature: ActionSignature
  readonly hits: readonly Hit[]
  /** As the caller sees the desktop. */
  readonly actions: readonly Action[]
}

/** A tool whose name and schemas are known to the compiler. */
export interface DefinedTool<Name extends ToolName, Input extends z.ZodType, Output extends z.ZodObject> extends Tool {
  readonly name: Name
  readonly input: Input
  readonly output: Output
}

/** Defines a tool with the types of its schemas. The type of `context` in `run` names the parts of the session that it uses. */
export function defineTool<const Name extends ToolName, Input extends z.ZodType, Output extends z.ZodObject, Parts>(
  tool: Omit<DefinedTool<Name, Input, Output>, 'run' | 'traits' | 'kind' | 'audience'> &
    AudienceByKind & {
      readonly traits?: ToolTraits
      readonly run: (call: ToolInvocation<z.infer<Input>>, context: Parts) => Awaitable<ToolResult | CachedResult>
    } & (ToolContext extends Parts ? unknown : never),
): DefinedTool<Name, Input, Output> {
  return { traits: {}, audience: 'agent', ...tool } as DefinedTool<Name, Input, Output>
}

/** Parses the arguments of a call. Throws `BadRequest` that names every wrong field and the reason. */
export function readInput(tool: Tool, args: unknown): unknown {
  if (args !== undefined && !isToolArguments(args))
    throw new Fault('BadRequest', `${tool.name} takes its arguments as an object, not as ${typeName(args)}`)
  if (isTooDeep(args))
    throw new Fault('BadRequest', `(arguments): they are nested more than ${MAX_JSON_DEPTH} levels deep`)
  const given = args ?? {}
  if (hasNoArguments(given)) return defaultsOf(tool, given)
  return parsedBy(tool, given)
}

/** The parsed input of calls without arguments, which are frequent. */
const defaults = new WeakMap<Tool, { readonly input: unknown }>()

function defaultsOf(tool: Tool, nothing: ToolArguments): unknown {
  const known = defaults.get(tool)
  if (known) return known.input
  const input = parsedBy(tool, nothing)
  defaults.set(tool, { input })
  return input
}

export function hasNoArguments(args: ToolArguments): boolean {
  for (const _ in args) return false
  return true
}

function parsedBy(tool: Tool, given: ToolArguments): unknown {
  const first = tool.input.safeParse(given)
  if (first.success) return first.data
  const parsed = tool.input.safeParse(withoutNulls(given, first.error.issues))
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(describeIssue)
  throw new Fault('BadRequest', issues.map(({ field, problem }) => `${field}: ${problem}`).join('; '), {
    field: issues[0]?.field,
    issues,
  })
}

/** The problems that a schema finds in a body, each with its path and the nearest known name. */
export const describeProblems = (schema: z.ZodType, body: unknown, error: z.ZodError): readonly string[] =>
  problemsOfSchema(schema, body, error)
    .slice(0, MAX_LISTED_ISSUES)
    .map(({ path, message, kind }) =>
      path.length === 0 || kind === 'unknown-key' ? message : `${path.join('.')}: ${message}`,
    )
    .map((problem) => (problem.length > MAX_PROBLEM_LENGTH ? `${problem.slice(0, MAX_PROBLEM_LENGTH)}…` : problem))

/** Messages quote names of callers, which may be long. */
const MAX_PROBLEM_LENGTH = 500

/** Clients write null for an argument without a value. Null counts as omitted for an argument that does not accept it. */
function withoutNulls(args: ToolArguments, issues: readonly z.core.$ZodIssue[]): ToolArguments {
  const wrong = new Set(issues.flatMap(({ path }) => (path.length === 1 ? [path[0]] : [])))
  return Object.fromEntries(Object.entries(args).filter(([key, value]) => value !== null || !wrong.has(key)))
}

function describeIssue(issue: z.core.$ZodIssue): { field: string; problem: string } {
  const path = issue.path.map(String)
  const field = issue.code === 'unrecognized_keys' ? [...path, issue.keys[0]].join('.') : path.join('.')
  return { field: field === '' ? '(arguments)' : field, problem: problemWords(issue) }
}

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`

/** Whether callers of an audience may use a tool. The harness may use all tools. */
export const isFor = (tool: Tool, audience: Audience): boolean => audience === 'harness' || tool.audience === 'agent'
