import { plural } from '../suite/results.ts'
import type { Check } from '../suite/rules.ts'
import type { RunContext } from './options.ts'
import { isNegative, type Suspect } from './repeat-failures.ts'
import { runCheck } from './run-check.ts'

/** Clients of the server disturb each other: a check passes alone and fails in parallel with another. */
export interface Interference {
  /** The checks that show it: `check` fails while `beside` (ids separated by commas) runs. */
  readonly check: string
  readonly beside: string
  readonly why: string
  /** Every requirement that failed in parallel with others and passes alone. */
  readonly concerned: readonly string[]
}

/** Pairs to try before whole groups. */
const MAX_PAIRS = 16
/** Groups to try before giving up. */
const MAX_COMPANIES = 3
/** The number of failures, of `MAX_ATTEMPTS` attempts, that confirms interference. */
const CONFIRMING_FAILURES = 2
const MAX_ATTEMPTS = 3
/** The number of other checks in parallel; the same check can run several times. */
const MIN_PARALLEL_CHECKS = 4
/** Milliseconds after which the search stops. */
const MAX_SEARCH_MS = 120_000

/**
 * Finds checks that reproduce why the suspects, which pass alone, failed in parallel with others: a pair, or else a
 * whole group.
 */
export async function findInterference(
  runContext: RunContext,
  suspects: readonly Suspect[],
): Promise<Interference | undefined> {
  const inCompany = suspects.filter(({ beside, sawLoss }) => beside.length > 0 && !sawLoss)
  const concerned = inCompany.map((one) => one.check.id).sort()
  const startedAt = performance.now()
  const tries = [...pairsOf(inCompany).slice(0, MAX_PAIRS), ...inCompany.slice(0, MAX_COMPANIES)]
  for (const { check, beside } of tries) {
    if (performance.now() - startedAt > MAX_SEARCH_MS) return undefined
    const why = await failsBeside(check, beside, runContext)
    if (why !== undefined) return { check: check.id, beside: beside.map(({ id }) => id).join(', '), why, concerned }
  }
  return undefined
}

type Tried = Pick<Suspect, 'check' | 'beside'>

/** Pairs of each suspect with one of its parallel checks, ordered by position. */
function pairsOf(suspects: readonly Suspect[]): readonly Tried[] {
  const most = Math.max(0, ...suspects.map(({ beside }) => beside.length))
  return Array.from({ length: most }, (_, index) =>
    suspects.flatMap(({ check, beside }) => (beside[index] ? [{ check, beside: [beside[index]] }] : [])),
  ).flat()
}

/** Returns why a check fails while others run repeatedly; undefined when it does not fail repeatedly. */
async function failsBeside(
  check: Check,
  beside: readonly Check[],
  runContext: RunContext,
): Promise<string | undefined> {
  const others = Array.from(
    { length: Math.max(MIN_PARALLEL_CHECKS, beside.length) },
    (_, index) => beside[index % beside.length]!,
  )
  let failures = 0
  for (let attempt = 0; attempt < MAX_ATTEMPTS && failures + MAX_ATTEMPTS - attempt >= CONFIRMING_FAILURES; attempt++) {
    let isOver = false
    const running = others.map(async (other) => {
      while (!isOver) await runCheck(other, runContext)
    })
    const finding = await runCheck(check, runContext)
    isOver = true
    await Promise.all(running)
    if (isNegative(finding)) failures++
    if (failures === CONFIRMING_FAILURES) return finding.why ?? ''
  }
  return undefined
}

/** Describes the interference in one sentence. */
export const describeInterference = ({ check, beside, why, concerned }: Interference): string => {
  const others = concerned.length - 1
  return `the server lets clients interfere with each other: ${check} passes alone and fails in parallel with ${beside}${others > 0 ? `, as ${plural(others, 'other check')} did with others` : ''}: ${why}`
}
