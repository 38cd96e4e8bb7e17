import { isDeepStrictEqual } from 'node:util'
import { type DataValue, isList } from '../expression/data-type.ts'

export type DataRecord = Readonly<Record<string, DataValue>>

/** Whether a value is a record. */
export const isRecord = (value: DataValue): value is DataRecord =>
  typeof value === 'object' && value !== null && !isList(value)

/**
 * How a value differs from the expected one, in words.
 * @param appended New records of a list; their other fields may have any value.
 */
export function recordDifferences(
  name: string,
  expected: DataValue,
  actual: DataValue,
  appended: readonly DataRecord[] = [],
): readonly string[] {
  if (appended.length === 0 && isDeepStrictEqual(expected, actual)) return []
  if (isRecord(expected) && isRecord(actual))
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((field) =>
      recordDifferences(`${name}.${field}`, expected[field] ?? null, actual[field] ?? null),
    )
  if (isListOf(expected) && isListOf(actual)) return listDifferences(name, expected, actual, appended)
  return [`${name} is ${short(actual)} instead of ${short(expected)}`]
}

const isListOf = (value: DataValue): value is readonly DataValue[] => value !== null && isList(value)

function listDifferences(
  name: string,
  expected: readonly DataValue[],
  actual: readonly DataValue[],
  appended: readonly DataRecord[],
): readonly string[] {
  const key = keyOf(expected, actual)
  const labelOf = (value: DataValue, index: number): string =>
    key === undefined ? `${name}[${index}]` : `${name}[${key} ${short((value as DataRecord)[key])}]`
  const labels = new Map(expected.map((value, index) => [labelOf(value, index), value]))
  const missing = new Map(labels)
  const differences: string[] = []
  const open = [...appended]
  const kept: string[] = []
  for (const [index, value] of actual.entries()) {
    const label = labelOf(value, index)
    const wanted = missing.get(label)
    if (wanted !== undefined && missing.delete(label)) {
      kept.push(label)
      differences.push(...recordDifferences(label, wanted, value))
      continue
    }
    const at = open.findIndex((record) => isRecord(value) && fits(value, record))
    if (at >= 0) open.splice(at, 1)
    else differences.push(`${name} has a new record: ${short(value)}`)
  }
  for (const label of missing.keys()) differences.push(`${label} is gone`)
  for (const record of open) differences.push(`${name} has no new record with ${short(record)}`)
  if (differences.length > 0) return differences
  const order = [...labels.keys()]
  return kept.every((label, index) => label === order[index]) ? [] : [`the order of ${name} differs`]
}

const fits = (value: DataRecord, record: DataRecord): boolean =>
  Object.entries(record).every(([field, part]) => isDeepStrictEqual(value[field], part))

/** A field that tells the records of both lists apart: `id` if there is one, otherwise the first. */
function keyOf(...lists: readonly (readonly DataValue[])[]): string | undefined {
  const [first] = lists.flat()
  if (first === undefined || !isRecord(first)) return undefined
  const key = Object.hasOwn(first, 'id') ? 'id' : Object.keys(first)[0]
  const isKey = (list: readonly DataValue[]) =>
    list.every((value) => isRecord(value) && Object.hasOwn(value, key!)) &&
    new Set(list.map((value) => JSON.stringify((value as DataRecord)[key!]))).size === list.length
  return key !== undefined && lists.every(isKey) ? key : undefined
}

const MAX_SHOWN = 80

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
