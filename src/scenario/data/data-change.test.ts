import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listDifference } from '../../base/lists.ts'
import { type DataValue, mapFields, typeOf } from '../expression/data-type.ts'
import { editRecord } from '../live/live-program.ts'
import { changeData, type DataChange, indexesWith, type ListPlace, moveIndexes, valueAt } from './data-change.ts'
import { changedVars, misfit, parseTyped, type RunData } from './run-data.ts'
import { createScope } from './scope.ts'

const DATA: RunData = {
  orders: [
    { id: 1, customer: 'Ann', total: 12.5, open: true },
    { id: 2, customer: 'Bob', total: 7, open: true },
    { id: 3, customer: 'Cid', total: 99, open: false },
  ],
  form: { amount: 5, note: '' },
  tags: ['b', 'a'],
  count: 0,
  any: null,
}
const scope = createScope({ initial: DATA })

function changed(change: DataChange, data = DATA): RunData {
  const result = changeData(scope, data, change)
  if ('message' in result) throw new Error(result.message)
  return result.data
}
const refusal = (change: DataChange, data = DATA) => {
  const result = changeData(scope, data, change)
  return 'message' in result ? result.message : 'none'
}
const ids = (data: RunData) => (data.orders as readonly { id: number }[]).map(({ id }) => id)

describe('changes of data', () => {
  it('[DAT9] move records to an end of their list, or before another', () => {
    const move = (place: ListPlace, where: number | readonly number[] = 2) =>
      changed({
        var: 'orders',
        where: ({ id }) => [where].flat().includes(id as number),
        change: () => ({}),
        move: place,
      })
    expect([ids(move('start')), ids(move('end')), ids(move({ before: 1 }))]).toEqual([
      [2, 1, 3],
      [1, 3, 2],
      [2, 1, 3],
    ])
    expect(ids(move({ before: '3' }, [1, 2]))).toEqual([1, 2, 3])
    expect(ids(move('start', [2, 3]))).toEqual([2, 3, 1])
    expect(move({ before: 2 })).toBe(DATA)
    const both = changed({ var: 'orders', where: ({ id }) => id === 1, change: () => ({ open: false }), move: 'end' })
    expect([ids(both), both.orders]).toMatchObject([
      [2, 3, 1],
      [{}, {}, { open: false }],
    ])
    const tag = { var: 'tags', at: [{ key: 'a', keyField: 'id' }], where: () => true, change: () => ({}) }
    expect(changed({ ...tag, move: 'start' }).tags).toEqual(['a', 'b'])
    expect(refusal({ ...tag, move: { before: 'z' } })).toBe('tags no longer has the item with the key z')
  })

  it('[DAT8] replace a variable or a field in it', () => {
    expect(changed({ var: 'count', to: 3 }).count).toBe(3)
    expect(changed({ var: 'form.note', to: 'x' }).form).toEqual({ amount: 5, note: 'x' })
    expect(valueAt(DATA, 'form.amount')).toBe(5)
  })

  it('[DAT8] append to a list, and change and remove records', () => {
    const record = { id: 4, customer: 'Dee', total: 1, open: false }
    expect(ids(changed({ var: 'orders', append: record }))).toEqual([1, 2, 3, 4])
    expect(changed({ var: 'tags', append: 'c' }).tags).toEqual(['b', 'a', 'c'])
    expect(ids(changed({ var: 'orders', where: ({ open }) => open === true, remove: true }))).toEqual([3])
    const doubled = changed({
      var: 'orders',
      where: ({ id }) => id === 2,
      change: ({ total }) => ({ total: Number(total) * 2 }),
    })
    expect(valueAt(doubled, 'orders')).toEqual([
      (DATA.orders as readonly DataValue[])[0],
      { id: 2, customer: 'Bob', total: 14, open: true },
      (DATA.orders as readonly DataValue[])[2],
    ])
  })

  it('[DAT13] look only at records with the value of a field', () => {
    const seen: DataValue[] = []
    const where = ({ id }: { readonly [name: string]: DataValue }) => {
      seen.push(id!)
      return true
    }
    const among = { field: 'customer', text: 'Bob' }
    const once = changed({ var: 'orders', where, among, change: () => ({ customer: 'Eve' }) })
    const gone = changed({ var: 'orders', where, among: { field: 'customer', text: 'Eve' }, remove: true }, once)
    expect([ids(once), ids(gone)]).toEqual([
      [1, 2, 3],
      [1, 3],
    ])
    expect(changed({ var: 'orders', where, among, change: () => ({ total: 1 }) }, gone)).toBe(gone)
    expect(seen).toEqual([2, 2])
  })

  it('[DAT14] count a list as from the start', () => {
    const long = (length: number) => ({ ...DATA, tags: Array.from({ length }, (_, index) => `tag ${index}`) })
    const full = changed({ var: 'tags', append: 'x' }, long(99_995))
    expect(refusal({ var: 'tags', append: 'y' }, full)).toBe('none')
    expect(refusal({ var: 'tags', append: 'z' }, changed({ var: 'tags', append: 'y' }, full))).toBe(
      'the variables hold 100001 records; at most 100000 are allowed',
    )
    const texts = changed({ var: 'tags', to: ['a'.repeat(999_990), 'b'.repeat(999_000)] })
    const last: DataChange = { var: 'tags', append: 'c'.repeat(2000) }
    expect(refusal(last, texts)).toMatch(/^the variables hold 200\d{4} characters/)
    expect(refusal(last, texts)).toBe(refusal(last, structuredClone(texts) as RunData))
  })

  it('[DAT16] sort by a field', () => {
    expect(ids(changed({ var: 'orders', sortBy: 'total', descending: false }))).toEqual([2, 1, 3])
    expect(ids(changed({ var: 'orders', sortBy: 'total', descending: true }))).toEqual([3, 1, 2])
    expect(ids(changed({ var: 'orders', sortBy: 'open', descending: false }))).toEqual([3, 1, 2])
    expect(ids(changed({ var: 'orders', sortBy: 'none', descending: true }))).toEqual([1, 2, 3])
  })

  it('[DAT11] refuse a value of another type', () => {
    expect(refusal({ var: 'count', to: 2.5 })).toBe('count is an integer; 2.5 is not')
    expect(refusal({ var: 'count', to: 'two' })).toBe('count is an integer; "two" is not')
    expect(refusal({ var: 'count', to: 'count + 1' })).toBe(
      'count is an integer; "count + 1" is not; to compute it, write {{ count + 1 }}',
    )
    expect(refusal({ var: 'form.note', to: 5 })).toBe('form.note is a text; 5 is not')
    expect(refusal({ var: 'orders', append: { id: 4, customer: 'Dee', total: 1 } })).toBe(
      'orders[3] needs the field open (true or false)',
    )
    expect(refusal({ var: 'orders', where: () => true, change: () => ({ colour: 'red' }) })).toBe(
      'orders[0] has no field "colour"; its fields are id, customer, total, open',
    )
    expect(refusal({ var: 'form', append: 1 })).toBe('form is not a list')
    expect(refusal({ var: 'from.note', to: '' })).toBe('there is no variable from.note')
    expect(refusal({ var: 'any', to: { anything: [1] } })).toBe('none')
  })

  it('[DAT12] keep the identity of everything that does not change', () => {
    const before = DATA.orders as readonly DataValue[]
    const after = changed({ var: 'orders', where: ({ id }) => id === 1, change: () => ({ open: false }) })
    expect((after.orders as readonly DataValue[])[1]).toBe(before[1])
    expect(after.form).toBe(DATA.form)
    expect(changedVars(DATA, after)).toEqual(['orders'])
    for (const same of [
      { var: 'count', to: 0 },
      { var: 'orders', where: () => false, remove: true },
      { var: 'orders', where: () => true, change: ({ total }) => ({ total: total! }) },
      { var: 'orders', sortBy: 'id', descending: false },
    ] satisfies DataChange[])
      expect(changed(same)).toBe(DATA)
  })

  it('[DAT15] refuse to grow beyond the bounds', () => {
    const small = createScope({ initial: { list: [0], text: '' } })
    const list = Array.from({ length: 100_000 }, (_, index) => index)
    const full = changeData(small, { list: [0], text: '' }, { var: 'list', to: list })
    expect('data' in full && (full.data.list as readonly DataValue[]).length).toBe(100_000)
    expect('data' in full && changeData(small, full.data, { var: 'list', append: 1 })).toEqual({
      message: 'the variables hold 100001 records; at most 100000 are allowed',
    })
    expect(changeData(small, { list: [0], text: '' }, { var: 'text', to: 'x'.repeat(2_000_001) })).toEqual({
      message: expect.stringMatching(/^the variables hold 20000\d\d characters; at most 2000000 are allowed$/),
    })
  })

  it('[DAT17] read typed text as a value of the type', () => {
    const types = mapFields({ int: 1, double: 1.5, string: '', bool: true }, typeOf)
    const read = (text: string) => Object.values(mapFields(types, (type) => parseTyped(text, type)))
    expect(read('7')).toEqual([7, 7, '7', undefined])
    expect(read(' 1.25 ')).toEqual([undefined, 1.25, ' 1.25 ', undefined])
    expect(read('true')).toEqual([undefined, undefined, 'true', true])
    expect(read('')).toEqual([undefined, undefined, '', undefined])
    expect(read('1e5')).toEqual([undefined, undefined, '1e5', undefined])
  })

  it('[DAT18] read numbers with commas between groups of three digits', () => {
    const numbers = ['1,234.50', '-1,234,567', '12,34', '1,2345', ',234', '1,234,', '1.5,000']
    const [int, double] = [typeOf(1), typeOf(1.5)]
    expect(numbers.map((text) => [parseTyped(text, int), parseTyped(text, double)])).toEqual([
      [undefined, 1234.5],
      [-1234567, -1234567],
      ...numbers.slice(2).map(() => [undefined, undefined]),
    ])
  })

  it('[DAT17] write an edited cell as a value of its field', () => {
    const edit = { variable: 'orders', keyField: 'id', key: 2, field: 'total' }
    const edited = editRecord(scope, DATA, { ...edit, text: '8.5' })
    expect('data' in edited && valueAt(edited.data, 'orders')).toMatchObject([{ total: 12.5 }, { total: 8.5 }, {}])
    expect(editRecord(scope, DATA, { ...edit, text: 'a lot' })).toEqual({ message: '"a lot" is not a value of total' })
  })

  it('[DAT11] keep the types under any changes', () => {
    const value = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.constant(null))
    const record = fc.record({ id: fc.integer(), customer: fc.string(), total: value, open: value })
    const change: fc.Arbitrary<DataChange> = fc.oneof(
      fc.record({ var: fc.constantFrom('count', 'form.amount', 'form.note', 'orders', 'tags'), to: value }),
      fc.record({ var: fc.constantFrom('orders', 'tags'), append: fc.oneof(record, value) }),
      fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('total', 'open', 'customer'), value).map(
        ([id, field, to]): DataChange => ({
          var: 'orders',
          where: (row) => row.id === id,
          change: () => ({ [field]: to }),
        }),
      ),
      fc.record({ var: fc.constant('orders'), sortBy: fc.constantFrom('total', 'id'), descending: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        let data = DATA
        for (const each of changes) {
          const result = changeData(scope, data, each)
          if ('data' in result) data = result.data
        }
        for (const [name, type] of Object.entries(scope.vars)) expect(misfit(data[name]!, type, name)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })
})

const record = fc.record({ id: fc.nat(4) })

it('[DAT13] an index finds the records of any list, also of one that follows another', () => {
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

it('[DAT13] a value that many records have is not worth an index', () => {
  const many = Array.from({ length: 60 }, (_, id) => ({ id, state: 'open' }))
  expect([
    indexesWith(many, 'state', 'open'),
    indexesWith(many, 'state', 'gone'),
    indexesWith(many, 'id', '7'),
  ]).toEqual([undefined, [], [7]])
})
