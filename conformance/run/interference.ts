import type { Check } from '../checks/check.ts'
import type { RunContext } from './options.ts'
import { isNegative, type Suspect } from './repeat-failures.ts'
import { plural } from './results.ts'
import { runCheck } from './run-check.ts'

/** Clients of the server disturb each other: a check passes alone and fails beside another. */
export interface Interference {
  /** The checks that show it: `check` fails while `beside` runs, which may be several, separated by commas. */
  readonly check: string
  readonly beside: string
  readonly why: string
  /** Every requirement that failed in company and passes alone. */
  readonly concerned: readonly string[]
}

/** Pairs that are tried before whole companies are. */
const MAX_PAIRS = 16
/** Companies that are tried before the search is given up. */
const MAX_COMPANIES = 3
/** How often checks must fail beside others to be named, of how many tries. */
const FAILURES = 2
const TRIES = 3
/** How many of the other checks run at once, the same one several times if need be. */
const COMPANY = 4
/** Milliseconds after which no further checks are tried. */
const MAX_SEARCH_MS = 120_000

/** Looks for checks that show why the suspects, which pass alone, failed beside others: a pair, else a whole company. */
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

/** Each suspect with one of its company, the first of each before the second of any. */
function pairsOf(suspects: readonly Suspect[]): readonly Tried[] {
  const most = Math.max(0, ...suspects.map(({ beside }) => beside.length))
  return Array.from({ length: most }, (_, index) =>
    suspects.flatMap(({ check, beside }) => (beside[index] ? [{ check, beside: [beside[index]] }] : [])),
  ).flat()
}

/** Why a check fails while others run again and again, or undefined when it does not fail repeatedly. */
async function failsBeside(
  check: Check,
  beside: readonly Check[],
  runContext: RunContext,
): Promise<string | undefined> {
  const others = Array.from({ length: Math.max(COMPANY, beside.length) }, (_, index) => beside[index % beside.length]!)
  let failures = 0
  for (let attempt = 0; attempt < TRIES && failures + TRIES - attempt >= FAILURES; attempt++) {
    let isOver = false
    const company = others.map(async (other) => {
      while (!isOver) await runCheck(other, runContext)
    })
    const finding = await runCheck(check, runContext)
    isOver = true
    await Promise.all(company)
    if (isNegative(finding)) failures++
    if (failures === FAILURES) return finding.why ?? ''
  }
  return undefined
}

/** The finding in a sentence. */
export const describeInterference = ({ check, beside, why, concerned }: Interference): string => {
  const others = concerned.length - 1
  return `the server lets clients interfere with each other: ${check} passes alone and fails beside ${beside}${others > 0 ? `, as ${plural(others, 'other check')} did beside others` : ''}: ${why}`
}
