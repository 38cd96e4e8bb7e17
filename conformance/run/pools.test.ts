import { expect, it } from 'vitest'
import { describeRest } from './progress.ts'
import { canOverlap, mustsFirst, runInPools } from './run-checks.ts'

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

it('runs the checks of each MUST before those of recommendations, else in their order', () => {
  const checks = ['may-1', 'must-1', 'may-2', 'must-2'].map((id) => ({
    ...{ id, pool: 'dangerous', timeoutMs: 1, needs: [] },
    run: async () => {},
  })) as readonly Parameters<typeof mustsFirst>[0][number][]
  expect(mustsFirst(checks, ({ id }) => id.startsWith('must')).map(({ id }) => id)).toEqual([
    'must-1',
    'must-2',
    'may-1',
    'may-2',
  ])
})

it('estimates the rest of a run from what has been done', () => {
  expect(describeRest(10, 40, 10_000)).toBe(', about 30 s left')
  expect(describeRest(1, 11, 30_000)).toBe(', about 5 min left')
  expect([describeRest(0, 4, 9000), describeRest(4, 4, 9000), describeRest(1, 4, 100)]).toEqual(['', '', ''])
})
