import { isIP } from 'node:net'
import { hostName, isLoopback } from '../base/address.ts'

/** Which pages and names a server answers to. */
export interface Callers {
  /** Origins allowed besides those of this machine, exactly as a browser sends them; `*` allows all. */
  readonly origins: readonly string[]
  /** Names of this machine whose pages may call, if not all of them. */
  readonly names?: readonly string[]
  /** Host names the server is reached by besides loopback ones; `*` allows all. */
  readonly hosts: readonly string[]
}

/** Whether a request may come from a page there. No `Origin` means that no page sent it. */
export function allowsOrigin(origin: string | undefined, { origins, names }: Callers): boolean {
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return true
  const name = pageHost(origin)
  if (name === undefined) return false
  return names ? names.includes(name) : isLoopback(name)
}

/** Whether a server may be called by that name. A foreign name may be a page's own, bound to this machine; a number cannot. */
export function allowsHost(host: string | undefined, { hosts }: Callers): boolean {
  if (host === undefined || hosts.includes('*')) return true
  const name = hostName(host)
  return isLoopback(name) || isIP(name) !== 0 || hosts.includes(name)
}

/** The host name in an `Origin` header; undefined for `null` and for what is no address. */
function pageHost(origin: string): string | undefined {
  const host = URL.canParse(origin) ? new URL(origin).host : ''
  return host === '' ? undefined : hostName(host)
}
