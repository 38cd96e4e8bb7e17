import { type Capabilities, capabilitiesWithout, REAL_DESKTOP_LIMITS } from '../capabilities.ts'

/** What every report about this adapter says. */
export const TESTED_UNDER_WINE = 'tested under Wine 10, not on Windows itself'

/** What a desktop of Windows can do. */
export const windowsCapabilities = (): Capabilities => ({
  ...capabilitiesWithout(REAL_DESKTOP_LIMITS),
  clipboard: true,
})
