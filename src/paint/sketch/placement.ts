import type { Rect } from '../../desktop/model/geometry.ts'
import { rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { isSilent, labelRoom, type SketchSymbols } from './labels.ts'
import type { SketchPart, SketchParts } from './sketch-model.ts'

/** The size of a grid in characters, and the shown part of the screen in pixels, usually the bounds of a window. */
export interface GridArea {
  readonly width: number
  readonly height: number
  readonly reference: Rect
}

/** How something is drawn: as its label, as a box, or as a line. */
export type DrawnForm = 'label' | 'box' | 'line'

/** The position of a part in the grid. */
export interface GridPlacement {
  readonly form: DrawnForm
  readonly cells: Rect
}

export interface GridPlacements {
  /** For each part, in the same order. Undefined if it is not drawn. */
  readonly parts: readonly (GridPlacement | undefined)[]
  readonly cards: readonly Rect[]
}

/** A drawn part and its proportional size in fractions of cells. */
interface Piece {
  readonly part: SketchPart | undefined
  readonly form: DrawnForm
  readonly shown: Rect
  readonly depth: number
  /** The number of boxes that contain it, including itself if it is a box with children. */
  readonly boxes: number
  readonly across: number
  readonly down: number
}

/** If space is short, the borders of boxes nested deeper than this are omitted together. */
const MAX_BOXES = [Number.POSITIVE_INFINITY, 6, 4, 3, 2, 1]
/** The share of its rows that a box with only text keeps, if there is space. */
const ROWS_KEPT = [0.85, 0]
/** The same for the columns of every box. */
const COLUMNS_KEPT = [0.8, 0.6]
/** If space is short, labels longer than this are shortened together. */
const MAX_LABELS = [60, 32, 24, 20, 16, 13, 10, 8, 6, 4, 0]

/**
 * Places parts in the grid: in proportion, but a control gets a row of its own and columns for its label, and a box
 * those for its borders, as long as there are enough. Crowded parts are spread, and what follows moves on.
 */
export function placeParts(parts: SketchParts, area: GridArea, signs: SketchSymbols): GridPlacements {
  const pieces = piecesOf(parts, area)
  const { rows, boxed } = arrangeRows(pieces, area)
  const columns = arrangeColumns(boxed, area, signs)
  const places = boxed.map(
    ({ form }, index): GridPlacement => ({ form, cells: cellsOf(columns[index]!, rows[index]!, area) }),
  )
  const found = new Map(boxed.map(({ part }, index) => [part, places[index]]))
  return {
    parts: parts.parts.map((part) => found.get(part)),
    cards: places.slice(places.length - parts.cards.length).map(({ cells }) => cells),
  }
}

/** Elements that do not fit still get one cell, that of a neighbour inside the frame. */
function cellsOf(across: CellRange, down: CellRange, { width, height }: GridArea): Rect {
  const x = Math.min(across.from, width - 2)
  const y = Math.min(down.from, height - 2)
  return { x, y, width: Math.max(1, across.to - x), height: Math.max(1, down.to - y) }
}

function piecesOf({ parts, cards }: SketchParts, area: GridArea): readonly Piece[] {
  const share = (shown: Rect) => ({
    shown,
    across: (shown.width * area.width) / area.reference.width,
    down: (shown.height * area.height) / area.reference.height,
  })
  const boxes = new Array<number>(parts.length).fill(0)
  const pieces: Piece[] = []
  for (const part of parts) {
    const { place, depth, shown } = part
    const around = place === 0 ? 0 : boxes[part.parent]!
    boxes[place] = around
    if (!shown || part.isOccluded) continue
    const shared = share(shown)
    const form = formOf(part, shared)
    if (form === 'box' && part.holds) boxes[place] = around + 1
    if (form) pieces.push({ part, form, depth, boxes: boxes[place]!, ...shared })
  }
  return [
    ...pieces,
    ...cards.map(({ shown, depth }): Piece => ({ part: undefined, form: 'box', depth, boxes: 1, ...share(shown) })),
  ]
}

/** Controls that are drawn as text only. */
const NEVER_BOXES = rolesWhere(({ sketch }) => sketch.draw === 'words')
const LINE_KINDS = rolesWhere(({ sketch }) => sketch.draw === 'line')
/** The indentation of each level of a tree, in cells. */
export const TITLE_INDENT_CELLS = 2

/** Without a name these are only groups. */
const GLASS = rolesWith('glass')

function formOf(
  { element, kind, place, holds, isCard }: SketchPart,
  { across, down }: { across: number; down: number },
): DrawnForm | undefined {
  if (place === 0) return 'box'
  if (isCard) return undefined
  if (LINE_KINDS.has(kind)) return 'line'
  if (GLASS.has(kind) && element.name === '' && (holds || isSilent(element, kind))) return undefined
  if (!NEVER_BOXES.has(kind) && across >= 5 && down >= 2.5) return 'box'
  return !holds && isSilent(element, kind) ? undefined : 'label'
}

/** Assigns rows, and returns the pieces as they are drawn then: some boxes may have become labels. */
function arrangeRows(
  pieces: readonly Piece[],
  { height, reference }: GridArea,
): { rows: readonly CellRange[]; boxed: readonly Piece[] } {
  const row = orderEdges(pieces.map(({ shown, depth }) => ({ from: shown.y, to: shown.y + shown.height, depth })))
  const axis = { from: reference.y, length: reference.height, cells: height }
  const root: Need = { before: height >= MIN_TITLED_CELLS ? 2 : 1, inside: 1, after: 1 }
  const needs = (boxed: readonly Piece[], need: (piece: Piece) => Need) =>
    boxed.map((piece) => (isRoot(piece) ? root : need(piece)))
  for (const most of MAX_BOXES) {
    const boxed = pieces.map((piece) => (piece.boxes > most ? unframed(piece) : piece))
    for (const kept of ROWS_KEPT) {
      const rows = arrange(
        row,
        needs(boxed, (piece) => rowNeed(piece, kept)),
        axis,
      )
      if (rows) return { rows, boxed }
    }
  }
  const boxed = pieces.map((piece) => (piece.boxes > 1 ? unframed(piece) : piece))
  const crowded = needs(boxed, (piece) => (isItem(piece) ? NOTHING : rowNeed(piece, 0)))
  const nothing = needs(boxed, () => NOTHING)
  return { rows: arrange(row, crowded, axis) ?? arrange(row, nothing, axis)!, boxed }
}

/** A grid of at least this many rows has a row for the title of the root. */
export const MIN_TITLED_CELLS = 8

const isRoot = ({ part }: Piece): boolean => part?.place === 0

/** A box with others in it. */
const isFrame = ({ form, part }: Piece): boolean => form === 'box' && (part === undefined || part.holds)

const unframed = (piece: Piece): Piece => (isFrame(piece) ? { ...piece, form: 'label' } : piece)

/** Whether it is one of many similar items, which are dropped before a control. */
const isItem = ({ part }: Piece): boolean => part !== undefined && ITEMS.has(part.kind)

const ITEMS = rolesWith('alike')

const NOTHING: Need = { before: 0, inside: 0, after: 0 }
const FRAME: Need = { before: 1, inside: 1, after: 1 }

function rowNeed(piece: Piece, kept: number): Need {
  if (isFrame(piece)) return FRAME
  if (piece.form === 'box') return { before: 0, inside: Math.max(3, Math.floor(piece.down * kept)), after: 0 }
  return piece.part?.holds ? NOTHING : { before: 0, inside: 1, after: 0 }
}

function arrangeColumns(
  pieces: readonly Piece[],
  { width, reference }: GridArea,
  signs: SketchSymbols,
): readonly CellRange[] {
  const row = orderEdges(pieces.map(({ shown, depth }) => ({ from: shown.x, to: shown.x + shown.width, depth })))
  const axis = { from: reference.x, length: reference.width, cells: width }
  const rooms = pieces.map((piece) => roomWanted(piece, signs))
  const attempt = (most: number, kept: number) =>
    arrange(
      row,
      pieces.map((piece, index) => columnNeed(piece, rooms[index]!, most, kept)),
      axis,
    )
  for (const most of MAX_LABELS)
    for (const kept of most > 0 ? COLUMNS_KEPT : [0]) {
      const columns = attempt(most, kept)
      if (columns) return columns
    }
  const nothing = pieces.map((piece) => (isRoot(piece) ? FRAME : NOTHING))
  return arrange(row, nothing, axis)!
}

/** The maximum factor by which a part is widened. */
const MAX_WIDENING = 4

/** The width of a control for its shortest label. Vertical controls are not widened. */
function roomWanted({ part, form, shown, across }: Piece, signs: SketchSymbols): number {
  if (!part || part.holds || form !== 'label' || shown.height > shown.width * 2) return 1
  const room = part.level * TITLE_INDENT_CELLS + labelRoom(part.element, part.kind, signs)
  return Math.min(room, Math.ceil(across * MAX_WIDENING) + 2)
}

const LEGEND_KEY_CELLS = 3
/** As long as labels of this length fit, the content of outer boxes keeps a distance from their borders. */
const MIN_LABEL_CELLS = 20

function columnNeed(piece: Piece, room: number, most: number, kept: number): Need {
  const share = Math.floor(piece.across * kept)
  if (isFrame(piece)) {
    const lines = most >= MIN_LABEL_CELLS && piece.boxes <= 2 ? 2 : 1
    return { before: lines, inside: Math.max(1, isRoot(piece) ? 0 : share - 2 * lines), after: lines }
  }
  if (piece.form === 'box') return { before: 0, inside: Math.max(Math.min(5, most), share), after: 0 }
  if (piece.part?.holds) return NOTHING
  const inside = room <= most ? room : most > 12 ? most : Math.min(LEGEND_KEY_CELLS, Math.max(1, most))
  return { before: 0, inside, after: 0 }
}

/** The extent of an element along one axis, in pixels, and its nesting depth. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly depth: number
}

/** The cells that an element needs along one axis: for its two edges and between them. */
export interface Need {
  readonly before: number
  readonly inside: number
  readonly after: number
}

/** The first cell, and the one after the last. */
interface CellRange {
  readonly from: number
  readonly to: number
}

/** Pixels and the cells that show them. */
export interface Axis {
  readonly from: number
  readonly length: number
  readonly cells: number
}

/** Each span has four edges: its start, the start and end of its inside, and its end. */
const LINES_PER_SPAN = 4

/** Spans with their edges in order, to be arranged by several sets of needs. */
export interface OrderedEdges {
  /** The pixel of each edge, four per span. */
  readonly at: Float64Array
  /** The edges in order. At the same pixel, ends are before starts, and outer spans around inner ones. */
  readonly order: Int32Array
}

/** Orders the edges of spans. */
export function orderEdges(spans: readonly Span[]): OrderedEdges {
  const at = Float64Array.from({ length: spans.length * LINES_PER_SPAN }, (_, line) => {
    const { from, to } = spans[Math.floor(line / LINES_PER_SPAN)]!
    return line % LINES_PER_SPAN < 2 ? from : to
  })
  const rank = Int32Array.from({ length: at.length }, (_, line) => {
    const outer = 2 * spans[Math.floor(line / LINES_PER_SPAN)]!.depth + 1
    return [outer, outer + 1, -outer - 1, -outer][line % LINES_PER_SPAN]!
  })
  const order = Int32Array.from(at.keys()).sort((a, b) => at[a]! - at[b]! || rank[a]! - rank[b]! || a - b)
  return { at, order }
}

/**
 * Places spans in cells: in proportion, but later if the spans before need more. Order, alignment and nesting are kept.
 * Undefined if all the needs together exceed the cells.
 */
export function arrange(
  { at, order }: OrderedEdges,
  needs: readonly Need[],
  axis: Axis,
): readonly CellRange[] | undefined {
  const distance = distancesOf(needs)
  const wanted = wantedPlaces({ at, order }, distance, axis)
  const latest = latestPlaces(order, distance, axis.cells)
  const places = new Int32Array(order.length)
  let least = 0
  for (const line of order) {
    const earliest = line % LINES_PER_SPAN === 0 ? least : Math.max(least, places[line - 1]! + distance[line]!)
    if (earliest > latest[line]!) return undefined
    least = Math.min(latest[line]!, Math.max(wanted[line]!, earliest))
    places[line] = least
  }
  return needs.map((_, span) => ({
    from: places[span * LINES_PER_SPAN]!,
    to: places[span * LINES_PER_SPAN + LINES_PER_SPAN - 1]!,
  }))
}

/** The distance of each edge from the previous edge of its span, in cells. */
function distancesOf(needs: readonly Need[]): Int32Array {
  const distances = new Int32Array(needs.length * LINES_PER_SPAN)
  needs.forEach(({ before, inside, after }, span) => {
    distances.set([0, before, inside, after], span * LINES_PER_SPAN)
  })
  return distances
}

/** The last cell of each edge that leaves enough cells for everything after it. */
function latestPlaces(order: Int32Array, distance: Int32Array, cells: number): Int32Array {
  const latest = new Int32Array(order.length)
  let most = cells
  for (const line of order.toReversed()) {
    const isLast = line % LINES_PER_SPAN === LINES_PER_SPAN - 1
    if (!isLast) most = Math.min(most, latest[line + 1]! - distance[line + 1]!)
    latest[line] = most
  }
  return latest
}

/**
 * The proportional cell of each edge. A span that ends at the same pixel as its parent ends before the parent's edges.
 */
function wantedPlaces({ at, order }: OrderedEdges, distance: Int32Array, axis: Axis): Int32Array {
  const wanted = new Int32Array(order.length)
  let after = -1
  for (const line of order.toReversed()) {
    wanted[line] = proportional(at[line]!, axis)
    if (line % LINES_PER_SPAN === 2) wanted[line] = Math.min(wanted[line]!, wanted[line + 1]! - distance[line + 1]!)
    const endsTogether =
      after >= 0 && at[after] === at[line] && line % LINES_PER_SPAN >= 2 && after % LINES_PER_SPAN >= 2
    if (endsTogether) wanted[line] = Math.min(wanted[line]!, wanted[after]!)
    after = line
  }
  return wanted
}

const proportional = (at: number, { from, length, cells }: Axis): number =>
  Math.min(cells, Math.max(0, Math.floor(((at - from) * cells) / length)))
