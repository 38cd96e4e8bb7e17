import { type ListDifference, listDifference } from '../../base/lists.ts'
import { moveConverted } from '../expression/cel-value.ts'
import { type DataType, type DataValue, isList, textOfValue } from '../expression/data-type.ts'
import { carrySize, type DataPlace, type DataStep, excessOf, misfit, type RunData } from './run-data.ts'
import { type LiveScope, typeAt } from './scope.ts'

type DataRecord = Readonly<Record<string, DataValue>>

/** A change of one variable, or of a part of it. */
export type DataChange = {
  readonly var: string
  /** The part; the whole variable by default. */
  readonly at?: readonly DataStep[]
} & (
  | { readonly to: DataValue }
  | { readonly append: DataValue; readonly move?: ListPlace | undefined }
  /** Changes each record for which `where` holds, and moves it; the new fields may depend on the record. */
  | (RowChoice & { readonly change: (row: DataRecord) => DataRecord; readonly move?: ListPlace | undefined })
  | (RowChoice & { readonly remove: true })
  | { readonly sortBy: string; readonly descending: boolean }
)

/** The records that a change is about. */
interface RowChoice {
  readonly where: RowTest
  /** A field and its text, if only records with them can be meant. */
  readonly among?: { readonly field: string; readonly text: string } | undefined
}

/** Where items of a list go: to its start or end, or before the item with a key. */
export type ListPlace = 'start' | 'end' | { readonly before: DataValue }

/** Whether a record is meant. */
export type RowTest = (row: DataRecord) => boolean

/** Data after a change, or why it cannot be applied. */
export type DataResult = { readonly data: RunData } | { readonly message: string }

/** Applies a change. The values keep the types that the variables have at the start, and unchanged records their identity. */
export function changeData(scope: LiveScope, data: RunData, change: DataChange): DataResult {
  const type = typeAt(scope.vars, change.var)
  if (!type) return { message: `there is no variable ${change.var}` }
  const before = valueAt(data, change.var)
  const value = changedAt(before, change.at ?? [], change)
  if (value === undefined) return { message: `${change.var} is not a list` }
  if (isGone(value)) return { message: `${change.var} no longer has the item with the key ${textOfValue(value.key)}` }
  if (value === before) return { data }
  const wrong = misfitOfChange(before, value, type, change.var)
  if (wrong !== undefined) return { message: wrong }
  const next = withValue(data, change.var.split('.'), value) as RunData
  if (before !== null && isList(before) && value !== null && isList(value)) carryOver(before, value)
  const excess = excessOf(next)
  return excess === undefined ? { data: next } : { message: excess }
}

/** The value of a variable or of a field in it. */
export function valueAt(data: RunData, path: string): DataValue {
  let value: DataValue = data
  for (const name of path.split('.')) value = isRecord(value) && Object.hasOwn(value, name) ? value[name]! : null
  return value
}

const isRecord = (value: DataValue): value is DataRecord =>
  typeof value === 'object' && value !== null && !isList(value)

/** Why a part cannot be changed: its item was removed. */
interface Gone {
  readonly isGone: true
  readonly key: DataValue
}
const isGone = (value: DataValue | Gone): value is Gone =>
  typeof value === 'object' && value !== null && 'isGone' in value && value.isGone === true

/** The key of an item: a field of records; texts and numbers are their own. */
export const keyOfItem = (item: DataValue, keyField: string): DataValue =>
  typeof item === 'object' && item !== null ? fieldOf(item, keyField) : item

/** The value with a part of it changed. Undefined when the change is for lists only. */
function changedAt(
  before: DataValue,
  [step, ...rest]: readonly DataStep[],
  change: DataChange,
): DataValue | Gone | undefined {
  if (!step) return changedValue(before, change)
  if ('field' in step) {
    if (!isRecord(before)) return undefined
    const next = changedAt(before[step.field] ?? null, rest, change)
    return next === undefined || isGone(next) ? next : withFields(before, { [step.field]: next })
  }
  if (before === null || !isList(before)) return undefined
  const index = before.findIndex((item) => keyOfItem(item, step.keyField) === step.key)
  if (index < 0) return { isGone: true, key: step.key }
  if (rest.length === 0 && 'remove' in change) return before.toSpliced(index, 1)
  const move = rest.length === 0 && 'change' in change ? change.move : undefined
  const item = before[index]!
  const next = move !== undefined && !isRecord(item) ? item : changedAt(item, rest, change)
  if (next === undefined || isGone(next)) return next
  const changed = next === item ? before : before.with(index, next)
  return move === undefined ? changed : withMoved(changed, new Set([index]), move, step.keyField)
}

/** A list in which some items are at another place, in their order. */
function withMoved(
  list: readonly DataValue[],
  indexes: ReadonlySet<number>,
  to: ListPlace,
  keyField: string,
): readonly DataValue[] | Gone {
  const moved = list.filter((_, index) => indexes.has(index))
  const others = list.filter((_, index) => !indexes.has(index))
  let at = to === 'start' ? 0 : others.length
  // Before nothing is at the end.
  if (typeof to === 'object' && to.before !== null) {
    const isNext = (item: DataValue) => textOfValue(keyOfItem(item, keyField)) === textOfValue(to.before)
    if (moved.some(isNext)) return list
    at = others.findIndex(isNext)
    if (at < 0) return { isGone: true, key: to.before }
  }
  const next = others.toSpliced(at, 0, ...moved)
  return next.every((item, index) => item === list[index]) ? list : next
}

/** The value of a place. Undefined if an item on the way was removed. */
export function valueAtPlace(data: RunData, { var: name, at }: DataPlace): DataValue | undefined {
  let value: DataValue | undefined = valueAt(data, name)
  for (const step of at) {
    if ('field' in step) value = value === undefined || value === null ? undefined : fieldOf(value, step.field)
    else if (value !== undefined && value !== null && isList(value))
      value = value.find((item) => keyOfItem(item, step.keyField) === step.key)
    else return undefined
  }
  return value
}

/** The new value. Undefined when the change is for lists only. */
function changedValue(before: DataValue, change: DataChange): DataValue | Gone | undefined {
  if ('to' in change) return change.to
  if ('change' in change && isRecord(before)) return withFields(before, change.change(before))
  if (before === null || !isList(before)) return undefined
  if ('append' in change) {
    const list = [...before, change.append]
    return change.move === undefined ? list : withMoved(list, new Set([before.length]), change.move, 'id')
  }
  if ('sortBy' in change) return sorted(before, change.sortBy, change.descending)
  if ('remove' in change) return withoutRows(before, change)
  const rows = withChangedRows(before, change)
  if (change.move === undefined) return rows
  const meant = new Set([...before.keys()].filter((index) => isMeant(before[index]!, change)))
  return withMoved(rows, meant, change.move, 'id')
}

const isMeant = (row: DataValue, { where }: RowChoice): row is DataRecord => isRecord(row) && where(row)

/** The indexes of the records that may be meant. Undefined: all. */
const indexesAmong = (rows: readonly DataValue[], { among }: RowChoice): readonly number[] | undefined =>
  among && indexesWith(rows, among.field, among.text)

function withoutRows(rows: readonly DataValue[], choice: RowChoice): readonly DataValue[] {
  const left: DataValue[] = []
  let from = 0
  for (const index of indexesAmong(rows, choice) ?? rows.keys()) {
    if (!isMeant(rows[index]!, choice)) continue
    for (; from < index; from++) left.push(rows[from]!)
    from++
  }
  return from === 0 ? rows : left.concat(rows.slice(from))
}

function withChangedRows(
  rows: readonly DataValue[],
  choice: RowChoice & { readonly change: (row: DataRecord) => DataRecord },
): readonly DataValue[] {
  let changed: DataValue[] | undefined
  for (const index of indexesAmong(rows, choice) ?? rows.keys()) {
    const row = rows[index]!
    if (!isMeant(row, choice)) continue
    const next = withFields(row, choice.change(row))
    if (next === row) continue
    changed ??= [...rows]
    changed[index] = next
  }
  return changed ?? rows
}

/** Carries over what is known about a list, unless most of it is new. */
function carryOver(before: readonly DataValue[], after: readonly DataValue[]): void {
  const difference = listDifference(before, after)
  const { start, removed, inserted } = difference
  let changed = Math.max(removed, inserted)
  if (removed === inserted)
    for (let index = start; index < start + inserted; index++) if (before[index] === after[index]) changed--
  if (changed * 2 > after.length) return
  moveIndexes(before, after, difference)
  carrySize(before, after, difference)
  moveConverted(before, after, difference)
}

const withFields = (row: DataRecord, fields: DataRecord): DataRecord =>
  Object.entries(fields).every(([name, value]) => Object.hasOwn(row, name) && row[name] === value)
    ? row
    : { ...row, ...fields }

/** Numbers by size, other values by their text; equal values keep their order. */
function sorted(rows: readonly DataValue[], field: string, descending: boolean): readonly DataValue[] {
  const keyOf = (row: DataValue) => (isRecord(row) && Object.hasOwn(row, field) ? row[field]! : null)
  const order = [...rows].sort((a, b) => (descending ? -1 : 1) * compareValues(keyOf(a), keyOf(b)))
  return order.every((row, index) => row === rows[index]) ? rows : order
}

/** The order of two values: null first, then numbers by size, then texts by their characters. */
export function compareValues(a: DataValue, b: DataValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  const [one, other] = [String(a), String(b)]
  return one.localeCompare(other, 'en')
}

/** Checks only the items that are new, so that a change of one record does not cost a walk through all. */
function misfitOfChange(before: DataValue, after: DataValue, type: DataType, path: string): string | undefined {
  if (type.kind !== 'list' || after === null || !isList(after) || before === null || !isList(before))
    return misfit(after, type, path)
  const { start, removed, inserted } = listDifference(before, after)
  const known = removed === inserted ? undefined : new Set(before.slice(start, start + removed))
  for (let index = start; index < start + inserted; index++) {
    const item = after[index]!
    if (item === before[index] || known?.has(item)) continue
    const wrong = misfit(item, type.items, `${path}[${index}]`)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function withValue(record: DataValue, [name = '', ...rest]: readonly string[], value: DataValue): DataValue {
  const own = isRecord(record) ? record : {}
  return { ...own, [name]: rest.length === 0 ? value : withValue(own[name] ?? null, rest, value) }
}

/** The records of a list by the text of a field, so that one record is found without looking at all. */
type FieldIndex = Map<string, DataValue[]>

/** The indexes of a list, by field. */
const indexes = new WeakMap<readonly DataValue[], Map<string, FieldIndex>>()

/** A field of a record; null if it has none. */
export const fieldOf = (record: DataValue, field: string): DataValue =>
  typeof record === 'object' && record !== null && !isList(record) && Object.hasOwn(record, field)
    ? (record as Readonly<Record<string, DataValue>>)[field]!
    : null

/** The records whose field has a text, in no particular order. A record that occurs several times is there several times. */
export function recordsWith(records: readonly DataValue[], field: string, text: string): readonly DataValue[] {
  const known = indexes.get(records) ?? new Map<string, FieldIndex>()
  indexes.set(records, known)
  const index = known.get(field) ?? indexOf(records, field)
  known.set(field, index)
  return index.get(text) ?? []
}

function indexOf(records: readonly DataValue[], field: string): FieldIndex {
  const index: FieldIndex = new Map()
  for (const record of records) add(index, field, record)
  return index
}

function add(index: FieldIndex, field: string, record: DataValue): void {
  const text = textOfValue(fieldOf(record, field))
  const held = index.get(text)
  if (held) held.push(record)
  else index.set(text, [record])
}

function remove(index: FieldIndex, field: string, record: DataValue): void {
  const text = textOfValue(fieldOf(record, field))
  const left = index.get(text)!.toSpliced(index.get(text)!.indexOf(record), 1)
  if (left.length === 0) index.delete(text)
  else index.set(text, left)
}

/** Updates the indexes of a list for the list that follows it. The earlier list is indexed again if it is asked again. */
export function moveIndexes(
  before: readonly DataValue[],
  after: readonly DataValue[],
  { start, removed, inserted }: ListDifference,
): void {
  const known = indexes.get(before)
  if (!known || before === after) return
  indexes.delete(before)
  indexes.set(after, known)
  const isSame = (at: number) => removed === inserted && before[at] === after[at]
  for (const [field, index] of known) {
    for (let at = start; at < start + removed; at++) if (!isSame(at)) remove(index, field, before[at]!)
    for (let at = start; at < start + inserted; at++) if (!isSame(at)) add(index, field, after[at]!)
  }
}

/** The most records that are worth looking for one by one. */
const MAX_FOUND = 50

/**
 * The indexes of the records whose field has a text, in ascending order. Undefined if there are so many that looking at
 * all records costs no more.
 */
export function indexesWith(records: readonly DataValue[], field: string, text: string): readonly number[] | undefined {
  const found = new Set(recordsWith(records, field, text))
  if (found.size > MAX_FOUND) return undefined
  const places: number[] = []
  for (const record of found)
    for (let at = records.indexOf(record); at >= 0; at = records.indexOf(record, at + 1)) places.push(at)
  return places.sort((a, b) => a - b)
}
