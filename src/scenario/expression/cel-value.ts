import { Fault } from '../../base/fault.ts'
import { deriveList, type ListDifference } from '../../base/lists.ts'
import { carryCharge } from './budget.ts'
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
  const made = list.map((item) => toCel(item, items, classOf))
  lists.set(made, { type: items, classOf })
  return made
}

function recordToCel(record: Readonly<Record<string, DataValue>>, type: DataType, classOf: ClassOf): object {
  if (type.kind !== 'record')
    return new Map(Object.entries(mapFields(record, (field) => toCel(field, ANYTHING, classOf))))
  const fields = mapFields(type.fields, (field, name) => toCel(record[name] ?? null, field, classOf))
  return Object.assign(new (classOf(type))(), fields)
}

/** Converts a list by what differs from an earlier one that was converted. The earlier one is converted anew if it is used again. */
export function moveConverted(
  before: readonly DataValue[],
  after: readonly DataValue[],
  difference: ListDifference,
): void {
  const known = converted.get(before)
  if (!known || converted.has(after)) return
  const made = new Map<DataType, unknown>()
  converted.delete(before)
  converted.set(after, made)
  for (const [whole, list] of known) {
    const { type, classOf } = lists.get(list as readonly unknown[])!
    const earlier = { items: before, derived: list as readonly unknown[] }
    const next = deriveList(earlier, after, (item) => toCel(item, type, classOf), difference)
    lists.set(next, { type, classOf })
    made.set(whole, next)
    origins.set(next, after)
    carryCharge(list as readonly unknown[], next)
  }
}

/** How the items of converted lists were converted. */
const lists = new WeakMap<readonly unknown[], { readonly type: DataType; readonly classOf: ClassOf }>()

/** Converts a result back by what differs from an earlier one that was converted. */
export function carryOrigin(before: readonly unknown[], after: readonly unknown[]): void {
  const known = origins.get(before)
  if (known === undefined || known === null || typeof known !== 'object' || !isList(known)) return
  // 0 and -0 are the same item, and other values.
  if (after.includes(0)) return
  origins.set(
    after,
    deriveList({ items: before, derived: known }, after, (item) => fromCel(item) as DataValue),
  )
}

/** Converts the result of an expression back. Data that an expression only selects keep their identity. */
export function fromCel(value: unknown): DataValue | Date {
  if (typeof value === 'bigint') return integerOf(value)
  if (typeof value !== 'object' || value === null) return value as DataValue
  if (value instanceof Date) return value
  const origin = origins.get(value)
  if (origin !== undefined) return origin
  if (Array.isArray(value)) {
    const list = value.map((item) => fromCel(item) as DataValue)
    origins.set(value, list)
    return list
  }
  const fields = value instanceof Map ? Object.fromEntries(value) : (value as Readonly<Record<string, unknown>>)
  return mapFields(fields, (field) => fromCel(field) as DataValue)
}

function integerOf(value: bigint): number {
  const integer = Number(value)
  if (Number.isSafeInteger(integer)) return integer
  throw new Fault('BadRequest', `${value} is out of range; integers have at most 15 digits`)
}
