import { isIP } from 'node:net'

/** Names of this machine to itself. The whole name counts: `localhost.example` is somebody else's. */
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The host name in an `Origin` header; undefined for `null` and for what is no address. */
export function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).hostname || undefined
  } catch {
    return undefined
  }
}

/** The host name in a `Host` header, without its port. */
export const hostName = (host: string): string => host.replace(/:\d*$/, '').toLowerCase()

export const isLoopbackName = (name: string): boolean => LOOPBACK_NAMES.has(name)

/** Which pages and names a server answers to. */
export interface Callers {
  /** Origins allowed besides loopback ones, exactly as a browser sends them; `*` allows all. */
  readonly origins: readonly string[]
  /** Names of this machine whose pages may call, if not all of them. */
  readonly names?: readonly string[]
  /** Host names the server is reached by besides loopback ones; `*` allows all. */
  readonly hosts: readonly string[]
}

/** Whether a request may come from there. No `Origin` means that no page sent it. */
export function isKnownOrigin(origin: string | undefined, { origins, names }: Callers): boolean {
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return true
  const name = originHost(origin)
  if (name === undefined) return false
  return names ? names.includes(name) : isLoopbackName(name)
}

/** Whether a server may be called by that name. A foreign name may be a page's own, bound to this machine; a number cannot. */
export function isKnownHost(host: string | undefined, { hosts }: Callers): boolean {
  if (host === undefined || hosts.includes('*')) return true
  const name = hostName(host)
  return isLoopbackName(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || hosts.includes(name)
}
