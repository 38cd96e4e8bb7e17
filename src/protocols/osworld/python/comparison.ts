import { PythonError } from './python-error.ts'
import { numberOf, typeName, type Value } from './value.ts'

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
