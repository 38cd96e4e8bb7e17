import { isInTab } from '../model/control-metrics.ts'
import { type Element, memoize } from '../model/element.ts'
import { type Rect, unite } from '../model/geometry.ts'
import { roleKind, rolesWhere, rolesWith } from '../model/role.ts'

/**
 * How a child is shown, apart from `traits.hidden`. `inline`: in its parent and clipped by it. `loose`: in its parent,
 * but clipped only by what clips the parent (the page of a tab, the items below a tree item). `popup`: above everything
 * else of its window, clipped only by the screens. `folded`: in the tree, but neither painted nor hit.
 */
export type Visibility = 'inline' | 'loose' | 'popup' | 'folded'

/** Their children are popups while they are `expanded`. */
const POPS_UP = rolesWhere((role) => role.popup === 'children' || role.popup === 'both')
/** They are popups themselves while they are `expanded`, in any parent. */
const COMES_UP = rolesWhere((role) => role.popup === 'itself' || role.popup === 'both')
/** Parts of a combo box or date picker that are always shown. */
const FIELD_PARTS = rolesWith('fieldPart')
const TREE_ROWS = rolesWhere((role) => role.item === 'row')
/** They have a menu for what does not fit into them. */
const HAS_MORE = rolesWith('hasMore')
const PAGES = rolesWhere((role) => role.container === 'page')

export function visibilityOf(parent: Element, child: Element): Visibility {
  const owner = roleKind(parent.role)
  const kind = roleKind(child.role)
  if (owner === 'menubar') return 'inline'
  if (child.traits?.inMore) return parent.expanded === true ? 'popup' : 'folded'
  if (POPS_UP.has(owner)) {
    if (owner !== 'menu' && owner !== 'menuitem' && FIELD_PARTS.has(kind)) return 'inline'
    return parent.expanded === true ? 'popup' : 'folded'
  }
  if (isFloating(child)) return 'popup'
  if (COMES_UP.has(kind)) return child.expanded === true ? 'popup' : 'folded'
  if (owner === 'treeitem' && TREE_ROWS.has(kind)) return parent.expanded === true ? 'loose' : 'folded'
  if (owner === 'expander') return parent.expanded === true ? 'loose' : 'folded'
  if (owner === 'tab') return isInTab(child) ? 'inline' : parent.selected === true ? 'loose' : 'folded'
  if (owner === 'tabs' && PAGES.has(kind)) return isUnselectedPage(parent, child) ? 'folded' : 'inline'
  return 'inline'
}

/** Whether an element is a toast that floats over its window: one without bounds in the scenario. */
export const isFloating = ({ role, place }: Element): boolean => place !== undefined && roleKind(role) === 'toast'

/** Whether a child is content rather than a part of its parent: a page of tabs, the content of an expander. */
export const isContent = (parent: Element, child: Element): boolean =>
  visibilityOf(parent, child) === 'loose' || (roleKind(parent.role) === 'tabs' && PAGES.has(roleKind(child.role)))

/** Pages beside an equal number of tabs belong to them in order. Only that of the selected tab is shown. */
function isUnselectedPage(tabs: Element, page: Element): boolean {
  const items = tabs.children.filter((child) => roleKind(child.role) === 'tab')
  const pages = tabs.children.filter((child) => PAGES.has(roleKind(child.role)))
  if (items.length !== pages.length) return false
  const selected = items.findIndex((item) => item.selected === true)
  return pages[Math.max(0, selected)] !== page
}

/** Whether an element has an open popup: a menu, a drop-down list, a tooltip. */
export function isOpen(element: Element): boolean {
  if (element.expanded !== true) return false
  const kind = roleKind(element.role)
  if (HAS_MORE.has(kind)) return element.children.some(({ traits }) => traits?.inMore)
  return POPS_UP.has(kind) || COMES_UP.has(kind)
}

/** The bounds of an open popup, which clip its items. Undefined if its owner is closed or has no items. */
export function popupBounds(owner: Element): Rect | undefined {
  const shown = owner.children.filter((child) => visibilityOf(owner, child) === 'popup')
  if (shown.length === 0) return undefined
  return owner.traits?.popup ?? shown.map((child) => child.bounds).reduce(unite)
}

/** The button that opens the menu of what does not fit into a tool bar or a row of tabs. */
export const moreButtonOf = (bar: Element): Element | undefined => bar.children.find(({ traits }) => traits?.opensMore)

/**
 * The elements that may match: any, or only those that are not plain. Most elements are plain and then need no test.
 */
export type PredicateScope = 'any' | 'special'

/** A leaf that is not open and has no traits, placement or shortcut. */
const isPlain = ({ children, traits, place, expanded, keyboardShortcut }: Element): boolean =>
  children.length === 0 &&
  traits === undefined &&
  place === undefined &&
  expanded !== true &&
  (keyboardShortcut === null || keyboardShortcut === '')

interface Predicate {
  readonly bit: number
  readonly matches: (node: Element) => boolean
}

/** The results of all predicates are the lower bits of a number, the number of predicates the bits above. */
const MAX_PREDICATES = 16

/**
 * Returns whether a node or a descendant matches, memoised per node: a repeated call costs only what changed. A
 * predicate for `special` elements must be false for every plain leaf.
 */
export type SubtreePredicate = (
  scope: PredicateScope,
  matches: (node: Element) => boolean,
) => (root: Element) => boolean

/** Creates a set of predicates that are memoised together. Adding a seventeenth throws. */
export function createSubtreePredicates(): SubtreePredicate {
  const predicates: Predicate[] = []
  const plainPredicates: Predicate[] = []

  /** A bit per predicate that is true, and above them the number of predicates, because more may be added later. */
  const resultsOf = memoize(
    (node) => {
      let results = ownResults(node)
      for (const child of node.children) results |= resultsAt(child)
      return results | (predicates.length << MAX_PREDICATES)
    },
    {
      isValid: (results) => results >>> MAX_PREDICATES === predicates.length,
      update: (results, before, after) => (resultsAt(before) === resultsAt(after) ? results : undefined),
    },
  )

  const resultsAt = (node: Element): number => (node.children.length === 0 ? ownResults(node) : resultsOf(node))

  function ownResults(node: Element): number {
    let results = 0
    for (const { bit, matches } of isPlain(node) ? plainPredicates : predicates) if (matches(node)) results |= bit
    return results
  }

  return (scope, matches) => {
    if (predicates.length === MAX_PREDICATES)
      throw new Error(
        `there are ${MAX_PREDICATES} subtree predicates already; widen the results before you add another`,
      )
    const bit = 1 << predicates.length
    predicates.push({ bit, matches })
    if (scope === 'any') plainPredicates.push({ bit, matches })
    return (root) => (root.children.length === 0 ? matches(root) : (resultsOf(root) & bit) !== 0)
  }
}

/** The predicates of this package. */
export const subtreePredicate = createSubtreePredicates()
