import { createHash } from 'node:crypto'
import { Fault } from '../../../base/fault.ts'
import type { IdSource } from '../../../base/ids.ts'
import type { Store } from '../../../stores/store.ts'

/** An installation and its user. */
export interface Identity {
  readonly userId: string
  readonly installId: string
}

/** `install`: every caller needs the token of a registered installation. `none`: no authentication. */
export type AuthMode = 'install' | 'none'

/** The identity of every caller without authentication. */
const LOCAL: Identity = { userId: 'local-user', installId: 'local-install' }

const KIND = 'windieos.install'
const TOKEN_PREFIX = 'wnd_install_'

/** The registered installations. A token is returned once; only its hash is stored. */
export function openInstallations(store: Store, ids: IdSource) {
  const hash = (token: string) => createHash('sha256').update(token).digest('hex')

  return {
    /** Registers an installation for a new user. */
    register(operatingSystem: string | null): Identity & { readonly token: string } {
      const identity = { userId: `user_${ids.hex(24)}`, installId: `install_${ids.hex(24)}` }
      const token = TOKEN_PREFIX + ids.hex(48)
      store.put(KIND, hash(token), { ...identity, operatingSystem }, identity.userId)
      return { ...identity, token }
    },

    /** The identity of a bearer token. Throws `Unauthorized` if it is wrong, or if it is required and missing. */
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
