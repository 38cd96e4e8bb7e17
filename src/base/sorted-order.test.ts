import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sortedOrder, updatedOrder } from './sorted-order.ts'

interface Item {
  readonly size: number
}

const bySize = (a: Item, b: Item) => a.size - b.size

it('[L3] equal items keep their order', () => {
  expect(sortedOrder([{ size: 2 }, { size: 1 }, { size: 2 }, { size: 1 }], bySize)).toEqual([1, 3, 0, 2])
})

it('[L4] an updated order is the order of all items, and compares only those that changed', () => {
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
