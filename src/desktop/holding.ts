import type { Element } from './element.ts'

/** Whether a node or something below it fits, remembered per node: asking again costs only what has changed since. */
export function holding(fits: (node: Element) => boolean): (root: Element) => boolean {
  const known = new WeakMap<Element, boolean>()
  const holds = (node: Element): boolean => {
    if (node.children.length === 0) return fits(node)
    const before = known.get(node)
    if (before !== undefined) return before
    const found = fits(node) || node.children.some(holds)
    known.set(node, found)
    return found
  }
  return holds
}
