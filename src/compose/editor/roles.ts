import { type Kind, ROLE_TABLE } from '../../desktop/model/role-table.ts'
import type { JsonSchema } from './json-schema.ts'

const CONTAINER = 'container'
const PRESSED = 'can be pressed'
const INPUT = 'text or value input'
const SHOWN = 'display only'
const COLLECTION = 'collection, or an item of one'
const SCROLLS = 'scrolls or resizes others'

/** What the elements of each role are for. */
const PURPOSES: Readonly<Record<Exclude<Kind, 'other'>, string>> = {
  window: CONTAINER,
  dialog: CONTAINER,
  titlebar: CONTAINER,
  pane: CONTAINER,
  group: CONTAINER,
  scrollarea: CONTAINER,
  toolbar: CONTAINER,
  statusbar: CONTAINER,
  expander: CONTAINER,
  button: PRESSED,
  splitbutton: PRESSED,
  toggle: PRESSED,
  checkbox: PRESSED,
  radio: PRESSED,
  link: PRESSED,
  edit: INPUT,
  document: INPUT,
  combo: INPUT,
  slider: INPUT,
  spinner: INPUT,
  date: INPUT,
  calendar: INPUT,
  day: INPUT,
  text: SHOWN,
  image: SHOWN,
  progress: SHOWN,
  separator: SHOWN,
  toast: SHOWN,
  tooltip: SHOWN,
  list: COLLECTION,
  listitem: COLLECTION,
  tree: COLLECTION,
  treeitem: COLLECTION,
  tabs: COLLECTION,
  tab: COLLECTION,
  menubar: COLLECTION,
  menu: COLLECTION,
  menuitem: COLLECTION,
  table: COLLECTION,
  header: COLLECTION,
  headeritem: COLLECTION,
  row: COLLECTION,
  cell: COLLECTION,
  scrollbar: SCROLLS,
  splitter: SCROLLS,
}

/** A role with behaviour and appearance of its own. */
export interface KnownRole {
  readonly name: string
  readonly aliases: readonly string[]
  readonly purpose: string
}

/** The roles by their purposes. */
export const KNOWN_ROLES: readonly KnownRole[] = Object.entries(PURPOSES).map(([kind, purpose]) => {
  const [name = '', ...aliases] = ROLE_TABLE[kind as Kind].spellings.split(' ')
  return { name, aliases, purpose }
})

/** A schema of elements that suggests the roles with behaviour, although any text is a role. */
export function withRoles(element: JsonSchema): JsonSchema {
  const { role, ...others } = element.properties ?? {}
  const { description, ...text } = role ?? {}
  const known = {
    type: 'string',
    enum: KNOWN_ROLES.map(({ name }) => name),
    enumDescriptions: KNOWN_ROLES.map(({ purpose, aliases }) =>
      aliases.length === 0 ? purpose : `${purpose}; also ${aliases.join(', ')}`,
    ),
  }
  const suggested = { ...(description !== undefined && { description }), anyOf: [known, text] }
  return { ...element, properties: { role: suggested, ...others } }
}
