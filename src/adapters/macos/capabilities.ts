import { type Capabilities, capabilitiesWithout, REAL_DESKTOP_LIMITS } from '../capabilities.ts'

/** What every report about this adapter says. */
export const NOT_VERIFIED = 'not verified on a Mac: it is tested against a stand-in for the libraries of macOS only'

/** What a desktop of macOS can do. */
export const macCapabilities = (): Capabilities =>
  capabilitiesWithout({
    ...REAL_DESKTOP_LIMITS,
    screenshots: 'ScreenCaptureKit of macOS has no C interface',
  })
