import { PythonError } from './python-error.ts'
import { matchArguments, requireString } from './signature.ts'
import {
  bool,
  int,
  iterableItems,
  MAX_STRING_CHARACTERS,
  type NativeFunction,
  NONE,
  str,
  typeName,
  type Value,
} from './value.ts'

type TextMethod = (text: string, first: Value, second: Value) => Value

/** A method of a value, or undefined. Values never change, so lists have no `append`. */
export function methodOf(object: Value, name: string): NativeFunction | undefined {
  if (object.kind !== 'str') return undefined
  const method = TEXT_METHODS[name]
  if (!method) return undefined
  const call: NativeFunction['call'] = (given) => {
    const bound = matchArguments(
      name,
      [
        { name: 'first', default: NONE },
        { name: 'second', default: NONE },
      ],
      given,
    )
    return method(object.value, bound.get('first')!, bound.get('second')!)
  }
  return { kind: 'function', name, call }
}

const TEXT_METHODS: Readonly<Record<string, TextMethod | undefined>> = Object.assign(Object.create(null), {
  lower: (text: string) => str(text.toLowerCase()),
  upper: (text: string) => str(text.toUpperCase()),
  strip: (text: string) => str(text.trim()),
  lstrip: (text: string) => str(text.trimStart()),
  rstrip: (text: string) => str(text.trimEnd()),
  startswith: (text: string, first: Value) => bool(text.startsWith(requireString(first, 'prefix'))),
  endswith: (text: string, first: Value) => bool(text.endsWith(requireString(first, 'suffix'))),
  find: (text: string, first: Value) => int(text.indexOf(requireString(first, 'sub'))),
  split: (text: string, first: Value) => ({
    kind: 'list',
    items: (first.kind === 'none'
      ? text.split(/\s+/).filter((part) => part !== '')
      : text.split(separator(requireString(first, 'sep')))
    ).map(str),
  }),
  splitlines: (text: string) => ({ kind: 'list', items: text.replace(/\n$/, '').split('\n').map(str) }),
  join: (text: string, first: Value) => {
    const items = iterableItems(first)
    if (!items) throw new PythonError('TypeError', 'can only join an iterable')
    const parts = items.map((item, index) => {
      if (item.kind === 'str') return item.value
      throw new PythonError('TypeError', `sequence item ${index}: expected str instance, ${typeName(item)} found`)
    })
    const characters = parts.reduce((sum, part) => sum + part.length + text.length, 0)
    if (characters > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
    return str(parts.join(text))
  },
  replace: (text: string, first: Value, second: Value) => {
    const [from, to] = [requireString(first, 'old'), requireString(second, 'new')]
    const count = from === '' ? text.length + 1 : text.split(from).length - 1
    if (text.length + count * to.length > MAX_STRING_CHARACTERS)
      throw new PythonError('MemoryError', 'the text is too long')
    return str(text.split(from).join(to))
  },
} satisfies Record<string, TextMethod>)

function separator(text: string): string {
  if (text === '') throw new PythonError('ValueError', 'empty separator')
  return text
}
