import { expect, it } from 'vitest'
import type { Oracle } from '../schema/oracles.ts'
import { describeInfeasible, describeOracle, oracleLine } from './describe-oracle.ts'

// Rules such as [EX7] are stated in README.md beside this file.

const describe = (oracle: object) => describeOracle(oracle as Oracle)

it('[EX7] an oracle has its kind, what it demands, and its message', () => {
  const written = { kind: 'value_equals', selector: 'Edit "Name"', expected: { a: 1 }, weight: 2 }
  const described = describe(written)
  expect(described).toEqual({
    kind: 'value_equals',
    text: 'selector Edit "Name", expected {"a":1}',
    message: undefined,
  })
  expect(oracleLine(described)).toBe('value_equals: selector Edit "Name", expected {"a":1}')
  expect(oracleLine(describe({ ...written, message: 'the name is there' }))).toBe('the name is there')
  expect(oracleLine(describe({ kind: 'finished' }))).toBe('finished')
  expect(describe({ kind: 'text_visible', regex: 'x'.repeat(400) }).text).toBe(`regex ${'x'.repeat(294)}…`)
  expect(oracleLine(describeInfeasible({ when: true, reason: 'no printer' }))).toBe(
    'infeasible: the agent reports that the task is impossible: no printer',
  )
})
