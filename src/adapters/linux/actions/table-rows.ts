import type { Action } from '../../../desktop/input/action.ts'
import { ATSPI, GET } from '../accessibility/accessibility.ts'
import type { ElementSource } from '../accessibility/element-tree.ts'
import { hasState } from '../accessibility/roles.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus/bus.ts'

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
