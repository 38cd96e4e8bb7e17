import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listDifference } from '../../base/list-difference.ts'
import { indexesWith, moveIndexes } from './field-index.ts'

const record = fc.record({ id: fc.nat(4) })

it('[D2h] an index finds the records of any list, also of one that follows another', () => {
  fc.assert(
    fc.property(fc.array(record), fc.array(record), fc.nat(9), (list, other, at) => {
      indexesWith(list, 'id', '1')
      const next = list.toSpliced(at, 2, ...other)
      moveIndexes(list, next, listDifference(list, next))
      for (const records of [next, list])
        for (const id of [0, 1, 2, 3, 4])
          expect(indexesWith(records, 'id', String(id))).toEqual(
            records.flatMap((each, index) => (each.id === id ? [index] : [])),
          )
    }),
  )
})

it('[D2h] a value that many records have is not worth an index', () => {
  const many = Array.from({ length: 60 }, (_, id) => ({ id, state: 'open' }))
  expect([
    indexesWith(many, 'state', 'open'),
    indexesWith(many, 'state', 'gone'),
    indexesWith(many, 'id', '7'),
  ]).toEqual([undefined, [], [7]])
})
