import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deriveList, listDifference, sortedOrder, updatedOrder } from './lists.ts'

it('[BA4] a difference lies between the common start and the common end', () => {
  expect(listDifference([1, 2, 3, 4], [1, 9, 3, 4])).toEqual({ start: 1, removed: 1, inserted: 1 })
  expect(listDifference([1, 2], [1, 2, 3])).toEqual({ start: 2, removed: 0, inserted: 1 })
  expect(listDifference([1, 1, 1], [1, 1])).toEqual({ start: 2, removed: 1, inserted: 0 })
  expect(listDifference([], [])).toEqual({ start: 0, removed: 0, inserted: 0 })
})

it('[BA5] a derived list derives only what changed', () => {
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

interface Item {
  readonly size: number
}

const bySize = (a: Item, b: Item) => a.size - b.size

it('[BA6] equal items keep their order', () => {
  expect(sortedOrder([{ size: 2 }, { size: 1 }, { size: 2 }, { size: 1 }], bySize)).toEqual([1, 3, 0, 2])
})

it('[BA7] an updated order is the order of all items, and compares only those that changed', () => {
  const items = Array.from({ length: 600 }, (_, index) => ({ size: (index * 7919) % 97 }))
  const order = sortedOrder(items, bySize)
  const edits = fc.array(
    fc.record({ at: fc.nat(599), size: fc.nat(97), kind: fc.constantFrom('set', 'add', 'remove') }),
    {
      maxLength: 6,
    },
  )
  fc.assert(
    fc.property(edits, (changes) => {
      const after = [...items]
      for (const { at, size, kind } of changes)
        after.splice(at, kind === 'add' ? 0 : 1, ...(kind === 'remove' ? [] : [{ size }]))
      expect(updatedOrder({ items, order }, after, bySize)).toEqual(sortedOrder(after, bySize))
    }),
    { numRuns: 30 },
  )
  let compared = 0
  updatedOrder({ items, order }, items.with(300, { size: 50 }), (a, b) => {
    compared++
    return bySize(a, b)
  })
  expect(compared).toBeLessThan(12)
})
