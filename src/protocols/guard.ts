import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { hostName, isLoopback } from '../base/address.ts'
import { Fault } from '../base/fault.ts'

/** Who may talk to a server. */
export interface Guard {
  /** Host names that the Host header may carry besides loopback ones. */
  readonly hosts: readonly string[]
  /** Web origins that may call; a page that this server served itself always may. */
  readonly origins: readonly string[]
  /** When set, every request must carry it as `Authorization: Bearer …`. */
  readonly token: string | undefined
}

export interface Headers {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly authorization?: string | undefined
}

/**
 * Throws `PermissionDenied` for a request that a foreign web page may have sent (another Host: DNS rebinding; another
 * Origin: a form or script elsewhere), `Unauthorized` without the token.
 */
export function admitRequest(headers: Headers, guard: Guard): void {
  const host = headers.host
  if (host === undefined || !isKnownHost(hostName(host), guard.hosts))
    throw new Fault('PermissionDenied', `the Host ${JSON.stringify(host ?? '')} is not this server's; use its address`)
  if (!isKnownOrigin(headers, guard)) {
    throw new Fault('PermissionDenied', `pages from ${JSON.stringify(headers.origin)} may not call this server`)
  }
  if (guard.token !== undefined && !carries(headers.authorization, guard.token))
    throw new Fault('Unauthorized', 'send the token as Authorization: Bearer …')
}

/** Whether a request says of itself that it comes from a page: of this server, or of a listed origin. Without Origin: yes. */
export function isKnownOrigin({ origin, host }: Headers, { origins }: Pick<Guard, 'origins'>): boolean {
  if (origin === undefined || origins.includes(origin)) return true
  return host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`
}

/** A foreign name may be a page's own, bound to this machine; a number cannot be. */
const isKnownHost = (name: string, hosts: readonly string[]): boolean =>
  isLoopback(name) || isIP(name) !== 0 || hosts.includes(name)

function carries(authorization: string | undefined, token: string): boolean {
  const given = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length).trim() : ''
  return timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
