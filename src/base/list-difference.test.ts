import { expect, it } from 'vitest'
import { deriveList, listDifference } from './list-difference.ts'

it('[L1] a difference lies between the common start and the common end', () => {
  expect(listDifference([1, 2, 3, 4], [1, 9, 3, 4])).toEqual({ start: 1, removed: 1, inserted: 1 })
  expect(listDifference([1, 2], [1, 2, 3])).toEqual({ start: 2, removed: 0, inserted: 1 })
  expect(listDifference([1, 1, 1], [1, 1])).toEqual({ start: 2, removed: 1, inserted: 0 })
  expect(listDifference([], [])).toEqual({ start: 0, removed: 0, inserted: 0 })
})

it('[L2] a derived list derives only what changed', () => {
  const [a, b, c, d] = [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]
  const derived: number[] = []
  const double = ({ n }: { readonly n: number }) => {
    derived.push(n)
    return n * 2
  }
  const before = { items: [a, b, c, d], derived: [2, 4, 6, 8] }
  const [five, six] = [{ n: 5 }, { n: 6 }]
  expect(deriveList(before, [five, b, c, six], double)).toEqual([10, 4, 6, 12])
  expect(deriveList(before, [a, five, b, c, d], double)).toEqual([2, 10, 4, 6, 8])
  expect(deriveList(before, [a, d], double)).toEqual([2, 8])
  expect(deriveList(before, [...before.items], double)).toBe(before.derived)
  expect(derived).toEqual([5, 6, 5])
})
