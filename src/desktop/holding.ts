import type { Element } from './element.ts'

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

/** What is asked of trees as a whole; the answers of all of them are remembered together, a bit for each. */
const questions: Question[] = []
const ofPlain: Question[] = []
let known = new WeakMap<Element, number>()

/**
 * Whether a node or something below it fits, remembered per node: asking again costs only what has changed since. A
 * question about `special` elements must say no to every plain leaf.
 */
export function holding(asks: Askable, fits: (node: Element) => boolean): (root: Element) => boolean {
  const bit = 1 << questions.length
  questions.push({ bit, fits })
  if (asks === 'any') ofPlain.push({ bit, fits })
  known = new WeakMap()
  return (root) => (root.children.length === 0 ? fits(root) : (answersOf(root) & bit) !== 0)
}

function answersOf(node: Element): number {
  if (node.children.length === 0) return ownAnswers(node)
  const before = known.get(node)
  if (before !== undefined) return before
  let answers = ownAnswers(node)
  for (const child of node.children) answers |= answersOf(child)
  known.set(node, answers)
  return answers
}

function ownAnswers(node: Element): number {
  let answers = 0
  for (const { bit, fits } of isPlain(node) ? ofPlain : questions) if (fits(node)) answers |= bit
  return answers
}
