import { bad, type DoctorCheck } from '../adapters/doctor-check.ts'
import { DRIVEN_PLATFORMS, type Machine } from '../adapters/open.ts'
import { checkRemote } from '../adapters/remote/doctor.ts'
import { installCommand, isInstalled, loadOptional, type OptionalFeature } from '../base/optional.ts'
import { FONT_FEATURES } from '../desktop/model/scripts.ts'

export type { DoctorCheck as Finding }

/**
 * Checks the requirements of the real desktop of a machine, or of the one behind another server. `hasPackages` is whether
 * the packages of a feature are installed.
 */
export async function examine(
  { platform, env }: Machine,
  remote?: { readonly url: string; readonly token?: string | undefined },
  hasPackages: (feature: OptionalFeature) => boolean = isInstalled,
): Promise<readonly DoctorCheck[]> {
  if (remote) return checkRemote(remote)
  if (!DRIVEN_PLATFORMS.includes(platform))
    return [
      {
        subject: 'platform',
        verdict: 'bad',
        found: `desktops of ${platform} cannot be driven`,
        fix: 'use a synthetic desktop, or serve the desktop of a Linux machine with X11 there and drive it with --adapter remote',
      },
      ...fonts(),
    ]
  const missing = MISSABLE.filter(({ on, feature }) => on.includes(platform) && !hasPackages(feature))
  // Without koffi nothing else can be asked.
  if (missing.some(({ subject }) => subject === 'koffi'))
    return [
      ...missing.map(({ subject, named, feature }) =>
        bad(subject, `${named} is not installed`, installCommand(feature)),
      ),
      ocr(),
      ...fonts(),
    ]
  if (platform === 'darwin') {
    const { checkMac } = await loadOptional('macos', () => import('../adapters/macos/doctor.ts'))
    return checkMac()
  }
  if (platform === 'win32') {
    const { checkWindowsDesktop } = await loadOptional('windows', () => import('../adapters/windows/doctor.ts'))
    return [...(await checkWindowsDesktop()), ocr(), ...fonts()]
  }
  const { checkLinux: examineLinux } = await loadOptional('linux', () => import('../adapters/linux/doctor/doctor.ts'))
  return [...(await examineLinux(env)), ocr(), ...fonts()]
}

/** Optional packages that the desktops of Windows and macOS need. */
const MISSABLE: readonly {
  readonly subject: string
  readonly named: string
  readonly on: readonly string[]
  readonly feature: OptionalFeature
}[] = [
  { subject: 'koffi', named: 'koffi', on: ['win32'], feature: 'windows' },
  { subject: 'koffi', named: 'koffi', on: ['darwin'], feature: 'macos' },
  { subject: 'screenshots', named: 'node-screenshots', on: ['win32', 'darwin'], feature: 'screenshots' },
]

/** Whether OCR works, which is the fallback for programs without accessibility. */
function ocr(): DoctorCheck {
  const subject = 'OCR'
  return isInstalled('ocr')
    ? { subject, verdict: 'good', found: 'installed, for English' }
    : { subject, verdict: 'note', found: 'its packages are not installed', fix: installCommand('ocr') }
}

/** The optional fonts of synthetic desktops, without which their pictures show boxes. */
const fonts = (): readonly DoctorCheck[] =>
  FONT_FEATURES.map((feature) =>
    isInstalled(feature)
      ? { subject: 'fonts', verdict: 'good', found: `${feature}, for pictures of synthetic desktops` }
      : {
          subject: 'fonts',
          verdict: 'note',
          found: `${feature}: not installed, so pictures of synthetic desktops show boxes`,
          fix: installCommand(feature),
        },
  )
