import type { ListDifference } from '../../base/list-difference.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import type { RunData } from './run-data.ts'

/** The limits of all variables of a scenario together. */
export const MAX_DATA_RECORDS = 100_000
export const MAX_DATA_CHARACTERS = 2_000_000

interface DataSize {
  readonly records: number
  readonly characters: number
  /** The items of all lists and the fields of all records. */
  readonly values: number
}

const sizes = new WeakMap<object, DataSize>()

/** The size of a value at any depth. Each list or record is measured once, so that parts that occur often cost nothing. */
export function dataSizeOf(value: DataValue): DataSize {
  if (typeof value !== 'object' || value === null)
    return { records: 0, characters: typeof value === 'string' ? value.length : String(value).length, values: 0 }
  const known = sizes.get(value)
  if (known) return known
  const parts: readonly DataValue[] = isList(value) ? value : Object.values(value)
  let records = isList(value) ? value.length : 0
  let characters = 0
  let values = parts.length
  for (const part of parts) {
    const size = dataSizeOf(part)
    records += size.records
    characters += size.characters
    values += size.values
  }
  if (!isList(value)) for (const name of Object.keys(value)) characters += name.length
  const size = { records, characters, values }
  sizes.set(value, size)
  return size
}

/** Counts a list by what differs from an earlier one that was counted. */
export function carrySize(
  before: readonly DataValue[],
  after: readonly DataValue[],
  { start, removed, inserted }: ListDifference,
): void {
  const counted = sizes.get(before)
  if (!counted || sizes.has(after)) return
  let records = counted.records - before.length + after.length
  let { characters, values } = counted
  values += after.length - before.length
  const count = (item: DataValue, sign: 1 | -1) => {
    const size = dataSizeOf(item)
    records += sign * size.records
    characters += sign * size.characters
    values += sign * size.values
  }
  for (let index = start; index < start + removed; index++)
    if (removed !== inserted || before[index] !== after[index]) count(before[index]!, -1)
  for (let index = start; index < start + inserted; index++)
    if (removed !== inserted || before[index] !== after[index]) count(after[index]!, 1)
  sizes.set(after, { records, characters, values })
}

/** Why data are too large, or undefined. */
export function excessOf(data: RunData): string | undefined {
  const { records, characters } = dataSizeOf(data)
  if (records > MAX_DATA_RECORDS)
    return `the variables hold ${records} records; at most ${MAX_DATA_RECORDS} are allowed`
  if (characters > MAX_DATA_CHARACTERS)
    return `the variables hold ${characters} characters; at most ${MAX_DATA_CHARACTERS} are allowed`
  return undefined
}
