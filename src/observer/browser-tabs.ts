import type { WireElement } from './wire.ts'

/** A window with `browser` as trees show it: the ids of its parts, and its tabs. */

export const BROWSER_PAGE = 'browser-page'
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
  readonly tabs: readonly OpenTab[]
}

/** The element with an id. */
export const elementIn = (tree: WireElement, id: string): WireElement | undefined =>
  tree.id === id ? tree : tree.children.map((child) => elementIn(child, id)).find((found) => found)

/** The browser that a tree shows. Undefined if it is the tree of another window. */
export function browserIn(tree: WireElement): BrowserTree | undefined {
  const page = elementIn(tree, BROWSER_PAGE)
  const strip = elementIn(tree, TABS)
  return page && strip && { page, tabs: tabsIn(strip) }
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
