import { matchArguments, requireString } from './native.ts'
import { ValueComparison } from './operators.ts'
import {
  bool,
  bytes,
  int,
  iterableItems,
  MAX_STRING_CHARACTERS,
  type NativeFunction,
  NONE,
  PythonError,
  str,
  tuple,
  typeName,
  type Value,
} from './value.ts'

/** `bytes.decode(encoding, errors)`. Bytes are characters from U+0000 to U+00FF. */
function decodeBytes(data: string, encoding: Value, errors: Value): Value {
  const name = encodingNamed(encoding)
  const onError = requireString(errors, 'errors')
  if (name === 'latin-1') return str(data)
  const buffer = Buffer.from(data, 'latin1')
  const text =
    name === 'ascii' && buffer.some((byte) => byte > 0x7f) ? undefined : decodedUtf8(buffer, onError === 'strict')
  if (text !== undefined) return str(onError === 'ignore' ? text.replaceAll('\ufffd', '') : text)
  throw new PythonError('UnicodeDecodeError', `'${name}' codec can't decode the bytes`)
}

function decodedUtf8(buffer: Buffer, isStrict: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: isStrict, ignoreBOM: true }).decode(buffer)
  } catch {
    return undefined
  }
}

/** `str.encode(encoding)` */
function encodeText(text: string, encoding: Value): Value {
  const name = encodingNamed(encoding)
  if (name === 'utf-8') return bytes(Buffer.from(text, 'utf8').toString('latin1'))
  const limit = name === 'ascii' ? 0x7f : 0xff
  for (const character of text)
    if (character.codePointAt(0)! > limit)
      throw new PythonError('UnicodeEncodeError', `'${name}' codec can't encode character '${character}'`)
  return bytes(text)
}

function encodingNamed(encoding: Value): 'utf-8' | 'ascii' | 'latin-1' {
  const given = requireString(encoding, 'encoding')
  const name = ENCODINGS[given.toLowerCase().replaceAll('_', '-')]
  if (!name) throw new PythonError('LookupError', `unknown encoding: ${given.slice(0, 100)}`)
  return name
}

const ENCODINGS: Readonly<Record<string, 'utf-8' | 'ascii' | 'latin-1' | undefined>> = Object.assign(
  Object.create(null),
  {
    ...{ 'utf-8': 'utf-8', utf8: 'utf-8', u8: 'utf-8' },
    ...{ ascii: 'ascii', 'us-ascii': 'ascii' },
    ...{ 'latin-1': 'latin-1', latin1: 'latin-1', 'iso-8859-1': 'latin-1' },
  },
)

type Method<Self> = (self: Self, first: Value, second: Value) => Value
type Methods<Self> = Readonly<Record<string, Method<Self> | undefined>>

/** A method of a value, or undefined. Values never change, so lists have no `append`. */
export function methodOf(object: Value, name: string): NativeFunction | undefined {
  const call = boundMethod(object, name)
  if (!call) return undefined
  const [first, second] = PARAMETERS[name] ?? [{ name: 'first' }, { name: 'second' }]
  const parameters = [first, second].map((parameter) => ({ default: NONE, ...parameter }))
  return {
    kind: 'function',
    name,
    call: (given) => {
      const bound = matchArguments(name, parameters, given)
      return call(bound.get(first.name)!, bound.get(second.name)!)
    },
  }
}

function boundMethod(object: Value, name: string): ((first: Value, second: Value) => Value) | undefined {
  const bind = <Self>(self: Self, methods: Methods<Self>) => {
    const method = methods[name]
    return method && ((first: Value, second: Value) => method(self, first, second))
  }
  switch (object.kind) {
    case 'str':
      return bind(object.value, TEXT_METHODS)
    case 'bytes':
      return bind(object.value, BYTES_METHODS)
    case 'list':
    case 'tuple':
      return bind(object.items, SEQUENCE_METHODS)
    case 'dict':
      return bind(object.entries, DICT_METHODS)
    case 'object':
    case 'function':
    case 'int':
    case 'bool':
    case 'set':
    case 'none':
    case 'float':
    case 'module':
    case 'class':
    case 'exception':
      return undefined
  }
}

interface MethodParameter {
  readonly name: string
  readonly default?: Value
}

const ENCODING = [
  { name: 'encoding', default: str('utf-8') },
  { name: 'errors', default: str('strict') },
] as const
/** The parameters of methods that programs call with keywords or that have defaults. */
const PARAMETERS: Readonly<Record<string, readonly [MethodParameter, MethodParameter] | undefined>> = Object.assign(
  Object.create(null),
  { decode: ENCODING, encode: ENCODING, split: [{ name: 'sep' }, { name: 'maxsplit' }] },
)

const methodTable = <Self>(methods: Record<string, Method<Self>>): Methods<Self> =>
  Object.assign(Object.create(null), methods)

const TEXT_METHODS = methodTable<string>({
  encode: (text, encoding) => encodeText(text, encoding),
  lower: (text) => str(text.toLowerCase()),
  upper: (text) => str(text.toUpperCase()),
  strip: (text) => str(text.trim()),
  lstrip: (text) => str(text.trimStart()),
  rstrip: (text) => str(text.trimEnd()),
  startswith: (text, first) => bool(text.startsWith(requireString(first, 'prefix'))),
  endswith: (text, first) => bool(text.endsWith(requireString(first, 'suffix'))),
  find: (text, first) => int(text.indexOf(requireString(first, 'sub'))),
  split: (text, first, second) => {
    if (second.kind !== 'none')
      throw new PythonError('NotImplementedError', 'maxsplit is not supported by this desktop')
    const parts =
      first.kind === 'none'
        ? text.split(/\s+/).filter((part) => part !== '')
        : text.split(separator(requireString(first, 'sep')))
    return { kind: 'list', items: parts.map(str) }
  },
  isdigit: (text) => bool(/^\d+$/.test(text)),
  isalpha: (text) => bool(/^\p{L}+$/u.test(text)),
  splitlines: (text) => ({ kind: 'list', items: text.replace(/\n$/, '').split('\n').map(str) }),
  join: (text, first) => {
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
  replace: (text, first, second) => {
    const [from, to] = [requireString(first, 'old'), requireString(second, 'new')]
    const count = from === '' ? text.length + 1 : text.split(from).length - 1
    if (text.length + count * to.length > MAX_STRING_CHARACTERS)
      throw new PythonError('MemoryError', 'the text is too long')
    return str(text.split(from).join(to))
  },
})

const BYTES_METHODS = methodTable<string>({
  decode: decodeBytes,
  hex: (data) => str(Buffer.from(data, 'latin1').toString('hex')),
})

const SEQUENCE_METHODS = methodTable<readonly Value[]>({
  count: (items, first) => int(items.filter(equals(first)).length),
  index: (items, first) => {
    const at = items.findIndex(equals(first))
    if (at < 0) throw new PythonError('ValueError', 'the value is not in the sequence')
    return int(at)
  },
})

const DICT_METHODS = methodTable<readonly (readonly [Value, Value])[]>({
  get: (entries, first, second) => entries.findLast(([key]) => equals(first)(key))?.[1] ?? second,
  items: (entries) => ({ kind: 'list', items: entries.map((entry) => tuple(entry)) }),
  keys: (entries) => ({ kind: 'list', items: entries.map(([key]) => key) }),
  values: (entries) => ({ kind: 'list', items: entries.map(([, value]) => value) }),
})

function equals(wanted: Value): (value: Value) => boolean {
  const comparison = new ValueComparison()
  return (value) => comparison.isEqual(value, wanted)
}

function separator(text: string): string {
  if (text === '') throw new PythonError('ValueError', 'empty separator')
  return text
}
