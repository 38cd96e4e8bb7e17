import { type Element, memoize } from '../model/element.ts'

/**
 * The elements that may match: any, or only those that are not plain. Most elements are plain and then need no test.
 */
export type Askable = 'any' | 'special'

/** A leaf that is not open and has no traits, placement or shortcut. */
const isPlain = ({ children, traits, place, expanded, keyboardShortcut }: Element): boolean =>
  children.length === 0 &&
  traits === undefined &&
  place === undefined &&
  expanded !== true &&
  (keyboardShortcut === null || keyboardShortcut === '')

interface Question {
  readonly bit: number
  readonly fits: (node: Element) => boolean
}

/** The results of all predicates are the lower bits of a number, the number of predicates the bits above. */
const MAX_QUESTIONS = 16

/**
 * Returns whether a node or a descendant matches, memoised per node: a repeated call costs only what changed. A
 * predicate for `special` elements must be false for every plain leaf.
 */
export type SubtreePredicate = (asks: Askable, fits: (node: Element) => boolean) => (root: Element) => boolean

/** Creates a set of predicates that are memoised together. Adding a seventeenth throws. */
export function createSubtreePredicates(): SubtreePredicate {
  const questions: Question[] = []
  const ofPlain: Question[] = []

  /** A bit per predicate that is true, and above them the number of predicates, because more may be added later. */
  const answersOf = memoize(
    (node) => {
      let answers = ownAnswers(node)
      for (const child of node.children) answers |= answersAt(child)
      return answers | (questions.length << MAX_QUESTIONS)
    },
    {
      isValid: (answers) => answers >>> MAX_QUESTIONS === questions.length,
      update: (answers, before, after) => (answersAt(before) === answersAt(after) ? answers : undefined),
    },
  )

  const answersAt = (node: Element): number => (node.children.length === 0 ? ownAnswers(node) : answersOf(node))

  function ownAnswers(node: Element): number {
    let answers = 0
    for (const { bit, fits } of isPlain(node) ? ofPlain : questions) if (fits(node)) answers |= bit
    return answers
  }

  return (asks, fits) => {
    if (questions.length === MAX_QUESTIONS)
      throw new Error(`there are ${MAX_QUESTIONS} subtree predicates already; widen the answers before you add another`)
    const bit = 1 << questions.length
    questions.push({ bit, fits })
    if (asks === 'any') ofPlain.push({ bit, fits })
    return (root) => (root.children.length === 0 ? fits(root) : (answersOf(root) & bit) !== 0)
  }
}

/** The predicates of this package. */
export const subtreePredicate = createSubtreePredicates()
