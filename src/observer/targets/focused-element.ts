import type { Element } from '../../desktop/model/element.ts'

/** The element of a tree that has the keyboard focus. */
export function focusedElement(tree: Element): Element | undefined {
  if (tree.focused) return tree
  for (const child of tree.children) {
    const found = focusedElement(child)
    if (found) return found
  }
  return undefined
}
