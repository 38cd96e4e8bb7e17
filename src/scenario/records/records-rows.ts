import { deriveList, listDifference, sortedOrder, updatedOrder } from '../../base/lists.ts'
import type { GridRow } from '../../desktop/model/grid.ts'
import { compareValues, fieldOf } from '../data/data-change.ts'
import {
  conditionHolds,
  evaluateLive,
  type LiveContext,
  type LiveScope,
  type LocalNames,
  valueOfName,
} from '../data/scope.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { isProblem } from '../expression/expression.ts'
import type { AuthoredElement, TableColumn } from '../schema/element.ts'
import { type Segment, splitTemplate } from '../source/template.ts'
import { areKeysKept, fittingEntries, keysOf, type RowEntry, rowEntriesOf, updatedKeys } from './record-entries.ts'
import { cellFormat, RecordRow, type RecordTest, type RowColumn, totalOf } from './record-row.ts'

/**
 * Computes what a table or list shows of the records of a variable. What it shows next is derived from what it showed
 * before, so that a changed record costs the same among many records as among few.
 */

/** The rows of a table, and the texts of its totals if it has any. */
export interface TableContent {
  readonly rows: readonly GridRow[]
  readonly totals: readonly string[] | undefined
}

/** The items of a list, and a key for each. */
export interface ListContent {
  readonly names: readonly string[]
  readonly keys: readonly string[]
}

/** What computes the rows of an element at a moment. */
export interface RowSource {
  /** The names that the rows depend on, without `row`. */
  readonly names: ReadonlySet<string>
  /** @param before The rows that the table shows now. */
  tableContent(records: readonly DataValue[], context: LiveContext, before?: readonly GridRow[]): TableContent
  /** @param before The names that the list shows now. */
  listContent(records: readonly DataValue[], context: LiveContext, before?: readonly string[]): ListContent
}

/** What an element shows at a moment, and what it was computed from. */
interface Shown {
  readonly records: readonly DataValue[]
  /** The values of the names that the filter mentions, and of those that the columns and the label mention. */
  readonly filterInputs: readonly unknown[]
  readonly rowInputs: readonly unknown[]
  readonly columns: readonly RowColumn[]
  readonly isUnread: RecordTest | undefined
  readonly keys: readonly string[]
  readonly entries: readonly RowEntry[]
  /** The entries that fit, and their order. */
  readonly items: readonly RowEntry[]
  readonly order: readonly number[] | undefined
  readonly rows: readonly RecordRow[]
  /** The values of each column, for columns with a total. */
  readonly values: readonly (readonly unknown[] | undefined)[]
  readonly table: TableContent
  readonly list: ListContent
}

/** The number of results kept for one list of records, such as those of a filter that changes back and forth. */
const MAX_KEPT = 4

/** Prepares the expressions of a written element. They are valid, since the scenario was checked. */
export function createRowSource(authored: AuthoredElement & { readonly rows: string }, scope: LiveScope): RowSource {
  const types: NameTypes = scope.rowOf(authored.rows) ?? {}
  const label = segmentsOf(authored.label ?? '')
  const { columns = [], filter, key: keyField, sort_by: sortBy, unread_where: unreadWhere } = authored
  const formulas = columns.flatMap(({ formula }) => (formula === undefined ? [] : [formula]))
  const namesOf = (texts: readonly string[]) => texts.flatMap((text) => namesIn(text, scope, types))
  const marks = unreadWhere === undefined ? [] : [unreadWhere]
  const rowNames = without(namesOf([...formulas, ...marks, ...expressionsIn(authored.label)]), 'row')
  const filterNames = without(namesOf(filter === undefined ? [] : [filter]), 'row')
  const isSortedHere = sortBy !== undefined && columns.every(({ field }) => field !== sortBy)
  const localsOf = (row: DataValue): LocalNames => ({ types, values: { row } })
  const known = new WeakMap<readonly DataValue[], readonly Shown[]>()
  const shownBy = new WeakMap<readonly unknown[], Shown>()
  let latest: Shown | undefined
  let first: Shown | undefined

  function columnsAt(context: LiveContext): readonly RowColumn[] {
    const labelColumn: RowColumn = {
      format: textOfValue,
      compute: (row) => labelText(label, (text) => textOfValue(resultOf(scope, text, context, localsOf(row)))),
    }
    return authored.label === undefined
      ? columns.map(({ field, formula, format, role }) => ({
          format: cellFormat(format) ?? textOfValue,
          ...(role !== undefined && { isUnnamed: UNNAMED.has(role) }),
          compute: (row) =>
            formula === undefined ? fieldOf(row, field) : resultOf(scope, formula, context, localsOf(row)),
        }))
      : [labelColumn]
  }

  function unreadTestAt(context: LiveContext): RecordTest | undefined {
    if (unreadWhere === undefined) return undefined
    return (row) => conditionHolds(scope, unreadWhere, context, localsOf(row))
  }

  /** What an element shows that showed `before`. */
  function shown(records: readonly DataValue[], context: LiveContext, before?: readonly unknown[]): Shown {
    const filterInputs = inputsOf(filterNames, context)
    const rowInputs = inputsOf(rowNames, context)
    const found = known
      .get(records)
      ?.find((each) => isSame(each.filterInputs, filterInputs) && isSame(each.rowInputs, rowInputs))
    if (found) return found
    const earlier = (before && shownBy.get(before)) ?? latest
    const made = next(earlier, records, { filterInputs, rowInputs, context })
    if (earlier && earlier !== first && earlier.records !== records) forget(earlier)
    known.set(records, [made, ...(known.get(records) ?? [])].slice(0, MAX_KEPT))
    shownBy.set(made.table.rows, made)
    if (authored.label !== undefined) shownBy.set(made.list.names, made)
    latest = made
    first ??= made
    return made
  }

  /** What many records look like takes space, so that only the latest is kept, and the start. */
  function forget({ records, table, list }: Shown): void {
    known.delete(records)
    shownBy.delete(table.rows)
    shownBy.delete(list.names)
  }

  function next(
    before: Shown | undefined,
    records: readonly DataValue[],
    { filterInputs, rowInputs, context }: Pick<Shown, 'filterInputs' | 'rowInputs'> & { readonly context: LiveContext },
  ): Shown {
    const hasRows = before !== undefined && isSame(before.rowInputs, rowInputs)
    const hasFits = before !== undefined && isSame(before.filterInputs, filterInputs)
    const rowColumns = hasRows ? before.columns : columnsAt(dataOf(context))
    const isUnread = hasRows ? before.isUnread : unreadTestAt(dataOf(context))
    const difference = listDifference(before?.records ?? [], records)
    const keys = before ? updatedKeys(before, records, keyField, difference) : keysOf(records, keyField)
    const fits = (record: DataValue) => filter === undefined || conditionHolds(scope, filter, context, localsOf(record))
    const entryOf = (record: DataValue, key: string, known: RowEntry | undefined): RowEntry => {
      const isKnown = known?.record === record
      if (isKnown && hasFits && hasRows && known.key === key) return known
      return {
        record,
        key,
        fits: isKnown && hasFits ? known.fits : fits(record),
        row: isKnown && hasRows && known.key === key ? known.row : new RecordRow(key, record, rowColumns, isUnread),
      }
    }
    const isCurrent = before !== undefined && hasFits && hasRows && areKeysKept(before.keys, keys, difference)
    const entries = rowEntriesOf(before, isCurrent, records, keys, difference, entryOf)
    const items = filter === undefined ? entries : fittingEntries(isCurrent ? before : undefined, entries, difference)
    const order = isSortedHere ? orderOf(before, items) : undefined
    const changed = listDifference(before?.items ?? [], items)
    const derived = <T>(earlier: readonly T[] | undefined, derive: (entry: RowEntry) => T) =>
      earlier && before
        ? deriveList({ items: before.items, derived: earlier }, items, derive, changed)
        : items.map(derive)
    const rows = order ? order.map((index) => items[index]!.row) : derived(before?.rows, ({ row }) => row)
    const values = columns.map(({ total }, index) =>
      total === undefined ? undefined : derived(before?.values[index], ({ row }): unknown => row.valueAt(index)),
    )
    return {
      records,
      filterInputs,
      rowInputs,
      columns: rowColumns,
      isUnread,
      keys,
      entries,
      items,
      order,
      rows,
      values,
      table: { rows, totals: totalsOf(columns, rowColumns, values) },
      list:
        authored.label === undefined
          ? NO_ITEMS
          : { names: rows.map((row) => String(row.valueAt(0))), keys: rows.map(({ key }) => key) },
    }
  }

  function orderOf(before: Shown | undefined, items: readonly RowEntry[]): readonly number[] {
    const direction = authored.descending ? -1 : 1
    const compare = (a: RowEntry, b: RowEntry) =>
      direction * compareValues(fieldOf(a.record, sortBy!), fieldOf(b.record, sortBy!))
    return before?.order
      ? updatedOrder({ items: before.items, order: before.order }, items, compare)
      : sortedOrder(items, compare)
  }

  return {
    names: new Set([...filterNames, ...rowNames, authored.rows.split('.')[0]!]),
    tableContent: (records, context, before) => shown(records, context, before).table,
    listContent: (records, context, before) => shown(records, context, before).list,
  }
}

/** Controls that show no text of a record: their texts would say nothing in the name of its row. */
const UNNAMED: ReadonlySet<NonNullable<TableColumn['role']>> = new Set(['Button', 'CheckBox', 'ProgressBar', 'Image'])

const NO_ITEMS: ListContent = { names: [], keys: [] }

const without = (names: readonly string[], name: string): readonly string[] => [
  ...new Set(names.filter((each) => each !== name)),
]

/** A moment without the screen, which rows do not depend on. */
const dataOf = ({ data, state, nowMs, startMs }: LiveContext): LiveContext => ({
  data,
  state,
  nowMs,
  startMs,
  screen: undefined,
})

/** The values of names at a moment. */
const inputsOf = (names: readonly string[], context: LiveContext): readonly unknown[] =>
  names.map((name) => valueOfName(name, context))

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])

/** The text of a formula without a result. */
const NO_RESULT = '#VALUE!'

function resultOf(scope: LiveScope, text: string, context: LiveContext, locals: LocalNames): DataValue | Date {
  const result = evaluateLive(scope, text, context, locals)
  return 'value' in result ? result.value : NO_RESULT
}

function totalsOf(
  columns: readonly TableColumn[],
  shown: readonly RowColumn[],
  values: Shown['values'],
): readonly string[] | undefined {
  if (columns.every(({ total }) => total === undefined)) return undefined
  return columns.map(({ total }, index) => {
    const value = total && totalOf(total, values[index]!)
    return value === undefined ? '' : total === 'count' ? String(value) : shown[index]!.format(value)
  })
}

/** The parts of a label. They are valid, since the scenario was checked. */
function segmentsOf(label: string): readonly Segment[] {
  const segments = splitTemplate(label)
  return 'message' in segments ? [{ kind: 'literal', text: label }] : segments
}

/** The expressions of a label. */
export const expressionsIn = (label = ''): readonly string[] =>
  segmentsOf(label).flatMap(({ kind, text }) => (kind === 'expression' ? [text] : []))

/** The text of a label for one record. */
const labelText = (segments: readonly Segment[], valueAt: (expression: string) => string): string =>
  segments.map(({ kind, text }) => (kind === 'literal' ? text : valueAt(text))).join('')

function namesIn(text: string, scope: LiveScope, types: NameTypes): readonly string[] {
  const expression = scope.compile(text, types)
  return isProblem(expression) ? [] : [...expression.names]
}
