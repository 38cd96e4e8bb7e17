import type { Requirement } from '../requirement.ts'
import type { SabotageBehavior } from './sabotage.ts'
import type { TestContext } from './test-context.ts'

/**
 * Checks of one pool share a server. `main` uses the server under test, with the concurrency of the suite.
 * `auxiliary` and `mcp` have their own processes and run in parallel with `main`, one check at a time. `dangerous`
 * checks can crash a server or disturb its other clients (dropped sockets, broken frames, oversize, floods): they run
 * last, one at a time, each followed by a health probe.
 */
export type Pool = 'main' | 'auxiliary' | 'mcp' | 'dangerous'

/** A check of one requirement, as a run uses it. */
export interface Check {
  /** The id of the requirement. */
  readonly id: string
  /** Throws an assertion error when the server violates the requirement. */
  readonly run: (context: TestContext) => Promise<void>
  readonly timeoutMs: number
  readonly pool: Pool
  /** Requirements without which it says nothing: when one of them has failed too, its failure is not judged. */
  readonly needs: readonly string[]
}

/** A way to break a correct server that the rule has to notice. */
export interface RuleSabotage extends SabotageBehavior {
  /** Other rules that it breaks, as `subject:name`. */
  readonly alsoBreaks?: readonly string[]
}

/** What proves a rule from outside, and what proves that it does. */
interface Checked {
  readonly unchecked?: never
  /** Rules without which the check says nothing, as `subject:name`. A MUST needs only rules that are a MUST. */
  readonly needs?: readonly string[]
  /** `main` by default. */
  readonly pool?: Pool
  /** Milliseconds for the whole check; 20 s by default, more when it waits for the server's clock. */
  readonly timeoutMs?: number
  /** Throws an assertion error when the server violates the rule. */
  readonly check: (context: TestContext) => Promise<void>
  /** By name. Without one, the sabotage of another rule breaks this one too. */
  readonly sabotage?: Readonly<Record<string, RuleSabotage>>
}

/** A rule that no check can prove from outside, and the reason. */
interface Unchecked {
  readonly unchecked: string
  readonly check?: never
}

/** One rule of a document: the requirement, its check and the sabotage that proves the check. */
export type Rule = Requirement & (Checked | Unchecked)

/** The rules of one subject. Their ids are `PROTOCOL:SUBJECT:NAME`. */
export interface Subject {
  readonly name: string
  /** What all its checks need. */
  readonly needs: readonly string[]
  readonly rules: Readonly<Record<string, Rule>>
}

/** What checks have that start a server with other settings. */
export const AUXILIARY_CHECK = { tier: 'full', pool: 'auxiliary', timeoutMs: 60_000 } as const

/** What checks have that start the process of an MCP server. */
export const MCP_CHECK = { tier: 'full', pool: 'mcp', timeoutMs: 60_000 } as const

/** Defines the rules of a subject, by name. `needs` are rules that all its checks rely on, as `subject:name`. */
export function defineRules(name: string, rules: Subject['rules']): Subject
export function defineRules(name: string, needs: readonly string[], rules: Subject['rules']): Subject
export function defineRules(
  name: string,
  ...rest: [Subject['rules']] | [readonly string[], Subject['rules']]
): Subject {
  const [needs, rules] = rest.length === 1 ? [[], rest[0]] : rest
  return { name, needs, rules }
}
