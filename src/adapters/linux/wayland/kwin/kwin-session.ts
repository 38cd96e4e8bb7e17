import type { EnvironmentVariables } from '../../../../base/host.ts'
import { sessionBusAddress } from '../../accessibility/accessibility.ts'
import type { KWinOffer } from '../../capabilities.ts'
import { type BusMethod, type ObjectRef, openBus } from '../../dbus.ts'
import { CLIPBOARD_INTERFACES } from '../clipboard.ts'
import type { Global } from '../connection.ts'
import { mayTakePictures } from './kwin-pictures.ts'

/** A session whose KWin answers on the session bus. */
export interface KWinSession {
  /** The address of the session bus. */
  readonly bus: string
  readonly offer: KWinOffer
}

const KWIN: ObjectRef = { bus: 'org.kde.KWin', path: '/KWin' }
const SUPPORT: BusMethod = { interface: 'org.kde.KWin', member: 'supportInformation', timeoutMs: 2000 }
const FAKE_INPUT = 'org_kde_kwin_fake_input'

/** What KWin tells of itself. Undefined when it does not answer. */
export const kwinSupport = (bus: {
  tryCall<T>(to: ObjectRef, method: BusMethod): Promise<T | undefined>
}): Promise<string | undefined> => bus.tryCall<string>(KWIN, SUPPORT)

/** The version and the way of composing in the support information of KWin. */
export const parseKWinSupport = (text: string): { readonly version?: string; readonly compositing?: string } => {
  const [version, compositing] = [/^KWin version: (\S+)/m, /^Compositing Type: (.+?)\s*$/m].map(
    (pattern) => pattern.exec(text)?.[1],
  )
  return { ...(version !== undefined && { version }), ...(compositing !== undefined && { compositing }) }
}

/** Asks KWin what it offers this program. Undefined when it does not answer on the session bus. */
export async function findKWin(
  env: EnvironmentVariables,
  globals: readonly Global[],
  folder: string,
): Promise<KWinSession | undefined> {
  const address = sessionBusAddress(env)
  if (address === undefined) return undefined
  const bus = await openBus(address)
  try {
    const support = await kwinSupport(bus)
    if (support === undefined) return undefined
    const { compositing } = parseKWinSupport(support)
    const clipboard = CLIPBOARD_INTERFACES.find((name) => globals.some(({ interfaceName }) => interfaceName === name))
    const offer: KWinOffer = {
      fakeInput: globals.find(({ interfaceName }) => interfaceName === FAKE_INPUT)?.version,
      clipboard,
      compositing,
      // Without OpenGL, KWin refuses all pictures.
      mayTakePictures: compositing === 'OpenGL' && (await mayTakePictures(address, folder)),
    }
    return { bus: address, offer }
  } finally {
    bus.close()
  }
}
