import type { ListDifference } from '../../base/lists.ts'
import { type DataType, type DataValue, isList } from '../expression/data-type.ts'

/** The values of the variables of a run by name. Immutable: a change makes another record. */
export type RunData = Readonly<Record<string, DataValue>>

/** A step to a part of a variable: to a field, or to the item of a list whose field `keyField` is `key`. */
export type DataStep = { readonly field: string } | { readonly key: DataValue; readonly keyField: string }

/** A place in the data: a variable, or a part of it. */
export interface DataPlace {
  readonly var: string
  readonly at: readonly DataStep[]
}

/** The data of a scenario without variables. */
export const NO_DATA: RunData = Object.freeze({})

/** The names of the variables whose values differ. */
export const changedVars = (before: RunData, after: RunData): readonly string[] =>
  before === after
    ? []
    : [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name])

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

/** Why a value does not fit a type, or undefined when it fits. `path` names the value. */
export function misfit(value: DataValue, type: DataType, path: string): string | undefined {
  if (type.kind === 'any') return undefined
  if (type.kind === 'list') {
    if (value === null || !isList(value)) return expected(path, type, value)
    for (const [index, item] of value.entries()) {
      const wrong = misfit(item, type.items, `${path}[${index}]`)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  if (type.kind === 'record') return recordMisfit(value, type.fields, path, type)
  return FITS[type.kind](value) ? undefined : expected(path, type, value)
}

const FITS = {
  int: (value: DataValue) => Number.isSafeInteger(value),
  double: (value: DataValue) => typeof value === 'number',
  string: (value: DataValue) => typeof value === 'string',
  bool: (value: DataValue) => typeof value === 'boolean',
  timestamp: () => false,
}

function recordMisfit(
  value: DataValue,
  fields: Readonly<Record<string, DataType>>,
  path: string,
  type: DataType,
): string | undefined {
  if (typeof value !== 'object' || value === null || isList(value)) return expected(path, type, value)
  for (const name of Object.keys(value))
    if (!Object.hasOwn(fields, name))
      return `${path} has no field ${JSON.stringify(name)}; its fields are ${Object.keys(fields).join(', ')}`
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(value, name)) {
      const wrong = misfit(value[name]!, field, `${path}.${name}`)
      if (wrong !== undefined) return wrong
    } else if (field.kind !== 'any') return `${path} needs the field ${name} (${nameOfType(field)})`
  }
  return undefined
}

const MAX_SHOWN = 60

function expected(path: string, type: DataType, value: DataValue): string {
  const text = shortened(JSON.stringify(value))
  const computes = typeof value === 'string' && COMPUTES.test(value)
  return `${path} is ${nameOfType(type)}; ${text} is not${computes ? `; to compute it, write {{ ${shortened(value)} }}` : ''}`
}

/** What a text has that should have been an expression. */
const COMPUTES = /[\w)] *[-+*/%?] *[\w(]|[=!<>]=|&&|\|\|/

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

const NAMES = {
  int: 'an integer',
  double: 'a number',
  string: 'a text',
  bool: 'true or false',
  timestamp: 'a time',
  any: 'any value',
  list: 'a list',
  record: 'a record',
}

/** A type in words. */
export const nameOfType = ({ kind }: DataType): string => NAMES[kind]

/** Whether values of one type may be stored where another is expected. What only a value shows counts as possible. */
export function isAssignable(from: DataType, to: DataType): boolean {
  if (to.kind === 'any' || from.kind === 'any') return true
  if (to.kind === 'list') return from.kind === 'list' && isAssignable(from.items, to.items)
  if (to.kind === 'record') return from.kind === 'record'
  return from.kind === to.kind || (from.kind === 'int' && to.kind === 'double')
}

const INTEGER = /^[+-]?\d{1,15}$/
const NUMBER = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/
const GROUPED = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/

/** The value that a user means by a text, for a variable of a type. Undefined when the text is not such a value. */
export function parseTyped(text: string, type: DataType): DataValue | undefined {
  const trimmed = text.trim()
  const word = GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed
  switch (type.kind) {
    case 'string':
    case 'any':
      return text
    case 'int':
      return INTEGER.test(word) ? Number(word) : undefined
    case 'double':
      return NUMBER.test(word) ? Number(word) : undefined
    case 'bool':
      return word === 'true' ? true : word === 'false' ? false : undefined
    case 'timestamp':
    case 'list':
    case 'record':
      return undefined
  }
}
