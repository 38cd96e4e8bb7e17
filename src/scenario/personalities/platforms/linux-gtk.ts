import { type Personality, type RoleView, roleView as row, type ViewedKind } from '../personality.ts'
import { ATSPI_ROLES } from './atspi-roles.ts'

const ROLES = {
  ...ATSPI_ROLES,
  group: row('Pane', 'panel'),
  menuInBar: row('Menu', 'menu'),
  document: row('Document', 'text', { isNameless: true }),
  image: row('Image', 'icon', { isNameless: true }),
  toolbar: row('ToolBar', 'tool bar', { isNameless: true }),
  separator: row('Separator', 'separator', { value: '0' }),
  table: row('Table', 'tree table'),
} as const satisfies Record<ViewedKind, RoleView>

/** A program of GTK 3 on X11, through AT-SPI. */
export const linuxGtk: Personality = {
  name: 'linux-gtk',
  about: 'GTK 3 on X11',
  platform: 'Linux',
  roles: ROLES,
  reportsNativeRole: true,
  page: [{ id: 'filler', role: 'Group', native: 'filler' }],
  scrollPane: { id: 'scroll', role: 'ScrollArea', native: 'scroll pane' },
  labels: true,
  flatRows: true,
  closed: 'zero',
  scrolledOut: 'zero',
  popups: 'windows',
}
