import type { BinaryOperator, UnaryOperator } from './syntax.ts'
import {
  bool,
  bytes,
  float,
  int,
  isTrue,
  iterableItems,
  MAX_ITEMS,
  MAX_STRING_CHARACTERS,
  numberOf,
  PythonError,
  printedText,
  repr,
  str,
  tuple,
  typeName,
  type Value,
} from './value.ts'

export function applyUnary(operator: UnaryOperator, operand: Value): Value {
  if (operator === 'not') return bool(!isTrue(operand))
  const number = numberOf(operand)
  if (number === undefined)
    throw new PythonError('TypeError', `bad operand type for unary ${operator}: '${typeName(operand)}'`)
  const value = operator === '-' ? -number : number
  return operand.kind === 'float' ? float(value) : int(value)
}

/** Applies an operator other than `and` and `or`, which evaluate their right side only when needed. */
export function applyBinary(operator: Exclude<BinaryOperator, 'and' | 'or'>, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
      return bool(new ValueComparison().isEqual(left, right))
    case '!=':
      return bool(!new ValueComparison().isEqual(left, right))
    case 'is':
      return bool(isSame(left, right))
    case 'is not':
      return bool(!isSame(left, right))
    case 'in':
      return bool(contains(right, left))
    case 'not in':
      return bool(!contains(right, left))
    case '<':
    case '>':
    case '<=':
    case '>=':
      return bool(compares(operator, left, right))
    case '+':
    case '-':
    case '*':
    case '/':
    case '//':
    case '%':
    case '**':
      return arithmetic(operator, left, right)
  }
}

const isSame = (left: Value, right: Value): boolean =>
  left === right ||
  (left.kind === 'none' && right.kind === 'none') ||
  (left.kind === 'bool' && right.kind === 'bool' && left.value === right.value) ||
  (left.kind === 'class' && right.kind === 'class' && left.name === right.name)

function contains(container: Value, item: Value): boolean {
  if (container.kind === 'bytes' && item.kind === 'bytes') return container.value.includes(item.value)
  if (container.kind === 'str') {
    if (item.kind === 'str') return container.value.includes(item.value)
    throw new PythonError('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`)
  }
  const items = iterableItems(container)
  if (!items) throw new PythonError('TypeError', `argument of type '${typeName(container)}' is not iterable`)
  const comparison = new ValueComparison()
  return items.some((each) => comparison.isEqual(each, item))
}

type Order = '<' | '>' | '<=' | '>='

function compares(operator: Order, left: Value, right: Value): boolean {
  const order = new ValueComparison().order(left, right)
  if (order === undefined) throw unsupported(left, right, `'${operator}' not supported between instances of`)
  if (Number.isNaN(order)) return false
  return operator === '<' ? order < 0 : operator === '>' ? order > 0 : operator === '<=' ? order <= 0 : order >= 0
}

type Arithmetic = '+' | '-' | '*' | '/' | '//' | '%' | '**'

function arithmetic(operator: Arithmetic, left: Value, right: Value): Value {
  const [first, second] = [numberOf(left), numberOf(right)]
  if (first !== undefined && second !== undefined)
    return calculate(operator, first, second, left.kind === 'float' || right.kind === 'float')
  if (operator === '+') {
    if (left.kind === 'str' && right.kind === 'str') return bounded(left.value + right.value)
    if (left.kind === 'bytes' && right.kind === 'bytes') {
      const text = left.value + right.value
      if (text.length > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
      return bytes(text)
    }
    if (left.kind === 'str')
      throw new PythonError('TypeError', `can only concatenate str (not "${typeName(right)}") to str`)
    if (left.kind === 'list' && right.kind === 'list')
      return { kind: 'list', items: boundedItems([...left.items, ...right.items]) }
    if (left.kind === 'tuple' && right.kind === 'tuple') return tuple(boundedItems([...left.items, ...right.items]))
  }
  if (operator === '*') {
    if (second !== undefined && right.kind !== 'float') return repeated(left, second) ?? fail(operator, left, right)
    if (first !== undefined && left.kind !== 'float') return repeated(right, first) ?? fail(operator, left, right)
  }
  if (operator === '%' && left.kind === 'str') return percentFormat(left.value, right)
  return fail(operator, left, right)
}

function calculate(operator: Arithmetic, left: number, right: number, isFloat: boolean): Value {
  if (right === 0 && (operator === '/' || operator === '//' || operator === '%'))
    throw new PythonError('ZeroDivisionError', operator === '/' && !isFloat ? 'division by zero' : DIVISIONS[operator]!)
  const result = (value: number): Value => (isFloat ? float(value) : int(value))
  switch (operator) {
    case '+':
      return result(left + right)
    case '-':
      return result(left - right)
    case '*':
      return result(left * right)
    case '/':
      return float(left / right)
    case '//':
      return result(Math.floor(left / right))
    case '%':
      return result(left - right * Math.floor(left / right))
    case '**':
      return right < 0 && !isFloat ? float(left ** right) : result(left ** right)
  }
}

const DIVISIONS: Readonly<Record<string, string>> = {
  '/': 'float division by zero',
  '//': 'integer division or modulo by zero',
  '%': 'integer modulo by zero',
}

function repeated(value: Value, times: number): Value | undefined {
  const count = Math.max(0, times)
  if (value.kind === 'str') {
    if (value.value.length * count > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
    return str(value.value.repeat(count))
  }
  if (value.kind !== 'list' && value.kind !== 'tuple') return undefined
  if (value.items.length * count > MAX_ITEMS) throw new PythonError('MemoryError', 'too many items')
  const items = Array.from({ length: count }, () => value.items).flat()
  return value.kind === 'list' ? { kind: 'list', items } : tuple(items)
}

function bounded(text: string): Value {
  if (text.length > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
  return str(text)
}

function boundedItems(items: readonly Value[]): readonly Value[] {
  if (items.length > MAX_ITEMS) throw new PythonError('MemoryError', 'too many items')
  return items
}

function fail(operator: string, left: Value, right: Value): never {
  throw unsupported(left, right, `unsupported operand type(s) for ${operator}:`)
}

const unsupported = (left: Value, right: Value, message: string): PythonError =>
  new PythonError('TypeError', `${message} '${typeName(left)}' and '${typeName(right)}'`)

const MAX_STEPS = 100_000
const MAX_DEPTH = 500
/** Characters of two texts that count as one step. */
const CHARACTERS_PER_STEP = 1_000

/**
 * Compares values for one operation, such as `in` or `min`. All of its comparisons share a limit, because values that share
 * parts can be far larger than the program. Throws `RecursionError` beyond it.
 */
export class ValueComparison {
  #steps = 0

  isEqual(left: Value, right: Value, depth = 0): boolean {
    this.#count(left, right, depth)
    if (left === right) return true
    const numbers = [numberOf(left), numberOf(right)]
    if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] === numbers[1]
    if ((left.kind === 'str' && right.kind === 'str') || (left.kind === 'bytes' && right.kind === 'bytes'))
      return left.value === right.value
    if (left.kind === 'class' && right.kind === 'class') return left.name === right.name
    if (left.kind === 'none') return right.kind === 'none'
    if ((left.kind === 'list' && right.kind === 'list') || (left.kind === 'tuple' && right.kind === 'tuple'))
      return (
        left.items.length === right.items.length &&
        left.items.every((item, index) => this.isEqual(item, right.items[index]!, depth + 1))
      )
    if (left.kind === 'dict' && right.kind === 'dict')
      return (
        left.entries.length === right.entries.length &&
        left.entries.every(([key, value]) =>
          right.entries.some(
            ([otherKey, otherValue]) =>
              this.isEqual(key, otherKey, depth + 1) && this.isEqual(value, otherValue, depth + 1),
          ),
        )
      )
    return false
  }

  /** Negative, zero or positive as the left value comes first. Undefined if the values have no order. */
  order(left: Value, right: Value, depth = 0): number | undefined {
    this.#count(left, right, depth)
    const numbers = [numberOf(left), numberOf(right)]
    if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] - numbers[1]
    if (left.kind === 'str' && right.kind === 'str')
      return left.value < right.value ? -1 : left.value > right.value ? 1 : 0
    if ((left.kind === 'list' && right.kind === 'list') || (left.kind === 'tuple' && right.kind === 'tuple')) {
      for (const [index, item] of left.items.entries()) {
        const other = right.items[index]
        if (!other) return 1
        if (!this.isEqual(item, other, depth + 1)) return this.order(item, other, depth + 1)
      }
      return left.items.length - right.items.length
    }
    return undefined
  }

  #count(left: Value, right: Value, depth: number): void {
    this.#steps++
    if (isText(left) && isText(right))
      this.#steps += Math.min(left.value.length, right.value.length) / CHARACTERS_PER_STEP
    if (this.#steps > MAX_STEPS) throw new PythonError('RecursionError', 'the values are too large to compare')
    if (depth > MAX_DEPTH) throw new PythonError('RecursionError', 'maximum recursion depth exceeded in comparison')
  }
}

const isText = (value: Value): value is Extract<Value, { kind: 'str' | 'bytes' }> =>
  value.kind === 'str' || value.kind === 'bytes'

/** A set of the items, each once. Throws `TypeError` for an item that changes, such as a list. */
export const setOf = (items: readonly Value[]): Value => ({
  kind: 'set',
  items: distinct(items.map((item) => [item, item] as const)).map(([item]) => item),
})

/** A dict in which the last value of a key counts. */
export const dictOf = (entries: readonly (readonly [Value, Value])[]): Value => ({
  kind: 'dict',
  entries: distinct(entries),
})

function distinct(entries: readonly (readonly [Value, Value])[]): readonly (readonly [Value, Value])[] {
  const comparison = new ValueComparison()
  const found: (readonly [Value, Value])[] = []
  const placeOfScalar = new Map<unknown, number>()
  for (const entry of entries) {
    const [key, value] = entry
    assertHashable(key)
    const scalar = scalarKey(key)
    const known =
      scalar === undefined
        ? found.findIndex(([other]) => comparison.isEqual(other, key))
        : (placeOfScalar.get(scalar) ?? -1)
    if (known >= 0) {
      found[known] = [found[known]![0], value]
      continue
    }
    if (scalar !== undefined) placeOfScalar.set(scalar, found.length)
    found.push(entry)
  }
  return found
}

/** The same for equal texts and for equal numbers. */
const scalarKey = (value: Value): string | number | undefined =>
  numberOf(value) ?? (value.kind === 'str' ? `s${value.value}` : value.kind === 'bytes' ? `b${value.value}` : undefined)

/** Throws `TypeError` for a value that cannot be an item of a set or a key of a dict. */
export function assertHashable(value: Value): void {
  if (value.kind === 'list' || value.kind === 'set' || value.kind === 'dict')
    throw new PythonError('TypeError', `unhashable type: '${typeName(value)}'`)
}

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

/** `'%s is %d' % (name, count)`, with `%s`, `%r`, `%d`, `%i`, `%f` and `%.2f`. */
function percentFormat(template: string, given: Value): Value {
  const values = given.kind === 'tuple' ? [...given.items] : [given]
  let text = ''
  for (let at = 0; at < template.length; at++) {
    if (template[at] !== '%') {
      text += template[at]
      continue
    }
    const end =
      at + 1 + [...template.slice(at + 1, at + 8)].findIndex((character) => !'.0123456789'.includes(character))
    const letter = template[end] ?? ''
    if (letter === '%') text += '%'
    else {
      const value = values.shift()
      if (!value) throw new PythonError('TypeError', 'not enough arguments for format string')
      text += percentFormatted(value, template.slice(at + 1, end), letter)
    }
    if (text.length > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
    at = end
  }
  if (values.length > 0) throw new PythonError('TypeError', 'not all arguments converted during string formatting')
  return str(text)
}

function percentFormatted(value: Value, modifiers: string, letter: string): string {
  if (letter === 's' || letter === 'r') {
    const text = letter === 'r' ? repr(value) : printedText(value)
    // Aligned to the right, other than in formatted strings.
    const width = /^\d{1,3}$/.exec(modifiers)?.[0]
    if (width === undefined && modifiers !== '') throw invalidFormat(modifiers + letter)
    return text.padStart(Number(width ?? 0))
  }
  const number = numberOf(value)
  if (number === undefined && 'dif'.includes(letter))
    throw new PythonError('TypeError', `%${letter} format: a real number is required, not ${typeName(value)}`)
  const isWhole = letter === 'd' || letter === 'i'
  return formatValue(
    isWhole && number !== undefined ? int(Math.trunc(number)) : value,
    modifiers + (isWhole ? 'd' : letter),
  )
}

const invalidFormat = (spec: string): PythonError => new PythonError('ValueError', `Invalid format specifier '${spec}'`)

const DEFAULT_DECIMALS = 6
const MAX_DECIMALS = 50

/**
 * Formats a value as `{value:spec}` does, with the specs `s`, `d` and `f`, a width such as `5d` or `02d`, and decimals such as
 * `.2f`. Throws `ValueError` for any other.
 */
export function formatValue(value: Value, spec: string): string {
  if (spec === '') return printedText(value)
  const parts = /^(0?)(\d{0,3})(?:\.(\d{1,2}))?([fFds]?)$/.exec(spec)
  if (!parts) throw invalidFormat(spec)
  const [, zero = '', width = '', decimals, letter = ''] = parts
  if (decimals !== undefined && letter.toLowerCase() !== 'f') throw invalidFormat(spec)
  if (value.kind === 'str' && (letter === 's' || letter === '') && zero === '') return value.value.padEnd(Number(width))
  const number = numberOf(value)
  if (number === undefined || letter === 's' || (letter === 'd' && value.kind === 'float'))
    throw new PythonError('ValueError', `Unknown format code '${letter}' for object of type '${typeName(value)}'`)
  const text = numberText(value, number, letter, decimals)
  if (zero === '') return text.padStart(Number(width))
  const sign = text.startsWith('-') ? '-' : ''
  return sign + text.slice(sign.length).padStart(Number(width) - sign.length, '0')
}

function numberText(value: Value, number: number, letter: string, decimals: string | undefined): string {
  if (letter === 'd') return String(number)
  if (letter === '') return value.kind === 'float' ? printedText(value) : String(number)
  return number.toFixed(decimals === undefined ? DEFAULT_DECIMALS : Math.min(MAX_DECIMALS, Number(decimals)))
}
