import { type ListDifference, splicedList } from '../../base/list-difference.ts'
import type { DataValue } from '../expression/data-type.ts'
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
