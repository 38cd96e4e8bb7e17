import { Fault } from '../../base/fault.ts'
import { bad, type DoctorCheck, good, note } from '../doctor-check.ts'
import { NOT_VERIFIED } from './capabilities.ts'
import { openMacComputer } from './macos.ts'
import { MAC_LIBRARIES, type MacLibraries } from './native.ts'

/** Checks whether the desktop of this Mac can be driven. Changes nothing. */
export async function checkMac(libraries: MacLibraries = MAC_LIBRARIES): Promise<readonly DoctorCheck[]> {
  const verified = note('adapter', NOT_VERIFIED, 'compare what it reports with the screen before agents use it')
  const screenshots = note('screenshots', 'none: ScreenCaptureKit has no C interface', 'agents use element trees')
  try {
    const computer = openMacComputer(libraries)
    const { length } = await computer.windows()
    await computer.close()
    return [verified, good('accessibility', `allowed; ${length} windows`), screenshots]
  } catch (thrown) {
    const { message } = Fault.from(thrown)
    return [
      verified,
      bad('accessibility', message, 'run this on a Mac, and allow control in System Settings'),
      screenshots,
    ]
  }
}
