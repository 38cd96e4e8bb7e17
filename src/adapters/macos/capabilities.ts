import { installCommand, isInstalled } from '../../base/optional.ts'
import { type Capabilities, capabilitiesWithout, REAL_DESKTOP_LIMITS } from '../capabilities.ts'
import { ALLOW_CAPTURE } from './capture.ts'

/** What every report about this adapter says. */
export const NOT_VERIFIED = 'not verified on a Mac: it is tested against a stand-in for the libraries of macOS only'

/** What a desktop of macOS can do, with or without permission to record the screen and the package that does so. */
export function macCapabilities(canCapture = true, hasScreenshots = isInstalled('screenshots')): Capabilities {
  const missing = canCapture
    ? `run ${installCommand('screenshots')}`
    : `this program may not record the screen; ${ALLOW_CAPTURE}`
  return capabilitiesWithout({
    ...REAL_DESKTOP_LIMITS,
    ...(!(canCapture && hasScreenshots) && { screenshots: missing }),
  })
}
