import type { Desktop, Window } from '../desktop/model/desktop.ts'
import { type Element, memoize, nodeById, valueText, walk } from '../desktop/model/element.ts'
import { roleKind } from '../desktop/model/role.ts'
import { querySelectorAll } from '../desktop/tree/select.ts'
import { isField } from '../desktop/widgets/edit.ts'
import { currentCellOf, recordAt, selectedCellsOf, selectedNumbersOf } from '../desktop/widgets/grid-cells.ts'
import { editStateOf, selectedText } from '../desktop/widgets/text.ts'
import { uidInFile } from './composition/instance.ts'
import { NO_DATA } from './data/run-data.ts'
import { createScope, type EventValues, type LiveContext, type LiveScope } from './data/scope.ts'
import { groupNamed } from './data/undo.ts'
import type { ScreenReader } from './expression/functions.ts'
import { readSheetCell } from './records/sheet-rows.ts'
import { type ScenarioRun, timesHappened } from './scenario-run.ts'

/**
 * The moment of a run at which live expressions are evaluated. Ids are searched in the window `near` first, and in the items
 * with the ids `items`, by default those around the target of the event.
 */
export const liveContext = (
  run: ScenarioRun,
  event?: EventValues,
  near?: string,
  items: readonly string[] | undefined = event?.within,
): LiveContext => ({
  data: run.data,
  state: run.state,
  nowMs: clockOf(run),
  startMs: run.scenario.startMs ?? run.startedAtMs,
  seed: run.seed,
  screen: screenOf(run, near, items),
  event,
})

/** The time on the clock of the scenario, which starts at `start_time`. */
export const clockOf = ({ scenario, nowMs, startedAtMs }: ScenarioRun, atMs = nowMs): number =>
  scenario.startMs === undefined ? atMs : scenario.startMs + atMs - startedAtMs

/** What expressions read from the screen of a run. */
function screenOf(run: ScenarioRun, near: string | undefined, items: readonly string[] | undefined): ScreenReader {
  const { desktop, log, history, scenario, data, seed } = run
  const find = (id: string) => elementWithId(desktop, id, undefined, near, items)?.element
  return {
    value: (id) => {
      const element = find(id)
      return (element && valueText(element)) ?? ''
    },
    name: (id) => find(id)?.name ?? '',
    selected: (id) => {
      const element = find(id)
      return element ? selectedOf(element) : false
    },
    selectedKeys: (id) => {
      const element = find(id)
      return element ? selectedItemNames(element) : []
    },
    cell: (id) => {
      const element = find(id)
      return (element && currentCellOf(element)) ?? NO_CELL
    },
    exists: (id) => find(id) !== undefined,
    count: (selector) => desktop.windows.reduce((sum, { tree }) => sum + querySelectorAll(tree, selector).length, 0),
    selectedNumbers: (id) => {
      const element = find(id)
      return element ? selectedNumbersOf(element) : []
    },
    caret: (id) => {
      const element = find(id)
      if (!element || !isField(element)) return { at: 0, selected: '' }
      const editing = editStateOf(element)
      return { at: editing.at, selected: selectedText(editing) }
    },
    selectedCells: (id) => {
      const element = find(id)
      return element ? selectedCellsOf(element) : []
    },
    sheetCell: (reference) => readSheetCell(scenario.program?.workbook, reference, data, { nowMs: clockOf(run), seed }),
    happened: (name) => timesHappened(log, name),
    canUndo: (name) => groupNamed(history.undo, name) !== undefined,
    canRedo: (name) => groupNamed(history.redo, name) !== undefined,
  }
}

const NO_CELL = { name: '', text: '', content: '' }

const HOLDS_ITEMS: ReadonlySet<string> = new Set(['list', 'tree', 'table', 'tabs'])

const selectedOf = (element: Element): boolean | string =>
  HOLDS_ITEMS.has(roleKind(element.role)) ? selectedItemName(element) : element.selected === true

const EMPTY_SCOPE = createScope({ initial: NO_DATA })

/** The names of the expressions of a run, also of a scenario without variables. */
export const scopeOf = ({ scenario: { program } }: ScenarioRun): LiveScope => program?.scope ?? EMPTY_SCOPE

/**
 * The element with an id: in the named window, otherwise in the window `near`, otherwise in the front window that has
 * one. The id that the file has for parts of items means the part in the innermost of `items` that has one, otherwise the only
 * one of the window.
 */
export function elementWithId(
  desktop: Desktop,
  id: string,
  uid: string | undefined,
  near?: string,
  items: readonly string[] = [],
): { readonly window: Window; readonly element: Element } | undefined {
  const named = uid === undefined ? undefined : windowNamed(desktop, uid, near)
  const windows =
    uid === undefined
      ? [...desktop.windows].sort((a, b) => Number(b.uid === near) - Number(a.uid === near))
      : named
        ? [named]
        : []
  for (const window of windows) {
    const element = nodeById(window.tree, id)
    if (element) return { window, element }
  }
  for (const window of windows) {
    const element = partWithId(window.tree, id, items)
    if (element) return { window, element }
  }
  return undefined
}

/**
 * The window with a uid. The uid that the file has for windows of items means the window `near` if it is one of them,
 * otherwise the only one.
 */
export function windowNamed({ windows }: Desktop, uid: string, near?: string): Window | undefined {
  const exact = windows.find((window) => window.uid === uid)
  if (exact) return exact
  const made = windows.filter(({ tree }) => uidInFile(tree) === uid)
  return made.find((window) => window.uid === near) ?? (made.length === 1 ? made[0] : undefined)
}

/** The element with an id, or the parts of all items that have this id in the file. */
export function elementsWithId(
  desktop: Desktop,
  id: string,
  uid: string | undefined,
): readonly { readonly window: Window; readonly element: Element }[] {
  const windows =
    uid === undefined
      ? desktop.windows
      : desktop.windows.filter((window) => window.uid === uid || uidInFile(window.tree) === uid)
  for (const window of windows) {
    const element = nodeById(window.tree, id)
    if (element && uidInFile(window.tree) === undefined) return [{ window, element }]
  }
  return windows.flatMap((window) => {
    if (!holdsInstances(window.tree)) return []
    const parts = partsOf(window.tree, id)
    const exact = parts.length > 0 ? undefined : nodeById(window.tree, id)
    return (exact ? [exact] : parts).map((element) => ({ window, element }))
  })
}

/** The part of an item with the id that the file has for it. */
function partWithId(tree: Element, id: string, items: readonly string[]): Element | undefined {
  if (!holdsInstances(tree)) return undefined
  for (const item of items) {
    const node = nodeById(tree, item)
    const [part] = node ? partsOf(node, id) : []
    if (part) return part
  }
  const [only, ...others] = partsOf(tree, id)
  return others.length === 0 ? only : undefined
}

const holdsInstances = memoize(
  ({ traits, children }): boolean => traits?.instance !== undefined || children.some(holdsInstances),
)

/** The parts with an id of the file, such as `remove`, or `card.remove` for those in items `card`. */
function partsOf(tree: Element, id: string): readonly Element[] {
  const all = [...walk(tree)].filter(({ traits }) => traits?.instance?.id === id)
  const at = id.indexOf('.')
  if (all.length > 0 || at < 0) return all
  const [item, part] = [id.slice(0, at), id.slice(at + 1)]
  const items = [...walk(tree)].filter(({ traits }) => traits?.instance?.item && traits.instance.id === item)
  return items.flatMap((each) => [...walk(each)].filter(({ traits }) => traits?.instance?.id === part))
}

/**
 * The name of the selected item of a list, tree or row of tabs, or its key if it follows the data; the key of the selected record of a table that shows
 * records, or of the record that its cell cursor is in. Empty if there is none.
 */
export const selectedItemName = (element: Element): string => selectedItemNames(element)[0] ?? ''

/** What `selectedItemName` is for each of the selected items. */
function selectedItemNames(element: Element): readonly string[] {
  const { rows, grid } = element.traits ?? {}
  if (grid) {
    const positions = grid.selects === 'cell' ? [grid.current] : grid.selected
    return positions.flatMap((position) => recordAt(grid, position)?.key ?? [])
  }
  if (rows) return rows.selected.flatMap((position) => rows.names[position] ?? [])
  const selected = [...walk(element)].filter((item) => item !== element && item.selected === true)
  return selected.map((item) => item.traits?.instance?.item?.key ?? item.name)
}
