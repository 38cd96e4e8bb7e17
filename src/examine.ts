import type { Finding } from './adapters/linux/examination.ts'
import type { Machine } from './adapters/open.ts'
import { loadOptional } from './base/optional.ts'

export type { Finding }

/** What stands between Backlot and the real desktop of a machine, point by point. */
export async function examine({ platform, env }: Machine): Promise<readonly Finding[]> {
  if (platform !== 'linux')
    return [
      {
        subject: 'platform',
        verdict: 'bad',
        found: `desktops of ${platform} cannot be driven`,
        fix: 'use a synthetic desktop, or a Linux machine with X11',
      },
    ]
  const { examineLinux } = await loadOptional('linux', () => import('./adapters/linux/examination.ts'))
  return examineLinux(env)
}
