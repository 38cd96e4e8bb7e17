import type { GridRow } from '../../desktop/model/grid.ts'
import { compareValues } from '../data/data-change.ts'
import { conditionHolds, evaluateLive, type LiveContext, type LocalNames } from '../data/evaluate.ts'
import type { LiveScope } from '../data/scope.ts'
import { type Segment, splitTemplate } from '../expand/template.ts'
import { type DataValue, isList, textOfValue } from '../expression/data-type.ts'
import type { NameTypes } from '../expression/environment.ts'
import { isProblem } from '../expression/expression.ts'
import type { WrittenElement } from '../schema/element.ts'
import type { TableColumn } from '../schema/table.ts'
import { type CellFormat, cellFormat } from './cell-format.ts'
import { sortValue, totalOf } from './totals.ts'

/** Computes what a table or list shows of the records of a variable. */

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
  tableContent(records: readonly DataValue[], context: LiveContext): TableContent
  listContent(records: readonly DataValue[], context: LiveContext): ListContent
}

/** Prepares the expressions of a written element. They are valid, since the scenario was checked. */
export function createRowSource(written: WrittenElement & { readonly rows: string }, scope: LiveScope): RowSource {
  const types: NameTypes = scope.rowOf(written.rows) ?? {}
  const columns = (written.columns ?? []).map((column) => columnSource(column, scope))
  const label = segmentsOf(written.label ?? '')
  const texts = [written.filter, ...columns.map(({ formula }) => formula), ...expressionsIn(written.label)]
  const names = new Set(texts.flatMap((text) => (text === undefined ? [] : namesIn(text, scope, types))))
  names.delete('row')
  const localsOf = (row: DataValue): LocalNames => ({ types, values: { row } })
  const matches = cached(names, (row, context) => conditionHolds(scope, written.filter!, context, localsOf(row)))
  const valuesOf = cached(names, (row, context) => columns.map(({ compute }) => compute(row, context, localsOf(row))))
  const rows = new WeakMap<object, GridRow>()
  const textOf = cached(names, (row, context) =>
    labelText(label, (text) => textOfValue(resultOf(scope, text, context, localsOf(row)))),
  )

  function shown(records: readonly DataValue[], context: LiveContext): readonly Keyed[] {
    const keyed = keysOf(records, written.key)
    const fitting = written.filter === undefined ? keyed : keyed.filter(({ record }) => matches(record, context))
    const isSortedByTable = columns.some(({ column }) => column.field === written.sort_by)
    if (written.sort_by === undefined || isSortedByTable) return fitting
    const direction = written.descending ? -1 : 1
    const sortKey = ({ record }: Keyed) => fieldOf(record, written.sort_by!)
    return fitting.toSorted((a, b) => direction * compareValues(sortKey(a), sortKey(b)))
  }

  /** The same row again for the same values. */
  function rowOf(key: string, values: readonly (DataValue | Date)[]): GridRow {
    const known = rows.get(values)
    if (known?.key === key) return known
    const row: GridRow = {
      key,
      cells: values.map((value, index) => columns[index]!.format(value)),
      values: values.map(sortValue),
    }
    rows.set(values, row)
    return row
  }

  return {
    names: new Set([...names, written.rows.split('.')[0]!]),
    tableContent(records, context) {
      const keyed = shown(records, context)
      const values = keyed.map(({ record }) => valuesOf(record, context))
      return { rows: keyed.map(({ key }, index) => rowOf(key, values[index]!)), totals: totalsOf(columns, values) }
    },
    listContent(records, context) {
      const keyed = shown(records, context)
      return { names: keyed.map(({ record }) => textOf(record, context)), keys: keyed.map(({ key }) => key) }
    },
  }
}

/** A record and its key. */
interface Keyed {
  readonly key: string
  readonly record: DataValue
}

/** The keys of records: the values of the key field, otherwise their indexes. A key that occurs again gets a number. */
function keysOf(records: readonly DataValue[], field: string | undefined): readonly Keyed[] {
  const taken = new Set<string>()
  return records.map((record, index) => {
    const wanted = field === undefined ? String(index) : textOfValue(fieldOf(record, field))
    let key = wanted
    for (let number = 2; taken.has(key); number++) key = `${wanted}~${number}`
    taken.add(key)
    return { key, record }
  })
}

/** The record with a key. */
export function recordWithKey(
  records: readonly DataValue[],
  field: string | undefined,
  key: string,
): DataValue | undefined {
  if (field === undefined) return records[Number(key)]
  const isRepeated = /~\d+$/.test(key)
  const found = records.find((record) => textOfValue(fieldOf(record, field)) === key)
  return found ?? (isRepeated ? keysOf(records, field).find((each) => each.key === key)?.record : undefined)
}

/** A field of a record; null if it has none. */
export const fieldOf = (record: DataValue, field: string): DataValue =>
  typeof record === 'object' && record !== null && !isList(record) && Object.hasOwn(record, field)
    ? (record as Readonly<Record<string, DataValue>>)[field]!
    : null

type OfRecord<T> = (row: DataValue, context: LiveContext) => T

/** Remembers what was computed for a record, as long as the other names that it depends on keep their values. */
function cached<T>(names: ReadonlySet<string>, compute: OfRecord<T>): OfRecord<T> {
  let known = new WeakMap<object, { readonly value: T }>()
  let latest: readonly unknown[] = []
  let latestContext: LiveContext | undefined
  return (row, context) => {
    if (typeof row !== 'object' || row === null) return compute(row, context)
    if (context !== latestContext) {
      const values = [...names].map((name) => valueOfName(name, context))
      if (values.some((value, index) => value !== latest[index])) known = new WeakMap()
      latest = values
      latestContext = context
    }
    const found = known.get(row) ?? { value: compute(row, context) }
    known.set(row, found)
    return found.value
  }
}

/** The value of a name at a moment. Constants have none, since they do not change. */
function valueOfName(name: string, { data, state, nowMs, startMs }: LiveContext): unknown {
  if (name === 'now') return nowMs
  if (name === 'start_time') return startMs
  return name === 'state' ? state : data[name]
}

interface ColumnSource {
  readonly column: TableColumn
  readonly formula: string | undefined
  readonly format: CellFormat
  compute(row: DataValue, context: LiveContext, locals: LocalNames): DataValue | Date
}

/** The text of a formula without a result. */
const NO_RESULT = '#VALUE!'

function resultOf(scope: LiveScope, text: string, context: LiveContext, locals: LocalNames): DataValue | Date {
  const result = evaluateLive(scope, text, context, locals)
  return 'value' in result ? result.value : NO_RESULT
}

function columnSource(column: TableColumn, scope: LiveScope): ColumnSource {
  const { field, formula } = column
  return {
    column,
    formula,
    format: cellFormat(column.format) ?? textOfValue,
    compute(row, context, locals) {
      return formula === undefined ? fieldOf(row, field) : resultOf(scope, formula, context, locals)
    },
  }
}

function totalsOf(
  columns: readonly ColumnSource[],
  values: readonly (readonly (DataValue | Date)[])[],
): readonly string[] | undefined {
  if (columns.every(({ column }) => column.total === undefined)) return undefined
  return columns.map(({ column: { total }, format }, index) => {
    const value =
      total &&
      totalOf(
        total,
        values.map((row) => row[index]),
      )
    return value === undefined ? '' : total === 'count' ? String(value) : format(value)
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
