import { intersect, type Rect, unite } from '../../../desktop/model/geometry.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus.ts'
import { ATSPI, GET } from './accessibility.ts'
import { type AccessibleNode, EXTENTS, NO_DETAILS, parseExtents } from './accessible-node.ts'
import { ROLE } from './roles.ts'

/** The visible part of a large container, and the connection to read it. */
export interface Viewport {
  readonly bus: Bus
  /** The AT-SPI coordinate type: 0 for the screen, 1 for the window. */
  readonly coordinateSpace: number
  /** The visible part of the container. Undefined when nothing is visible. */
  readonly rect: Rect | undefined
}

/** A child with its index among all children of its container. */
export interface IndexedRef {
  readonly ref: ObjectRef
  readonly index: number
}

/** The part of a table that is in view. */
export interface VisibleCells {
  readonly rows: number
  readonly columns: number
  readonly headers: readonly ObjectRef[]
  /** By row, then by column, without cells that the program does not have. */
  readonly cells: readonly {
    readonly row: number
    readonly cells: readonly (IndexedRef & { readonly column: number })[]
  }[]
}

const of = (pattern: string, member: string, takes: string): BusMethod => ({
  interface: `${ATSPI}.${pattern}`,
  member,
  signature: takes,
})
const CHILD_AT = of('Accessible', 'GetChildAtIndex', 'i')
const CELL_AT = of('Table', 'GetAccessibleAt', 'ii')
const HEADER_OF = of('Table', 'GetColumnHeader', 'i')
const ROW_AT = of('Table', 'GetRowAtIndex', 'i')
const COLUMN_AT = of('Table', 'GetColumnAtIndex', 'i')
const AT_POINT = of('Component', 'GetAccessibleAtPoint', 'iiu')
const ROLE_NUMBER: BusMethod = { interface: `${ATSPI}.Accessible`, member: 'GetRole' }
const INDEX_IN_PARENT: BusMethod = { interface: `${ATSPI}.Accessible`, member: 'GetIndexInParent' }

/** Headers have an index in the table, but are not cells. */
const HEADERS: ReadonlySet<number> = new Set([
  ROLE.columnHeader,
  ROLE.rowHeader,
  ROLE.tableColumnHeader,
  ROLE.tableRowHeader,
])

/** Tables of at most this many cells are read completely. */
const MAX_WHOLE_CELLS = 400
const MAX_ROWS = 200
const MAX_COLUMNS = 60
const MAX_CHILDREN_IN_VIEW = 400
/** The number of children that are requested at once to find the end of the view. */
const BATCH_SIZE = 32
/** The steps below the top edge of a table in which its first cell is searched. Headers may cover it. */
const HEADER_STEP_PX = 8
const MAX_HEADER_STEPS = 8

/** The children of a long list that are in view, found by a binary search over their bounds. */
export async function childrenInView(
  viewport: Viewport,
  list: ObjectRef,
  count: number,
): Promise<readonly IndexedRef[]> {
  const { bus, rect } = viewport
  const child = async (index: number): Promise<IndexedRef | undefined> => {
    const ref = refOf(await bus.tryCall<readonly [string, string]>(list, CHILD_AT, index))
    return ref && { ref, index }
  }
  const placed = async (index: number) => {
    const found = await child(index)
    return { found, extents: found && (await extentsOf(viewport, found.ref)) }
  }
  const firstOnes = () => batch(0, Math.min(count, MAX_CHILDREN_IN_VIEW), child)
  if (!rect) return []
  const [start, end] = await Promise.all([placed(0), placed(count - 1)])
  if (!start.extents || !end.extents) return firstOnes()
  const isRow = Math.abs(end.extents.x - start.extents.x) > Math.abs(end.extents.y - start.extents.y)
  const from = ({ x, y }: Rect) => (isRow ? x : y)
  const to = ({ x, y, width, height }: Rect) => (isRow ? x + width : y + height)

  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const { extents } = await placed(middle)
    if (!extents) return firstOnes()
    if (to(extents) <= from(rect)) low = middle + 1
    else high = middle
  }
  const inView: IndexedRef[] = []
  for (let at = low; at < count && inView.length < MAX_CHILDREN_IN_VIEW; at += BATCH_SIZE) {
    const some = await batch(at, Math.min(count, at + BATCH_SIZE), placed)
    for (const { found, extents } of some) if (found && (!extents || intersect(extents, rect))) inView.push(found)
    const last = some.at(-1)?.extents
    if (last && from(last) >= to(rect)) break
  }
  return inView.slice(0, MAX_CHILDREN_IN_VIEW)
}

/** The cells of a table that are in view, or all cells of a small table. Undefined when the table reports no size. */
export async function cellsInView(viewport: Viewport, table: ObjectRef): Promise<VisibleCells | undefined> {
  const { bus } = viewport
  const [rows, columns] = await Promise.all([
    bus.tryCall<number>(table, GET, `${ATSPI}.Table`, 'NRows'),
    bus.tryCall<number>(table, GET, `${ATSPI}.Table`, 'NColumns'),
  ])
  if (rows === undefined || columns === undefined || rows < 0 || columns < 0) return undefined
  if (rows * columns <= MAX_WHOLE_CELLS) return readCells(viewport, table, { rows, columns }, [0, rows], [0, columns])
  if (!viewport.rect) return readCells(viewport, table, { rows, columns }, [0, 0], [0, 0])
  const [row, column] = await firstCell(viewport, table, rows)
  const rowEnd = await endOfView(viewport, row, Math.min(rows, row + MAX_ROWS), (at) => [at, column], table)
  const columnEnd = await endOfView(viewport, column, Math.min(columns, column + MAX_COLUMNS), (at) => [row, at], table)
  return readCells(viewport, table, { rows, columns }, [row, rowEnd], [column, columnEnd])
}

type Span = readonly [from: number, end: number]

async function readCells(
  { bus }: Viewport,
  table: ObjectRef,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  rowSpan: Span,
  columnSpan: Span,
): Promise<VisibleCells> {
  const columnsIn = range(columnSpan)
  const [headers, cells] = await Promise.all([
    Promise.all(columnsIn.map((column) => bus.tryCall<readonly [string, string]>(table, HEADER_OF, column))),
    Promise.all(
      range(rowSpan).map(async (row) => {
        const found = await Promise.all(
          columnsIn.map(async (column) => {
            const ref = refOf(await bus.tryCall<readonly [string, string]>(table, CELL_AT, row, column))
            return ref ? [{ ref, column, index: row * columns + column }] : []
          }),
        )
        return { row, cells: found.flat() }
      }),
    ),
  ])
  return { rows, columns, cells, headers: headers.flatMap((pair) => refOf(pair) ?? []) }
}

/** The first cell in view: the one at the top left corner, else found by a binary search. */
async function firstCell(
  viewport: Viewport,
  table: ObjectRef,
  rows: number,
): Promise<readonly [row: number, column: number]> {
  const { bus, coordinateSpace } = viewport
  const { x, y, height } = viewport.rect!
  for (let step = 0; step < MAX_HEADER_STEPS && step * HEADER_STEP_PX < height; step++) {
    const at = [x + 3, y + 3 + step * HEADER_STEP_PX, coordinateSpace]
    const cell = refOf(await bus.tryCall<readonly [string, string]>(table, AT_POINT, ...at))
    const index = cell && (await bus.tryCall<number>(cell, INDEX_IN_PARENT))
    if (index === undefined || index < 0) continue
    const [row, column] = await Promise.all([
      bus.tryCall<number>(table, ROW_AT, index),
      bus.tryCall<number>(table, COLUMN_AT, index),
    ])
    if (row === undefined || column === undefined || row < 0 || column < 0) continue
    if (!HEADERS.has((await bus.tryCall<number>(cell!, ROLE_NUMBER)) ?? 0)) return [row, column]
  }
  let low = 0
  let high = rows - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const extents = await cellExtents(viewport, table, middle, 0)
    if (extents && extents.y + extents.height <= y) low = middle + 1
    else high = middle
  }
  return [low, 0]
}

/** The first row or column after `start` that is not in view. */
async function endOfView(
  viewport: Viewport,
  start: number,
  most: number,
  cell: (at: number) => readonly [row: number, column: number],
  table: ObjectRef,
): Promise<number> {
  for (let at = start; at < most; at += BATCH_SIZE) {
    const end = Math.min(most, at + BATCH_SIZE)
    const seen = await batch(at, end, async (each) => {
      const extents = await cellExtents(viewport, table, ...cell(each))
      return [extents !== undefined && intersect(extents, viewport.rect!) !== undefined]
    })
    // The first cell is always in view. A merged cell may hide the next one.
    const last = seen.lastIndexOf(true)
    if (last < seen.length - 1) return Math.max(start + 1, at + last + 1)
  }
  return most
}

async function cellExtents(
  viewport: Viewport,
  table: ObjectRef,
  row: number,
  column: number,
): Promise<Rect | undefined> {
  const ref = refOf(await viewport.bus.tryCall<readonly [string, string]>(table, CELL_AT, row, column))
  return ref && extentsOf(viewport, ref)
}

async function extentsOf({ bus, coordinateSpace }: Viewport, ref: ObjectRef): Promise<Rect | undefined> {
  const extents = await bus.tryCall<readonly number[]>(ref, EXTENTS, coordinateSpace)
  return extents && parseExtents(extents)
}

/** Calls `ask` for every index from `from` up to `end` at once. Returns the results that are not undefined. */
async function batch<T>(
  from: number,
  end: number,
  ask: (index: number) => Promise<T | readonly T[] | undefined>,
): Promise<readonly T[]> {
  const answers = await Promise.all(range([from, end]).map(ask))
  return answers.flatMap((answer) => (answer === undefined ? [] : (answer as T | T[])))
}

const range = ([from, end]: Span): readonly number[] =>
  Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at)

function refOf(pair: readonly [string, string] | undefined): ObjectRef | undefined {
  if (!pair || pair[1] === '/org/a11y/atspi/null') return undefined
  return { bus: pair[0], path: pair[1] }
}

/** Combines the cells of a row into a row node. Returns undefined without cells. */
export function toTableRow(
  { bus, path }: ObjectRef,
  { columns }: VisibleCells,
  row: number,
  cells: readonly AccessibleNode[],
): AccessibleNode | undefined {
  const [first] = cells
  if (!first) return undefined
  const places = cells.flatMap(({ extents }) => extents ?? [])
  return {
    ref: { bus, path: `${path}#${row}` },
    role: ROLE.tableRow,
    name: '',
    description: '',
    states: first.states,
    patterns: NO_PATTERNS,
    ...NO_DETAILS,
    extents: places.length > 0 ? places.reduce(unite) : undefined,
    children: cells,
    ...(cells.length < columns ? { childCount: columns } : {}),
    index: row,
    actionNode: first,
  }
}

const NO_PATTERNS: ReadonlySet<string> = new Set()
