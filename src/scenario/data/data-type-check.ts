import { type DataType, type DataValue, isList } from '../expression/data-type.ts'

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
  const text = JSON.stringify(value)
  return `${path} is ${nameOfType(type)}; ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text} is not`
}

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
