import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { CellColour } from '../../desktop/model/grid.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { rowsViewOf } from '../../desktop/widgets/scrolling.ts'
import { box, type DrawOp, solid } from '../frame/draw-op.ts'
import { label } from '../frame/label.ts'
import type { Theme } from '../theme/theme.ts'
import { editInPlace } from './fields.ts'
import { fontFor, inkOf, inset, isBare, type PaintContext, pointedBack, type WidgetPainter } from './widget.ts'

/** The parts of a table with the look `spreadsheet`. */

export const isSheet = ({ traits }: Element): boolean => traits?.look === 'spreadsheet'

/** The tint of headers of the current cell, and of selected rows. */
const TINT_ALPHA = '38'
const PADDING_PX = 6
const FRAME_PX = 2
/** The square at the end of the frame of the current cell, and the gap around it. */
const HANDLE_PX = 6

const tintOf = ({ accent }: Theme): string => `${accent.slice(0, 7)}${TINT_ALPHA}`

/** The lines at the end of a part and below it. */
const gridLines = ({ x, y, width, height }: Rect, colour: string): readonly DrawOp[] => [
  solid({ x: x + width - 1, y, width: 1, height }, colour),
  solid({ x, y: y + height - 1, width: Math.max(0, width - 1), height: 1 }, colour),
]

/** The grid where a sheet has no cells: it goes on to the end of the table. */
export function emptyGrid(table: Element, { theme }: PaintContext): readonly DrawOp[] {
  const rows = table.children.filter((child) => roleKind(child.role) === 'row' && !child.traits?.summary)
  const last = rows.at(-1)
  const end = last?.children.at(-1)?.bounds
  if (!last || !end || end.width <= 0 || end.height <= 0) return []
  const view = rowsViewOf(table) ?? table.bounds
  const [left, top] = [end.x + end.width, last.bounds.y + last.bounds.height]
  const [right, bottom] = [view.x + view.width, view.y + view.height]
  const upright = (x: number, from: number) => solid({ x, y: from, width: 1, height: bottom - from }, theme.line)
  const level = (from: number, y: number) => solid({ x: from, y, width: right - from, height: 1 }, theme.line)
  const ops: DrawOp[] = []
  const pane = rowsViewOf(last) ?? view
  const cells = last.children.filter(
    ({ bounds, traits }) => traits?.pinned || (bounds.x + bounds.width > pane.x && bounds.x + bounds.width <= right),
  )
  for (const { bounds } of top < bottom ? cells : []) ops.push(upright(bounds.x + bounds.width - 1, top))
  for (let x = left + end.width - 1; x < right - 1; x += end.width) ops.push(upright(x, table.bounds.y + 1))
  for (const { bounds } of left < right - 1 ? rows : []) ops.push(level(left, bounds.y + bounds.height - 1))
  for (let y = top + end.height - 1; y < bottom - 1; y += end.height) ops.push(level(view.x, y))
  return ops
}

/** The strip with the letters or names of the columns. */
export const sheetHeader: WidgetPainter = ({ bounds }, { theme }) => ({
  ops: [
    solid(inset(bounds, 1), theme.bar),
    solid({ ...bounds, y: bounds.y + bounds.height - 1, height: 1 }, theme.border),
  ],
})

/** The letter or name of a column, or the number of a row: marked beside the current cell. */
export const sheetHeaderItem: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds } = element
  const { x, y, width, height } = bounds
  const isOfRow = setting.parent === 'row'
  const isCurrent = setting.columns === CURRENT_COLUMN
  const edge = isOfRow ? { x: x + width - 2, y, width: 2, height } : { x, y: y + height - 2, width, height: 2 }
  const font = fontFor(theme, height, 'small')
  return {
    ops: [
      solid({ x, y: isOfRow ? y : y + 1, width, height: isOfRow ? height : height - 2 }, theme.bar),
      ...(isCurrent && theme.shadows.card.length > 0 ? [solid(bounds, tintOf(theme))] : []),
      ...pointedBack(inset(bounds, 1), setting),
      ...gridLines(bounds, theme.border),
      ...(isCurrent ? [solid(edge, theme.accent)] : []),
      ...label(inset(bounds, 4, 0), element.name, {
        font: isCurrent ? { ...font, weight: fontFor(theme, height, 'strong').weight } : font,
        colour: inkOf(element, setting),
        align: 'center',
      }),
    ],
  }
}

/** A row of a sheet. Its cells have the lines. */
export const sheetRow: WidgetPainter = (element, { theme }) => ({
  ops: element.selected ? [solid(element.bounds, tintOf(theme))] : [],
})

/** A cell with its lines. The current one has a frame with a square at its end, by which it could be filled. */
export const sheetCell: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds, selected } = element
  const content = contentOf(element)
  const isEdited = element.traits?.editing !== undefined
  const align = element.traits?.align === 'center' ? 'center' : endOf(element, content)
  const colour = setting.rowsFocused === false ? theme.strong : theme.accent
  const words = isEdited
    ? editInPlace({ ...element, value: content }, setting).ops
    : isBare(element)
      ? label(inset(bounds, PADDING_PX, 0), content, {
          font: fontFor(theme, bounds.height, setting.tone === 'bar' || element.traits?.bold ? 'strong' : 'text'),
          colour: inkInCell(element, setting),
          align,
        })
      : []
  return {
    ops: [...filledCell(element, theme), ...tintedRange(element, theme), ...gridLines(bounds, theme.line), ...words],
    over: selected && !isEdited ? frameOf(element, colour, theme) : [],
  }
}

/** The shades of the colours of cells. With high contrast they have none. */
const SHADES: Readonly<
  Record<'light' | 'dark', Readonly<Record<'fill' | 'ink', Readonly<Record<CellColour, string>>>>>
> = {
  light: {
    fill: { yellow: '#fff3bf', green: '#d3f2d3', red: '#fbd6d3', blue: '#d3e5fb', orange: '#fde3c8', grey: '#e6e6e6' },
    ink: { yellow: '#6f5300', green: '#1b6e2c', red: '#b3261e', blue: '#1a5fb4', orange: '#8a4500', grey: '#5a5e63' },
  },
  dark: {
    fill: { yellow: '#5a4d12', green: '#1f4d2b', red: '#5c2622', blue: '#1d3d63', orange: '#5c3a14', grey: '#4a4a4a' },
    ink: { yellow: '#f2d45c', green: '#86d993', red: '#ff9b95', blue: '#8cbcff', orange: '#ffb870', grey: '#c4c8ce' },
  },
}

const shadeOf = ({ traits }: Element, { name }: Theme, part: 'fill' | 'ink'): string | undefined => {
  const colour = traits?.cellColours?.[part]
  return colour === undefined || name === 'high-contrast' ? undefined : SHADES[name][part][colour]
}

function filledCell(element: Element, theme: Theme): readonly DrawOp[] {
  const fill = shadeOf(element, theme, 'fill')
  return fill === undefined ? [] : [solid(element.bounds, fill)]
}

const inkInCell = (element: Element, setting: PaintContext): string =>
  (element.enabled ? shadeOf(element, setting.theme, 'ink') : undefined) ?? inkOf(element, setting)

/** The selected cells of a sheet are tinted, except the one with the cell cursor. */
const tintedRange = ({ bounds, selected, traits }: Element, theme: Theme): readonly DrawOp[] =>
  selected && traits?.range !== undefined && !traits.range.includes('c') ? [solid(bounds, tintOf(theme))] : []

/** The part of the frame around the selected cells that is at a cell; around the current cell of other tables all of it. */
function frameOf({ bounds, traits }: Element, colour: string, theme: Theme): readonly DrawOp[] {
  const edges = traits?.range ?? 'tlbr'
  if (['t', 'l', 'b', 'r'].every((edge) => edges.includes(edge))) return currentFrame(bounds, colour, theme)
  const { x, y, width, height } = bounds
  const lines: Readonly<Record<string, Rect>> = {
    t: { x, y, width, height: FRAME_PX },
    l: { x, y, width: FRAME_PX, height },
    b: { x, y: y + height - FRAME_PX, width, height: FRAME_PX },
    r: { x: x + width - FRAME_PX, y, width: FRAME_PX, height },
  }
  const ops = Object.entries(lines).flatMap(([edge, line]) => (edges.includes(edge) ? [solid(line, colour)] : []))
  return edges.includes('b') && edges.includes('r') ? [...ops, ...handleAt(bounds, colour, theme)] : ops
}

const endOf = ({ traits }: Element, content: string): 'left' | 'right' =>
  traits?.align === undefined ? alignmentOf(content) : traits.align === 'end' ? 'right' : 'left'

function currentFrame({ x, y, width, height }: Rect, colour: string, theme: Theme): readonly DrawOp[] {
  const frame = box({ x, y, width, height }, { border: colour, thickness: FRAME_PX })
  return [frame, ...handleAt({ x, y, width, height }, colour, theme)]
}

/** The square at the end of the selection, by which it is filled. */
function handleAt({ x, y, width, height }: Rect, colour: string, theme: Theme): readonly DrawOp[] {
  if (width < 3 * HANDLE_PX || height < 2 * HANDLE_PX) return []
  const at = { x: x + width - HANDLE_PX, y: y + height - HANDLE_PX }
  const gap = { x: at.x - 1, y: at.y - 1, width: HANDLE_PX + 1, height: HANDLE_PX + 1 }
  return [solid(gap, theme.field), solid({ ...at, width: HANDLE_PX, height: HANDLE_PX }, colour)]
}

/** Digits with a sign, separators, a currency or a per cent sign. */
const NUMBER = /^[\s+\-−$€£]*\d[\d.,\s]*\s*[%€]?$/

/** The alignment of a text in its cell: numbers right. */
export const alignmentOf = (content: string): 'left' | 'right' => (NUMBER.test(content) ? 'right' : 'left')

/** The text of a cell. */
export const contentOf = ({ name, value }: Element): string => value ?? name

/** Only this many rows decide the alignment of a header. */
const MAX_ROWS = 20

/** In the header of a spreadsheet and in the header of its rows: that of the current cell. */
const CURRENT_COLUMN = 'c'

/**
 * For each column of a table `r` if its cells are numbers, otherwise `l`; in a spreadsheet `c` for that of the current
 * cell. Undefined without a header.
 */
export function columnsOf(table: Element): string | undefined {
  const header = table.children.find((child) => roleKind(child.role) === 'header')
  if (!header) return undefined
  if (table.traits?.look === 'spreadsheet') return currentColumn(header, table.children)
  const rows = table.children.filter((child) => roleKind(child.role) === 'row').slice(0, MAX_ROWS)
  return header.children.map((_, column) => (isNumeric(rows, column) ? 'r' : 'l')).join('')
}

function currentColumn(header: Element, rows: readonly Element[]): string {
  const cells = rows.find(hasCurrentCell)?.children
  return header.children.map((_, column) => (cells?.[column]?.selected === true ? CURRENT_COLUMN : 'l')).join('')
}

const hasCurrentCell = ({ children }: Element): boolean => children.some(({ selected }) => selected === true)

/** For the header of a row in a spreadsheet: whether the row is selected, or has the current cell. */
export const rowColumns = (row: Element): string =>
  row.selected === true || hasCurrentCell(row) ? CURRENT_COLUMN : 'l'

function isNumeric(rows: readonly Element[], column: number): boolean {
  const contents = rows.flatMap(({ children }) => (children[column] ? [contentOf(children[column])] : []))
  const written = contents.filter((content) => content !== '')
  return written.length > 0 && written.every((content) => alignmentOf(content) === 'right')
}
