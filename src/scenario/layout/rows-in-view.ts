import type { Element } from '../../desktop/model/element.ts'
import { subtreePredicate } from '../../desktop/tree/subtree-predicate.ts'
import { realised } from '../../desktop/widgets/items/virtual-rows.ts'
import { viewOf } from '../../desktop/widgets/scrolling/scrolling.ts'

const isVirtual = ({ traits }: Element): boolean => traits?.rows !== undefined || traits?.grid !== undefined
const holdsVirtual = subtreePredicate('special', isVirtual)

/** Creates the rows in view of a virtual list or table. */
export const withRows = (element: Element): Element =>
  isVirtual(element) ? realised(element, viewOf(element)) : element

/** Creates the rows in view of all virtual lists and tables of a tree without placed elements. */
export function withRowsBelow(element: Element): Element {
  if (!holdsVirtual(element)) return element
  const children = element.children.map(withRowsBelow)
  return withRows(children.every((child, at) => child === element.children[at]) ? element : { ...element, children })
}
