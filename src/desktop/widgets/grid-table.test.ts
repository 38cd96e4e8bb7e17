import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordRow, records, withRecords } from '../../../test/support/desktop/anything.ts'
import {
  act,
  changeElement,
  click,
  find,
  invoke,
  press,
  scroll,
  select,
  setValue,
  type,
} from '../../../test/support/desktop/driver.ts'
import { performAction } from '../apply/apply.ts'
import { hitTest } from '../hit.ts'
import { button, desktop, element, rect, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { walk } from '../model/element.ts'
import type { VirtualGrid } from '../model/grid.ts'
import { fingerprint } from '../tree/hash.ts'
import { gridSelection } from './cell-cursor.ts'
import { recordAt } from './grid-cells.ts'
import { withGridRows } from './grid-state.ts'

// Rules such as [DT161] are stated in SPEC.md of the desktop.

const TOP = 100 + 30
/** A window with a virtual table 400 pixels wide, with room for ten rows. */
const tableOf = (grid: VirtualGrid, role = 'Table', multiSelect = false): Desktop =>
  withRecords(
    desktop(
      window(
        'Records',
        { bounds: rect(0, 0, 800, 700) },
        element(role, 'Table', {
          id: 't',
          bounds: rect(100, 100, 400, 30 + 280 + (grid.totals ? 28 : 0) + (grid.pageSize ? 36 : 0)),
          traits: { grid, multiSelect },
        }),
        button('Other', { id: 'other', bounds: rect(600, 100, 80, 30) }),
      ),
    ),
    't',
  )
const gridOf = (on: Desktop): VirtualGrid => find(on, 't').traits!.grid!
const rowIds = (on: Desktop) =>
  find(on, 't')
    .children.filter(({ role, id }) => role === 'Row' && id !== 't.totals')
    .map(({ id }) => id)
const texts = (on: Desktop, column: number) =>
  find(on, 't')
    .children.filter(({ role }) => role === 'Row')
    .map(({ children }) => children[column]!.value)
const chosen = (on: Desktop) => {
  const grid = gridOf(on)
  return grid.selected.map((position) => recordAt(grid, position)!.key)
}
const cursor = (on: Desktop) => find(on, 't').traits!.current
const editsOf = (on: Desktop, keys: string) =>
  performAction(on, { type: 'key', keys }, { isInteractive: true }).cellEdits

describe('the elements of a virtual table', () => {
  it('[DT161] are the header, the rows in view, totals and page buttons', () => {
    const on = tableOf(records(10_000, { pageSize: 100, totals: ['10000', ''] }))
    const children = find(on, 't').children.map(({ id, role, name }) => [id, role, name])
    expect(children).toHaveLength(13)
    expect(children[0]).toEqual(['t.header', 'HeaderRow', 'Columns'])
    expect(children[1]).toEqual(['t.row-0', 'Row', '0, Name 0'])
    expect(children.slice(-2)).toEqual([
      ['t.totals', 'Row', 'Totals'],
      ['t.pages', 'ToolBar', 'Pages'],
    ])
    expect(find(on, 't.row-3').children.map(({ id, name, value }) => [id, name, value])).toEqual([
      ['t.row-3.id', 'Id', '3'],
      ['t.row-3.name', 'Name', 'Name 21'],
    ])
    expect(find(on, 't.header').children.map(({ id, role, name }) => [id, role, name])).toEqual([
      ['t.header.id', 'ColumnHeader', 'Id'],
      ['t.header.name', 'ColumnHeader', 'Name'],
    ])
  })

  it('[DT161] change only where rows come into view', () => {
    const on = tableOf(records(10_000))
    const scrolled = act(on, scroll('t', -1))
    expect(rowIds(scrolled)).toEqual(Array.from({ length: 11 }, (_, row) => `t.row-${row + 2}`))
    expect(find(act(scrolled, scroll('t', 1)), 't').children[1]!.bounds.y).toBe(TOP)
    const selected = act(on, click('t.row-2'))
    expect(find(selected, 't.row-4')).toBe(find(on, 't.row-4'))
    expect(find(selected, 't.header')).toBe(find(on, 't.header'))
  })

  it('[DT161] are clipped and hit below the header and above the totals', () => {
    const on = act(tableOf(records(100, { totals: ['', ''] })), scroll('t', -1))
    const idAt = (y: number) => {
      const hit = hitTest(on, { x: 140, y })
      return hit && 'element' in hit ? hit.element.id : undefined
    }
    expect([idAt(TOP - 1), idAt(TOP), idAt(TOP + 279), idAt(TOP + 281)]).toEqual([
      't.header.id',
      't.row-2.id',
      't.row-12.id',
      't.totals.id',
    ])
  })

  it('[DT162] have columns of their width, the others share the rest, and all shrink if space is short', () => {
    const widths = (grid: VirtualGrid) => find(tableOf(grid), 't.header').children.map(({ bounds }) => bounds.width)
    expect(widths(records(3))).toEqual([60, 340])
    expect(widths(records(3, { rowHeaders: true }))).toEqual([48, 60, 292])
    const wide = records(3).columns.map((column) => ({ ...column, width: 600 }))
    expect(widths(records(3, { columns: wide }))).toEqual([200, 200])
  })

  it('[DT162] begin with a header of the row, which selects it', () => {
    const on = tableOf(records(30, { rowHeaders: true }))
    expect(find(on, 't.row-4.row-header')).toMatchObject({ role: 'RowHeader', name: '5' })
    expect(chosen(act(on, click('t.row-4.row-header')))).toEqual(['4'])
  })
})

describe('sorting a virtual table', () => {
  it('[DT163] follows clicks on headers of sortable columns: numbers by size, then in reverse', () => {
    const on = tableOf(records(30))
    const byName = act(on, click('t.header.name'))
    expect(texts(byName, 1).slice(0, 4)).toEqual(['Name 0', 'Name 1', 'Name 10', 'Name 11'])
    expect(find(byName, 't.header.name').traits?.sorted).toBe('ascending')
    const reverse = act(byName, invoke('t.header.id'), click('t.header.id'))
    expect([texts(reverse, 0)[0], find(reverse, 't.header.id').traits?.sorted]).toEqual(['29', 'descending'])
    expect(find(reverse, 't.header.name').traits?.sorted).toBeUndefined()
    const fixed = tableOf(records(30, { columns: [{ field: 'id', title: 'Id' }, ...records(1).columns.slice(1)] }))
    expect(act(fixed, click('t.header.id')).windows).toEqual(
      act(fixed, click('t.header.id'), click('t.header.id')).windows,
    )
    expect(texts(act(fixed, click('t.header.id'), click('t.header.id')), 0)[0]).toBe('0')
  })

  it('[DT163] keeps the selection and the cell cursor at their records', () => {
    const on = act(tableOf(records(30)), click('t.row-3'), click('t.header.id'), click('t.header.id'))
    expect([chosen(on), cursor(on), gridOf(on).current]).toEqual([['3'], 't.row-3', 26])
  })

  it('[DT164] agrees with a plain array after any sorting, paging and change of the records', () => {
    const steps = fc.array(
      fc.oneof(
        fc.constantFrom('id', 'name').map((column) => ({ sort: column })),
        fc.constantFrom('next', 'previous').map((to) => ({ page: to })),
        fc.array(fc.tuple(fc.nat(50), fc.nat(9)), { maxLength: 40 }).map((next) => ({ next })),
      ),
      { maxLength: 12 },
    )
    const rowsFrom = (pairs: readonly (readonly [number, number])[]) => [
      ...new Map(pairs.map(([id, name]) => [id, recordRow(String(id), id, `n${name}`)])).values(),
    ]
    fc.assert(
      fc.property(steps, (taken) => {
        let rows = rowsFrom([
          [3, 1],
          [1, 1],
          [2, 0],
        ])
        let sort: { column: number; descending: boolean } | undefined
        let page = 0
        let on = tableOf(records(0, { rows, pageSize: 4 }))
        for (const step of taken) {
          const last = () => Math.max(0, Math.ceil(rows.length / 4) - 1)
          if ('sort' in step) {
            const column = step.sort === 'id' ? 0 : 1
            sort = { column, descending: sort?.column === column && !sort.descending }
            on = act(on, click(`t.header.${step.sort}`))
          } else if ('page' in step) {
            page = Math.max(0, Math.min(last(), page + (step.page === 'next' ? 1 : -1)))
            on = act(on, click(`t.pages.${step.page}`))
          } else {
            rows = rowsFrom(step.next)
            page = Math.min(page, last())
            on = changeElement(on, 't', (element) => withGridRows(element, rows))
          }
          const sorted = rows.toSorted((a, b) => {
            if (!sort) return 0
            const [x, y] = [a.values[sort.column]!, b.values[sort.column]!]
            return (sort.descending ? -1 : 1) * (x < y ? -1 : x > y ? 1 : 0)
          })
          const expected = sorted.slice(page * 4, page * 4 + 4).map(({ key }) => `t.row-${key}`)
          expect(rowIds(on)).toEqual(expected)
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('the rows of a virtual table', () => {
  it('[DT165] are selected by clicks, keys, typed letters and options, over all records', () => {
    const on = tableOf(records(1000))
    expect(chosen(act(on, click('t.row-2'), press('down', 'down')))).toEqual(['4'])
    const end = act(on, click('t.row-2'), press('end'))
    expect([chosen(end), find(end, 't.row-999').bounds.y]).toEqual([['999'], TOP + 252])
    expect(chosen(act(on, click('t.row-2'), type('57')))).toEqual(['57'])
    expect(chosen(act(on, select('t', { index: 700 })))).toEqual(['700'])
    expect(chosen(act(on, invoke('t.row-5.name')))).toEqual(['5'])
  })

  it('[DT165] are several with multi-selection', () => {
    const on = act(tableOf(records(100), 'Table', true), click('t.row-2'), click('t.row-5', { modifiers: ['shift'] }))
    expect(chosen(on)).toEqual(['2', '3', '4', '5'])
    expect(chosen(act(on, click('t.row-3', { modifiers: ['ctrl'] })))).toEqual(['2', '4', '5'])
    expect(chosen(act(on, press('ctrl+a')))).toHaveLength(100)
  })

  it('[DT165] record the chosen row for reactions', () => {
    const on = act(tableOf(records(100)), click('t.row-2'))
    const { pressed } = performAction(on, { type: 'key', keys: 'down' }, { isInteractive: true })
    expect(pressed).toEqual([{ window: on.windows[0]!.uid, element: 't.row-3', chosen: true }])
  })

  it('[DT166] are on pages, which buttons and the selection turn', () => {
    const on = tableOf(records(95, { pageSize: 20 }))
    expect([find(on, 't.pages.text').name, find(on, 't.pages.previous').enabled]).toEqual(['1–20 of 95', false])
    const next = act(on, click('t.pages.next'))
    expect([find(next, 't.pages.text').name, rowIds(next)[0]]).toEqual(['21–40 of 95', 't.row-20'])
    const last = act(next, click('t.pages.next'), click('t.pages.next'), click('t.pages.next'))
    expect([find(last, 't.pages.text').name, find(last, 't.pages.next').enabled]).toEqual(['81–95 of 95', false])
    const crossed = act(on, select('t', { index: 19 }), press('down'))
    expect([chosen(crossed), find(crossed, 't.pages.text').name]).toEqual([['20'], '21–40 of 95'])
    const scrolled = act(on, scroll('t', -5), click('t.pages.next'))
    expect(find(scrolled, 't').traits?.scrolled).toBeUndefined()
    expect(find(tableOf(records(0, { pageSize: 20 })), 't.pages.text').name).toBe('No records')
  })
})

describe('the cell cursor of a virtual table', () => {
  const cells = (count = 30) => tableOf(records(count, { selects: 'cell' }), 'Grid')

  it('[DT167] moves by arrows, Tab, Home, End and Page keys, with ctrl to the edges', () => {
    const on = act(cells(), click('t.row-1.id'))
    expect([cursor(on), find(on, 't.row-1.id').selected, chosen(on)]).toEqual(['t.row-1.id', true, []])
    const cursorAfter = (...keys: readonly string[]) => cursor(act(on, press(...keys)))
    expect([cursorAfter('down'), cursorAfter('right'), cursorAfter('up'), cursorAfter('left')]).toEqual([
      't.row-2.id',
      't.row-1.name',
      't.row-0.id',
      't.row-1.id',
    ])
    expect([cursorAfter('tab'), cursorAfter('tab', 'tab'), cursorAfter('shift+tab')]).toEqual([
      't.row-1.name',
      't.row-2.id',
      't.row-0.name',
    ])
    expect([cursorAfter('end'), cursorAfter('end', 'home'), cursorAfter('pagedown'), cursorAfter('ctrl+end')]).toEqual([
      't.row-1.name',
      't.row-1.id',
      't.row-10.id',
      't.row-29.name',
    ])
    expect([cursorAfter('ctrl+end', 'ctrl+up'), cursorAfter('ctrl+end', 'ctrl+home')]).toEqual([
      't.row-0.name',
      't.row-0.id',
    ])
    expect(find(act(on, press('ctrl+end', 'tab')), 'other').focused).toBe(true)
    expect(cursor(act(cells(), click('other'), press('shift+tab', 'down')))).toBe('t.row-0.id')
  })

  it('[DT168] enters a table without a cell cursor by arrows, ctrl+Home and ctrl+End', () => {
    const entered = (key: string) => cursor(act(cells(), click('other'), press('shift+tab', key)))
    expect(['down', 'ctrl+home', 'ctrl+end'].map(entered)).toEqual(['t.row-0.id', 't.row-0.id', 't.row-29.name'])
  })

  it('[DT169] edits by F2, Enter, a double click and typing; Enter moves down, Tab right, Escape restores', () => {
    const on = act(cells(), click('t.row-0.name'))
    const value = (steps: Desktop) => find(steps, 't.row-0.name').value
    const renamed = act(on, press('f2', 'end'), type('!'), press('enter'))
    expect([value(renamed), cursor(renamed)]).toEqual(['Name 0!', 't.row-1.name'])
    expect(value(act(on, press('enter', 'x', 'enter')))).toBe('Name 0x')
    expect(value(act(on, click('t.row-0.name', { count: 2 }), press('end', 'y', 'tab')))).toBe('Name 0y')
    const typed = act(on, type('new'), press('tab'))
    expect([value(typed), cursor(typed)]).toEqual(['new', 't.row-1.id'])
    expect(value(act(on, press('z', 'escape')))).toBe('Name 0')
    expect(value(act(on, press('delete')))).toBe('')
    expect(value(act(on, setValue('t.row-0.name', 'set')))).toBe('set')
  })

  it('[DT169a] keeps what is typed into a cell at Up and Down, and edits within it after F2', () => {
    const on = act(cells(), click('t.row-1.name'))
    const [down, up] = ['down', 'up'].map((key) => act(on, type('new'), press(key)))
    expect([find(down!, 't.row-1.name').value, cursor(down!)]).toEqual(['new', 't.row-2.name'])
    expect([find(up!, 't.row-1.name').value, cursor(up!)]).toEqual(['new', 't.row-0.name'])
    const edited = act(on, press('f2', 'down'))
    expect([gridOf(edited).edit === undefined, cursor(edited)]).toEqual([false, 't.row-1.name'])
    const left = act(on, type('new'), press('left', 'x'))
    expect(find(left, 't.row-1.name').value).toBe('nexw')
  })

  it('[DT169] does not edit columns that are not editable', () => {
    const on = act(cells(), click('t.row-0.id'))
    expect(find(act(on, press('f2', 'delete', '9')), 't.row-0.id').value).toBe('0')
    expect(() => act(on, type('9'))).toThrow(/read-only/)
    expect(() => act(on, setValue('t.row-0.id', '9'))).toThrow(/read-only/)
  })

  it('[DT169] keeps the text when the cell is left by a click, the wheel, a page or sorting', () => {
    const begun = act(cells(100), click('t.row-0.name'), type('kept'))
    expect(find(act(begun, scroll('t', -20)), 't.row-0.name').value).toBe('kept')
    expect(find(act(begun, scroll('t', -20), press('s')), 't.row-0.name').value).toBe('kepts')
    const nameOf = (on: Desktop) => gridOf(on).rows[0]!.cells[1]
    expect(nameOf(act(begun, click('other')))).toBe('kept')
    expect(nameOf(act(begun, click('t.row-4.id')))).toBe('kept')
    expect(nameOf(act(begun, click('t.header.id')))).toBe('kept')
    expect(gridOf(act(begun, click('other'))).edit).toBeUndefined()
  })

  it('[DT170] records each new text with the key of its record and the field', () => {
    const begun = act(cells(), click('t.row-2.name'), type('new'))
    const edit = { window: begun.windows[0]!.uid, element: 't', key: '2', field: 'name', text: 'new' }
    expect(editsOf(begun, 'enter')).toEqual([edit])
    expect(editsOf(begun, 'escape')).toBeUndefined()
    expect(editsOf(act(cells(), click('t.row-2.name'), press('f2')), 'enter')).toBeUndefined()
    const { cellEdits, desktop: after } = performAction(
      begun,
      { type: 'click', at: { x: 640, y: 115 }, button: 'left', count: 1 },
      { isInteractive: true },
    )
    expect([cellEdits, after.cellEdits]).toEqual([[edit], undefined])
  })

  it('[DT169] edits cells of a table whose rows are selected, by a double click and F2', () => {
    const on = act(tableOf(records(30)), click('t.row-3.name', { count: 2 }), press('!', 'enter'))
    expect([find(on, 't.row-3.name').value, chosen(on)]).toEqual(['Name 21!', ['3']])
    expect(find(act(on, press('f2', '?', 'enter')), 't.row-3.name').value).toBe('Name 21!?')
  })
})

describe('other records in a virtual table', () => {
  const replaced = (on: Desktop, keys: readonly number[]) =>
    changeElement(on, 't', (element) =>
      withGridRows(
        element,
        keys.map((key) => recordRow(String(key), key, `New ${key}`)),
      ),
    )

  it('[DT171] keep the selection, the cursor and the edited cell at their records', () => {
    const on = act(tableOf(records(30), 'Table', true), click('t.row-3'), click('t.row-5', { modifiers: ['ctrl'] }))
    const fewer = replaced(on, [9, 5, 3, 1])
    expect([chosen(fewer), cursor(fewer), texts(fewer, 1)[1]]).toEqual([['5', '3'], 't.row-5', 'New 5'])
    const gone = replaced(on, [9, 3])
    expect([chosen(gone), gridSelection(gridOf(gone), false).current]).toEqual([['3'], 1])
    const edited = act(tableOf(records(30, { selects: 'cell' })), click('t.row-2.name'), type('typing'))
    expect(find(act(replaced(edited, [7, 2]), press('!')), 't.row-2.name').value).toBe('typing!')
    expect(gridOf(replaced(edited, [7])).edit).toBeUndefined()
  })

  it('[DT171] scroll no further than the last of them, and leave the page', () => {
    const on = act(tableOf(records(300)), scroll('t', -100))
    expect(find(replaced(on, [1, 2]), 't').traits?.scrolled).toBeUndefined()
    const paged = act(tableOf(records(95, { pageSize: 20 })), click('t.row-1'), click('t.pages.next'))
    expect(find(replaced(paged, [...Array(60).keys()]), 't.pages.text').name).toBe('21–40 of 60')
  })
})

describe('the clipboard of tables', () => {
  it('[DT172] takes the selected rows as lines of texts between tabs', () => {
    const on = act(tableOf(records(30), 'Table', true), click('t.row-1'), click('t.row-2', { modifiers: ['ctrl'] }))
    expect(act(on, press('ctrl+c')).clipboard).toBe('1\tName 7\n2\tName 14')
    expect(act(tableOf(records(3)), click('t.header.id'), press('ctrl+c')).clipboard).toBe('')
  })

  it('[DT172] takes the rows of a table whose rows are all elements', () => {
    const cell = (text: string, x: number) => element('Cell', text, { bounds: rect(x, 200, 90, 28) })
    const on = desktop(
      window(
        'People',
        element(
          'Table',
          'People',
          { id: 'people', bounds: rect(120, 200, 200, 100) },
          element('Row', 'Ann', { id: 'ann', bounds: rect(120, 200, 200, 28) }, cell('Ann', 120), cell('41', 220)),
        ),
      ),
    )
    expect(act(on, click('ann'), press('ctrl+c')).clipboard).toBe('Ann\t41')
  })

  it('[DT172] takes the text of the current cell, and pastes into it', () => {
    const on = act(
      tableOf(records(30, { selects: 'cell' }), 'Grid'),
      click('t.row-1.name'),
      press('ctrl+c', 'down', 'ctrl+v'),
    )
    expect([on.clipboard, find(on, 't.row-2.name').value]).toEqual(['Name 7', 'Name 7'])
    expect(find(act(on, press('left', 'ctrl+v')), 't.row-2.id').value).toBe('2')
  })
})

it('[DT161] a step does not depend on the number of records', () => {
  const on = act(tableOf(records(10_000)), click('t.row-1'))
  const before = fingerprint(on.windows[0]!.tree)
  const after = act(on, press('down'))
  expect(fingerprint(after.windows[0]!.tree)).not.toBe(before)
  expect([...walk(after.windows[0]!.tree)].length).toBeLessThan(50)
  expect(gridOf(after).rows).toBe(gridOf(on).rows)
  expect(gridOf(after).order).toBe(gridOf(on).order)
})
