import { type ListDifference, splicedList } from '../../base/list-difference.ts'
import { fieldOf, recordsWith } from '../data/field-index.ts'
import { type DataValue, textOfValue } from '../expression/data-type.ts'

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
