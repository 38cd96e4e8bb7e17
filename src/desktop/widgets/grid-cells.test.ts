import { describe, expect, it } from 'vitest'
import { records, withRecords } from '../../../test/support/desktop/anything.ts'
import { act, click, find, press, type } from '../../../test/support/desktop/driver.ts'
import { desktop, element, rect, window } from '../model/builders.ts'
import { columnLetter } from '../model/formula-text.ts'
import { currentCellOf } from './grid-cells.ts'

// Rules such as [DT173] are stated in SPEC.md of the desktop.

describe('the current cell of a table', () => {
  it('[DT173] has the letter of its column and the number of its row', () => {
    const grid = records(3, { selects: 'cell' })
    const bounds = rect(0, 0, 300, 300)
    const still = withRecords(
      desktop(window('W', { bounds }, element('Spreadsheet', 'Sheet', { id: 's', bounds, traits: { grid } }))),
      's',
    )
    const cellOf = (on: typeof still) => currentCellOf(find(on, 's'))
    expect(cellOf(still)).toBeUndefined()
    const chosen = act(still, click('s.row-1.id'))
    expect(cellOf(chosen)).toMatchObject({ name: 'A2', text: find(chosen, 's.row-1.id').value })
    expect(cellOf(act(chosen, press('down'), press('right')))?.name).toBe('B3')
  })

  it('[DT173] is one of rows that are elements', () => {
    const bounds = rect(0, 0, 300, 300)
    const rows = ['1', '2'].map((row) =>
      element(
        'Row',
        row,
        { bounds: rect(0, Number(row) * 30, 300, 30) },
        ...['A', 'B'].map((column, index) =>
          element('Cell', column, {
            id: `${column}${row}`,
            value: `${column} ${row}`,
            bounds: rect(index * 100, Number(row) * 30, 100, 30),
          }),
        ),
      ),
    )
    const on = act(
      desktop(window('W', { bounds }, element('DataGrid', 'Sheet', { id: 's', bounds }, ...rows))),
      click('B2'),
    )
    expect(currentCellOf(find(on, 's'))).toEqual({ name: 'B2', text: 'B 2', content: 'B 2' })
    expect(currentCellOf(find(act(on, type('new')), 's'))).toEqual({ name: 'B2', text: 'B 2', content: 'B 2' })
  })

  it('[DT173] has two letters after the column Z', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
  })
})
