import { describe, expect, it } from 'vitest'
import { withRecords } from '../../../test/support/desktop/anything.ts'
import { act, click, find, press, type } from '../../../test/support/desktop/driver.ts'
import { desktop, element, rect, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import { continuedContents } from '../model/fill-series.ts'
import { createGrid } from './grid-state.ts'

// Rules such as [DT178] are stated in SPEC.md of the desktop.

const CONTENTS = [
  ['1', '=A1*2'],
  ['2', ''],
  ['x', ''],
]

/** A sheet of three rows and two columns, in which formulas show "computed". */
function sheet(): Desktop {
  const bounds = rect(0, 0, 300, 300)
  const grid = createGrid({
    columns: ['a', 'b'].map((field) => ({ field, title: field, editable: true })),
    rows: CONTENTS.map((contents, index) => {
      const cells = contents.map((text) => (text.startsWith('=') ? 'computed' : text))
      return { key: String(index + 1), contents, cells, values: cells }
    }),
    rowHeight: 28,
    selects: 'cell',
    sheet: { name: 'Own', undo: [], redo: [] },
  })
  const table = element('Spreadsheet', 'Sheet', { id: 's', bounds, traits: { grid } })
  return withRecords(desktop(window('W', { bounds }, table)), 's')
}

const contentsOf = (on: Desktop) => find(on, 's').traits!.grid!.rows.map(({ contents }) => contents)
const selected = (on: Desktop) =>
  find(on, 's')
    .children.flatMap(({ children }) => children)
    .filter((cell) => cell.selected)
    .map(({ id }) => id)

describe('a sheet', () => {
  it('[DT178] selects several cells, which keys are about', () => {
    const on = act(sheet(), click('s.row-1.a'), press('shift+down', 'shift+right'))
    expect(selected(on)).toEqual(['s.row-1.a', 's.row-1.b', 's.row-2.a', 's.row-2.b'])
    expect(selected(act(sheet(), click('s.row-3.b'), click('s.row-2.a', { modifiers: ['shift'] })))).toEqual([
      's.row-2.a',
      's.row-2.b',
      's.row-3.a',
      's.row-3.b',
    ])
    expect(act(on, press('ctrl+c')).clipboard).toBe('1\tcomputed\n2\t')
    expect(contentsOf(act(on, press('delete')))).toEqual([
      ['', ''],
      ['', ''],
      ['x', ''],
    ])
    expect(selected(act(on, press('enter')))).toEqual(['s.row-2.a'])
    expect(selected(act(on, press('enter', 'shift+enter')))).toEqual(['s.row-1.a'])
  })

  it('[DT180] edits what was typed, and writes it in upper case', () => {
    const on = act(sheet(), click('s.row-1.b'))
    expect([find(on, 's.row-1.b').value, find(on, 's.row-1.b').traits?.formula]).toEqual(['computed', '=A1*2'])
    expect(find(act(on, press('f2')), 's.row-1.b').value).toBe('=A1*2')
    expect(contentsOf(act(on, press('f2'), type('+b2'), press('enter')))[0]).toEqual(['1', '=A1*2+B2'])
  })

  it('[DT181] fills cells with moved references and continued series', () => {
    const on = act(sheet(), click('s.row-1.b'), press('shift+down', 'shift+down', 'ctrl+d'))
    expect(contentsOf(on).map((row) => row?.[1])).toEqual(['=A1*2', '=A2*2', '=A3*2'])
    const down = { rows: 1, columns: 0 } as const
    expect(continuedContents(['2', '4'], 2, down)).toEqual(['6', '8'])
    expect(continuedContents(['1.5', '1.25'], 2, down)).toEqual(['1', '0.75'])
    expect(continuedContents(['4', '2'], 2, { rows: -1, columns: 0 })).toEqual(['0', '-2'])
    expect(continuedContents(['fri', 'sat'], 2, down)).toEqual(['Sun', 'Mon'])
    expect(continuedContents(['=A1', '=B1'], 3, down)).toEqual(['=A3', '=B3', '=A5'])
    expect(continuedContents(['1', '2', '4'], 2, down)).toEqual(['1', '2'])
  })

  it('[DT182] takes edits back and does them again', () => {
    const edited = act(sheet(), click('s.row-2.a'), type('5'), press('enter'), type('6'), press('enter'))
    expect(contentsOf(edited).map((row) => row?.[0])).toEqual(['1', '5', '6'])
    const back = act(edited, press('ctrl+z', 'ctrl+z', 'ctrl+z'))
    expect(contentsOf(back)).toEqual(CONTENTS)
    expect(selected(back)).toEqual(['s.row-2.a'])
    expect(contentsOf(act(back, press('ctrl+y', 'ctrl+y')))).toEqual(contentsOf(edited))
    expect(contentsOf(act(back, type('9'), press('enter', 'ctrl+y'))).map((row) => row?.[0])).toEqual(['1', '9', 'x'])
  })
})
