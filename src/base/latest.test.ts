import { expect, it } from 'vitest'
import { Latest } from './latest.ts'

it('holds the entries that came last', () => {
  const latest = new Latest<string, number>(2)
  latest.set('a', 1).set('b', 2).set('a', 3)
  expect([...latest]).toEqual([
    ['a', 3],
    ['b', 2],
  ])
  expect(latest.keep('c', 4)).toBe(4)
  expect([...latest.keys()]).toEqual(['b', 'c'])
})
