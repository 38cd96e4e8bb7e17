import type { Action } from '../../desktop/input/action.ts'
import { type Element, nodeById } from '../../desktop/model/element.ts'
import { type RoleKind, roleKind } from '../../desktop/model/role.ts'

/** How the accessibility tree of a platform shows the elements of a scenario. */
export interface Personality {
  readonly name: string
  /** The platform and the kind of program, for the documentation. */
  readonly about: string
  /** As `get_capabilities` reports it. */
  readonly platform: 'Linux' | 'Darwin' | 'Windows'
  readonly roles: Readonly<Record<ViewedKind, RoleView>>
  /** Whether the identifier of an element is the platform's own name of its role. */
  readonly reportsNativeRole: boolean
  /** Containers around everything in a window, outer before inner. */
  readonly page: readonly AddedContainer[]
  /** The container around lists, trees, tables and documents. */
  readonly scrollPane?: AddedContainer
  /** Whether captions of fields are elements of their own. */
  readonly labels: boolean
  /** Whether the cells of a table have no rows around them. */
  readonly flatRows: boolean
  /** Whether a cell tells its formula beside its value. Then it is the description, since trees have no other place for it. */
  readonly formulas: boolean
  /**
   * Content of closed menus, lists, pages and tree items: without bounds, or not in the tree. `options` keeps the options of
   * closed combo boxes without bounds and omits the rest.
   */
  readonly closed: 'zero' | 'absent' | 'options'
  /** Rows that are scrolled out of their list: as they are, without bounds, or not in the tree. */
  readonly scrolledOut: 'kept' | 'zero' | 'absent'
  /** Open menus and lists: part of their window, or also windows of their own, with or without a tree. */
  readonly popups: 'inside' | 'windows' | 'treeless windows'
}

/** A container that the platform has and the scenario does not. */
export interface AddedContainer {
  /** The prefix of its id, before the id of the element inside: `scroll:files`. */
  readonly id: string
  readonly role: string
  readonly native: string
  /** Whether it has the name of the element. */
  readonly isNamed?: boolean
}

/** How a platform shows elements of one kind. */
export interface RoleView {
  /** The role that clients see. Empty if it is that of the scenario. */
  readonly role: string
  /** The platform's own name of the role. */
  readonly native: string
  /** Actions that the platform does not offer for it. */
  readonly lacks?: readonly Action['type'][]
  readonly isNameless?: boolean
  /** Its name includes its keyboard shortcut. */
  readonly shortcutInName?: 'after a tab' | 'in parentheses'
  readonly hasNoSelected?: boolean
  /** It has no value, whatever the scenario gives. */
  readonly hasNoValue?: boolean
  /** Its value if the scenario gives none. */
  readonly value?: string
}

/** The kinds of elements that platforms distinguish: those of the role table, and some by their place. */
export type ViewedKind = RoleKind | 'heading' | 'password' | 'menuInBar' | 'checkInMenu' | 'radioInMenu'

/** The kind of an element in a parent of a kind. */
export function viewedKind({ role, traits }: Element, parent: RoleKind): ViewedKind {
  const kind = roleKind(role)
  switch (kind) {
    case 'text':
      return role.toLowerCase() === 'heading' ? 'heading' : kind
    case 'edit':
      return traits?.secret ? 'password' : kind
    case 'menu':
    case 'menuitem':
      return parent === 'menubar' ? 'menuInBar' : kind
    case 'checkbox':
      return isMenu(parent) ? 'checkInMenu' : kind
    case 'radio':
      return isMenu(parent) ? 'radioInMenu' : kind
    default:
      return kind
  }
}

const isMenu = (kind: RoleKind): boolean => kind === 'menu' || kind === 'menuitem' || kind === 'menubar'

/** A row of a table of roles. */
export const roleView = (role: string, native: string, rest: Omit<RoleView, 'role' | 'native'> = {}): RoleView => ({
  role,
  native,
  ...rest,
})

/** The prefix of the id of a label. */
export const LABEL = 'label'

/** The prefix of the id of the root of an open popup in a window of its own. */
export const POPUP = 'popup'

/** The id of an element that a personality adds to one of the scenario. */
export const addedId = (prefix: string, id: string): string => `${prefix}:${id}`

/** The id of the element of the scenario that an id stands for: itself, or the element that it was added to. */
export function authoredId(tree: Element, id: string): string {
  if (nodeById(tree, id)) return id
  const inside = id.slice(id.indexOf(':') + 1)
  return inside !== id && nodeById(tree, inside) ? inside : id
}
