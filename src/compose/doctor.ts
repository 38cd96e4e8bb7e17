import { createRequire } from 'node:module'
import type { DoctorCheck } from '../adapters/linux/doctor/doctor-check.ts'
import type { Machine } from '../adapters/open.ts'
import { installCommand, loadOptional, OPTIONAL, packageName } from '../base/optional.ts'

export type { DoctorCheck as Finding }

/** Checks the requirements of the real desktop of a machine. */
export async function examine({ platform, env }: Machine): Promise<readonly DoctorCheck[]> {
  if (platform !== 'linux')
    return [
      {
        subject: 'platform',
        verdict: 'bad',
        found: `desktops of ${platform} cannot be driven`,
        fix: 'use a synthetic desktop, or a Linux machine with X11',
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
