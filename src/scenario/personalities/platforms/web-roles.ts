import { type RoleView, roleView as row, type ViewedKind } from '../personality.ts'
import { ATSPI_ROLES } from './atspi-roles.ts'

/** The roles of elements of a web page, as browsers on Linux report them. */
export const WEB_ROLES = {
  ...ATSPI_ROLES,
  pane: row('Group', 'section'),
  edit: row('Edit', 'entry'),
  document: row('Document', 'entry'),
  text: row('Text', 'paragraph'),
  heading: row('Heading', 'heading'),
  list: row('List', 'list box'),
  statusbar: row('Group', 'section'),
  headeritem: row('HeaderItem', 'column header'),
  tree: row('Tree', 'tree'),
  toast: row('Dialog', 'alert'),
  expander: row('Details', 'section'),
} as const satisfies Record<ViewedKind, RoleView>
