import { carryOut } from './attempt.ts'
import type { Check } from './check.ts'
import { isBad, type Suspect } from './confirm.ts'
import type { Circumstances } from './options.ts'
import { plural } from './verdict.ts'

/** Clients of the server disturb each other: a check passes alone and fails beside another. */
export interface Interference {
  /** The pair that shows it. */
  readonly check: string
  readonly beside: string
  readonly why: string
  /** Every requirement that failed in company and passes alone. */
  readonly concerned: readonly string[]
}

/** Pairs that are tried before the search is given up. */
const MAX_PAIRS = 12
/** How often a pair must fail to be named, of how many tries. */
const FAILURES = 2
const TRIES = 3

/** Looks for a pair of checks that shows why the suspects, which pass alone, failed beside others. */
export async function findInterference(
  circumstances: Circumstances,
  suspects: readonly Suspect[],
): Promise<Interference | undefined> {
  const inCompany = suspects.filter(({ beside, sawLoss }) => beside.length > 0 && !sawLoss)
  const pairs = inCompany.flatMap(({ check, beside }) => beside.map((other) => [check, other] as const))
  for (const [check, beside] of pairs.slice(0, MAX_PAIRS)) {
    const why = await failsBeside(check, beside, circumstances)
    if (why !== undefined)
      return { check: check.id, beside: beside.id, why, concerned: inCompany.map((one) => one.check.id).sort() }
  }
  return undefined
}

/** Why a check fails while the other one runs again and again, or undefined when it does not fail repeatedly. */
async function failsBeside(check: Check, beside: Check, circumstances: Circumstances): Promise<string | undefined> {
  let failures = 0
  for (
    let attempt = 0;
    attempt < TRIES && failures < FAILURES && attempt - failures < TRIES - FAILURES + 1;
    attempt++
  ) {
    let over = false
    const company = (async () => {
      while (!over) await carryOut(beside, circumstances)
    })()
    const finding = await carryOut(check, circumstances)
    over = true
    await company
    if (isBad(finding)) failures++
    if (failures === FAILURES) return finding.why ?? ''
  }
  return undefined
}

/** The finding in a sentence. */
export const interferenceInWords = ({ check, beside, why, concerned }: Interference): string => {
  const others = concerned.length - 1
  return `the server lets clients interfere with each other: ${check} passes alone and fails beside ${beside}${others > 0 ? `, as ${plural(others, 'other check')} did beside others` : ''}: ${why}`
}
