import type { Element } from '../desktop/model/element.ts'
import { type Kind, kindOf } from '../desktop/model/role.ts'

/** How an instruction names a control and what it asks for. */
export interface ControlPhrase {
  readonly noun: string
  /** Each asks for one click on the control. */
  readonly verbs: readonly string[]
}

const click = (noun: string, ...more: readonly string[]): ControlPhrase => ({ noun, verbs: ['Click', ...more] })
const field = (noun: string): ControlPhrase => ({ noun, verbs: ['Click into', 'Focus', 'Put the cursor into'] })

/** Kinds without words get no instructions. No two kinds have the same noun. */
const CONTROL_PHRASES: Readonly<Partial<Record<Kind, ControlPhrase>>> = {
  button: click('button', 'Press'),
  splitbutton: click('menu button', 'Press'),
  toggle: click('switch', 'Toggle'),
  edit: field('text field'),
  document: field('text area'),
  checkbox: click('check box', 'Toggle'),
  radio: click('option', 'Choose'),
  combo: click('drop-down list'),
  listitem: click('item', 'Select'),
  slider: click('slider'),
  spinner: field('number field'),
  menuitem: click('menu item', 'Choose'),
  tab: click('tab', 'Switch to'),
  treeitem: click('tree item', 'Select'),
  row: click('row', 'Select'),
  headeritem: click('column header'),
  cell: click('cell', 'Select'),
  link: click('link', 'Follow'),
  date: field('date field'),
  day: click('day', 'Select'),
  expander: click('section header'),
}

const ROW_HEADER = click('row header')
const CLOSED_LIST: ControlPhrase = click('drop-down list', 'Open')

/** Whether a header item heads a row: one beside cells, or one that says so. */
export const isRowHeader = ({ role }: Element, parent: Element | undefined): boolean =>
  kindOf(role) === 'headeritem' &&
  (/^row/i.test(role) ||
    (parent !== undefined &&
      kindOf(parent.role) === 'row' &&
      parent.children.some((child) => kindOf(child.role) === 'cell')))

const MENUS: ReadonlySet<Kind> = new Set<Kind>(['menu', 'menuitem', 'menubar', 'splitbutton'])

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
  return opens ? CLOSED_LIST : CONTROL_PHRASES[kind]
}

/** Controls that people confuse when they have the same name. */
export type LookGroup = 'field' | 'slider' | 'press'

const FIELDS: ReadonlySet<Kind> = new Set<Kind>(['edit', 'document', 'spinner', 'date', 'combo'])

/** The group of a kind. Menus count, though no instruction is about them. Undefined for what nobody would click. */
export function lookGroupOf(kind: Kind): LookGroup | undefined {
  if (FIELDS.has(kind)) return 'field'
  if (kind === 'slider') return 'slider'
  return kind === 'menu' || CONTROL_PHRASES[kind] ? 'press' : undefined
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
export const CONTAINERS: Readonly<Partial<Record<Kind, string>>> = {
  group: 'group',
  list: 'list',
  tree: 'tree',
  table: 'table',
  toolbar: 'toolbar',
  menu: 'menu',
  tabs: 'tabs',
  dialog: 'dialog',
  row: 'row',
  listitem: 'item',
  combo: 'drop-down list',
  calendar: 'calendar',
}

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
