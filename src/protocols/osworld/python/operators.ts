import { ValueComparison } from './comparison.ts'
import { percentFormat } from './formatting.ts'
import { PythonError } from './python-error.ts'
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
