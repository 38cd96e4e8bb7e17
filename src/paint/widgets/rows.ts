import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { type RoleKind, roleKind } from '../../desktop/model/role.ts'
import { box, type DrawOp, solid } from '../frame/draw-op.ts'
import { label, labels } from '../frame/label.ts'
import { iconFor } from '../icons.ts'
import { pointerFeedback } from '../pointed.ts'
import type { RowState, Theme, Tone } from '../theme/theme.ts'
import { editInPlace, fieldFace } from './fields.ts'
import { drawCount, isRichItem, itemContent, markColour, unreadDot } from './item-content.ts'
import { scrollThumb } from './ranges.ts'
import {
  alignmentOf,
  contentOf,
  emptyGrid,
  isSheet,
  sheetCell,
  sheetHeader,
  sheetHeaderItem,
  sheetRow,
} from './sheet.ts'
import {
  focusRing,
  fontFor,
  hasOwnInk,
  iconIn,
  inkOf,
  inset,
  isBare,
  isCurrent,
  type PaintContext,
  pictureInkOf,
  pointedBack,
  softInkOf,
  squareIn,
  trimEnd,
  trimStart,
  type WidgetPainter,
} from './widget.ts'

/** The background of lists, trees and tables. */
export const rows: WidgetPainter = (element, setting) => {
  if (isSheet(element)) return sheet(element, setting)
  return framedRows(element, setting)
}

/** A spreadsheet: its current cell shows the focus. */
const sheet: WidgetPainter = (element, setting) => {
  const ring = element.traits?.current === undefined ? focusRing(element, setting, element.bounds, 0) : []
  return {
    ops: [...fieldFace(element, setting, 0), ...emptyGrid(element, setting)],
    over: [...scrollThumb(element, setting), ...dropOps(element, setting), ...ring],
  }
}

const framedRows: WidgetPainter = (element, setting) => ({
  // In an open popup the card is the background.
  ops: setting.card ? [] : fieldFace(element, setting, setting.theme.metrics.radius.list),
  over: setting.card
    ? []
    : [
        ...scrollThumb(element, setting),
        ...dropOps(element, setting),
        ...focusRing(element, setting, element.bounds, setting.theme.metrics.radius.list),
      ],
})

/** Where a dragged item would be dropped: a line between items, or a ring around all of it, in another colour if it is refused. */
export function dropOps({ bounds }: Element, { theme, pointed }: PaintContext): readonly DrawOp[] {
  const { isDropTarget, isDropRefused, dropLine: line } = pointerFeedback(pointed)
  if (!isDropTarget) return []
  const { accent, danger, metrics } = theme
  if (isDropRefused) return [box(bounds, { border: danger, thickness: 2, radius: metrics.radius.list })]
  if (line && line.width === 0)
    return [box({ ...inset(line, 0, 2), x: line.x - 1, width: 2 }, { fill: accent, radius: 1 })]
  if (!line) return [box(bounds, { border: accent, thickness: 2, radius: metrics.radius.list })]
  return [box({ ...inset(line, 2, 0), y: line.y - 1, height: 2 }, { fill: accent, radius: 1 })]
}

/** A scrollable element has a thumb while its content overflows. */
export const scrollArea: WidgetPainter = (element, setting) => ({ ops: [], over: scrollThumb(element, setting) })

const PADDING = 10
const ICON = 16

/** A row with an icon and a name, filled when it is selected. */
export const listItem: WidgetPainter = (element, setting) => {
  const row = { ...setting, tone: toneOf(element, setting) }
  const { bounds } = element
  const picture = iconFor(element.traits?.icon, setting.theme)
  const area = inset(bounds, PADDING, 0)
  if (isRichItem(element) && isBare(element))
    return { ops: [...backOf(element, row, bounds), ...itemContent(element, row, area)], tone: row.tone }
  const words = picture ? trimStart(area, ICON + 8) : area
  return {
    ops: [
      ...backOf(element, row, bounds),
      ...(picture ? [iconIn({ ...area, width: ICON }, picture, ICON, pictureInkOf(element, row))] : []),
      ...(isBare(element)
        ? labels(
            words,
            { content: element.name, font: fontFor(setting.theme, bounds.height), colour: inkOf(element, row) },
            {
              content: element.value ?? '',
              font: fontFor(setting.theme, bounds.height - 2),
              colour: softInkOf(element, row),
            },
          )
        : []),
    ],
    tone: row.tone,
  }
}

/** The tone of a row's background. */
function toneOf(element: Element, setting: PaintContext): Tone {
  if (setting.card) return isCurrent(element, setting) ? 'item' : setting.tone
  return element.selected === true && !isUnfocused(setting) ? 'selected' : setting.tone
}

/** Whether a selection is grey, because its list does not have the focus. */
const isUnfocused = ({ theme, rowsFocused }: PaintContext): boolean =>
  theme.unfocusedRow !== undefined && rowsFocused === false

/** The background of a row: of a selected one, of the current one, or every other one of a table. */
const backOf = (element: Element, setting: PaintContext, area: Rect, more: Partial<RowState> = {}): readonly DrawOp[] =>
  setting.chrome.rowBack(area, setting.theme, {
    isSelected: element.selected === true,
    isCurrent: isCurrent(element, setting),
    isInPopup: setting.card !== undefined,
    isUnfocused: isUnfocused(setting),
    ...pointerFeedback(setting.pointed, roleKind(element.role) === 'treeitem'),
    ...more,
  })

const ARROW = 20

/** A row of a tree: an arrow if it has children. Only its first line belongs to itself. */
export const treeItem: WidgetPainter = (element, setting) => {
  const row = { ...setting, tone: toneOf(element, setting) }
  const { bounds } = element
  const rowHeight = setting.theme.metrics.row.tree
  const below = element.children.find((child) => roleKind(child.role) === 'treeitem')
  const height = below ? Math.min(bounds.height, Math.max(1, below.bounds.y - bounds.y)) : bounds.height
  const line = {
    ...bounds,
    height: element.expanded ? Math.min(height, rowHeight + 8) : Math.min(bounds.height, Math.max(height, rowHeight)),
  }
  const picture = iconFor(element.traits?.icon, setting.theme)
  const words = inset(trimStart(line, ARROW + (picture ? ICON + 6 : 0)), 2, 0)
  const opens = below !== undefined || element.expanded !== undefined
  const colour = inkOf(element, row)
  const marked = element.selected === true && element.enabled ? setting.theme.selectedBranch : undefined
  const use = element.traits?.unread || marked !== undefined ? 'strong' : 'text'
  const count = drawCount(element, row, inset(words, PADDING, 0), marked)
  return {
    ops: [
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
        ? [iconIn({ ...line, x: line.x + ARROW + 2, width: ICON }, picture, ICON, marked ?? pictureInkOf(element, row))]
        : []),
      ...label(trimEnd(words, count.width), element.name, { font: fontFor(setting.theme, line.height, use), colour }),
      ...count.ops,
    ],
  }
}

/** The strip above a table's columns. */
export const header: WidgetPainter = (element, setting) => {
  if (setting.sheet) return sheetHeader(element, setting)
  const { theme } = setting
  const { bounds } = element
  return {
    ops: [
      theme.header === undefined
        ? solid(inset(bounds, 1), theme.bar)
        : box(inset(bounds, 1), { fill: theme.header, radius: topCorners(theme) }),
      solid(
        { x: bounds.x + 1, y: bounds.y + bounds.height - 1, width: Math.max(0, bounds.width - 2), height: 1 },
        theme.border,
      ),
      ...(isBare(element)
        ? label(inset(bounds, 8, 0), element.name, {
            font: fontFor(theme, bounds.height, 'header'),
            colour: theme.muted,
          })
        : []),
    ],
  }
}

/** The upper corners of what is at the top of a table, inside of its edge. */
function topCorners({ metrics: { radius } }: Theme): readonly [number, number, number, number] {
  const corner = Math.max(0, radius.list - 1)
  return [corner, corner, 0, 0]
}

/** The name of a column, with an arrow when the table is sorted by it, or the number of a row. */
export const headerItem: WidgetPainter = (element, setting) => {
  if (setting.sheet) return sheetHeaderItem(element, setting)
  const { theme } = setting
  const { bounds } = element
  const order = element.traits?.sorted
  const sorted = order && (order === 'ascending' ? 'chevron-up' : 'chevron-down')
  const isOfRow = setting.parent === 'row'
  const align = alignOf(element, isOfRow ? 'center' : setting.columns === 'r' ? 'right' : 'left')
  const whole = isOfRow ? inset(bounds, 4, 0) : wordsIn(bounds, align)
  // The arrow is on the free side of the text.
  const words = sorted ? (align === 'right' ? trimStart(whole, ARROW) : trimEnd(whole, 14)) : whole
  const arrow = align === 'right' ? { ...bounds, x: bounds.x + 4 } : { ...bounds, x: bounds.x + bounds.width - 24 }
  const short = isOfRow ? 0 : 5
  const line = {
    x: bounds.x + bounds.width - 1,
    y: bounds.y + short,
    width: 1,
    height: Math.max(0, bounds.height - 2 * short),
  }
  return {
    ops: [
      ...(isOfRow ? [solid({ ...inset(bounds, 1, 0), height: bounds.height - 1 }, theme.bar)] : []),
      ...pointedBack(inset(bounds, 1), setting),
      ...label(words, element.name, {
        font: fontFor(theme, bounds.height, 'header'),
        colour: softInkOf(element, isOfRow ? { ...setting, tone: 'bar' } : setting),
        align,
      }),
      ...(sorted ? [iconIn({ ...arrow, width: 18 }, sorted, 12, theme.muted)] : []),
      solid(line, theme.line),
      ...focusRing(element, setting, inset(bounds, 3), 2),
    ],
  }
}

/** From the start of a row to its dot, which is beside the text of the first cell. */
const UNREAD_DOT_X = 9

/** The left edge of the cells of a row. A header of the row is before them. */
function firstCellX({ bounds, children: [first] }: Element): number {
  return first && roleKind(first.role) === 'headeritem' ? first.bounds.x + first.bounds.width : bounds.x
}

/** A row of a table; every other one is tinted. */
export const row: WidgetPainter = (element, setting) => {
  const inRow = { ...setting, tone: toneOf(element, setting) }
  const { bounds } = element
  const style = { font: fontFor(setting.theme, bounds.height), colour: inkOf(element, inRow) }
  const line = { x: bounds.x + 1, y: bounds.y + bounds.height - 1, width: Math.max(0, bounds.width - 2), height: 1 }
  if (element.traits?.summary) return summaryRow(element, setting)
  if (setting.sheet) return sheetRow(element, setting)
  const stripe = setting.odd ? setting.theme.stripe : undefined
  return {
    ops: [
      ...(setting.theme.rowLine ? [solid(line, setting.theme.rowLine)] : []),
      ...backOf(element, inRow, { ...bounds, height: bounds.height - 1 }, { stripe, isTableRow: true }),
      ...(element.traits?.unread
        ? unreadDot(element, inRow, { ...bounds, x: firstCellX(element) + UNREAD_DOT_X })
        : []),
      ...(isBare(element) ? label(inset(bounds, PADDING, 0), element.name, style) : []),
    ],
    tone: inRow.tone,
  }
}

/** The row of totals, below a line. */
const summaryRow: WidgetPainter = ({ bounds }, { theme }) => ({
  ops: [
    solid(inset(bounds, 1, 0), theme.bar),
    solid({ x: bounds.x + 1, y: bounds.y, width: Math.max(0, bounds.width - 2), height: 1 }, theme.border),
  ],
  tone: 'bar',
})

type Alignment = 'left' | 'center' | 'right'

/** The alignment that a cell or column header was given, otherwise the one for its content. */
const alignOf = ({ traits }: Element, usual: Alignment): Alignment =>
  traits?.align === undefined ? usual : ALIGNMENTS[traits.align]

const ALIGNMENTS: Readonly<Record<'start' | 'center' | 'end', Alignment>> = {
  start: 'left',
  center: 'center',
  end: 'right',
}

/** The text area of a cell or column header. Numbers keep clear of the thumb at the right edge. */
const wordsIn = (bounds: Rect, align: Alignment): Rect => trimEnd(trimStart(bounds, 8), align === 'right' ? 14 : 8)

/** A cell of a table, numbers right-aligned; a field while it is edited in place. */
export const cell: WidgetPainter = (element, setting) => {
  if (setting.sheet) return sheetCell(element, setting)
  const content = contentOf(element)
  if (element.traits?.editing !== undefined) return editInPlace({ ...element, value: content }, setting)
  const inCell = { ...setting, tone: toneOf(element, setting) }
  const { bounds } = element
  const align = alignOf(element, alignmentOf(content))
  // At the end of a row is a date or a number, which some styles mark and others leave as it is.
  const isSecond = align !== alignmentOf(content) && align === 'right' && setting.theme.hasSoftValues
  const isMarked = element.traits?.unread === true && (align !== 'right' || setting.theme.hasMarkedValues)
  const style = {
    font: fontFor(setting.theme, bounds.height, isMarked || setting.tone === 'bar' ? 'strong' : 'text'),
    colour:
      isMarked && align === 'right'
        ? markColour(element, inCell, setting.theme.link)
        : isSecond
          ? softInkOf(element, inCell)
          : inkOf(element, inCell),
    align,
  }
  const words = isBare(element) ? label(wordsIn(bounds, style.align), content, style) : []
  const back = backOf(element, inCell, bounds, { isCell: true })
  const [control] = element.children
  if (!control || INKED.has(roleKind(control.role))) return { ops: [...back, ...words], tone: inCell.tone }
  return { ops: [...back, ...(hasOwnInk(inCell) ? [plateOf(control, setting.theme)] : [])], tone: 'plain' }
}

/** The light ground of a control that the colour of a selected row would hide. */
function plateOf({ role, bounds }: Element, { field, metrics, sign }: Theme): DrawOp {
  const area = roleKind(role) === 'checkbox' ? squareIn(bounds, Math.min(sign.size, bounds.height), 0) : bounds
  return box(inset(area, -PLATE), { fill: field, radius: metrics.radius.sign + PLATE })
}

/** How far the light ground of a control reaches beyond it. */
const PLATE = 2
/** Controls that are drawn in the ink of their row. */
const INKED: ReadonlySet<RoleKind> = new Set(['link', 'image'])

/** A day of a calendar; days of other months are pale. */
export const day: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds, selected } = element
  const disc = squareIn(bounds, Math.min(bounds.width, bounds.height) - 2, 0)
  const middle = { ...disc, x: bounds.x + Math.floor((bounds.width - disc.width) / 2) }
  const fill = selected ? [box(middle, { fill: theme.accent, radius: middle.width / 2 })] : []
  const edge = isCurrent(element, setting) ? [box(middle, { border: theme.accent, radius: middle.width / 2 })] : []
  const isPale = element.identifier === 'other-month'
  const colour = selected ? theme.onAccent : isPale ? theme.disabled : inkOf(element, setting)
  const font = fontFor(theme, bounds.height, 'second')
  return { ops: [...fill, ...edge, ...label(bounds, element.name, { font, colour, align: 'center' })] }
}
