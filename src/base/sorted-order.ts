import { type ListDifference, listDifference } from './list-difference.ts'

/** Compares two items: negative if the first comes first. */
export type Compare<T> = (a: T, b: T) => number

/** The indexes of items in sort order; equal items in their own order. */
export function sortedOrder<T>(items: readonly T[], compare: Compare<T>): readonly number[] {
  return items.map((_, index) => index).sort((a, b) => compare(items[a]!, items[b]!) || a - b)
}

/** Below this number of items, and beyond this part of them, sorting all costs no more than moving those that changed. */
const MIN_ITEMS = 500
const MAX_CHANGED_PART = 1 / 16

/**
 * The sort order of items that were sorted before. Only items that changed are compared.
 * @param before The earlier items and their order, of which only the order of items that stay matters.
 */
export function updatedOrder<T>(
  before: { readonly items: readonly T[]; readonly order: readonly number[] },
  items: readonly T[],
  compare: Compare<T>,
): readonly number[] {
  const { start, removed, inserted } = listDifference(before.items, items)
  const changed: number[] = []
  const isInPlace = removed === inserted
  for (let index = start; index < start + inserted; index++)
    if (!isInPlace || before.items[index] !== items[index]) changed.push(index)
  if (items.length < MIN_ITEMS || changed.length > items.length * MAX_CHANGED_PART) return sortedOrder(items, compare)
  const order = keptOrder(before.order, items, { start, removed, inserted }, (index) =>
    isInPlace ? before.items[index] === items[index] : false,
  )
  for (const index of changed) order.splice(placeOf(order, items, index, compare), 0, index)
  return order
}

/** The order of the items that did not change, with their new indexes. */
function keptOrder<T>(
  order: readonly number[],
  items: readonly T[],
  { start, removed, inserted }: ListDifference,
  isKept: (index: number) => boolean,
): number[] {
  const kept: number[] = []
  for (const index of order)
    if (index < start) kept.push(index)
    else if (index >= start + removed) kept.push(index - removed + inserted)
    else if (index < items.length && isKept(index)) kept.push(index)
  return kept
}

/** The place of an item in an order, by binary search. */
function placeOf<T>(order: readonly number[], items: readonly T[], index: number, compare: Compare<T>): number {
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = order[middle]!
    if ((compare(items[other]!, items[index]!) || other - index) < 0) low = middle + 1
    else high = middle
  }
  return low
}
