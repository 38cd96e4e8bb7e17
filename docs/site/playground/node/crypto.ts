import { sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Buffer } from 'buffer/'

/** The hashes of Node that the core asks for, and random bytes. */

const ALGORITHMS = { sha1, sha256 } as const

type Algorithm = keyof typeof ALGORITHMS

const bytesOf = (data: string | Uint8Array): Uint8Array => (typeof data === 'string' ? Buffer.from(data) : data)

export const hash = (algorithm: Algorithm, data: string | Uint8Array): string =>
  Buffer.from(ALGORITHMS[algorithm](bytesOf(data))).toString('hex')

export function createHash(algorithm: Algorithm) {
  const state = ALGORITHMS[algorithm].create()
  const own = {
    update(data: string | Uint8Array) {
      state.update(bytesOf(data))
      return own
    },
    digest(encoding?: 'hex' | 'base64' | 'base64url') {
      const digest = Buffer.from(state.digest())
      if (encoding === undefined) return digest
      if (encoding !== 'base64url') return digest.toString(encoding)
      return digest.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    },
  }
  return own
}

export const randomBytes = (count: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(count)))
export const randomUUID = (): string => crypto.randomUUID()
