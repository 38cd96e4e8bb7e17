import { type Element, memoize, pathOf, withFields } from '../model/element.ts'

/**
 * The tree with the roles and names of its scenario, and without what a platform added, as far as it is known. The nodes
 * keep their ids.
 */
export const writtenTree = memoize((element: Element): Element => {
  const { written } = element.traits ?? {}
  const fields = written ? { role: written.role, name: written.name } : {}
  return withFields(element, { ...fields, children: writtenChildren(element.children) })
})

/** The children without containers that were added, and cells in their rows. */
function writtenChildren(children: readonly Element[]): readonly Element[] {
  const result: Element[] = []
  for (let at = 0; at < children.length; at++) {
    const child = children[at]!
    const row = child.traits?.writtenRow
    if (child.traits?.added) result.push(...writtenChildren(child.children))
    else if (row) {
      let end = at + 1
      while (children[end]?.traits?.writtenRow?.id === row.id) end++
      const cells = children.slice(at, end).map(writtenTree)
      result.push(withFields(child, { ...row, children: cells, traits: undefined }))
      at = end - 1
    } else result.push(writtenTree(child))
  }
  return result
}

/** Whether a tree is shown as a platform does, with other roles and names than those of its scenario. */
export const isShownDifferently = (root: Element): boolean => root.traits?.written !== undefined

/** The path in a tree of an element of its written tree. A row that is not in the tree is its first cell. */
export const pathOfWritten = (root: Element, element: Element) =>
  pathOf(root, element.id) ?? (element.children[0] && pathOf(root, element.children[0].id))
