/** Where two lists differ: between a common start and a common end. */
export interface ListDifference {
  readonly start: number
  /** The number of items of the earlier list that are not in the common parts. */
  readonly removed: number
  /** The number of items of the later list that are not in the common parts. */
  readonly inserted: number
}

/** Compares two lists by the identity of their items. */
export function listDifference<T>(before: readonly T[], after: readonly T[]): ListDifference {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return { start, removed: before.length - start - end, inserted: after.length - start - end }
}

/**
 * The list of what `derive` makes of each item, reusing the results for another list. Costs a comparison for each item,
 * and a call of `derive` for each item that is not at its place in the earlier list or moved as a part of its end.
 */
export function deriveList<T, R>(
  before: { readonly items: readonly T[]; readonly derived: readonly R[] },
  after: readonly T[],
  derive: (item: T, index: number) => R,
  { start, removed, inserted }: ListDifference = listDifference(before.items, after),
): readonly R[] {
  if (removed === 0 && inserted === 0) return before.derived
  const isInPlace = removed === inserted
  const made: R[] = []
  for (let index = start; index < start + inserted; index++)
    made.push(isInPlace && before.items[index] === after[index] ? before.derived[index]! : derive(after[index]!, index))
  return splicedList(before.derived, start, removed, made)
}

/** A list with some of its items replaced by others. */
export function splicedList<T>(
  list: readonly T[],
  start: number,
  removed: number,
  inserted: readonly T[],
): readonly T[] {
  if (removed !== inserted.length) return list.slice(0, start).concat(inserted, list.slice(start + removed))
  const next = list.slice()
  for (let at = 0; at < removed; at++) next[start + at] = inserted[at]!
  return next
}

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

/** Groups items by a key, in the order in which each key first occurs. */
export function groupsOf<T, Key>(items: readonly T[], keyOf: (item: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/**
 * Delta debugging: leaves out ever smaller chunks of a list until no single part can be left out.
 * @param parts A list that `fits`.
 * @param fits Whether a shorter list still has the property that matters.
 */
export async function smallest<Part>(
  parts: readonly Part[],
  fits: (parts: readonly Part[]) => Promise<boolean>,
): Promise<readonly Part[]> {
  let kept = parts
  for (let size = Math.ceil(parts.length / 2); size >= 1; ) {
    let isSmaller = false
    for (let at = 0; at < kept.length; ) {
      const fewer = kept.toSpliced(at, size)
      if (await fits(fewer)) {
        kept = fewer
        isSmaller = true
      } else at += size
    }
    if (!isSmaller || size > 1) size = size === 1 ? 0 : Math.floor(size / 2)
  }
  return kept
}
