import { expect, it } from 'vitest'
import { LruCache } from './lru-cache.ts'

it('keeps the newest entries', () => {
  const latest = new LruCache<string, number>(2)
  latest.set('a', 1).set('b', 2).set('a', 3)
  expect([...latest]).toEqual([
    ['a', 3],
    ['b', 2],
  ])
  expect(latest.keep('c', 4)).toBe(4)
  expect([...latest.keys()]).toEqual(['b', 'c'])
})

it('keeps entries up to a total weight', () => {
  const latest = new LruCache<string, string>(10, (text) => text.length)
  latest.set('a', '1234').set('b', '1234')
  expect([...latest.set('a', '123456').keys()]).toEqual(['a', 'b'])
  expect([...latest.set('c', '1').keys()]).toEqual(['b', 'c'])
  expect([...latest.set('d', '12345678901').keys()]).toEqual([])
  latest.set('e', '1234567890').delete('e')
  expect([...latest.set('f', '1234567890').keys()]).toEqual(['f'])
  latest.clear()
  expect([...latest.set('g', '1234567890').keys()]).toEqual(['g'])
})
