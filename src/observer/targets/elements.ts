import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path, pathOf } from '../../desktop/model/element.ts'
import { type Match, nearestElements, querySelectorAll, selectorOf } from '../../desktop/tree/select.ts'
import { formatSelector, parseSelector } from '../../desktop/tree/selector.ts'
import { isConcealed } from '../../desktop/visible-bounds.ts'
import type { DesktopContext } from '../desktop-context.ts'

/** The arguments that name an element of the window. */
export const ElementChoice = z.object({
  selector: z
    .string()
    .optional()
    .describe('Selector of the element, e.g. Window/Button[name="OK"] or Window > Button "OK"'),
  element_id: z
    .string()
    .optional()
    .describe('Id of the element from a tree, or its ref as @e5; used when the selector does not match'),
})
export type ElementChoice = z.infer<typeof ElementChoice>

export interface ResolvedElement {
  readonly path: Path
  readonly element: Element
  /** The canonical form of the given selector, or a selector derived for the element. */
  readonly selector: string
  readonly matches: readonly { readonly path: Path; readonly element: Element }[]
}

/**
 * Resolves an element: by selector, then by id, by position (`root.0.2`), or by an id that is a selector. The fault for an
 * element that is not there names the nearest ones.
 */
export function resolveElement(tree: Element, choice: ElementChoice, windowUid: string): ResolvedElement {
  const resolved = attempt(() => findElement(tree, choice, windowUid))
  if ('found' in resolved) return resolved.found
  throw withNearest(resolved.fault, tree, choice)
}

/** The fault with the names of the nearest elements. */
function withNearest(fault: unknown, tree: Element, { selector, element_id: id }: ElementChoice): unknown {
  if (!(fault instanceof Fault) || fault.code !== 'ElementNotFound') return fault
  const near = nearestElements(tree, selector === undefined ? { id: id! } : parseSelector(selector))
  if (near.length === 0) return fault
  return new Fault(fault.code, `${fault.message}; the nearest: ${near.join(', ')}`, { ...fault.context, near })
}

function findElement(tree: Element, choice: ElementChoice, windowUid: string): ResolvedElement {
  const { selector, element_id: id } = choice
  if (selector === undefined && id === undefined)
    throw new Fault('BadRequest', 'name an element by selector or by element_id', { field: 'selector' })
  const bySelector = selector === undefined ? undefined : attempt(() => matchSelector(tree, selector, windowUid))
  if (bySelector && 'found' in bySelector) return bySelector.found
  const byId = id === undefined ? undefined : attempt(() => matchId(tree, id, windowUid))
  if (byId && 'found' in byId) return byId.found
  throw (bySelector ?? byId)!.fault
}

/** Whether the tree contains the element. */
export const containsElement = (tree: Element, choice: ElementChoice): boolean =>
  'found' in attempt(() => findElement(tree, choice, ''))

function attempt(find: () => ResolvedElement): { found: ResolvedElement } | { fault: unknown } {
  try {
    return { found: find() }
  } catch (fault) {
    return { fault }
  }
}

function matchSelector(tree: Element, text: string, windowUid: string): ResolvedElement {
  const selector = parseSelector(text)
  const matches = concealedLast(tree, querySelectorAll(tree, selector))
  const first = matches[0]
  if (!first)
    throw new Fault('ElementNotFound', `no element matches selector ${JSON.stringify(text)}`, {
      selector: text,
      window_uid: windowUid,
    })
  return { path: first.path, element: first.element, selector: formatSelector(selector), matches }
}

/** Matches in document order, but hidden and collapsed ones last. */
function concealedLast(tree: Element, matches: readonly Match[]): readonly Match[] {
  if (matches.length < 2) return matches
  const concealed = new Set(matches.filter(({ path }) => isConcealed(tree, path)))
  if (concealed.size === 0 || concealed.size === matches.length) return matches
  return [...matches.filter((match) => !concealed.has(match)), ...concealed]
}

function matchId(tree: Element, id: string, windowUid: string): ResolvedElement {
  const path = pathOf(tree, id) ?? pathByPosition(tree, id)
  const element = path && nodeAt(tree, path)
  if (path && element) return { path, element, selector: selectorOf(tree, path), matches: [{ path, element }] }
  const bySelector = attempt(() => matchSelector(tree, id, windowUid))
  if ('found' in bySelector) return bySelector.found
  throw new Fault('ElementNotFound', `no element has the id ${JSON.stringify(id)}`, {
    element_id: id,
    window_uid: windowUid,
  })
}

/** Clients that count children may write `root.0.2` also for an element with an id of its own. */
function pathByPosition(tree: Element, id: string): Path | undefined {
  const [root, ...steps] = id.split('.')
  if (
    root !== 'root' ||
    !steps.every((step) => step !== '' && [...step].every((digit) => digit >= '0' && digit <= '9'))
  )
    return undefined
  const path = steps.map(Number)
  return nodeAt(tree, path) ? path : undefined
}

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
  { computer }: DesktopContext,
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
  computer: DesktopContext['computer'],
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
