import { release } from 'node:os'
import { Fault } from '../../base/fault.ts'
import { installCommand, isInstalled } from '../../base/optional.ts'
import { bad, type DoctorCheck, good, note } from '../capabilities.ts'
import { loadDesktopAccess, MEDIUM_INTEGRITY } from './desktop-access.ts'
import { openWindowsComputer, TESTED_UNDER_WINE } from './mswindows.ts'
import { loadLibrary } from './native.ts'

const REMEDY = 'compare what it reports with the screen before agents use it'

/** Checks whether the desktop of this session can be driven. Changes nothing. */
export async function checkWindowsDesktop(): Promise<readonly DoctorCheck[]> {
  return [
    note('adapter', TESTED_UNDER_WINE, REMEDY),
    await checkSystem(),
    isInstalled('screenshots')
      ? good('screenshots', 'node-screenshots is installed')
      : bad('screenshots', 'node-screenshots is not installed', installCommand('screenshots')),
    checkRights(),
    ...(isInstalled('screenshots') ? [await checkWindowList()] : []),
  ]
}

/** The version of Windows, or of Wine in its place. */
async function checkSystem(): Promise<DoctorCheck> {
  const wine = wineVersion()
  return wine === undefined
    ? good('system', `Windows ${release()}`)
    : note(
        'system',
        `Wine, as Windows ${release()}`,
        'covered windows have no screenshots, and programs of Windows may behave differently',
      )
}

function wineVersion(): true | undefined {
  try {
    loadLibrary('ntdll.dll').address('wine_get_version')
    return true
  } catch {
    return undefined
  }
}

function checkRights(): DoctorCheck {
  const access = loadDesktopAccess()
  if (!access.isInputDesktop())
    return bad('desktop', 'locked, or Windows asks for consent', 'unlock it, or answer the question')
  return access.ownIntegrity > MEDIUM_INTEGRITY
    ? good('rights', 'administrator: all programs can be driven')
    : note(
        'rights',
        'those of an ordinary program: Windows drops input for programs that run as administrator',
        'to drive those as well, start Backlot as administrator',
      )
}

async function checkWindowList(): Promise<DoctorCheck> {
  try {
    const computer = await openWindowsComputer()
    const { length } = await computer.windows()
    await computer.close()
    return good('windows', `${length} listed`)
  } catch (thrown) {
    return bad('windows', Fault.from(thrown).message, 'run this in the session of the desktop, not as a service')
  }
}
