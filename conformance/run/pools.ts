import type { Check, Pool } from '../rules.ts'

/** How checks share the servers that they act on. */
export interface PoolOptions {
  /** The number of parallel checks of the main pool. */
  readonly concurrency: number
  /** All servers share one real screen, so their checks cannot run in parallel. */
  readonly sharesScreen: boolean
}

/** Runs checks in the given order, with the concurrency of their pools. No check starts after `over` returns true. */
export async function runInPools(
  checks: readonly Check[],
  { concurrency, sharesScreen }: PoolOptions,
  carryOut: (check: Check) => Promise<void>,
  over: () => boolean = () => false,
): Promise<void> {
  const work = async (pool: Check[]) => {
    while (pool.length > 0 && !over()) await carryOut(pool.shift()!)
  }
  const pool = (name: Pool) => checks.filter((check) => check.pool === name)
  const main = pool('main')
  const beside = [pool('auxiliary'), pool('mcp')]
  await Promise.all([
    ...Array.from({ length: concurrency }, () => work(main)),
    ...(sharesScreen ? [] : beside.map(work)),
  ])
  if (sharesScreen) for (const one of beside) await work(one)
  await work(pool('dangerous'))
}

/** Whether a run may have two checks in progress at the same time. */
export const canOverlap = (
  one: Pick<Check, 'pool'>,
  other: Pick<Check, 'pool'>,
  { concurrency, sharesScreen }: PoolOptions,
): boolean =>
  [one, other].every(({ pool }) => pool !== 'dangerous') &&
  (one.pool === other.pool ? one.pool === 'main' && concurrency > 1 : !sharesScreen)
