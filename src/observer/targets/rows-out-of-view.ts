import { Fault } from '../../base/fault.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { parseSelector } from '../../desktop/tree/selector.ts'
import type { DesktopParts } from '../session/parts.ts'
import { type ElementChoice, type ResolvedElement, resolveElement } from './elements.ts'

/** An element, and what makes it reachable. */
export interface ReachableElement {
  readonly found: ResolvedElement
  /** The tree that the element is in. */
  readonly tree: Element
  /** The row or cell that must be scrolled into view first. Undefined for an element of the current tree. */
  readonly reveals: Target | undefined
}

/**
 * Resolves an element of a window. If no element of the tree matches, the rows of lists and tables that are out of view are
 * searched in their order, and the result is as after scrolling to the first that matches. Selectors by position count what is
 * in the tree, so they find no such rows.
 */
export function resolveReachable(
  { computer }: DesktopParts,
  tree: Element,
  choice: ElementChoice,
  windowUid: string,
): ReachableElement {
  try {
    return { found: resolveElement(tree, choice, windowUid), tree, reveals: undefined }
  } catch (fault) {
    const isMissing = fault instanceof Fault && fault.code === 'ElementNotFound'
    const id = isMissing ? otherRow(computer, tree, choice, windowUid) : undefined
    if (id === undefined) throw fault
    const reveals = { window: windowUid, element: id }
    const shown = computer.treeWithRowInView!(reveals)
    if (!shown) throw fault
    return { found: resolveElement(shown, { ...choice, element_id: id }, windowUid), tree: shown, reveals }
  }
}

/** Elements that no row is, by tree, so that waiting for an element does not search all rows again and again. */
const missing = new WeakMap<Element, Set<string>>()
const MAX_MISSING = 100

/** The id of the first element of a row out of view that matches. */
function otherRow(
  computer: DesktopParts['computer'],
  tree: Element,
  choice: ElementChoice,
  windowUid: string,
): string | undefined {
  const name = JSON.stringify(choice)
  const known = missing.get(tree)
  if (!computer.treesWithOtherRows || known?.has(name) || isByPosition(choice.selector)) return undefined
  for (const other of computer.treesWithOtherRows(windowUid)) {
    const id = idIn(other, choice, windowUid)
    if (id !== undefined) return id
  }
  if (!known || known.size >= MAX_MISSING) missing.set(tree, new Set([name]))
  else known.add(name)
  return undefined
}

const isByPosition = (selector: string | undefined): boolean =>
  selector !== undefined && parseSelector(selector).steps.some(({ tests }) => tests.some(({ key }) => key === 'index'))

function idIn(tree: Element, choice: ElementChoice, windowUid: string): string | undefined {
  try {
    return resolveElement(tree, choice, windowUid).element.id
  } catch (fault) {
    if (fault instanceof Fault && fault.code === 'ElementNotFound') return undefined
    throw fault
  }
}
