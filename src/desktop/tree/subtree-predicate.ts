import { type Element, remembered } from '../model/element.ts'

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

/** What is asked of trees as a whole, sixteen questions at most; the answers to all are remembered together. */
const questions: Question[] = []
const ofPlain: Question[] = []
const ASKED = 16

/**
 * Whether a node or something below it fits, remembered per node: asking again costs only what has changed since. A
 * question about `special` elements must say no to every plain leaf.
 */
export function subtreePredicate(asks: Askable, fits: (node: Element) => boolean): (root: Element) => boolean {
  const bit = 1 << questions.length
  questions.push({ bit, fits })
  if (asks === 'any') ofPlain.push({ bit, fits })
  return (root) => (root.children.length === 0 ? fits(root) : (answersOf(root) & bit) !== 0)
}

/** A bit for each question that is true, and above them how many were asked, since more may come later. */
const answersOf = remembered(
  (node) => {
    let answers = ownAnswers(node)
    for (const child of node.children) answers |= answersAt(child)
    return answers | (questions.length << ASKED)
  },
  {
    holds: (answers) => answers >>> ASKED === questions.length,
    passOn: (answers, before, after) => (answersAt(before) === answersAt(after) ? answers : undefined),
  },
)

const answersAt = (node: Element): number => (node.children.length === 0 ? ownAnswers(node) : answersOf(node))

function ownAnswers(node: Element): number {
  let answers = 0
  for (const { bit, fits } of isPlain(node) ? ofPlain : questions) if (fits(node)) answers |= bit
  return answers
}
