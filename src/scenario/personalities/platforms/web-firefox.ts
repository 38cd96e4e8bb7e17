import { type Personality, type RoleView, roleView as row, type ViewedKind } from '../personality.ts'
import { WEB_ROLES } from './web-roles.ts'

const ROLES = {
  ...WEB_ROLES,
  button: row('Button', 'push button', { shortcutInName: 'in parentheses' }),
  menuInBar: row('Menu', 'menu'),
} as const satisfies Record<ViewedKind, RoleView>

/** A page in Firefox on Linux, through AT-SPI. */
export const webFirefox: Personality = {
  name: 'web-firefox',
  about: 'a page in Firefox on Linux',
  platform: 'Linux',
  roles: ROLES,
  reportsNativeRole: true,
  page: [
    { id: 'frame', role: 'Window', native: 'internal frame', isNamed: true },
    { id: 'page', role: 'Document', native: 'document web', isNamed: true },
  ],
  labels: true,
  flatRows: false,
  closed: 'options',
  scrolledOut: 'kept',
  popups: 'inside',
}
