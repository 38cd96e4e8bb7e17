import { createHash } from 'node:crypto'
import { Fault } from '../../../base/fault.ts'
import type { IdSource } from '../../../base/ids.ts'
import type { Store } from '../../../stores/store.ts'

/** Who is talking: an installation and the user it was registered for. */
export interface Identity {
  readonly userId: string
  readonly installId: string
}

/** `install`: every caller needs the token of a registered installation; `none`: everybody is let in. */
export type AuthMode = 'install' | 'none'

/** Everybody of a server that asks for no token. */
const LOCAL: Identity = { userId: 'local-user', installId: 'local-install' }

const KIND = 'windieos.install'
const TOKEN_PREFIX = 'wnd_install_'

/** The installations that have registered. A token is told once; only its hash is kept. */
export function openInstallations(store: Store, ids: IdSource) {
  const hash = (token: string) => createHash('sha256').update(token).digest('hex')

  return {
    register(operatingSystem: string | null): Identity & { readonly token: string } {
      const identity = { userId: `user_${ids.hex(24)}`, installId: `install_${ids.hex(24)}` }
      const token = TOKEN_PREFIX + ids.hex(48)
      store.put(KIND, hash(token), { ...identity, operatingSystem }, identity.userId)
      return { ...identity, token }
    },

    /** Who a bearer header names. Throws `Unauthorized` when one is needed and missing, or given and wrong. */
    identify(header: string | undefined, mode: AuthMode): Identity {
      const token = /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1]
      if (token === undefined) {
        if (mode === 'none') return LOCAL
        throw new Fault('Unauthorized', 'Missing install bearer token')
      }
      const found = store.get(KIND, hash(token)) as Identity | undefined
      if (found) return { userId: found.userId, installId: found.installId }
      throw new Fault('Unauthorized', 'Invalid install bearer token')
    },
  }
}

export type Installations = ReturnType<typeof openInstallations>
