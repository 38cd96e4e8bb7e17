import { describe, expect, it } from 'vitest'
import { records, withRecords } from '../../../test/support/desktop/anything.ts'
import { act, click, find, press, scroll, setValue } from '../../../test/support/desktop/driver.ts'
import { performAction } from '../apply/apply.ts'
import { desktop, element, rect, window } from '../model/builders.ts'
import type { Desktop } from '../model/desktop.ts'
import type { GridColumn } from '../model/grid.ts'

// Rules such as [DT174] are stated in SPEC.md of the desktop.

const COLUMNS: readonly GridColumn[] = [
  { field: 'paid', title: 'Paid', control: { role: 'CheckBox' } },
  { field: 'fixed', title: 'Fixed', control: { role: 'CheckBox', isFixed: true } },
  { field: 'state', title: 'State', control: { role: 'ComboBox', options: ['open', 'shipped'] } },
  { field: 'ship', title: 'Ship', control: { role: 'Button' } },
]

/** Sixty rows with the texts of four columns, of which ten are in view. */
function tableOf(cells: readonly string[]): Desktop {
  const rows = Array.from({ length: 60 }, (_, index) => ({ key: `${index}`, cells, values: cells }))
  const grid = { ...records(60, { columns: COLUMNS }), rows }
  const table = element('Table', 'Table', { id: 't', bounds: rect(100, 100, 400, 310), traits: { grid } })
  return withRecords(desktop(window('Records', { bounds: rect(0, 0, 800, 700) }, table)), 't')
}
const OPEN = tableOf(['false', 'true', 'open', 'Ship'])
const rolesIn = (on: Desktop, row: string) =>
  find(on, row).children.map(({ children }) => children.map(({ role }) => role).join())

describe('[DT174] controls in cells', () => {
  it('[DT174] [DT175] are there where the text of their cell is not empty', () => {
    expect(rolesIn(OPEN, 't.row-0')).toEqual(['CheckBox', 'CheckBox', 'ComboBox', 'Button'])
    expect(rolesIn(tableOf(['', '', '', '']), 't.row-0')).toEqual(['CheckBox', 'CheckBox', 'ComboBox', ''])
    const { bounds } = find(OPEN, 't.row-0.ship')
    const control = find(OPEN, 't.row-0.ship.control').bounds
    expect(control.x >= bounds.x && control.x + control.width <= bounds.x + bounds.width).toBe(true)
  })

  it('[DT175] cannot be changed where they show a formula', () => {
    expect(find(OPEN, 't.row-0.fixed.control')).toMatchObject({ enabled: false, selected: true })
    expect(find(act(OPEN, click('t.row-0.fixed.control')), 't.row-0.fixed.control').selected).toBe(true)
  })

  it('[DT176] edit their cells', () => {
    const target = { window: OPEN.windows[0]!.uid, element: 't.row-1.paid.control' }
    const at = { x: 0, y: 0 }
    const { desktop: checked, cellEdits } = performAction(
      OPEN,
      { type: 'invoke', target, at },
      { isInteractive: true, nowMs: 0 },
    )
    expect(cellEdits).toEqual([{ window: target.window, element: 't', key: '1', field: 'paid', text: 'true' }])
    const changed = act(checked, setValue('t.row-1.state.control', 'shipped'))
    expect(find(changed, 't').traits!.grid!.rows[1]!.cells).toEqual(['true', 'true', 'shipped', 'Ship'])
    const twice = act(changed, click('t.row-2.paid.control'), press('space'))
    expect(find(twice, 't').traits!.grid!.rows[2]!.cells[0]).toBe('false')
  })

  it('[DT177] keep the focus while their row is in view', () => {
    const focused = act(OPEN, click('t.row-1.paid.control'))
    expect(find(focused, 't.row-1.paid.control').focused).toBe(true)
    const away = act(focused, scroll('t', -60))
    expect(find(away, 't').children.some(({ id }) => id === 't.row-1')).toBe(false)
    expect(find(act(away, scroll('t', 60)), 't.row-1.paid.control').selected).toBe(true)
  })
})
