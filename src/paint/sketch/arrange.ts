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
export interface CellRange {
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
const LINES = 4

/** Spans with their edges in order, to be arranged by several sets of needs. */
export interface OrderedEdges {
  /** The pixel of each edge, four per span. */
  readonly at: Float64Array
  /** The edges in order. At the same pixel, ends are before starts, and outer spans around inner ones. */
  readonly order: Int32Array
}

/** Orders the edges of spans. */
export function orderEdges(spans: readonly Span[]): OrderedEdges {
  const at = Float64Array.from({ length: spans.length * LINES }, (_, line) => {
    const { from, to } = spans[Math.floor(line / LINES)]!
    return line % LINES < 2 ? from : to
  })
  const rank = Int32Array.from({ length: at.length }, (_, line) => {
    const outer = 2 * spans[Math.floor(line / LINES)]!.depth + 1
    return [outer, outer + 1, -outer - 1, -outer][line % LINES]!
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
    const earliest = line % LINES === 0 ? least : Math.max(least, places[line - 1]! + distance[line]!)
    if (earliest > latest[line]!) return undefined
    least = Math.min(latest[line]!, Math.max(wanted[line]!, earliest))
    places[line] = least
  }
  return needs.map((_, span) => ({ from: places[span * LINES]!, to: places[span * LINES + LINES - 1]! }))
}

/** The distance of each edge from the previous edge of its span, in cells. */
function distancesOf(needs: readonly Need[]): Int32Array {
  const distances = new Int32Array(needs.length * LINES)
  needs.forEach(({ before, inside, after }, span) => {
    distances.set([0, before, inside, after], span * LINES)
  })
  return distances
}

/** The last cell of each edge that leaves enough cells for everything after it. */
function latestPlaces(order: Int32Array, distance: Int32Array, cells: number): Int32Array {
  const latest = new Int32Array(order.length)
  let most = cells
  for (const line of order.toReversed()) {
    const isLast = line % LINES === LINES - 1
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
    if (line % LINES === 2) wanted[line] = Math.min(wanted[line]!, wanted[line + 1]! - distance[line + 1]!)
    const endsTogether = after >= 0 && at[after] === at[line] && line % LINES >= 2 && after % LINES >= 2
    if (endsTogether) wanted[line] = Math.min(wanted[line]!, wanted[after]!)
    after = line
  }
  return wanted
}

const proportional = (at: number, { from, length, cells }: Axis): number =>
  Math.min(cells, Math.max(0, Math.floor(((at - from) * cells) / length)))
