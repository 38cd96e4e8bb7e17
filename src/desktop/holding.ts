import type { Element } from './element.ts'

/** What is asked of trees as a whole; the answers of all of them are remembered together, a bit for each. */
const questions: ((node: Element) => boolean)[] = []
let known = new WeakMap<Element, number>()

/** Whether a node or something below it fits, remembered per node: asking again costs only what has changed since. */
export function holding(fits: (node: Element) => boolean): (root: Element) => boolean {
  const bit = 1 << questions.length
  questions.push(fits)
  known = new WeakMap()
  return (root) => (root.children.length === 0 ? fits(root) : (answersOf(root) & bit) !== 0)
}

function answersOf(node: Element): number {
  const before = node.children.length === 0 ? undefined : known.get(node)
  if (before !== undefined) return before
  let answers = 0
  for (let index = 0; index < questions.length; index++) if (questions[index]!(node)) answers |= 1 << index
  if (node.children.length === 0) return answers
  for (const child of node.children) answers |= answersOf(child)
  known.set(node, answers)
  return answers
}
