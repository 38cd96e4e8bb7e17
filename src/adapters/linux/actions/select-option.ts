import type { Action } from '../../../desktop/input/action.ts'
import { parseChord } from '../../../desktop/input/keys.ts'
import { type FoundOption, findOptionIn, isOptionSelected } from '../../element-target.ts'
import { ATSPI, GET } from '../accessibility/accessibility.ts'
import type { ElementSource, FoundElement } from '../accessibility/element-tree.ts'
import { hasState, ROLE } from '../accessibility/roles.ts'
import type { WindowTree } from '../accessibility/window-trees.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus.ts'
import { xWindowUid } from '../x11/x-windows.ts'
import * as patterns from './patterns.ts'
import {
  type ActionContext,
  busOf,
  clickTarget,
  ensureActive,
  findElement,
  findRecentElement,
  MAX_OPEN_MS,
  QUIET_MS,
  type Via,
} from './pointer.ts'

const HOME = parseChord('home')

const DOWN = parseChord('down')

/** Selects an option of a list, a table or a combo box. */
export async function selectOption(
  context: ActionContext,
  { target, option: wanted }: Extract<Action, { type: 'select' }>,
): Promise<Via> {
  const found = await findRecentElement(context, target)
  const bus = busOf(context)
  // The tree contains only the visible part of a long list.
  if (found.element.traits?.childCount !== undefined) {
    const row = await findRow(bus, found.source, wanted)
    if (row !== undefined && (await selectRow(bus, found.source, row))) return 'accessibility'
  }
  const option = findOptionIn(found.element, wanted)
  const isSelected = async () => {
    await context.input.pause(QUIET_MS)
    return isOptionSelected((await context.windowTree(target.window)).tree, target.element, option.element)
  }
  if (found.source.role === ROLE.comboBox) return selectInCombo(context, found, option, isSelected)
  const owner = found.windowTree.sources.get(option.parent.id)!
  const item = found.windowTree.sources.get(option.element.id)!
  if (option.element.role === 'DataItem' && owner.patterns.has('Table')) {
    if (item.index !== undefined && (await selectRow(bus, owner, item.index))) return 'accessibility'
    await clickTarget(context, { window: target.window, element: option.element.id })
    return 'pointer'
  }
  if ((await patterns.selectChild(bus, owner, option.at)) && (await isSelected())) return 'accessibility'
  if ((await patterns.doDefaultAction(bus, item)) && (await isSelected())) return 'accessibility'
  await clickTarget(context, { window: target.window, element: option.element.id })
  return 'pointer'
}

/** Selects an option by the combo box itself, else with arrow keys, else by opening it and clicking the option. */
async function selectInCombo(
  context: ActionContext,
  { windowTree, element, source }: FoundElement<WindowTree>,
  option: FoundOption,
  isSelected: () => Promise<boolean>,
): Promise<Via> {
  const bus = busOf(context)
  if ((await patterns.selectChild(bus, source, option.index)) && (await isSelected())) return 'accessibility'
  if (await patterns.grabFocus(bus, source)) {
    await ensureActive(context, windowTree.window)
    await context.input.press(HOME, windowTree.window.id)
    for (let step = 0; step < option.index; step++) await context.input.press(DOWN, windowTree.window.id)
    if (await isSelected()) return 'keyboard'
  }
  const window = xWindowUid(windowTree.window.id)
  await clickTarget(context, { window, element: element.id })
  const deadline = Date.now() + MAX_OPEN_MS
  const target = { window, element: option.element.id }
  while ((await findElement(context, target)).element.traits?.hidden && Date.now() < deadline)
    await context.input.pause(QUIET_MS)
  await clickTarget(context, target)
  return 'pointer'
}

/** Finds and selects rows and list items that are not in the tree because they are out of view. */

const of = (pattern: string, member: string, takes?: string): BusMethod => ({
  interface: `${ATSPI}.${pattern}`,
  member,
  ...(takes ? { signature: takes } : {}),
})
const CELL_AT = of('Table', 'GetAccessibleAt', 'ii')
const ADD_ROW = of('Table', 'AddRowSelection', 'i')
const CHILD_AT = of('Accessible', 'GetChildAtIndex', 'i')
const STATES = of('Accessible', 'GetState')
const GRAB_FOCUS = of('Component', 'GrabFocus')
const SELECT_CHILD = of('Selection', 'SelectChild', 'i')
const CLEAR = of('Selection', 'ClearSelection')

/** The number of rows whose names are requested at once. */
const ROWS_PER_BATCH = 200
const MAX_COLUMNS_SEARCHED = 5
const MAX_SEARCH_MS = 5000

/** Finds a row by its index or by the name of one of its cells. Undefined when there is none. */
export async function findRow(
  bus: Bus,
  container: ElementSource,
  wanted: Extract<Action, { type: 'select' }>['option'],
  now: () => number = Date.now,
): Promise<number | undefined> {
  const isTable = container.patterns.has('Table')
  const read = (pattern: string, name: string) => bus.tryCall<number>(container.ref, GET, `${ATSPI}.${pattern}`, name)
  const [count = 0, columns = 1] = isTable
    ? await Promise.all([read('Table', 'NRows'), read('Table', 'NColumns')])
    : [await read('Accessible', 'ChildCount')]
  if ('index' in wanted) return wanted.index < count ? wanted.index : undefined
  const deadline = now() + MAX_SEARCH_MS
  for (let column = 0; column < Math.min(columns, MAX_COLUMNS_SEARCHED); column++)
    for (let from = 0; from < count && now() < deadline; from += ROWS_PER_BATCH) {
      const rows = Array.from({ length: Math.min(ROWS_PER_BATCH, count - from) }, (_, at) => from + at)
      const names = await Promise.all(rows.map((row) => nameAt(bus, container, row, column)))
      const at = names.indexOf(wanted.name)
      if (at >= 0) return from + at
    }
  return undefined
}

async function nameAt(bus: Bus, container: ElementSource, row: number, column: number): Promise<string | undefined> {
  const ref = await objectAt(bus, container, row, column)
  return ref && bus.tryCall<string>(ref, GET, `${ATSPI}.Accessible`, 'Name')
}

async function objectAt(
  bus: Bus,
  { ref, patterns }: ElementSource,
  row: number,
  column = 0,
): Promise<ObjectRef | undefined> {
  const pair = patterns.has('Table')
    ? await bus.tryCall<readonly [string, string]>(ref, CELL_AT, row, column)
    : await bus.tryCall<readonly [string, string]>(ref, CHILD_AT, row)
  return pair && pair[1] !== '/org/a11y/atspi/null' ? { bus: pair[0], path: pair[1] } : undefined
}

/** Selects a single row or list item, and focuses it so that its program scrolls to it. */
export async function selectRow(bus: Bus, container: ElementSource, row: number): Promise<boolean> {
  const object = await objectAt(bus, container, row)
  if (!object) return false
  if (container.patterns.has('Selection')) await bus.tryCall(container.ref, CLEAR)
  const asked = container.patterns.has('Table')
    ? await bus.tryCall<boolean>(container.ref, ADD_ROW, row)
    : await bus.tryCall<boolean>(container.ref, SELECT_CHILD, row)
  await bus.tryCall(object, GRAB_FOCUS)
  if (asked !== true) return false
  return hasState((await bus.tryCall<readonly number[]>(object, STATES)) ?? [], 'selected')
}
