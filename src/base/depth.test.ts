import { describe, expect, it } from 'vitest'
import { isTooDeep, MAX_JSON_DEPTH } from './depth.ts'

const nested = (levels: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(levels)}[]${close.repeat(levels)}`)

describe.each([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
  ['both', '[1,{"a":1,"b":', '}]'],
])('depth of %s', (kind, open, close) => {
  const each = kind === 'both' ? 2 : 1

  it('allows the maximum depth and no more', () => {
    expect(isTooDeep(nested(MAX_JSON_DEPTH / each, open, close))).toBe(false)
    expect(isTooDeep([nested(MAX_JSON_DEPTH / each, open, close)])).toBe(true)
  })

  it('detects values that would exhaust the stack', () => {
    expect(isTooDeep(nested(50_000, open, close))).toBe(true)
  })
})

it('does not list the keys of arrays', () => {
  const items = new Proxy([1, 2, 3], {
    ownKeys: () => {
      throw new Error('keys were listed')
    },
  })
  expect(isTooDeep(items)).toBe(false)
})

it('detects a cyclic value and accepts a value that is not an object', () => {
  const round: Record<string, unknown> = {}
  round.self = { round }
  expect(isTooDeep(round)).toBe(true)
  for (const value of [null, undefined, 1, 'text', [], {}]) expect(isTooDeep(value)).toBe(false)
})
