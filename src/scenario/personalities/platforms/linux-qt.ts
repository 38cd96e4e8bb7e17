import { type Personality, type RoleView, roleView as row, type ViewedKind } from '../personality.ts'
import { ATSPI_ROLES } from './atspi-roles.ts'

const ROLES = {
  ...ATSPI_ROLES,
  window: row('Window', 'filler'),
  menuitem: row('MenuItem', 'menu item', { hasNoSelected: true }),
  checkInMenu: row('MenuItem', 'menu item', { hasNoSelected: true }),
  radioInMenu: row('MenuItem', 'menu item', { hasNoSelected: true }),
  toggle: row('CheckBox', 'check box'),
  image: row('Text', 'label', { isNameless: true }),
  link: row('Link', 'label'),
} as const satisfies Record<ViewedKind, RoleView>

/** A program of Qt on X11, through AT-SPI. */
export const linuxQt: Personality = {
  name: 'linux-qt',
  about: 'Qt 5 and 6 on X11',
  platform: 'Linux',
  roles: ROLES,
  reportsNativeRole: true,
  page: [],
  labels: true,
  flatRows: false,
  closed: 'zero',
  scrolledOut: 'kept',
  popups: 'treeless windows',
}
