import type { Element } from './element.ts'
import { type Rect, unite } from './geometry.ts'
import { type Kind, kindOf } from './role.ts'

/**
 * How a child is there to be seen, besides `traits.hidden`:
 * `inline` in its parent and clipped by it; `loose` the same, but clipped only by what clips its parent (the page of a
 * tab, the items below a tree item); `popup` over everything else of its window and clipped by the screens only;
 * `folded` in the tree, but neither painted nor hit.
 */
export type Fold = 'inline' | 'loose' | 'popup' | 'folded'

/** Their children come up while they are `expanded`. */
const POPS_UP: ReadonlySet<Kind> = new Set<Kind>(['combo', 'menuitem', 'menu', 'splitbutton', 'date'])
/** They come up themselves while they are `expanded`, wherever they stand. */
const COMES_UP: ReadonlySet<Kind> = new Set<Kind>(['menu', 'tooltip'])
/** Parts of a combo box that are always to be seen. */
const COMBO_PARTS: ReadonlySet<Kind> = new Set<Kind>(['edit', 'button', 'text', 'image'])
const PAGES: ReadonlySet<Kind> = new Set<Kind>(['pane', 'group', 'scrollarea', 'document', 'other'])

export function foldOf(parent: Element, child: Element): Fold {
  const owner = kindOf(parent.role)
  const kind = kindOf(child.role)
  if (owner === 'menubar') return 'inline'
  if (POPS_UP.has(owner)) {
    if (owner !== 'menu' && owner !== 'menuitem' && COMBO_PARTS.has(kind)) return 'inline'
    return parent.expanded === true ? 'popup' : 'folded'
  }
  if (COMES_UP.has(kind)) return child.expanded === true ? 'popup' : 'folded'
  if (owner === 'treeitem') return parent.expanded === true || !TREE_ROWS.has(kind) ? 'loose' : 'folded'
  if (owner === 'expander') return parent.expanded === true ? 'loose' : 'folded'
  if (owner === 'tab') return parent.selected === true ? 'loose' : 'folded'
  if (owner === 'tabs' && PAGES.has(kind)) return pageOf(parent) === child ? 'inline' : 'folded'
  return 'inline'
}

const TREE_ROWS: ReadonlySet<Kind> = new Set<Kind>(['treeitem', 'row', 'listitem'])

/** The page that belongs to the selected tab, when the pages stand beside the tabs: the first to the first, and so on. */
function pageOf(tabs: Element): Element | undefined {
  const items = tabs.children.filter((child) => kindOf(child.role) === 'tab')
  const pages = tabs.children.filter((child) => PAGES.has(kindOf(child.role)))
  const place = items.findIndex((item) => item.selected === true)
  return pages[Math.max(0, place)]
}

/** What a popup's background covers: all children of its owner that came up; undefined when none did. */
export function popupBounds(owner: Element): Rect | undefined {
  const shown = owner.children.filter((child) => foldOf(owner, child) === 'popup')
  if (shown.length === 0) return undefined
  return shown.map((child) => child.bounds).reduce(unite)
}
