/** A value that a scenario's data hold: plain JSON. */
export type DataValue = string | number | boolean | null | readonly DataValue[] | { readonly [name: string]: DataValue }

/** The type of a value in expressions. `any` is checked when the expression runs. */
export type DataType =
  | { readonly kind: 'int' | 'double' | 'string' | 'bool' | 'timestamp' | 'any' }
  | { readonly kind: 'list'; readonly items: DataType }
  | { readonly kind: 'record'; readonly fields: Readonly<Record<string, DataType>> }

export const ANY: DataType = { kind: 'any' }
export const INT: DataType = { kind: 'int' }
export const DOUBLE: DataType = { kind: 'double' }
export const STRING: DataType = { kind: 'string' }
export const BOOL: DataType = { kind: 'bool' }
export const TIMESTAMP: DataType = { kind: 'timestamp' }

/** Infers the type of a value. A list of records has one type with the fields of all of them. */
export function typeOf(value: DataValue): DataType {
  if (value === null) return ANY
  if (typeof value === 'string') return STRING
  if (typeof value === 'boolean') return BOOL
  if (typeof value === 'number') return Number.isSafeInteger(value) ? INT : DOUBLE
  if (isList(value)) {
    const [first, ...others] = value.map(typeOf)
    return { kind: 'list', items: first ? others.reduce(unify, first) : ANY }
  }
  return { kind: 'record', fields: mapFields(value, typeOf) }
}

/** The narrowest type that includes both. A field that one of two records lacks may be null. */
export function unify(one: DataType, other: DataType): DataType {
  if (one === other) return one
  if (one.kind === 'list' && other.kind === 'list') return { kind: 'list', items: unify(one.items, other.items) }
  if (one.kind === 'record' && other.kind === 'record') {
    if (hasSameFields(one.fields, other.fields)) return one
    const names = new Set([...Object.keys(one.fields), ...Object.keys(other.fields)])
    const fields = [...names].map((name) => [name, unify(one.fields[name] ?? ANY, other.fields[name] ?? ANY)])
    return { kind: 'record', fields: Object.fromEntries(fields) }
  }
  if (one.kind === other.kind) return one
  const kinds = [one.kind, other.kind]
  return kinds.every((kind) => kind === 'int' || kind === 'double') ? DOUBLE : ANY
}

/** Whether two records have the very same types, as almost all records of a list do. */
function hasSameFields(one: Readonly<Record<string, DataType>>, other: Readonly<Record<string, DataType>>): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

export const isList = (value: DataValue): value is readonly DataValue[] => Array.isArray(value)

/** A record with each field replaced by the result of a function. */
export const mapFields = <From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))

/** How a value reads inside a longer text: numbers and texts as they are, null as nothing, lists joined with commas. */
export function textOfValue(value: DataValue | Date): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (value === null) return ''
  if (isList(value)) return value.map(textOfValue).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
