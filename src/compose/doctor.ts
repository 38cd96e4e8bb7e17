import { bad, type Confirm, type DoctorCheck } from '../adapters/capabilities.ts'
import { adapterFor, type Machine } from '../adapters/open-computer.ts'
import { installCommand, isInstalled, type OptionalFeature } from '../base/optional.ts'
import { FONT_FEATURES } from '../desktop/model/unicode.ts'
import { PACKAGE } from './package.ts'

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
  const adapter = adapterFor(platform, { remote })
  if (!adapter)
    return [
      {
        subject: 'platform',
        verdict: 'bad',
        found: `desktops of ${platform} cannot be driven`,
        fix: 'use a synthetic desktop, or serve the desktop of a Linux machine with X11 there and drive it with --adapter remote',
      },
      ...fonts(),
    ]
  if (remote) return adapter.examine(env, { remote })
  const missing = (adapter.packages ?? []).filter(({ feature }) => !hasPackages(feature))
  // Without koffi nothing else can be asked.
  if (missing.some(({ named }) => named === 'koffi'))
    return [
      ...missing.map(({ named, feature }) =>
        bad(feature === 'screenshots' ? feature : named, `${named} is not installed`, installCommand(feature)),
      ),
      ocr(),
      ...fonts(),
    ]
  return [...(await adapter.examine(env, {})), ocr(), ...fonts()]
}

/** Sets up what the desktop of a machine needs and a person agrees to. Returns what was done and what the person does next, a line each. */
export const repair = async ({ platform, env }: Machine, confirm: Confirm): Promise<readonly string[]> =>
  (await adapterFor(platform)?.repair?.(env, { confirm, packageFolder: PACKAGE })) ?? []

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
