import { createRequire } from 'node:module'
import type { DoctorCheck } from '../adapters/doctor-check.ts'
import { DRIVEN_PLATFORMS, type Machine } from '../adapters/open.ts'
import { checkRemote } from '../adapters/remote/doctor.ts'
import { installCommand, loadOptional, OPTIONAL, packageName } from '../base/optional.ts'

export type { DoctorCheck as Finding }

/** Checks the requirements of the real desktop of a machine, or of the one behind another server. */
export async function examine(
  { platform, env }: Machine,
  remote?: { readonly url: string; readonly token?: string | undefined },
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
    ]
  const { checkLinux: examineLinux } = await loadOptional('linux', () => import('../adapters/linux/doctor/doctor.ts'))
  return [...(await examineLinux(env)), ocr()]
}

/** Whether OCR works, which is the fallback for programs without accessibility. */
function ocr(): DoctorCheck {
  const subject = 'OCR'
  try {
    const { resolve } = createRequire(import.meta.url)
    // The data package has no code, only a description.
    for (const name of OPTIONAL.ocr.packages.map(packageName)) resolve(`${name}/package.json`)
    return { subject, verdict: 'good', found: 'installed, for English' }
  } catch {
    return { subject, verdict: 'note', found: 'its packages are not installed', fix: installCommand('ocr') }
  }
}
