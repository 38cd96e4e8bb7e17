import { isDeepStrictEqual } from 'node:util'
import type { Element } from '../../desktop/model/element.ts'
import type { ScreenState } from '../screen/screen-state.ts'
import {
  compareInventories,
  type Difference,
  idsInWindow,
  inventoryOf,
  type RecordedInventory,
  underRecordedIds,
} from './inventory.ts'
import type { TraceRow } from './trace-row.ts'

/** The compared fields of each tool's result. `?` compares only whether there is a value (observer document, "Replay"). */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  list_windows: ['count'],
  get_window_structure: ['node_count', 'tree_hash'],
  find_element: ['ok', 'error.code', 'ambiguous_matches?'],
  click_element: ['ok', 'error.code', 'target.selector', 'changed'],
  focus_element: ['ok', 'error.code', 'target.selector', 'changed'],
  invoke_element: ['ok', 'error.code', 'target.selector', 'changed'],
  set_value: ['ok', 'error.code', 'target.selector', 'changed'],
  select_option: ['ok', 'error.code', 'target.selector', 'changed'],
  click_element_and_observe: ['ok', 'target.selector', 'changed'],
  click_at: ['ok', 'error.code'],
  hover_at: ['ok', 'error.code'],
  drag: ['ok', 'error.code'],
  type_text: ['ok', 'error.code'],
  press_key: ['ok', 'error.code'],
  scroll: ['ok', 'error.code'],
  get_screen_description: ['ok', 'effective_mode'],
  get_screenshot: ['ok', 'width', 'height'],
  observe_window: ['ok', 'format'],
  wait_for: ['ok', 'matched_index'],
  assert_state: ['ok', 'all_passed', 'failures'],
}

type Summary = Readonly<Record<string, unknown>>

/** The differences between a result and the recorded one, in the compared fields of its tool. */
export function compareAnswers(row: TraceRow, actual: Summary): readonly Difference[] {
  const differences: Difference[] = []
  const fields = Object.hasOwn(COMPARED, row.tool) ? COMPARED[row.tool]! : ['ok']
  for (const field of fields) {
    const presence = field.endsWith('?')
    const path = presence ? field.slice(0, -1) : field
    const recorded = read(row.result_summary, path)
    const got = read(actual, path)
    if (recorded === undefined && got === undefined) continue
    const same = presence ? Boolean(recorded) === Boolean(got) : isDeepStrictEqual(recorded, got)
    if (!same) differences.push({ path, want: recorded ?? null, got: got ?? null })
  }
  return differences
}

function read(summary: Summary, path: string): unknown {
  let value: unknown = summary
  for (const key of path.split('.')) value = (value as Summary | undefined)?.[key]
  return value
}

/** The differences between a window and its recorded inventory. A closed window is reported by the calls that use it. */
export function compareElements(recorded: RecordedInventory | undefined, screen: ScreenState): readonly Difference[] {
  const tree = recorded && treeFor(recorded, screen)
  if (!tree) return []
  const ids = currentIds(recorded, screen)
  return compareInventories(recorded.inventory, underRecordedIds(inventoryOf(tree), ids))
}

/** The tree of the recorded window, else of the focused one: uids of real windows differ in every run. */
function treeFor(recorded: RecordedInventory, { windows, trees }: ScreenState): Element | undefined {
  const focused = windows.find((window) => window.focused) ?? windows[0]
  return trees.get(recorded.windowUid) ?? (focused && trees.get(focused.uid))
}

/** The current ids by recorded id, of elements whose window was reopened. */
export function currentIds(recorded: RecordedInventory | undefined, screen: ScreenState): ReadonlyMap<string, string> {
  const tree = recorded && treeFor(recorded, screen)
  return tree ? idsInWindow(recorded.inventory, inventoryOf(tree)) : new Map()
}

/** The recorded arguments with the current id of the element. */
export function withCurrentId(
  args: Readonly<Record<string, unknown>>,
  ids: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const now = typeof args.element_id === 'string' ? ids.get(args.element_id) : undefined
  return now === undefined ? args : { ...args, element_id: now }
}

/** The recorded arguments with a selector by id for an element that has been renamed. */
export function addressById(
  args: Readonly<Record<string, unknown>>,
  row: TraceRow,
  differences: readonly Difference[],
  ids: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  if (typeof args.selector !== 'string') return args
  const { element_id, target } = row.result_summary as { element_id?: unknown; target?: { element_id?: unknown } }
  const id = element_id ?? target?.element_id
  const renamed = differences.some(({ path }) => path === `elements.${id}.name` || path === `elements.${id}.role`)
  const now = ids.get(String(id)) ?? id
  return renamed ? { ...args, selector: `*[id=${JSON.stringify(now)}]` } : args
}
