import type { WireElement } from './wire.ts'

/** A window with `browser` as trees show it: the ids of its parts, and its tabs. */

export const BROWSER_PAGE = 'browser-page'
const BROWSER_DIALOG = 'browser-dialog'
const TABS = 'browser-tabs'
export const TAB_PREFIX = 'browser-tab-'

/** The id of the button in a tab that closes it. */
export const closeButtonOf = (tab: string): string => `${TAB_PREFIX}${tab}.browser-tab-close`

/** An open tab. */
export interface OpenTab {
  readonly id: string
  readonly title: string
  readonly url: string
  readonly active: boolean
}

/** The browser in the tree of a window. */
export interface BrowserTree {
  /** The Document with the elements of the page. */
  readonly page: WireElement
  /** The dialog of the page, which takes all input while it is open. */
  readonly dialog?: WireElement
  readonly tabs: readonly OpenTab[]
}

/** The element with an id. */
export const elementIn = (tree: WireElement, id: string): WireElement | undefined =>
  partIn(tree, id) as WireElement | undefined

/** The browser that a tree shows. Undefined if it is the tree of another window. */
export function browserIn(tree: WireElement): BrowserTree | undefined {
  const page = elementIn(tree, BROWSER_PAGE)
  const strip = elementIn(tree, TABS)
  const dialog = elementIn(tree, BROWSER_DIALOG)
  return page && strip && { page, ...(dialog && { dialog }), tabs: tabsIn(strip) }
}

/** An element of a tree, as far as pages are concerned. */
interface TreePart {
  readonly id: string
  readonly value?: string | null | undefined
  readonly selected?: boolean | undefined
  readonly children: readonly TreePart[]
}

/** The page that a browser shows: the elements of it, and its tab and address as one text, which another page does not have. */
export interface ShownPage {
  readonly key: string
  readonly has: (id: string) => boolean
}

/** The page in a tree. Undefined if it is the tree of another window. */
export function pageIn(tree: TreePart): ShownPage | undefined {
  const page = partIn(tree, BROWSER_PAGE)
  const tab = page && partIn(tree, TABS)?.children.find(({ selected }) => selected)
  if (!page || !tab) return undefined
  const ids = new Set<string>()
  const collect = ({ children }: TreePart): void => {
    for (const child of children) {
      ids.add(child.id)
      collect(child)
    }
  }
  collect(page)
  return { key: JSON.stringify([tab.id, tab.value ?? '']), has: (id) => ids.has(id) }
}

const partIn = (tree: TreePart, id: string): TreePart | undefined => {
  if (tree.id === id) return tree
  for (const child of tree.children) {
    const found = partIn(child, id)
    if (found) return found
  }
  return undefined
}

const tabsIn = ({ children }: WireElement): readonly OpenTab[] =>
  children
    .filter(({ id }) => id.startsWith(TAB_PREFIX))
    .map(({ id, name, value, selected = false }) => ({
      id: id.slice(TAB_PREFIX.length),
      title: name,
      url: value ?? '',
      active: selected,
    }))
