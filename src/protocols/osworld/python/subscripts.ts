import { ValueComparison } from './comparison.ts'
import { PythonError } from './python-error.ts'
import { bytes, iterableItems, numberOf, repr, str, tuple, typeName, type Value } from './value.ts'

/** `value[from:to]` */
export function sliceOf(value: Value, from: number | undefined, to: number | undefined): Value {
  if (value.kind === 'str') return str([...value.value].slice(from, to).join(''))
  if (value.kind === 'bytes') return bytes(value.value.slice(from, to))
  if (value.kind === 'list') return { kind: 'list', items: value.items.slice(from, to) }
  if (value.kind === 'tuple') return tuple(value.items.slice(from, to))
  throw new PythonError('TypeError', `'${typeName(value)}' object is not subscriptable`)
}

/** `object[index]` */
export function itemAt(object: Value, index: Value): Value {
  if (object.kind === 'dict') {
    const comparison = new ValueComparison()
    const entry = object.entries.findLast(([key]) => comparison.isEqual(key, index))
    if (entry) return entry[1]
    throw new PythonError('KeyError', repr(index))
  }
  const items = object.kind === 'set' ? undefined : iterableItems(object)
  if (!items) throw new PythonError('TypeError', `'${typeName(object)}' object is not subscriptable`)
  const at = index.kind === 'float' ? undefined : numberOf(index)
  if (at === undefined)
    throw new PythonError('TypeError', `${typeName(object)} indices must be integers or slices, not ${typeName(index)}`)
  const item = items.at(at)
  if (!item || at >= items.length || at < -items.length)
    throw new PythonError('IndexError', `${typeName(object)} index out of range`)
  return item
}
