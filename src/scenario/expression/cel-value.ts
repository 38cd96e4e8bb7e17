import { Fault } from '../../base/fault.ts'
import { type DataType, type DataValue, isList, mapFields } from './data-type.ts'

/** The class of a record in CEL. Each record type has one of its own, by which CEL knows the types of its fields. */
export type RecordClass = new () => object

/** Finds the class of a record type. */
export type ClassOf = (type: DataType & { kind: 'record' }) => RecordClass

const converted = new WeakMap<object, Map<DataType, unknown>>()
const origins = new WeakMap<object, DataValue>()

/**
 * Converts a data value to a CEL value: integers become BigInt, records become instances of their class.
 * Lists and records are converted once, so unchanged data cost nothing.
 */
export function toCel(value: DataValue, type: DataType, classOf: ClassOf): unknown {
  if (typeof value === 'number') return type.kind === 'double' || !Number.isSafeInteger(value) ? value : BigInt(value)
  if (typeof value !== 'object' || value === null) return value
  const known = converted.get(value)?.get(type)
  if (known !== undefined) return known
  const made = isList(value) ? listToCel(value, type, classOf) : recordToCel(value, type, classOf)
  const byType = converted.get(value) ?? new Map<DataType, unknown>()
  converted.set(value, byType.set(type, made))
  origins.set(made, value)
  return made
}

const ANYTHING: DataType = { kind: 'any' }

function listToCel(list: readonly DataValue[], type: DataType, classOf: ClassOf): readonly unknown[] {
  const items = type.kind === 'list' ? type.items : ANYTHING
  return list.map((item) => toCel(item, items, classOf))
}

function recordToCel(record: Readonly<Record<string, DataValue>>, type: DataType, classOf: ClassOf): object {
  if (type.kind !== 'record')
    return new Map(Object.entries(mapFields(record, (field) => toCel(field, ANYTHING, classOf))))
  const fields = mapFields(type.fields, (field, name) => toCel(record[name] ?? null, field, classOf))
  return Object.assign(new (classOf(type))(), fields)
}

/** Converts the result of an expression back. Data that an expression only selects keep their identity. */
export function fromCel(value: unknown): DataValue | Date {
  if (typeof value === 'bigint') return integerOf(value)
  if (typeof value !== 'object' || value === null) return value as DataValue
  if (value instanceof Date) return value
  const origin = origins.get(value)
  if (origin !== undefined) return origin
  if (Array.isArray(value)) return value.map((item) => fromCel(item) as DataValue)
  const fields = value instanceof Map ? Object.fromEntries(value) : (value as Readonly<Record<string, unknown>>)
  return mapFields(fields, (field) => fromCel(field) as DataValue)
}

function integerOf(value: bigint): number {
  const integer = Number(value)
  if (Number.isSafeInteger(integer)) return integer
  throw new Fault('BadRequest', `${value} is out of range; integers have at most 15 digits`)
}
