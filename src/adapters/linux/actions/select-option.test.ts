import { describe, expect, it } from 'vitest'
import { build, element } from '../../../desktop/model/builders.ts'
import { findOptionIn } from '../../element-target.ts'
import type { ElementSource } from '../accessibility/element-tree.ts'
import { ROLE, STATE } from '../accessibility/roles.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus.ts'
import { findRow, selectRow } from './perform.ts'

const TABLE: ElementSource = {
  ref: { bus: ':1.1', path: '/table' },
  patterns: new Set(['Table']),
  role: ROLE.table,
  states: [],
}

/** A table of 10,000 rows and two columns, of which one row is selected. */
function table(): Bus {
  let selected = -1
  const answer = ({ path }: ObjectRef, { member }: BusMethod, [a, b]: readonly unknown[]): unknown => {
    const [row, column] = path.slice(1).split('.').map(Number)
    switch (member === 'Get' ? b : member) {
      case 'NRows':
        return 10_000
      case 'NColumns':
        return 2
      case 'GetAccessibleAt':
        return [':1.1', `/${a}.${b}`]
      case 'Name':
        return column === 0 ? `name ${row}` : `size ${row}`
      case 'AddRowSelection':
        selected = a as number
        return true
      case 'GetState':
        return [row === selected ? 1 << STATE.selected : 0, 0]
      default:
        return undefined
    }
  }
  return {
    tryCall: async (to: ObjectRef, method: BusMethod, ...body: readonly unknown[]) => answer(to, method, body),
  } as Bus
}

describe('a row out of view', () => {
  it('[LX36] is found by its index or by the name of a cell', async () => {
    const found = (wanted: { index: number } | { name: string }) => findRow(table(), TABLE, wanted)
    expect([await found({ index: 7000 }), await found({ index: 10_000 })]).toEqual([7000, undefined])
    expect([await found({ name: 'size 4321' }), await found({ name: 'colour 1' })]).toEqual([4321, undefined])
  })

  it('[LX36] is searched for at most five seconds', async () => {
    let now = 0
    const clock = () => {
      now += 1000
      return now
    }
    expect(await findRow(table(), TABLE, { name: 'name 9999' }, clock)).toBeUndefined()
  })

  it('[LX36] is selected when its program confirms the selection', async () => {
    expect(await selectRow(table(), TABLE, 7000)).toBe(true)
    expect(await selectRow(table(), { ...TABLE, patterns: new Set() }, 7000)).toBe(false)
  })
})

const row = (...cells: readonly string[]) => element('DataItem', '', ...cells.map((name) => element('Cell', name)))
const FILES = build(element('Table', 'Files', row('a.txt', '1 KB'), row('b.txt', '2 KB')))

it('[LX36] treats the rows of a table as options, named by any of their cells', () => {
  expect(findOptionIn(FILES, { name: '2 KB' })).toMatchObject({ index: 1, element: { role: 'DataItem' } })
  expect(findOptionIn(FILES, { index: 0 }).element.children[0]!.name).toBe('a.txt')
  expect(() => findOptionIn(FILES, { name: 'c.txt' })).toThrow(
    expect.objectContaining({ code: 'ElementNotFound', context: { options: ['a.txt', 'b.txt'] } }),
  )
})
