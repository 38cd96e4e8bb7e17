import { Fault } from '../../base/fault.ts'
import { installCommand, isInstalled } from '../../base/optional.ts'
import { bad, type DoctorCheck, good, note } from '../capabilities.ts'
import { ALLOW_CAPTURE, NOT_VERIFIED, openMacComputer } from './macos.ts'
import { loadMacFunctions, MAC_LIBRARIES, type MacLibraries } from './native.ts'

/** Checks whether the desktop of this Mac can be driven. Changes nothing. */
export async function checkMac(
  libraries: MacLibraries = MAC_LIBRARIES,
  hasScreenshots = isInstalled('screenshots'),
): Promise<readonly DoctorCheck[]> {
  const verified = note('adapter', NOT_VERIFIED, 'compare what it reports with the screen before agents use it')
  try {
    const computer = openMacComputer(libraries)
    const { length } = await computer.windows()
    await computer.close()
    const screenshots = checkScreenshots(loadMacFunctions(libraries).canCapture(), hasScreenshots)
    return [verified, good('accessibility', `allowed; ${length} windows`), ...screenshots]
  } catch (thrown) {
    const { message } = Fault.from(thrown)
    return [verified, bad('accessibility', message, 'run this on a Mac, and allow control in System Settings')]
  }
}

const checkScreenshots = (canCapture: boolean, hasScreenshots: boolean): readonly DoctorCheck[] => [
  hasScreenshots
    ? good('screenshots', 'node-screenshots is installed')
    : bad('screenshots', 'node-screenshots is not installed', installCommand('screenshots')),
  canCapture
    ? good('screen recording', 'allowed')
    : bad('screen recording', 'this program may not record the screen', ALLOW_CAPTURE),
]
