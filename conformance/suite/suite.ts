import type { Contract } from '../contract/contract.ts'
import type { Requirement, RequirementSet } from '../requirement.ts'
import type { Check, Rule, Subject } from './rules.ts'
import type { Sabotage } from './sabotage.ts'
import { shapeRequirements } from './shapes.ts'
import type { TestContext } from './test-context.ts'

/** Why sabotages may have no effect on a correct server, by a pattern of their names. */
export type NoEffect = readonly (readonly [names: RegExp, why: string])[]

/** The suite for the servers of one protocol, as its folder states it. */
interface SuiteDefinition extends Pick<RequirementSet, 'document' | 'groups' | 'items'> {
  readonly protocol: string
  readonly contract: Contract
  /** Whether checks call a command line instead of a server at an address. */
  readonly isCommandLine?: true
  /** The number of parallel checks: 1 where all clients share one state. */
  readonly concurrency: number
  /** Fails when the address is not a server of this protocol. Runs before all checks. */
  handshake(context: TestContext): Promise<void>
  /** Brings the server into the state that checks start from, before the first check and after each restart. */
  prepare?(context: TestContext): Promise<void>
  readonly rules: readonly Subject[]
  /** Sabotages that are generated from other shapes than those of the contract. */
  readonly moreGenerated?: () => readonly Sabotage[]
  readonly noEffect?: NoEffect
}

/** Requirements, contract, checks and sabotages of one protocol. */
export interface ProtocolSuite
  extends Pick<
    SuiteDefinition,
    'contract' | 'isCommandLine' | 'concurrency' | 'handshake' | 'prepare' | 'moreGenerated'
  > {
  readonly set: RequirementSet
  /** By the id of the requirement. */
  readonly checks: ReadonlyMap<string, Check>
  /** Sabotages written by hand: correct shapes, wrong meaning. */
  readonly sabotages: readonly Sabotage[]
  readonly noEffect: NoEffect
}

const PATIENCE_MS = 20_000

/** A document lists the statuses of possible errors; not every request can cause them. */
const ANYWHERE: NoEffect = [
  [/^error \d+: /, 'the document allows that error, and no request of the suite meets with it'],
]

/** Joins the rules of a protocol: their requirements with those of the contract, their checks and their sabotages. */
export function defineSuite({ document, groups, items, rules: subjects, ...rest }: SuiteDefinition): ProtocolSuite {
  const { protocol, contract, noEffect = [] } = rest
  const fullId = (id: string) => `${protocol}:${id}`
  const rows = subjects.flatMap(({ name, needs, rules }) =>
    Object.entries(rules).map(([key, rule]) => ({ id: fullId(`${name}:${key}`), rule, common: needs })),
  )
  const ids = rows.map(({ id }) => id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw new Error(`there are two rules ${twice}`)
  const own = Object.fromEntries(rows.map(({ id, rule }) => [id, requirementOf(rule)]))
  return {
    ...rest,
    noEffect: rest.isCommandLine ? noEffect : [...noEffect, ...ANYWHERE],
    set: { protocol, document, groups, items, requirements: { ...own, ...shapeRequirements(contract, own) } },
    checks: new Map(
      rows.flatMap(({ id, rule, common }): [string, Check][] => {
        if (rule.check === undefined) return []
        const { check, timeoutMs = PATIENCE_MS, pool = 'main' } = rule
        const needs = [...new Set([...(rule.needs ?? []), ...common].map(fullId))].filter((needed) => needed !== id)
        return [[id, { id, run: check, timeoutMs, pool, needs }]]
      }),
    ),
    sabotages: rows.flatMap(({ id, rule }) =>
      Object.entries((rule.check && rule.sabotage) ?? {}).map(
        ([name, { alsoBreaks = [], ...behavior }]): Sabotage => ({
          name,
          protocol,
          targets: [id, ...alsoBreaks.map(fullId)],
          ...behavior,
        }),
      ),
    ),
  }
}

/** A rule without what proves it. */
function requirementOf(rule: Rule): Requirement {
  const { check: _, ...row } = rule
  if (row.unchecked !== undefined) return row
  const { needs: _needs, pool: _pool, timeoutMs: _timeoutMs, sabotage: _sabotage, ...requirement } = row
  return requirement
}
