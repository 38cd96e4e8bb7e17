import type { Desktop, Window } from '../../desktop/model/desktop.ts'
import { type Element, nodeById, walk } from '../../desktop/model/element.ts'
import { recordAt } from '../../desktop/widgets/grid/grid-ids.ts'

/**
 * The element with an id: in the named window, otherwise in the window `near`, otherwise in the front window that has
 * one.
 */
export function elementWithId(
  desktop: Desktop,
  id: string,
  uid: string | undefined,
  near?: string,
): { readonly window: Window; readonly element: Element } | undefined {
  const windows =
    uid === undefined
      ? [...desktop.windows].sort((a, b) => Number(b.uid === near) - Number(a.uid === near))
      : desktop.windows.filter((window) => window.uid === uid)
  for (const window of windows) {
    const element = nodeById(window.tree, id)
    if (element) return { window, element }
  }
  return undefined
}

/**
 * The name of the selected item of a list, tree or row of tabs; the key of the selected record of a table that shows
 * records, or of the record that its cell cursor is in. Empty if there is none.
 */
export function selectedItemName(element: Element): string {
  const { rows, grid } = element.traits ?? {}
  if (grid) return recordAt(grid, grid.selects === 'cell' ? grid.current : (grid.selected[0] ?? -1))?.key ?? ''
  if (rows) return rows.names[rows.selected[0] ?? -1] ?? ''
  return [...walk(element)].find((item) => item !== element && item.selected === true)?.name ?? ''
}
