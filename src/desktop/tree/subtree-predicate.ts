import { type Element, memoize } from '../model/element.ts'

/**
 * The elements that may match: any, or only those that are not plain. Most elements are plain and then need no test.
 */
export type PredicateScope = 'any' | 'special'

/** A leaf that is not open and has no traits, placement or shortcut. */
const isPlain = ({ children, traits, place, expanded, keyboardShortcut }: Element): boolean =>
  children.length === 0 &&
  traits === undefined &&
  place === undefined &&
  expanded !== true &&
  (keyboardShortcut === null || keyboardShortcut === '')

interface Predicate {
  readonly bit: number
  readonly matches: (node: Element) => boolean
}

/** The results of all predicates are the lower bits of a number, the number of predicates the bits above. */
const MAX_PREDICATES = 16

/**
 * Returns whether a node or a descendant matches, memoised per node: a repeated call costs only what changed. A
 * predicate for `special` elements must be false for every plain leaf.
 */
export type SubtreePredicate = (
  scope: PredicateScope,
  matches: (node: Element) => boolean,
) => (root: Element) => boolean

/** Creates a set of predicates that are memoised together. Adding a seventeenth throws. */
export function createSubtreePredicates(): SubtreePredicate {
  const predicates: Predicate[] = []
  const plainPredicates: Predicate[] = []

  /** A bit per predicate that is true, and above them the number of predicates, because more may be added later. */
  const resultsOf = memoize(
    (node) => {
      let results = ownResults(node)
      for (const child of node.children) results |= resultsAt(child)
      return results | (predicates.length << MAX_PREDICATES)
    },
    {
      isValid: (results) => results >>> MAX_PREDICATES === predicates.length,
      update: (results, before, after) => (resultsAt(before) === resultsAt(after) ? results : undefined),
    },
  )

  const resultsAt = (node: Element): number => (node.children.length === 0 ? ownResults(node) : resultsOf(node))

  function ownResults(node: Element): number {
    let results = 0
    for (const { bit, matches } of isPlain(node) ? plainPredicates : predicates) if (matches(node)) results |= bit
    return results
  }

  return (scope, matches) => {
    if (predicates.length === MAX_PREDICATES)
      throw new Error(
        `there are ${MAX_PREDICATES} subtree predicates already; widen the results before you add another`,
      )
    const bit = 1 << predicates.length
    predicates.push({ bit, matches })
    if (scope === 'any') plainPredicates.push({ bit, matches })
    return (root) => (root.children.length === 0 ? matches(root) : (resultsOf(root) & bit) !== 0)
  }
}

/** The predicates of this package. */
export const subtreePredicate = createSubtreePredicates()
