import type { Element } from '../desktop/model/element.ts'
import { type Kind, kindOf, kindsWhere, kindsWith, rowOfKind } from '../desktop/model/role.ts'

/** How an instruction names a control and what it asks for. */
export interface ControlPhrase {
  readonly noun: string
  /** Each asks for one click on the control. */
  readonly verbs: readonly string[]
}

const ROW_HEADER: ControlPhrase = { noun: 'row header', verbs: ['Click'] }
const CLOSED_LIST: ControlPhrase = { noun: 'drop-down list', verbs: ['Click', 'Open'] }

/** The words for a kind by its row. Kinds without verbs get no instructions. No two kinds have the same noun. */
function controlPhraseOf(kind: Kind): ControlPhrase | undefined {
  const { noun, verbs } = rowOfKind(kind)
  return verbs.length > 0 ? { noun, verbs } : undefined
}

/** Whether a header item heads a row: one beside cells, or one that says so. */
export const isRowHeader = ({ role }: Element, parent: Element | undefined): boolean =>
  kindOf(role) === 'headeritem' &&
  (/^row/i.test(role) ||
    (parent !== undefined &&
      kindOf(parent.role) === 'row' &&
      parent.children.some((child) => kindOf(child.role) === 'cell')))

const MENUS = kindsWhere(({ is }) => is.includes('menu') || is.includes('menuKeys'))

/** The kind that a control looks like: a box or an option in a menu is a menu item. */
export function shownKind({ role }: Element, parent: Element | undefined): Kind {
  const kind = kindOf(role)
  const isTicked = kind === 'checkbox' || kind === 'radio'
  return isTicked && parent !== undefined && MENUS.has(kindOf(parent.role)) ? 'menuitem' : kind
}

/** The words for a control in its parent. */
export function phraseOf(element: Element, parent: Element | undefined): ControlPhrase | undefined {
  if (isRowHeader(element, parent)) return ROW_HEADER
  const kind = shownKind(element, parent)
  const opens =
    kind === 'combo' && element.expanded !== true && !element.children.some(({ role }) => kindOf(role) === 'edit')
  return opens ? CLOSED_LIST : controlPhraseOf(kind)
}

/** Controls that people confuse when they have the same name. */
export type LookGroup = 'field' | 'slider' | 'press'

const FIELDS = kindsWhere(({ is, text }) => is.includes('entry') || text === 'lines')

/** The group of a kind. Menus count, though no instruction is about them. Undefined for what nobody would click. */
export function lookGroupOf(kind: Kind): LookGroup | undefined {
  if (FIELDS.has(kind)) return 'field'
  if (kind === 'slider') return 'slider'
  return kind === 'menu' || controlPhraseOf(kind) ? 'press' : undefined
}

/** Kinds of which one that is alone is not “the only” one while another of its row is visible. */
const ALIKE: readonly (readonly Kind[])[] = [
  [...FIELDS],
  ['checkbox', 'radio', 'toggle'],
  ['button', 'splitbutton'],
  ['listitem', 'treeitem', 'menuitem', 'row', 'cell', 'day'],
]

/** The kinds that look like a kind without their names. */
export const kindsLike = (kind: Kind): readonly Kind[] => ALIKE.find((kinds) => kinds.includes(kind)) ?? [kind]

/** Containers that an instruction may name, to tell apart what is in them. */
export const LOCATED: ReadonlySet<Kind> = kindsWith('located')

/** “third” of a list: for people, longer counts are work. */
export const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
] as const
