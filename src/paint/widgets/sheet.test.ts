import { describe, expect, it } from 'vitest'
import { records, withRecords } from '../../../test/support/desktop/anything.ts'
import { act, click, find, focus } from '../../../test/support/desktop/driver.ts'
import { button, desktop, element, monitor, rect, window } from '../../desktop/model/builders.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { DESKTOP_STYLES, type DesktopStyle } from '../../desktop/style/style.ts'
import { channelsOf } from '../colour.ts'
import { createPainter } from '../painter.ts'
import { themeOf } from '../styles/styles.ts'

// Rules such as [PNT44] are stated in SPEC.md of the folder above.

const painter = createPainter()
const bounds = rect(0, 0, 500, 400)

/** A spreadsheet of three rows and two columns, which leaves space at the right and below. */
function sheetIn(style: DesktopStyle): Desktop {
  const columns = [
    { field: 'id', title: 'A', width: 100 },
    { field: 'name', title: 'B', width: 100, editable: true },
  ]
  const grid = records(3, { columns, selects: 'cell', rowHeaders: true, rowHeight: 26, headerHeight: 28 })
  const table = element('Spreadsheet', 'Sheet', {
    id: 'sheet',
    bounds: rect(20, 20, 400, 300),
    traits: { grid, look: 'spreadsheet' },
  })
  const other = button('Other', { id: 'other', bounds: rect(20, 340, 100, 32) })
  return withRecords(
    desktop({ monitors: [monitor(bounds)], style }, window('W', { bounds, frame: 'none' }, table, other)),
    'sheet',
  )
}

const pixelAt = (on: Desktop, x: number, y: number) => [...painter.area(on, rect(x, y, 1, 1)).pixels()].join(' ')
const colour = (hex: string) => channelsOf(hex).join(' ')
const endOf = ({ x, width }: Rect) => x + width - 1
const bottomOf = ({ y, height }: Rect) => y + height - 1

describe.each([...DESKTOP_STYLES])('a spreadsheet in the style %s', (style) => {
  const still = sheetIn(style)
  const chosen = act(still, click('sheet.row-1.name'))
  const cell = find(chosen, 'sheet.row-1.name').bounds

  it('[PNT44] has lines around its cells and where it has none', () => {
    const first = find(still, 'sheet.row-0.id').bounds
    const inside = pixelAt(still, first.x + 60, first.y + 3)
    const last = find(still, 'sheet.row-2.name').bounds
    const lines = [
      [endOf(first), first.y + 3],
      [first.x + 60, bottomOf(first)],
      [endOf(last), bottomOf(last) + 12],
      [endOf(last) + last.width, last.y + 3],
      [first.x + 60, bottomOf(last) + last.height],
    ] as const
    for (const [x, y] of lines) expect(pixelAt(still, x, y)).not.toBe(inside)
  })

  it('[PNT45] has a frame around the current cell, with a square at its end', () => {
    const { accent } = themeOf(style)
    for (const [x, y] of [
      [cell.x, cell.y + 12],
      [cell.x + 1, cell.y + 12],
      [endOf(cell) - 3, bottomOf(cell) - 3],
    ] as const) {
      expect(pixelAt(chosen, x, y)).toBe(colour(accent))
      expect(pixelAt(still, x, y)).not.toBe(colour(accent))
      expect(pixelAt(act(chosen, focus('other')), x, y)).not.toBe(colour(accent))
    }
  })

  it('[PNT46] marks the headers of the current cell', () => {
    const headers = ['sheet.header.name', 'sheet.row-1.row-header'].map((id) => find(chosen, id).bounds)
    const others = ['sheet.header.id', 'sheet.row-0.row-header'].map((id) => find(chosen, id).bounds)
    for (const [index, header] of headers.entries()) {
      const [x, y] = index === 0 ? [6, header.height - 1] : [header.width - 1, 6]
      const [marked, plain] = [pixelAt(chosen, header.x + x, header.y + y), pixelAt(still, header.x + x, header.y + y)]
      expect(marked).not.toBe(plain)
      expect(pixelAt(chosen, others[index]!.x + x, others[index]!.y + y)).toBe(plain)
    }
  })
})
