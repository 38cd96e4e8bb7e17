import * as z from 'zod'
import { compilePattern, createMatchBudget, type MatchBudget, PatternText } from '../base/pattern.ts'

/** A permission rule: a row of a profile's table, or a decision of the user for a session. */
export const PermissionRule = z.strictObject({
  tool: z.string().min(1).describe('Its name; * stands for any part of a name'),
  target: PatternText.describe('A pattern (RE2) for the targets of the call; default: any target').optional(),
  decision: z.enum(['ask', 'allow', 'deny']),
})
export type PermissionRule = z.infer<typeof PermissionRule>

/** The modes that a session can have. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'auto'] as const

/** The permissions of a session. */
export interface Permissions {
  /** One of `PERMISSION_MODES`. A mode that a store or program names otherwise acts like `default`. */
  readonly mode: string
  /** Decisions of the user for the session. Deny takes precedence over ask, and ask over allow. */
  readonly rules: readonly PermissionRule[]
  /** Whether tools that change something need permission even if neither the model nor a rule asks. */
  readonly askBeforeActs: boolean
}

export const DEFAULT_PERMISSIONS: Permissions = { mode: 'default', rules: [], askBeforeActs: false }

export interface RequestedCall {
  readonly tool: string
  readonly acts: boolean
  /** Whether the model requests permission. */
  readonly demanded: boolean
  /** The targets of the call: its texts, and the elements that it would affect. */
  readonly targets: readonly string[]
}

export type RuleDecision = 'allow' | 'ask' | 'deny'

/**
 * Evaluates the rules for a call. `table`: the rules of the profile, of which the first match applies.
 * Throws `BadRequest` if matching the patterns against the texts of the call exceeds the work limit.
 */
export function decideCall(
  permissions: Permissions,
  table: readonly PermissionRule[],
  call: RequestedCall,
): RuleDecision {
  const work = createMatchBudget()
  const row = table.find((rule) => fits(rule, call, work))?.decision
  const person = strictest(permissions.rules.filter((rule) => fits(rule, call, work)))
  if (row === 'deny' || person === 'deny') return 'deny'
  if (person === 'allow') return 'allow'
  const rule = person ?? row
  const asked = rule === 'ask' || (call.demanded && rule !== 'allow')
  const risky = asked || (permissions.askBeforeActs && call.acts && rule !== 'allow')
  switch (permissions.mode) {
    case 'bypassPermissions':
    case 'auto':
      return 'allow'
    case 'acceptEdits':
      return asked ? 'ask' : 'allow'
    case 'plan':
      return call.acts ? 'deny' : risky ? 'ask' : 'allow'
    case 'dontAsk':
      return risky ? 'deny' : 'allow'
    default:
      return risky ? 'ask' : 'allow'
  }
}

/** Returns whether the table asks about a call. Such a call is refused if the client cannot be asked. */
export function isAskedByRule(table: readonly PermissionRule[], call: RequestedCall): boolean {
  const work = createMatchBudget()
  return table.find((rule) => fits(rule, call, work))?.decision === 'ask'
}

/** Returns whether a rule denies a call. Such a call is refused even if the user allows it with these arguments. */
export const isDeniedByRule = (
  { rules }: Permissions,
  table: readonly PermissionRule[],
  call: RequestedCall,
): boolean => decideCall({ ...DEFAULT_PERMISSIONS, mode: 'bypassPermissions', rules }, table, call) === 'deny'

function strictest(rules: readonly PermissionRule[]): RuleDecision | undefined {
  return (['deny', 'ask', 'allow'] as const).find((decision) => rules.some((rule) => rule.decision === decision))
}

/** An allow rule must match all targets, so that a harmless text cannot allow a harmful one. */
function fits({ tool, target, decision }: PermissionRule, call: RequestedCall, work: MatchBudget): boolean {
  if (!isNamed(tool, call.tool)) return false
  if (target === undefined) return true
  const pattern = compilePattern(target)
  if (decision !== 'allow') return call.targets.some((text) => pattern.search(text, work))
  return call.targets.length > 0 && call.targets.every((text) => pattern.search(text, work))
}

/** Returns whether a name matches a pattern in which `*` matches any part. */
function isNamed(written: string, name: string): boolean {
  const [first = '', ...rest] = written.split('*')
  if (rest.length === 0) return written === name
  const last = rest.pop()!
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0 || found + part.length > name.length - last.length) return false
    at = found + part.length
  }
  return true
}

/** Returns all texts in arguments at any depth, without field names. */
export function textsIn(value: unknown, found: string[] = []): readonly string[] {
  if (typeof value === 'string' && value !== '') found.push(value)
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) textsIn(part, found)
  return found
}

/** The default backend and model of a profile. */
export const SCRIPTED = 'scripted'

/** An agent profile: its tools, model and context window. Keys are spelled as in a profiles file. */
export const Profile = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string().default(''),
  enabled_tools: z.array(z.string()).describe('Tools it may use; left out: every tool').optional(),
  llm_backend: z.string().default(SCRIPTED),
  model: z.string().default(SCRIPTED),
  system_prompt: z.string().optional(),
  planning_enabled: z.boolean().default(false),
  thinking_enabled: z.boolean().default(true),
  permissions: z
    .array(PermissionRule)
    .default([])
    .describe('Rules that ask about, allow or deny calls; the first match applies'),
  max_context_tokens: z.int().min(100).default(65_536),
})
export type Profile = z.infer<typeof Profile>

/** The default profile of a session. */
export const DEFAULT_PROFILE: Profile = Profile.parse({
  id: 'default',
  name: 'Assistant',
  description: 'Answers questions and uses the desktop.',
})
