import { changeWindow, type Desktop, windowByUid, windowWith } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, pathOf } from '../../desktop/model/element.ts'
import type { GridRow } from '../../desktop/model/grid.ts'
import { rowsBeforeEdits } from '../../desktop/widgets/grid/cell-edit.ts'
import { withGridRows } from '../../desktop/widgets/grid/grid-state.ts'
import { realised, withVirtualRows } from '../../desktop/widgets/items/virtual-rows.ts'
import { scrolledTo, viewOf } from '../../desktop/widgets/scrolling/scrolling.ts'
import type { LiveContext } from '../data/evaluate.ts'
import type { RecordsBinding } from '../data/records.ts'
import type { LiveScope } from '../data/scope.ts'
import type { DataValue } from '../expression/data-type.ts'
import type { WrittenElement } from '../schema/element.ts'
import type { WrittenScenario } from '../schema/scenario.ts'
import { allWindows } from '../schema/visit.ts'
import { isTable, showsRecords } from './records-grid.ts'
import { createRowSource, type ListContent, type TableContent } from './records-rows.ts'

/** The tables and lists of a scenario that show records. */
export function recordsBindings(scenario: WrittenScenario, scope: LiveScope): readonly RecordsBinding[] {
  const found: RecordsBinding[] = []
  for (const { window, uid, path } of allWindows(scenario)) {
    const state = path[0] === 'states' ? String(path[1]) : undefined
    if (window.tree) visit(window.tree, 'root', (element, id) => found.push(bindingOf(element, state, uid, id, scope)))
  }
  return found
}

type Showing = WrittenElement & { readonly rows: string }

function visit(element: WrittenElement, position: string, found: (element: Showing, id: string) => void): void {
  if (showsRecords(element)) found(element, element.id ?? position)
  element.children?.forEach((child, index) => {
    visit(child, `${position}.${index}`, found)
  })
}

function bindingOf(
  written: Showing,
  state: string | undefined,
  window: string,
  element: string,
  scope: LiveScope,
): RecordsBinding {
  const source = createRowSource(written, scope)
  const shown: (element: Element, records: readonly DataValue[], context: LiveContext) => Element = isTable(written)
    ? (table, ...now) => withTableContent(table, source.tableContent(...now, rowsOfTable(table)))
    : (list, ...now) => withListContent(list, source.listContent(...now, list.traits?.rows?.names))
  return {
    state,
    window,
    element,
    variable: written.rows,
    key: written.key,
    names: source.names,
    refresh: (desktop, records, context) =>
      withElement(desktop, window, element, (found) => shown(found, records, context)),
  }
}

/** The rows that a table was given last, before the user edited cells. */
const rowsOfTable = ({ traits }: Element): readonly GridRow[] | undefined =>
  traits?.grid && rowsBeforeEdits(traits.grid.rows)

/** Changes an element of a window, if it is there. */
function withElement(desktop: Desktop, uid: string, id: string, change: (element: Element) => Element): Desktop {
  const tree = windowByUid(desktop, uid)?.tree
  const path = tree && pathOf(tree, id)
  if (!path) return desktop
  return changeWindow(desktop, uid, (window) => windowWith(window, { tree: changeAt(window.tree, path, change) }))
}

function withTableContent(table: Element, { rows, totals }: TableContent): Element {
  const { grid } = table.traits ?? {}
  if (!grid || (isSame(grid.rows, rows) && isSame(grid.totals ?? [], totals ?? []))) return table
  return withGridRows(table, rows, totals)
}

function withListContent(list: Element, { names, keys }: ListContent): Element {
  const { rows } = list.traits ?? {}
  if (!rows || (isSame(rows.names, names) && isSame(rows.keys ?? [], keys))) return list
  const next = withVirtualRows(list, names, keys)
  const shown = realised(next, viewOf(next))
  return scrolledTo(shown, shown.traits?.scrolled?.y ?? 0)
}

const isSame = (a: readonly (string | GridRow)[], b: readonly (string | GridRow)[]): boolean =>
  a === b || (a.length === b.length && a.every((each, at) => each === b[at]))
