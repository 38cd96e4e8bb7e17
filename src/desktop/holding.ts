import type { Element } from './element.ts'
import { holdsWhenSame, noted } from './notes.ts'

/** What is asked of trees as a whole; the answers of all of them are remembered together, a bit for each. */
const questions: ((node: Element) => boolean)[] = []
let answersOf: ((node: Element) => number) | undefined

/**
 * Whether a node or something below it fits, remembered per node: asking again costs only what has changed since.
 * `fits` looks at a node itself, and of its children at most at whether there are any.
 */
export function holding(fits: (node: Element) => boolean): (root: Element) => boolean {
  const bit = 1 << questions.length
  questions.push(fits)
  // What is remembered so far does not answer this one.
  answersOf = undefined
  return (root) => {
    if (root.children.length === 0) return fits(root)
    answersOf ??= answering()
    return (answersOf(root) & bit) !== 0
  }
}

function answering(): (node: Element) => number {
  const answers: (node: Element) => number = noted(
    (node) => {
      let found = 0
      for (let index = 0; index < questions.length; index++) if (questions[index]!(node)) found |= 1 << index
      for (const child of node.children) found |= answers(child)
      return found
    },
    holdsWhenSame((child) => answers(child)),
  )
  return answers
}
