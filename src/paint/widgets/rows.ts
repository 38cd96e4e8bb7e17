import type { Element } from '../../desktop/element.ts'
import type { Rect } from '../../desktop/geometry.ts'
import { kindOf } from '../../desktop/role.ts'
import { knownIcon } from '../icons.ts'
import { box, flat, type Mark } from '../mark.ts'
import { label } from '../text.ts'
import { fieldFace } from './fields.ts'
import { after, focusRing, fontFor, iconIn, inkOf, inset, type Setting, softInkOf, type Widget } from './widget.ts'

/** The background of lists, trees and tables. */
export const rows: Widget = (element, setting) => ({ marks: [fieldFace(element, setting, 4)] })

const PADDING = 10
const ICON = 16

/** A row with an icon and a name, filled when it is selected. */
export const listItem: Widget = (element, setting) => {
  const row = { ...setting, tone: toneOf(element, setting) }
  const { bounds } = element
  const picture = knownIcon(element.traits?.icon)
  const area = inset(bounds, PADDING, 0)
  const words = picture ? after(area, ICON + 8) : area
  const isBare = element.children.length === 0
  return {
    marks: [
      ...backOf(element, row, bounds),
      ...(picture
        ? [
            iconIn(
              { ...area, width: ICON },
              picture,
              ICON,
              row.tone === 'selected' ? row.theme.onAccent : row.theme.accent,
            ),
          ]
        : []),
      ...(isBare ? label(words, element.name, { font: fontFor(bounds.height), colour: inkOf(element, row) }) : []),
      ...(isBare && element.value
        ? label(words, element.value, {
            font: fontFor(bounds.height - 2),
            colour: softInkOf(element, row),
            align: 'right',
          })
        : []),
    ],
    tone: row.tone,
  }
}

const toneOf = (element: Element, setting: Setting) => (element.selected === true ? 'selected' : setting.tone)

/** The fill of a selected row, a frame around the one that has the keyboard. */
function backOf(element: Element, setting: Setting, area: Rect, stripe?: string): readonly Mark[] {
  const { theme } = setting
  const focused = element.focused
  if (element.selected === true) {
    const fill = box(inset(area, 2, 1), { fill: theme.accent, radius: 4 })
    return focused ? [fill, box(inset(area, 2, 1), { border: theme.onAccent, radius: 4 })] : [fill]
  }
  const back = stripe ? [flat(inset(area, 1, 0), stripe)] : []
  return focused ? [...back, box(inset(area, 2, 1), { border: theme.accent, radius: 4 })] : back
}

const ARROW = 20
const ROW = 28

/** A row of a tree: an arrow when there is something below it. Only its first line belongs to itself. */
export const treeItem: Widget = (element, setting) => {
  const row = { ...setting, tone: toneOf(element, setting) }
  const { bounds } = element
  const below = element.children.find((child) => kindOf(child.role) === 'treeitem')
  const height = below ? Math.min(bounds.height, Math.max(1, below.bounds.y - bounds.y)) : bounds.height
  const line = {
    ...bounds,
    height: element.expanded ? Math.min(height, ROW + 8) : Math.min(bounds.height, Math.max(height, ROW)),
  }
  const picture = knownIcon(element.traits?.icon)
  const words = inset(after(line, ARROW + (picture ? ICON + 6 : 0)), 2, 0)
  const opens = below !== undefined || element.expanded !== undefined
  const colour = inkOf(element, row)
  return {
    marks: [
      ...backOf(element, row, line),
      ...(opens
        ? [
            iconIn(
              { ...line, x: line.x + 2, width: ARROW },
              element.expanded ? 'chevron-down' : 'chevron-right',
              14,
              colour,
            ),
          ]
        : []),
      ...(picture
        ? [
            iconIn(
              { ...line, x: line.x + ARROW + 2, width: ICON },
              picture,
              ICON,
              row.tone === 'selected' ? colour : row.theme.accent,
            ),
          ]
        : []),
      ...label(words, element.name, { font: fontFor(line.height), colour }),
    ],
  }
}

/** The strip above a table's columns. */
export const header: Widget = (element, { theme }) => {
  const { bounds } = element
  return {
    marks: [
      flat(inset(bounds, 1), theme.bar),
      flat(
        { x: bounds.x + 1, y: bounds.y + bounds.height - 1, width: Math.max(0, bounds.width - 2), height: 1 },
        theme.border,
      ),
      ...(element.children.length > 0
        ? []
        : label(inset(bounds, 8, 0), element.name, { font: fontFor(bounds.height, 600, 13), colour: theme.muted })),
    ],
  }
}

/** The name of a column, with an arrow when the table is sorted by it. */
export const headerItem: Widget = (element, setting) => {
  const { theme } = setting
  const { bounds } = element
  const order = (element.value ?? '').toLowerCase()
  const sorted = order.startsWith('asc') ? 'chevron-up' : order.startsWith('desc') ? 'chevron-down' : undefined
  const words = { ...inset(bounds, 8, 0), width: Math.max(0, bounds.width - (sorted ? 30 : 16)) }
  const line = { x: bounds.x + bounds.width - 1, y: bounds.y + 5, width: 1, height: Math.max(0, bounds.height - 10) }
  return {
    marks: [
      ...label(words, element.name, { font: fontFor(bounds.height, 600, 13), colour: softInkOf(element, setting) }),
      ...(sorted ? [iconIn({ ...bounds, x: bounds.x + bounds.width - 24, width: 18 }, sorted, 12, theme.muted)] : []),
      flat(line, theme.line),
      ...focusRing(element, setting, inset(bounds, 3), 2),
    ],
  }
}

/** A row of a table; every other one is tinted. */
export const row: Widget = (element, setting) => {
  const inRow = { ...setting, tone: toneOf(element, setting) }
  const { bounds } = element
  const names =
    element.children.length > 0
      ? []
      : label(inset(bounds, 8, 0), element.name, { font: fontFor(bounds.height), colour: inkOf(element, inRow) })
  const line = flat(
    { x: bounds.x + 1, y: bounds.y + bounds.height - 1, width: Math.max(0, bounds.width - 2), height: 1 },
    setting.theme.line,
  )
  return {
    marks: [line, ...backOf(element, inRow, bounds, setting.odd ? setting.theme.stripe : undefined), ...names],
    tone: inRow.tone,
  }
}

/** A cell of a table: numbers stand at its right. */
export const cell: Widget = (element, setting) => {
  const inCell = { ...setting, tone: toneOf(element, setting) }
  const { bounds } = element
  const content = element.value ?? element.name
  const align = /^[\s+\-−$€£]*\d[\d.,\s]*\s*%?$/.test(content) ? 'right' : 'left'
  const words =
    element.children.length > 0
      ? []
      : label(inset(bounds, 8, 0), content, { font: fontFor(bounds.height), colour: inkOf(element, inCell), align })
  return { marks: [...backOf(element, inCell, bounds), ...words], tone: inCell.tone }
}
