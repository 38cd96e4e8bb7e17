import { expect, it } from 'vitest'
import { canOverlap, runInPools } from './run-checks.ts'

const POOLS = ['main', 'auxiliary', 'mcp', 'dangerous'] as const
const pairs = POOLS.flatMap((one) => POOLS.map((other) => [one, other] as const))

/** The pairs of pools whose checks were in progress at the same time. */
async function overlapsOf(options: { readonly concurrency: number; readonly sharesScreen: boolean }) {
  const running = new Set<string>()
  const seen = new Set<string>()
  const checks = POOLS.flatMap((pool) => ['a', 'b', 'c'].map((id) => ({ id: `${pool} ${id}`, pool })))
  await runInPools(checks as unknown as Parameters<typeof runInPools>[0], options, async ({ id, pool }) => {
    for (const other of running)
      for (const pair of [
        [pool, other.split(' ')[0]],
        [other.split(' ')[0], pool],
      ])
        seen.add(pair.join())
    running.add(id)
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    running.delete(id)
  })
  return seen
}

it.each([
  { concurrency: 8, sharesScreen: false },
  { concurrency: 1, sharesScreen: false },
  { concurrency: 1, sharesScreen: true },
])('says which checks run in parallel: %o', async (options) => {
  const said = pairs.filter(([one, other]) => canOverlap({ pool: one }, { pool: other }, options)).map(String)
  expect(said.sort()).toEqual([...(await overlapsOf(options))].sort())
})
