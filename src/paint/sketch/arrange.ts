/** What something covers along one axis, in pixels, and how deep it is nested. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly depth: number
}

/** How many cells something wants along one axis: for its own two edges and for what is between them. */
export interface Need {
  readonly before: number
  readonly inside: number
  readonly after: number
}

/** The first cell, and the one behind the last. */
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

/** Each span has four lines: where it begins, where its inside begins and ends, and where it ends. */
const LINES = 4

/** Spans with their lines in order, to be arranged by one set of needs after another. */
export interface OrderedEdges {
  /** The pixel of each line, four for each span. */
  readonly at: Float64Array
  /** The lines from the first to the last; at the same pixel what ends before what begins, the outer around the inner. */
  readonly order: Int32Array
}

/** Puts the lines of spans in order. */
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
 * Places spans in cells: in proportion, but further on where everything before has not got what it needs. What is in order,
 * in line or one in the other stays so. Undefined when all the needs together are more than there are cells.
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

/** How many cells each line keeps from the line before it of its span. */
function distancesOf(needs: readonly Need[]): Int32Array {
  const distances = new Int32Array(needs.length * LINES)
  needs.forEach(({ before, inside, after }, span) => {
    distances.set([0, before, inside, after], span * LINES)
  })
  return distances
}

/** The last cell at which each line may be so that everything after it still has room. */
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

/** The cell of each line in proportion; what ends at the same pixel as what it is in ends before the lines of that. */
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
