import type { Check, Pool } from '../checks/check.ts'

/** How checks share the servers they act on. */
export interface PoolOptions {
  /** How many checks of the main lane run at once. */
  readonly concurrency: number
  /** Servers that show one real screen cannot be acted on beside each other. */
  readonly sharesScreen: boolean
}

/** Carries out checks in the order given, those of each lane as the lane demands; none begins once it is `over`. */
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
