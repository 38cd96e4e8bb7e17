import { expect, it } from 'vitest'
import { build, element } from '../../../desktop/model/builders.ts'
import { findOptionIn } from '../../find-option.ts'

const row = (...cells: readonly string[]) => element('DataItem', '', ...cells.map((name) => element('Cell', name)))
const TABLE = build(element('Table', 'Files', row('a.txt', '1 KB'), row('b.txt', '2 KB')))

it('[R19] treats the rows of a table as options, named by any of their cells', () => {
  expect(findOptionIn(TABLE, { name: '2 KB' })).toMatchObject({ index: 1, element: { role: 'DataItem' } })
  expect(findOptionIn(TABLE, { index: 0 }).element.children[0]!.name).toBe('a.txt')
  expect(() => findOptionIn(TABLE, { name: 'c.txt' })).toThrow(
    expect.objectContaining({ code: 'ElementNotFound', context: { options: ['a.txt', 'b.txt'] } }),
  )
})
