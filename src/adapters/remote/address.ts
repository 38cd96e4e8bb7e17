import { isLoopback } from '../../base/address.ts'
import { Fault } from '../../base/fault.ts'

/** Where another observer is served. */
export interface RemoteAddress {
  /** The URL as it is shown and as paths are appended to it, without a slash at the end. */
  readonly base: string
  /** The URL of the server. It differs from `base` when that names one session of the server. */
  readonly server: string
  /** Whether a token would travel over a network without encryption. */
  readonly exposed: boolean
}

/** The end of a URL that names one session of a server. */
const SESSION_PATH = /\/sessions\/[^/]+$/

/**
 * Reads the URL of another observer, such as `http://desk:5001` or `https://desk/sessions/s1`. Throws `BadRequest` for
 * anything but a plain URL of http or https. The message never repeats credentials.
 */
export function parseRemoteAddress(text: string): RemoteAddress {
  if (!URL.canParse(text)) throw refused(`${JSON.stringify(text)} is not a URL; give one such as http://host:5001`)
  const { protocol, username, password, origin, pathname, search, hash, hostname } = new URL(text)
  if (username !== '' || password !== '')
    throw refused('it contains credentials, which logs would show; give the token with --remote-token')
  if (protocol !== 'http:' && protocol !== 'https:')
    throw refused(`${JSON.stringify(protocol)} is not served by observers; give a URL of http or https`)
  if (search !== '' || hash !== '')
    throw refused('it has a query or a fragment; give the URL of the server only, such as http://host:5001')
  const path = trimSlashes(pathname)
  return {
    base: origin + path,
    server: origin + path.replace(SESSION_PATH, ''),
    exposed: protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')),
  }
}

function trimSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

const refused = (why: string): Fault => new Fault('BadRequest', `the URL of the other server: ${why}`, { field: 'url' })
