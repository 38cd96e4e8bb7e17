import { type Element, memoize } from '../model/element.ts'

/** What may fit: any element, or none of those that are plain, which are most and need not be asked then. */
export type Askable = 'any' | 'special'

/** A leaf that is not open and has no traits, no place and no shortcut. */
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

/** The answers to all questions are the lower bits of a number, and the count of the questions is above them. */
const MAX_QUESTIONS = 16

/**
 * Whether a node or something below it fits, remembered per node: asking again costs only what has changed since. A
 * question about `special` elements must say no to every plain leaf.
 */
export type SubtreePredicate = (asks: Askable, fits: (node: Element) => boolean) => (root: Element) => boolean

/** A set of predicates whose answers are remembered together. It throws for a predicate beyond the sixteenth. */
export function createSubtreePredicates(): SubtreePredicate {
  const questions: Question[] = []
  const ofPlain: Question[] = []

  /** A bit for each question that is true, and above them how many were asked, since more may come later. */
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
