import { type ListDifference, splicedList } from '../../base/lists.ts'
import { fieldOf, recordsWith } from '../data/data-change.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'
import type { RecordRow } from './record-row.ts'

/** A record, and what is shown of it. */
export interface RowEntry {
  readonly record: DataValue
  readonly key: string
  /** Whether the filter holds. */
  readonly fits: boolean
  readonly row: RecordRow
}

/** The records of an element at a moment. */
export interface RowEntries {
  readonly records: readonly DataValue[]
  readonly keys: readonly string[]
  readonly entries: readonly RowEntry[]
  /** The entries that fit. */
  readonly items: readonly RowEntry[]
}

/** From this number of changed records on, earlier entries are looked up by their records, which may have moved. */
const MANY_CHANGES = 8

/**
 * The entries of records.
 * @param isCurrent Whether entries of records that did not change stay as they are.
 */
export function rowEntriesOf(
  before: RowEntries | undefined,
  isCurrent: boolean,
  records: readonly DataValue[],
  keys: readonly string[],
  { start, removed, inserted }: ListDifference,
  entryOf: (record: DataValue, key: string, known: RowEntry | undefined) => RowEntry,
): readonly RowEntry[] {
  if (!before) return records.map((record, index) => entryOf(record, keys[index]!, undefined))
  const known =
    inserted > MANY_CHANGES ? new Map(before.entries.map((entry) => [entry.record, entry] as const)) : undefined
  const shift = inserted - removed
  const earlier = (index: number): RowEntry | undefined => {
    if (index < start) return before.entries[index]
    if (index >= start + inserted) return before.entries[index - shift]
    const here = before.entries[index]
    return here?.record === records[index] ? here : known?.get(records[index]!)
  }
  if (!isCurrent) return records.map((record, index) => entryOf(record, keys[index]!, earlier(index)))
  const made: RowEntry[] = []
  for (let index = start; index < start + inserted; index++)
    made.push(entryOf(records[index]!, keys[index]!, earlier(index)))
  return splicedList(before.entries, start, removed, made)
}

/** Whether records that did not change have their keys. Keys that are indexes change when records come or go. */
export function areKeysKept(
  before: readonly string[],
  keys: readonly string[],
  { start, removed, inserted }: ListDifference,
): boolean {
  if (before === keys) return true
  for (let index = start + inserted; index < keys.length; index++)
    if (keys[index] !== before[index - inserted + removed]) return false
  return true
}

/** The entries that fit the filter. With the earlier entries, only those that changed are looked at. */
export function fittingEntries(
  before: RowEntries | undefined,
  entries: readonly RowEntry[],
  { start, removed, inserted }: ListDifference,
): readonly RowEntry[] {
  if (!before) return entries.filter(({ fits }) => fits)
  let last = start - 1
  while (last >= 0 && !entries[last]!.fits) last--
  const from = last < 0 ? 0 : before.items.indexOf(before.entries[last]!) + 1
  const gone = before.entries.slice(start, start + removed).filter(({ fits }) => fits)
  const come = entries.slice(start, start + inserted).filter(({ fits }) => fits)
  return splicedList(before.items, from, gone.length, come)
}

/** The keys of records: the values of the key field, otherwise their indexes. A key that occurs again gets a number. */
export function keysOf(records: readonly DataValue[], field: string | undefined): readonly string[] {
  const taken = new Set<string>()
  return records.map((record, index) => {
    const wanted = wantedKey(record, index, field)
    let key = wanted
    for (let number = 2; taken.has(key); number++) key = `${wanted}~${number}`
    taken.add(key)
    return key
  })
}

const wantedKey = (record: DataValue, index: number, field: string | undefined): string =>
  field === undefined ? String(index) : textOfValue(fieldOf(record, field))

/** The keys of records that follow others. Those of records that stay are not computed again if no key is repeated. */
export function updatedKeys(
  before: { readonly records: readonly DataValue[]; readonly keys: readonly string[] },
  records: readonly DataValue[],
  field: string | undefined,
  { start, removed, inserted }: ListDifference,
): readonly string[] {
  if (removed === 0 && inserted === 0) return before.keys
  if (field === undefined)
    return removed === inserted ? before.keys : records.map((_, index) => before.keys[index] ?? String(index))
  const isInPlace = removed === inserted
  const isUnchanged = (index: number) =>
    isInPlace &&
    (before.records[index] === records[index] ||
      wantedKey(before.records[index]!, index, field) === wantedKey(records[index]!, index, field))
  const made: string[] = []
  for (let index = start; index < start + inserted; index++) {
    const wanted = wantedKey(records[index]!, index, field)
    if (isUnchanged(index)) made.push(before.keys[index]!)
    else if (isAlone(records, field, wanted, 1)) made.push(wanted)
    else return keysOf(records, field)
  }
  for (let index = start; index < start + removed; index++)
    // Another record may have had a number because of this one.
    if (!isUnchanged(index) && !isAlone(records, field, wantedKey(before.records[index]!, index, field), 0))
      return keysOf(records, field)
  const isSame = isInPlace && made.every((key, at) => key === before.keys[start + at])
  return isSame ? before.keys : splicedList(before.keys, start, removed, made)
}

const NUMBERED = /~\d+$/

/** Whether as many records as given want a key, and no repeated key looks like it. */
const isAlone = (records: readonly DataValue[], field: string, key: string, count: number): boolean =>
  !NUMBERED.test(key) && recordsWith(records, field, key).length === count

/** The record with a key. */
export function recordWithKey(
  records: readonly DataValue[],
  field: string | undefined,
  key: string,
): DataValue | undefined {
  if (field === undefined) return records[Number(key)]
  const found = recordsWith(records, field, key)
  if (found.length === 1) return found[0]
  if (found.length > 1) return records.find((record) => textOfValue(fieldOf(record, field)) === key)
  return NUMBERED.test(key) ? records[keysOf(records, field).indexOf(key)] : undefined
}
