import * as z from 'zod'
import { compilePattern, createMatchBudget, type MatchBudget } from '../../base/pattern/pattern.ts'
import { PatternText } from '../script/script.ts'

/** What is done about some calls; a row of a profile's table, or what a person has decided for a session. */
export const PermissionRule = z.strictObject({
  tool: z.string().min(1).describe('Its name; * stands for any part of a name'),
  target: PatternText.describe('A pattern (RE2) for what the call is about; left out: whatever it is').optional(),
  decision: z.enum(['ask', 'allow', 'deny']),
})
export type PermissionRule = z.infer<typeof PermissionRule>

/** What a session lets its agent do without asking. */
export interface Permissions {
  /** `default`, `acceptEdits`, `plan`, `bypassPermissions`, `dontAsk` or `auto`; an unknown mode asks as the default does. */
  readonly mode: string
  /** What the person has decided for the session: deny counts before ask, and ask before allow. */
  readonly rules: readonly PermissionRule[]
  /** Whether tools that change something are asked about even if neither the model nor a rule asks. */
  readonly askBeforeActs: boolean
}

export const DEFAULT_PERMISSIONS: Permissions = { mode: 'default', rules: [], askBeforeActs: false }

export interface RequestedCall {
  readonly tool: string
  readonly acts: boolean
  /** Whether the model says that the person is to be asked. */
  readonly demanded: boolean
  /** What the call is about: its texts, and the elements that it would hit. */
  readonly targets: readonly string[]
}

export type RuleDecision = 'allow' | 'ask' | 'deny'

/**
 * What becomes of a call before anybody is asked. `table`: the rules of the profile, of which the first that fits counts.
 * Throws `BadRequest` when the texts of the call are too much work for the patterns of the rules.
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

/** Whether a row of the table asks about a call, so that it may not be made where nobody can be asked. */
export function isAskedByRule(table: readonly PermissionRule[], call: RequestedCall): boolean {
  const work = createMatchBudget()
  return table.find((rule) => fits(rule, call, work))?.decision === 'ask'
}

/** Whether a rule denies a call, so that it is not made even if a person allows it with these arguments. */
export const isDeniedByRule = (
  { rules }: Permissions,
  table: readonly PermissionRule[],
  call: RequestedCall,
): boolean => decideCall({ ...DEFAULT_PERMISSIONS, mode: 'bypassPermissions', rules }, table, call) === 'deny'

function strictest(rules: readonly PermissionRule[]): RuleDecision | undefined {
  return (['deny', 'ask', 'allow'] as const).find((decision) => rules.some((rule) => rule.decision === decision))
}

/** A rule that allows fits only what it fits in all its targets, so that a harmless text cannot vouch for another. */
function fits({ tool, target, decision }: PermissionRule, call: RequestedCall, work: MatchBudget): boolean {
  if (!isNamed(tool, call.tool)) return false
  if (target === undefined) return true
  const pattern = compilePattern(target)
  if (decision !== 'allow') return call.targets.some((text) => pattern.search(text, work))
  return call.targets.length > 0 && call.targets.every((text) => pattern.search(text, work))
}

/** Whether a name fits one in which `*` stands for any part. */
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

/** The texts in arguments, however deep, without the names of the fields. */
export function textsIn(value: unknown, found: string[] = []): readonly string[] {
  if (typeof value === 'string' && value !== '') found.push(value)
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) textsIn(part, found)
  return found
}
