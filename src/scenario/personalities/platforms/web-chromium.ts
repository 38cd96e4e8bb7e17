import type { Personality } from '../personality.ts'
import { WEB_ROLES } from './web-roles.ts'

/** A page in Chromium on Linux, through AT-SPI. */
export const webChromium: Personality = {
  name: 'web-chromium',
  about: 'a page in Chromium on Linux',
  platform: 'Linux',
  roles: WEB_ROLES,
  reportsNativeRole: true,
  page: [
    { id: 'view', role: 'Pane', native: 'panel' },
    { id: 'page', role: 'Document', native: 'document web', isNamed: true },
  ],
  labels: true,
  flatRows: false,
  closed: 'options',
  scrolledOut: 'kept',
  popups: 'inside',
}
