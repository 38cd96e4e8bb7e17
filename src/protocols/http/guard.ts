import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { Fault } from '../../base/fault.ts'
import { hostName, isLoopback } from '../../base/host.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { Audience } from '../../observer/tool.ts'

/** The host names and web origins that a server accepts. */
export interface AccessPolicy {
  /** Host names of the server besides loopback names and IP addresses. `*` allows all. */
  readonly hosts: readonly string[]
  /** Origins whose pages may call, exactly as a browser sends them. `*` allows all. */
  readonly origins: readonly string[]
  /** Further pages that may call. Those of this machine by default. */
  readonly pages?: PageOrigins
}

/** Pages of any server on this machine, pages this server served itself, or pages of certain host names. */
export type PageOrigins = 'local' | 'own' | readonly string[]

/** The headers that identify the source of a request. */
export interface RequestHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | readonly string[] | undefined
  readonly 'sec-fetch-mode'?: string | readonly string[] | undefined
  readonly 'sec-fetch-dest'?: string | readonly string[] | undefined
}

/** How other pages may load a route without an `Origin`: by a link, or embedded in a page of the same site. */
export type PageAccess = 'link' | 'embed'

/**
 * Throws `PermissionDenied` for a request that a foreign web page may have sent: another Host (DNS rebinding), another
 * Origin (a form or script elsewhere), or a request without an Origin that the browser marks as cross-site (an image).
 * `access` is the exception of the route.
 */
export function checkAccess(headers: RequestHeaders, callers: AccessPolicy, access?: PageAccess): void {
  const { host, origin } = headers
  if (!isAllowedHost(host, callers))
    throw new Fault('PermissionDenied', `the Host ${JSON.stringify(host ?? '')} is not this server's; use its address`)
  if (!isAllowedOrigin(headers, callers))
    throw new Fault('PermissionDenied', `pages from ${JSON.stringify(origin)} may not call this server`)
  if (isEmbedded(headers) && !mayLoad(headers, access))
    throw new Fault('PermissionDenied', 'pages of other origins may not load this; open it by itself, or use a program')
}

/** Returns whether `checkAccess` accepts a request to a route without exceptions. */
export const isAllowed = (headers: RequestHeaders, callers: AccessPolicy): boolean =>
  isAllowedHost(headers.host, callers) && isAllowedOrigin(headers, callers) && !isEmbedded(headers)

/** Returns whether a page of another origin sent a request without `Origin`, as for images, scripts, frames and links. */
const isEmbedded = ({ origin, 'sec-fetch-site': site }: RequestHeaders): boolean =>
  origin === undefined && site !== undefined && site !== 'none' && site !== 'same-origin'

function mayLoad(headers: RequestHeaders, access: PageAccess | undefined): boolean {
  if (access === 'embed') return headers['sec-fetch-site'] === 'same-site'
  return access === 'link' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

/** Returns whether pages of the request's `Origin` may call. Requests without an `Origin` do not come from a page's script. */
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

/** A foreign name may belong to a page and resolve to this machine. An IP address cannot. */
function isAllowedHost(host: string | undefined, { hosts }: AccessPolicy): boolean {
  if (hosts.includes('*')) return true
  if (host === undefined) return false
  const name = hostName(host)
  return isLoopback(name) || isIP(name) !== 0 || hosts.includes(name)
}

/** The host name in an `Origin` header. Undefined for `null` and for invalid URLs. */
function pageHost(origin: string): string | undefined {
  const host = URL.canParse(origin) ? new URL(origin).host : ''
  return host === '' ? undefined : hostName(host)
}

/** The name of the scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^bearer +/i

/** The bearer token in an `Authorization` header. Undefined without one. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization !== undefined && BEARER.test(authorization) ? authorization.replace(BEARER, '').trim() : undefined

/** Compares in constant time. */
export const matchesSecret = (given: string | readonly string[] | undefined, secret: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(secret))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The header with the harness token. */
export const HARNESS_HEADER = 'x-harness-token'

/** Further callers that count as the harness, besides those with the token of a session. */
export interface HarnessAccess {
  /** The token that makes a caller the harness of every session. */
  readonly harnessToken?: string | undefined
  /** Whether every caller is the harness, as on the harness port. */
  readonly harnessOnly?: boolean
}

/** Who may call a server over the tools of a session. Of web pages, only its own and those of listed origins. */
export interface ServerAccess extends Omit<AccessPolicy, 'pages'>, HarnessAccess {
  /** If set, every request must carry it as `Authorization: Bearer …`. */
  readonly token: string | undefined
}

/** The audience of a caller of a session. */
export function audienceOf(session: DesktopSession, headers: IncomingHttpHeaders, guard: HarnessAccess): Audience {
  if (session.audience === 'all' || guard.harnessOnly) return 'harness'
  const given = headers[HARNESS_HEADER]
  const tokens = [guard.harnessToken, session.harnessToken]
  return tokens.some((token) => token !== undefined && matchesSecret(given, token)) ? 'harness' : 'agent'
}
