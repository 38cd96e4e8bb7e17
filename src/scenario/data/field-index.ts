import type { ListDifference } from '../../base/list-difference.ts'
import { type DataValue, isList, textOfValue } from '../expression/data-type.ts'

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
