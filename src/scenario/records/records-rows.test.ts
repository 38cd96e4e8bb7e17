import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScope, type LiveContext, typeAt } from '../data/scope.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { AuthoredElement } from '../schema/element.ts'
import { cellFormat } from './record-row.ts'
import { createRowSource } from './records-rows.ts'

// Rules such as [REC1] are stated in README.md beside this file.

const ORDERS = [
  { id: 1, customer: 'Bob', total: 12.5, count: 2, status: 'open', day: '2026-03-02' },
  { id: 2, customer: 'Ann', total: 7, count: 1, status: 'shipped', day: '2026-01-31' },
  { id: 3, customer: 'Cid', total: 0.1, count: 3, status: 'open', day: '' },
]
const INITIAL = { orders: ORDERS, wanted: '' }
const scope = createScope({ initial: INITIAL })

const contextOf = (data: Readonly<Record<string, DataValue>>): LiveContext => ({
  data: { ...INITIAL, ...data },
  state: 'a',
  nowMs: 0,
  startMs: 0,
  screen: undefined,
})
const table = (more: Partial<Omit<AuthoredElement, 'rows'>>) =>
  createRowSource({ role: 'Table', rows: 'orders', columns: [{ field: 'id' }], ...more }, scope)
const shown = (
  more: Partial<Omit<AuthoredElement, 'rows'>>,
  data: Readonly<Record<string, DataValue>> = {},
  records = ORDERS,
) => table(more).tableContent(records, contextOf(data))
const cells = (more: Partial<Omit<AuthoredElement, 'rows'>>, data = {}) =>
  shown(more, data).rows.map((row) => row.cells.join(' '))

describe('the rows of a table', () => {
  it('[REC1] are the records that match the filter, sorted', () => {
    expect(cells({ filter: 'row.status == "open"' })).toEqual(['1', '3'])
    expect(cells({ filter: 'row.customer.contains(wanted)' }, { wanted: 'n' })).toEqual(['2'])
    expect(cells({ sort_by: 'customer' })).toEqual(['2', '1', '3'])
    expect(cells({ sort_by: 'total', descending: true })).toEqual(['1', '2', '3'])
    expect(table({ filter: 'row.customer.contains(wanted)' }).names).toEqual(new Set(['orders', 'wanted']))
  })

  it('[REC1] have the values of the key field as keys, otherwise their indexes', () => {
    const keys = (key: string | undefined, records = ORDERS) =>
      shown({ ...(key && { key }) }, {}, records).rows.map((row) => row.key)
    expect([keys('customer'), keys(undefined)]).toEqual([
      ['Bob', 'Ann', 'Cid'],
      ['0', '1', '2'],
    ])
    expect(keys('status')).toEqual(['open', 'shipped', 'open~2'])
  })

  it('[REC2] show fields and the results of formulas', () => {
    const columns = [{ field: 'customer' }, { field: 'sum', formula: 'row.total * row.count' }]
    expect(cells({ columns })).toEqual(['Bob 25', 'Ann 7', 'Cid 0.30000000000000004'])
    expect(cells({ columns: [{ field: 'x', formula: '1 / (row.count - 1)' }] })).toEqual(['1', '#VALUE!', '0'])
    expect(shown({ columns }).rows[0]!.values).toEqual(['Bob', 25])
  })

  it.each([
    ['0', 12.5, '13'],
    ['0.00', 1234.5, '1234.50'],
    ['#,##0.00', 1234.5, '1,234.50'],
    ['#,##0', -1234567, '-1,234,567'],
    ['0%', 0.256, '26%'],
    ['0.0 %', 0.256, '25.6 %'],
    ['€ #,##0.00', 5, '€ 5.00'],
    ['d MMM yyyy', '2026-03-02', '2 Mar 2026'],
    ['d MMM yyyy', 'soon', 'soon'],
    ['yyyy', new Date(0), '1970'],
    ['0.00', 'n/a', 'n/a'],
    ['0.00', 1e20, '100000000000000000000'],
    ['0.00', null, ''],
  ])('[REC3] the format %s shows %s as %s', (format, value, text) => {
    expect(cellFormat(format)!(value)).toBe(text)
  })

  it('[REC3] other formats are refused', () => {
    for (const format of ['', '#', '0.0.0', 'total', '###'])
      expect([format, cellFormat(format)]).toEqual([format, undefined])
  })

  it('[REC6] are followed by totals over the records that match the filter', () => {
    const kinds = ['sum', 'count', 'average', 'min', 'max'] as const
    const totals = (filter: string) =>
      kinds.map((total) => shown({ filter, columns: [{ field: 'total', total, format: '0.00' }] }).totals![0])
    expect(totals('row.status == "open"')).toEqual(['12.60', '2', '6.30', '0.10', '12.50'])
    expect(totals('row.id > 9')).toEqual(['0.00', '0', '', '', ''])
    expect(shown({}).totals).toBeUndefined()
    const sum = shown({ columns: [{ field: 'total', total: 'sum' }] }, {}, [
      { ...ORDERS[0]!, total: 0.1 },
      { ...ORDERS[0]!, total: 0.2 },
    ])
    expect(sum.totals).toEqual(['0.3'])
  })

  it('[REC8] stay the same values for records that did not change', () => {
    const source = table({ filter: 'row.status == "open"', columns: [{ field: 'a', formula: 'row.total + 1' }] })
    const before = source.tableContent(ORDERS, contextOf({})).rows
    const after = source.tableContent([ORDERS[0]!, { ...ORDERS[2]!, total: 5 }], contextOf({})).rows
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    const other = table({ key: 'id', filter: 'row.id > 0 || wanted != ""' })
    const first = other.tableContent(ORDERS, contextOf({ wanted: 'a' })).rows
    expect(other.tableContent(ORDERS.slice(1), contextOf({ wanted: 'a' })).rows[0]).toBe(first[1])
    expect(other.tableContent(ORDERS, contextOf({ wanted: 'b' })).rows).toHaveLength(3)
    const moved = source.tableContent([{ ...ORDERS[1]!, id: 9 }, ORDERS[2]!], contextOf({})).rows
    expect(moved.map((row) => row.cells)).toEqual([['1.1']])
  })

  it('[REC1] agree with a plain array for any records and filter', () => {
    const record = fc.record({ id: fc.nat(99), total: fc.integer({ min: -50, max: 50 }) })
    const source = createRowSource(
      {
        role: 'Table',
        rows: 'items',
        key: 'id',
        filter: 'row.total > limit',
        sort_by: 'total',
        columns: [{ field: 'id', total: 'sum' }],
      },
      createScope({ initial: { items: [{ id: 1, total: 1 }], limit: 0 } }),
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(record, { selector: ({ id }) => id }),
        fc.integer({ min: -9, max: 9 }),
        (list, limit) => {
          const fitting = list.filter(({ total }) => total > limit).toSorted((a, b) => a.total - b.total)
          const { rows, totals } = source.tableContent(list, { ...contextOf({}), data: { items: list, limit } })
          expect(rows.map(({ key }) => key)).toEqual(fitting.map(({ id }) => String(id)))
          expect(totals).toEqual([String(fitting.reduce((sum, { id }) => sum + id, 0))])
        },
      ),
    )
  })
})

describe('the rows of a table of many records', () => {
  const MANY = Array.from({ length: 2000 }, (_, id) => ({ id, name: `Order ${id}`, total: (id * 7919) % 101 }))
  const WRITTEN = {
    role: 'Table',
    rows: 'items',
    key: 'id',
    filter: 'row.total > limit',
    columns: [{ field: 'name' }, { field: 'double', formula: 'row.total * 2' }],
  }
  const items = createScope({ initial: { items: MANY, limit: 0 } })
  const at = (list: readonly DataValue[], limit = 0) => ({ ...contextOf({}), data: { items: list, limit } })

  /** A source, and the number of expressions that it evaluated. */
  function counted(authored: Partial<AuthoredElement> = {}) {
    const counter = { evaluated: 0 }
    const compile: typeof items.compile = (...args) => {
      counter.evaluated++
      return items.compile(...args)
    }
    return {
      source: createRowSource({ ...WRITTEN, ...authored, rows: 'items' } as Parameters<typeof createRowSource>[0], {
        ...items,
        compile,
      }),
      counter,
    }
  }

  it('[REC9] are filtered again for records that changed only', () => {
    const { source, counter } = counted()
    const first = source.tableContent(MANY, at(MANY))
    counter.evaluated = 0
    const changed = MANY.with(1500, { id: 1500, name: 'New', total: 3 }).concat({ id: 2000, name: 'Last', total: 9 })
    const second = source.tableContent(changed, at(changed), first.rows)
    expect(counter.evaluated).toBe(2)
    expect(second.rows).toHaveLength(first.rows.length + 1)
    source.tableContent(MANY, at(MANY, 50))
    counter.evaluated = 0
    expect(source.tableContent(MANY, at(MANY, 0), second.rows).rows).toBe(first.rows)
    expect(counter.evaluated).toBe(0)
  })

  it('[REC10] are computed when they are read', () => {
    const { source, counter } = counted({ filter: undefined })
    counter.evaluated = 0
    const { rows } = source.tableContent(MANY, at(MANY))
    expect(counter.evaluated).toBe(0)
    expect([rows[7]!.cells, rows[7]!.cells, rows[7]!.values]).toEqual([
      ['Order 7', '170'],
      ['Order 7', '170'],
      ['Order 7', 170],
    ])
    expect(counter.evaluated).toBe(1)
  })

  const edit = fc.record({
    kind: fc.constantFrom('change', 'insert', 'remove', 'limit', 'reverse'),
    at: fc.nat(30),
    id: fc.nat(12),
    total: fc.nat(20),
  })
  it.each([
    ['keys', { key: 'id' }],
    ['indexes', { key: undefined }],
    ['keys, sorted', { key: 'id', sort_by: 'total' }],
  ])('[REC9] are those of a new table after any changes, with %s', (_, authored) => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const { source } = counted(authored)
        let [list, limit]: [readonly { id: number; name: string; total: number }[], number] = [MANY.slice(0, 30), 9]
        let { rows } = source.tableContent(list, at(list, limit))
        for (const { kind, at: index, id, total } of edits) {
          if (kind === 'limit') limit = total
          else if (kind === 'reverse') list = list.toReversed()
          else
            list = list.toSpliced(
              index,
              kind === 'insert' ? 0 : 1,
              ...(kind === 'remove' ? [] : [{ id, name: 'x', total }]),
            )
          ;({ rows } = source.tableContent(list, at(list, limit), rows))
          const fresh = counted(authored).source.tableContent(list, at(list, limit)).rows
          expect(rows.map(({ key, cells }) => [key, cells])).toEqual(fresh.map(({ key, cells }) => [key, cells]))
        }
      }),
      { numRuns: 40 },
    )
  })
})

it('[REC13] the items of a list have labels', () => {
  const source = createRowSource(
    { role: 'List', rows: 'orders', label: '{{ row.customer }} ({{ row.id }})', key: 'id', filter: 'row.id < 3' },
    scope,
  )
  expect(source.listContent(ORDERS, contextOf({}))).toEqual({ names: ['Bob (1)', 'Ann (2)'], keys: ['1', '2'] })
  expect(typeAt(scope.vars, 'orders')?.kind).toBe('list')
})
