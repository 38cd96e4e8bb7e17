import { type Element, nodeById } from '../../desktop/model/element.ts'

/** The prefix of the id of a label. */
export const LABEL = 'label'

/** The prefix of the id of the root of an open popup in a window of its own. */
export const POPUP = 'popup'

/** The id of an element that a personality adds to one of the scenario. */
export const addedId = (prefix: string, id: string): string => `${prefix}:${id}`

/** The id of the element of the scenario that an id stands for: itself, or the element that it was added to. */
export function writtenId(tree: Element, id: string): string {
  if (nodeById(tree, id)) return id
  const inside = id.slice(id.indexOf(':') + 1)
  return inside !== id && nodeById(tree, inside) ? inside : id
}
