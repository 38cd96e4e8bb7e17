import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { hostName, isLoopback } from '../../base/address.ts'
import { Fault } from '../../base/fault.ts'

/** Which names a server answers to, and whose pages may call it. */
export interface AccessPolicy {
  /** Host names the server is reached by besides loopback ones; `*` allows all. */
  readonly hosts: readonly string[]
  /** Origins whose pages may call, exactly as a browser sends them; `*` allows all. */
  readonly origins: readonly string[]
  /** Whose pages may call besides: those of this machine unless told otherwise. */
  readonly pages?: PageOrigins
}

/** Pages of any server on this machine, pages this server served itself, or pages of certain host names. */
export type PageOrigins = 'local' | 'own' | readonly string[]

/** The headers that tell where a request comes from. */
export interface RequestHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | readonly string[] | undefined
  readonly 'sec-fetch-mode'?: string | readonly string[] | undefined
  readonly 'sec-fetch-dest'?: string | readonly string[] | undefined
}

/** How other pages may load a route without an `Origin`: by a link to it, or by embedding it in a page of the same site. */
export type PageAccess = 'link' | 'embed'

/**
 * Throws `PermissionDenied` for a request that a foreign web page may have sent: another Host (DNS rebinding), another
 * Origin (a form or script elsewhere), or a request without an Origin that a browser marks as another site's (an image).
 * `access` is the exception that the route makes.
 */
export function checkAccess(headers: RequestHeaders, callers: AccessPolicy, access?: PageAccess): void {
  const { host, origin } = headers
  if (!isKnownHost(host, callers))
    throw new Fault('PermissionDenied', `the Host ${JSON.stringify(host ?? '')} is not this server's; use its address`)
  if (!isAllowedOrigin(headers, callers))
    throw new Fault('PermissionDenied', `pages from ${JSON.stringify(origin)} may not call this server`)
  if (isEmbedded(headers) && !mayLoad(headers, access))
    throw new Fault('PermissionDenied', 'pages of other origins may not load this; open it by itself, or use a program')
}

/** Whether `admit` lets a request in. */
export const isAllowed = (headers: RequestHeaders, callers: AccessPolicy): boolean =>
  isKnownHost(headers.host, callers) && isAllowedOrigin(headers, callers) && !isEmbedded(headers)

/** Whether a page of another origin sent a request without an `Origin`, as images, scripts, frames and links do. */
const isEmbedded = ({ origin, 'sec-fetch-site': site }: RequestHeaders): boolean =>
  origin === undefined && site !== undefined && site !== 'none' && site !== 'same-origin'

function mayLoad(headers: RequestHeaders, access: PageAccess | undefined): boolean {
  if (access === 'embed') return headers['sec-fetch-site'] === 'same-site'
  return access === 'link' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** Whether a request may come from the page it names. Requests without an `Origin` name none. */
export function isAllowedOrigin(
  { host, origin }: RequestHeaders,
  { origins, pages = 'local' }: Omit<AccessPolicy, 'hosts'>,
): boolean {
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return true
  if (pages === 'own') return host !== undefined && origin.toLowerCase() === `http://${host.toLowerCase()}`
  const name = pageHost(origin)
  if (name === undefined) return false
  return pages === 'local' ? isLoopback(name) : pages.includes(name)
}

/** A foreign name may be a page's own, bound to this machine; a number cannot be. */
function isKnownHost(host: string | undefined, { hosts }: AccessPolicy): boolean {
  if (hosts.includes('*')) return true
  if (host === undefined) return false
  const name = hostName(host)
  return isLoopback(name) || isIP(name) !== 0 || hosts.includes(name)
}

/** The host name in an `Origin` header; undefined for `null` and for what is no address. */
function pageHost(origin: string): string | undefined {
  const host = URL.canParse(origin) ? new URL(origin).host : ''
  return host === '' ? undefined : hostName(host)
}

const BEARER = 'Bearer '

/** The token in an `Authorization` header; undefined when there is none. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization?.startsWith(BEARER) ? authorization.slice(BEARER.length).trim() : undefined

/** Compares in a time that tells nothing of where the difference is. */
export const matchesSecret = (given: string | readonly string[] | undefined, secret: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
