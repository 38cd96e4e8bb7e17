import { matchArguments, type Parameter, requireString } from './native.ts'
import { applyBinary, setOf, ValueComparison } from './operators.ts'
import {
  bool,
  bytes,
  float,
  type GivenArguments,
  int,
  isTrue,
  iterableItems,
  MAX_ITEMS,
  MAX_STRING_CHARACTERS,
  type NativeFunction,
  NONE,
  numberOf,
  PythonError,
  printedText,
  repr,
  str,
  tuple,
  typeName,
  type Value,
} from './value.ts'

type Print = (text: string) => void
type Builtin = (given: GivenArguments, print: Print) => Value

/** A builtin with one argument. */
const unary =
  (name: string, run: (value: Value) => Value, otherwise?: Value): Builtin =>
  (given) => {
    const parameter: Parameter = { name: 'object', ...(otherwise && { default: otherwise }) }
    return run(matchArguments(name, [parameter], given).get('object')!)
  }

/** The builtin functions of the subset, by name. */
export const BUILTINS: Readonly<Record<string, Builtin | undefined>> = Object.assign(Object.create(null), {
  print: ({ positional, keywords }: GivenArguments, print: Print) => {
    const options = matchArguments('print', PRINT_OPTIONS, { positional: [], keywords })
    print(
      positional.map(printedText).join(requireString(options.get('sep'), 'sep')) +
        requireString(options.get('end'), 'end'),
    )
    return NONE
  },
  str: unary('str', (value) => str(printedText(value)), str('')),
  repr: unary('repr', (value) => str(repr(value))),
  bool: unary('bool', (value) => bool(isTrue(value)), bool(false)),
  int: unary('int', toInt, int(0)),
  float: unary('float', toFloat, float(0)),
  len: unary('len', (value) => {
    if (value.kind === 'str') return int(codePointsIn(value.value))
    if (value.kind === 'bytes') return int(value.value.length)
    const items = iterableItems(value)
    if (!items) throw new PythonError('TypeError', `object of type '${typeName(value)}' has no len()`)
    return int(items.length)
  }),
  abs: unary('abs', (value) => sameKind(value, Math.abs(requireNumber('abs', value)))),
  list: unary('list', (value) => ({ kind: 'list', items: requireItems(value) }), { kind: 'list', items: [] }),
  tuple: unary('tuple', (value) => tuple(requireItems(value)), tuple([])),
  set: unary('set', (value) => setOf(requireItems(value)), { kind: 'set', items: [] }),
  any: unary('any', (value) => bool(requireItems(value).some(isTrue))),
  all: unary('all', (value) => bool(requireItems(value).every(isTrue))),
  sum: unary('sum', (value) => requireItems(value).reduce((total, item) => applyBinary('+', total, item), int(0))),
  reversed: unary('reversed', (value) => ({ kind: 'list', items: requireItems(value).toReversed() })),
  ord: unary('ord', (value) => {
    const text = value.kind === 'str' || value.kind === 'bytes' ? value.value : undefined
    if (text === undefined || codePointsIn(text) !== 1)
      throw new PythonError('TypeError', `ord() expected a character, but ${typeName(value)} found`)
    return int(text.codePointAt(0)!)
  }),
  chr: unary('chr', (value) => {
    if (value.kind !== 'int') throw new PythonError('TypeError', 'an integer is required')
    if (value.value < 0 || value.value > 0x10ffff)
      throw new PythonError('ValueError', 'chr() arg not in range(0x110000)')
    return str(String.fromCodePoint(value.value))
  }),
  enumerate: (given: GivenArguments) => {
    const bound = matchArguments('enumerate', [{ name: 'iterable' }, { name: 'start', default: int(0) }], given)
    const start = requireNumber('enumerate', bound.get('start')!)
    const items = requireItems(bound.get('iterable')!)
    return { kind: 'list', items: items.map((item, index) => tuple([int(start + index), item])) }
  },
  zip: ({ positional, keywords }: GivenArguments) => {
    if (keywords.size > 0) throw new PythonError('TypeError', 'zip() takes no keyword arguments here')
    const columns = positional.map(requireItems)
    const rows = columns.length === 0 ? 0 : Math.min(...columns.map((column) => column.length))
    if (rows * columns.length > MAX_ITEMS) throw new PythonError('MemoryError', 'too many items')
    return {
      kind: 'list',
      items: Array.from({ length: rows }, (_, row) => tuple(columns.map((column) => column[row]!))),
    }
  },
  round,
  range,
  min: (given: GivenArguments) => extreme('min', given, -1),
  max: (given: GivenArguments) => extreme('max', given, 1),
} satisfies Record<string, Builtin>)

const PRINT_OPTIONS: readonly Parameter[] = [
  { name: 'sep', default: str(' ') },
  { name: 'end', default: str('\n') },
  { name: 'file', default: NONE },
  { name: 'flush', default: NONE },
]

function codePointsIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function requireItems(value: Value): readonly Value[] {
  const items = iterableItems(value)
  if (!items) throw new PythonError('TypeError', `'${typeName(value)}' object is not iterable`)
  return items
}

function requireNumber(name: string, value: Value): number {
  const number = numberOf(value)
  if (number === undefined) throw new PythonError('TypeError', `bad operand type for ${name}(): '${typeName(value)}'`)
  return number
}

const sameKind = (like: Value, value: number): Value => (like.kind === 'float' ? float(value) : int(value))

function toInt(value: Value): Value {
  const number = numberOf(value)
  if (number !== undefined) {
    if (!Number.isFinite(number))
      throw new PythonError('OverflowError', 'cannot convert float infinity or NaN to integer')
    return int(Math.trunc(number))
  }
  if (value.kind === 'str' && /^\s*[+-]?\d{1,16}\s*$/.test(value.value)) return int(Number(value.value))
  throw conversionError('int', 'invalid literal for int() with base 10', value)
}

function toFloat(value: Value): Value {
  const number = numberOf(value)
  if (number !== undefined) return float(number)
  if (
    value.kind === 'str' &&
    value.value.length <= 100 &&
    /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value.value)
  )
    return float(Number(value.value))
  throw conversionError('float', 'could not convert string to float', value)
}

const conversionError = (name: string, message: string, value: Value): PythonError =>
  value.kind === 'str'
    ? new PythonError('ValueError', `${message}: ${repr(value)}`)
    : new PythonError('TypeError', `${name}() argument must be a string or a real number, not '${typeName(value)}'`)

/** Python rounds halves to the even number. */
function round(given: GivenArguments): Value {
  const bound = matchArguments('round', [{ name: 'number' }, { name: 'ndigits', default: NONE }], given)
  const value = bound.get('number')!
  const digits = bound.get('ndigits')!
  const number = requireNumber('round', value)
  if (digits.kind === 'none') {
    const low = Math.floor(number)
    const isHalf = number - low === 0.5
    return int(isHalf ? low + (((low % 2) + 2) % 2) : Math.round(number))
  }
  const places = numberOf(digits)
  if (digits.kind !== 'int' || places === undefined || Math.abs(places) > 15)
    throw new PythonError('TypeError', `'${typeName(digits)}' object cannot be interpreted as a number of digits`)
  return sameKind(
    value,
    places >= 0 ? Number(number.toFixed(places)) : Math.round(number * 10 ** places) / 10 ** places,
  )
}

function range(given: GivenArguments): Value {
  const numbers = given.positional.map((value) => {
    if (value.kind === 'int') return value.value
    throw new PythonError('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`)
  })
  if (given.keywords.size > 0) throw new PythonError('TypeError', 'range() takes no keyword arguments')
  if (numbers.length < 1 || numbers.length > 3)
    throw new PythonError('TypeError', `range expected 1 to 3 arguments, got ${numbers.length}`)
  const [from, to, step = 1] = numbers.length === 1 ? [0, numbers[0]!] : (numbers as [number, number, number?])
  if (step === 0) throw new PythonError('ValueError', 'range() arg 3 must not be zero')
  const count = Math.max(0, Math.ceil((to - from) / step))
  if (count > MAX_ITEMS) throw new PythonError('MemoryError', 'the range has too many numbers')
  return { kind: 'list', items: Array.from({ length: count }, (_, index) => int(from + index * step)) }
}

function extreme(name: string, { positional, keywords }: GivenArguments, sign: 1 | -1): Value {
  if (keywords.size > 0) throw new PythonError('TypeError', `${name}() takes no keyword arguments here`)
  const items = positional.length === 1 ? requireItems(positional[0]!) : positional
  if (items.length === 0) throw new PythonError('ValueError', `${name}() arg is an empty sequence`)
  const comparison = new ValueComparison()
  return items.reduce((best, item) => {
    const order = comparison.order(item, best)
    if (order === undefined)
      throw new PythonError(
        'TypeError',
        `'<' not supported between instances of '${typeName(item)}' and '${typeName(best)}'`,
      )
    return order * sign > 0 ? item : best
  })
}

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
