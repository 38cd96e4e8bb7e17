import { Fault } from '../../base/fault.ts'
import { changeWindow, type Desktop, type Target, windowByUid, windowWith } from '../model/desktop.ts'
import { changeAt, type Element, memoize, nodeAt, type Path, pathOf } from '../model/element.ts'
import type { VirtualGrid } from '../model/grid.ts'
import { isShown, refOf, withTraits } from '../tree/element-ref.ts'
import {
  firstScrolled,
  frozenRows,
  headerHeight,
  isOnPage,
  pageCount,
  pageRange,
  pagesHeight,
  pageWith,
  positionOfKey,
  totalsHeight,
} from './grid-cells.ts'
import { withGrid } from './grid-state.ts'
import { realisedGrid } from './realise.ts'
import { offsetOf, reveal, scrolledTo, shortfall, viewOf } from './scrolling.ts'
import { positionOfKeyIn, realised, rowPrefix } from './virtual-rows.ts'

/** The rows of virtual lists and tables that are not in the tree, because they are out of view. */

/** The number of rows that are searched at a time, so that long lists do not take much memory. */
const ROWS_AT_ONCE = 200

/**
 * Trees of a window in which other rows of its lists and tables are elements, as if these were higher. Together they have all
 * rows, once the scenario has made those of its data. Empty if all rows are in the tree.
 */
export function* treesWithOtherRows(tree: Element): Iterable<Element> {
  for (const path of holdersIn(tree))
    for (const holder of otherRowsOf(nodeAt(tree, path)!)) yield changeAt(tree, path, () => holder)
}

const holdsRows = ({ traits }: Element): boolean => traits?.grid !== undefined || traits?.rows !== undefined
const hasHolder: (node: Element) => boolean = memoize(
  (node): boolean => holdsRows(node) || node.children.some(hasHolder),
)

/** The shown lists and tables with virtual rows. */
function holdersIn(tree: Element): readonly Path[] {
  const found: Path[] = []
  collect(tree, [])
  return found

  function collect(node: Element, path: Path): void {
    if (!hasHolder(node) || !isShown(tree, path)) return
    if (holdsRows(node)) found.push(path)
    for (const [index, child] of node.children.entries()) collect(child, [...path, index])
  }
}

function* otherRowsOf(holder: Element): Iterable<Element> {
  const { grid, rows } = holder.traits ?? {}
  const { x } = offsetOf(holder)
  if (grid)
    for (let page = 0; page < pageCount(grid); page++) {
      const paged: VirtualGrid = { ...grid, page }
      const [first, last] = pageRange(paged)
      const fixed = headerHeight(grid) + totalsHeight(grid) + pagesHeight(grid)
      const around = fixed + frozenRows(paged) * grid.rowHeight
      for (let from = 0; from < last - first; from += ROWS_AT_ONCE) {
        const bounds = { ...holder.bounds, height: around + ROWS_AT_ONCE * grid.rowHeight }
        const scrolled = { x, y: from * grid.rowHeight }
        yield realisedGrid(withTraits({ ...holder, bounds }, { grid: paged, scrolled }), paged)
      }
    }
  if (rows?.items)
    for (let from = 0; from < rows.names.length; from += ROWS_AT_ONCE) {
      const bounds = { ...holder.bounds, height: ROWS_AT_ONCE * rows.height }
      yield withTraits({ ...holder, bounds }, { scrolled: { x, y: from * rows.height } })
    }
  else if (rows)
    for (let from = 0; from < rows.names.length; from += ROWS_AT_ONCE) {
      const view = { ...viewOf(holder), height: ROWS_AT_ONCE * rows.height }
      yield realised(withTraits(holder, { scrolled: { x, y: from * rows.height } }), view)
    }
}

/**
 * Scrolls the list or table of a row until the row is in view, and shows its page.
 * @param target The id of a row, or of a part of it. It need not be in the tree.
 * @throws `ElementNotFound` when no list or table of the window has such a row.
 */
export function revealRow(desktop: Desktop, target: Target): Desktop {
  const tree = windowByUid(desktop, target.window)?.tree
  for (const path of tree ? holdersIn(tree) : []) {
    const shown = withRowShown(nodeAt(tree!, path)!, target.element)
    if (!shown) continue
    const scrolled = changeWindow(desktop, target.window, (window) =>
      windowWith(window, { tree: changeAt(window.tree, path, () => shown) }),
    )
    const window = windowByUid(scrolled, target.window)!
    const inView = reveal(scrolled, { window, path, element: shown })
    const below = pathOf(windowByUid(inView, target.window)!.tree, target.element)
    return below && shown.traits?.grid?.frozen ? reveal(inView, refOf(inView, target)) : inView
  }
  throw new Fault('ElementNotFound', `no list or table has the row ${JSON.stringify(target.element)}`, {
    element_id: target.element,
  })
}

/** A list or table with a row in view. Undefined if it has no such row. */
function withRowShown(holder: Element, id: string): Element | undefined {
  const prefix = rowPrefix(holder)
  if (!id.startsWith(prefix)) return undefined
  const key = id.slice(prefix.length)
  const { grid, rows } = holder.traits ?? {}
  if (rows) {
    // The rest of the id of a part of an item is that of the part.
    const position = positionOfKeyIn(rows, rows.items ? key.split('.')[0]! : key)
    return position === undefined ? undefined : scrolledToRow(holder, position * rows.height, rows.height)
  }
  if (!grid) return undefined
  // The rest of the id of a cell is the field of its column.
  const position = positionOfKey(grid, key) ?? positionOfKey(grid, key.slice(0, Math.max(0, key.lastIndexOf('.'))))
  if (position === undefined) return undefined
  const paged = isOnPage(grid, position) ? holder : withGrid(holder, { page: pageWith(grid, position) })
  const below = position - firstScrolled(paged.traits!.grid!)
  return below < 0 ? paged : scrolledToRow(paged, below * grid.rowHeight, grid.rowHeight)
}

function scrolledToRow(holder: Element, top: number, height: number): Element {
  const view = viewOf(holder)
  const { y } = offsetOf(holder)
  return scrolledTo(holder, y + shortfall(view, { ...view, y: view.y + top - y, height }))
}
