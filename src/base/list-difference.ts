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
