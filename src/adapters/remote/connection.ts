import { FAULTS, Fault, type FaultCode, type FaultContext } from '../../base/fault.ts'
import { isLoopback } from '../../base/host.ts'
import { inputStopped } from '../real-input.ts'

/** How long the other server may take, in milliseconds. */
export interface RemoteTimeouts {
  /** For the checks at the start. */
  readonly helloMs: number
  /** For windows, trees and pictures. */
  readonly readMs: number
  /** For an action, besides the time that the action itself takes. Longer than the other server waits for a person. */
  readonly actMs: number
}

export const DEFAULT_REMOTE_TIMEOUTS: RemoteTimeouts = { helloMs: 5000, readMs: 10_000, actMs: 45_000 }

/** A request of the observer's REST API. */
export interface RemoteRequest {
  readonly method: 'GET' | 'POST'
  /** The path below the base URL, or below the URL of the server if `ofServer`. */
  readonly path: string
  readonly ofServer?: boolean
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: Readonly<Record<string, unknown>>
}

interface SendOptions {
  readonly timeoutMs: number
  /** Ends the request early. */
  readonly signal?: AbortSignal
  /** The request acts: it is never repeated, and its fault says that it may have been performed. */
  readonly acts?: boolean
}

/** Sends requests to one other server. Every connection is opened when it is needed. */
export interface RemoteConnection {
  /** Names the server in messages. */
  readonly at: string
  /** Returns the JSON object of the answer. Throws a `Fault` for an error, and `Timeout` without an answer. */
  send(request: RemoteRequest, options: SendOptions): Promise<RemoteAnswer>
}

/** A tree of the largest window and a picture of the largest screen are smaller. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024

const STALE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Creates a connection. The token is sent to the server of the address only, and is part of no message. */
export function createRemoteConnection(address: RemoteAddress, token: string | undefined): RemoteConnection {
  const at = `the other server, ${address.base},`
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }

  const exchange = async ({ method, path, ofServer, query, body }: RemoteRequest, signal: AbortSignal) => {
    const url = new URL((ofServer ? address.server : address.base) + path)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
    const response = await fetch(url, {
      method,
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body && { body: JSON.stringify(body) }),
      // A redirect would pass the token and the input on to another server.
      redirect: 'manual',
      signal,
    })
    return { status: response.status, location: response.headers.get('location'), text: await textOf(response, at) }
  }

  return {
    at,
    async send(request, { timeoutMs, signal, acts = false }) {
      const timeout = AbortSignal.timeout(timeoutMs)
      const ends = signal ? AbortSignal.any([timeout, signal]) : timeout
      const once = () => exchange(request, ends)
      try {
        // The server may have closed an idle connection.
        const repeat = (thrown: unknown) => {
          if (acts || !STALE.has(codeOf(thrown) ?? '')) throw thrown
          return once()
        }
        return understood(await once().catch(repeat), at)
      } catch (thrown) {
        if (thrown instanceof Fault) throw thrown
        if (signal?.aborted) throw inputStopped()
        const lost = timeout.aborted ? `did not answer within ${timeoutMs / 1000} s` : reasonOf(thrown)
        throw connectionLost(at, lost, acts)
      }
    },
  }
}

/** The fault of an exchange that did not end with an answer. Another try may succeed. */
const connectionLost = (at: string, lost: string, acts: boolean): Fault =>
  new Fault(
    'Timeout',
    acts
      ? `${at} ${lost}; the action may have been performed: observe before you repeat it`
      : `${at} ${lost}; the next call connects again`,
    { connection: 'lost', reason: `${at} ${lost}` },
    {},
    'list_windows',
  )

async function textOf({ body }: Response, at: string): Promise<string> {
  if (!body) return ''
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.byteLength
    if (bytes > MAX_ANSWER_BYTES) throw misunderstood(`sent more than ${MAX_ANSWER_BYTES} bytes`, at)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

interface Exchanged {
  readonly status: number
  readonly location: string | null
  readonly text: string
}

function understood({ status, location, text }: Exchanged, at: string): RemoteAnswer {
  if (status >= 300 && status < 400)
    throw misunderstood(`redirects to ${JSON.stringify(location ?? '')}, which is not followed`, at)
  const answer = jsonObject(text)
  if (answer && status < 300 && answer.ok !== false && answer.success !== false) return answer
  if (!answer && status < 300)
    throw misunderstood(`sent ${text.trimStart().startsWith('<') ? 'a web page' : 'no JSON object'}`, at)
  throw toFault(status, answer, at)
}

function jsonObject(text: string): RemoteAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RemoteAnswer) : undefined
  } catch {
    return undefined
  }
}

/** The code of a failed connection. `fetch` wraps the error. */
function codeOf(thrown: unknown): string | undefined {
  const { code, cause } = (thrown ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? undefined : codeOf(cause)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'is not running: the connection was refused',
  ENOTFOUND: 'cannot be found: its host name is unknown',
  EAI_AGAIN: 'cannot be found: names cannot be resolved now',
  EHOSTUNREACH: 'cannot be reached: there is no route to its host',
  ENETUNREACH: 'cannot be reached: there is no route to its network',
  ETIMEDOUT: 'cannot be reached: the connection timed out',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that is not trusted; NODE_EXTRA_CA_CERTS=FILE trusts further ones',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that is not trusted; NODE_EXTRA_CA_CERTS=FILE trusts further ones',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'has a certificate that is not trusted; NODE_EXTRA_CA_CERTS=FILE trusts further ones',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS; use a URL of http',
}

/** How `fetch` refuses the ports of other services, such as 6000 of X11. */
const BAD_PORT = 'bad port'

function reasonOf(thrown: unknown): string {
  if (Object((thrown as Error | undefined)?.cause).message === BAD_PORT)
    return 'has a port that is reserved for another service; serve it on another port, such as 5001'
  const code = codeOf(thrown) ?? 'no further reason'
  return REASONS[code] ?? `closed the connection before it had answered (${code})`
}

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
    throw refused('it contains credentials, which logs would show; put the token into BACKLOT_REMOTE_TOKEN')
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

/** A JSON object of the other server. */
export type RemoteAnswer = Readonly<Record<string, unknown>>

const MAX_MESSAGE_LENGTH = 2000

/** The codes of other servers that would mislead clients of this one. */
const TRANSLATED: Readonly<Partial<Record<FaultCode, (message: string, at: string) => Fault>>> = {
  Unauthorized: (_, at) =>
    new Fault(
      'PermissionDenied',
      `${at} requires a token, or another one; put it into BACKLOT_REMOTE_TOKEN, and restart`,
    ),
  // A token of this server does not confirm at the other one.
  ConfirmationRequired: (message, at) => unconfirmed(message, at),
  ConfirmationInvalid: (message, at) => unconfirmed(message, at),
  // Not a bug of this server.
  Internal: (message, at) => new Fault('PlatformUnsupported', `${at} failed: ${message}`, FAILED),
}

/** Marks faults of the other server itself, and of what is no observer. Those of its desktop have no such mark. */
const FAILED: FaultContext = { connection: 'failed' }

const unconfirmed = (message: string, at: string): Fault =>
  new Fault(
    'PermissionDenied',
    `${at} asks for a confirmation, which this server cannot pass on (${message}); configure the rules of confirmation here instead`,
  )

/** The code of an error without one (observer document, "HTTP status codes"). */
const CODE_OF_STATUS: Readonly<Record<number, FaultCode>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'PermissionDenied',
  404: 'PlatformUnsupported',
  405: 'PlatformUnsupported',
  408: 'Timeout',
  413: 'TooLarge',
  429: 'RateLimited',
  501: 'PlatformUnsupported',
  502: 'Timeout',
  503: 'Timeout',
  504: 'Timeout',
}

/** The fault of an error of the other server, in either of its shapes. `at` names the server. */
function toFault(status: number, answer: RemoteAnswer | undefined, at: string): Fault {
  const problem = objectIn(answer?.error) ?? objectIn(answer?.error_detail)
  const message = cut(textIn(problem?.message) ?? textIn(answer?.error) ?? `${at} answered ${status}`)
  const written = textIn(problem?.code) ?? textIn(answer?.code)
  const code = written !== undefined && isFaultCode(written) ? written : (CODE_OF_STATUS[status] ?? 'Internal')
  const translated = TRANSLATED[code]
  if (translated) return translated(message, at)
  return new Fault(code, message, objectIn(problem?.context) ?? {}, {}, textIn(problem?.suggested_next_tool))
}

/** The fault of an answer that no observer gives. */
export const misunderstood = (what: string, at: string): Fault =>
  new Fault('PlatformUnsupported', `${at} ${what}; the URL must be that of an observer`, FAILED)

/** The message of the document for a window without a tree (observer document, "structure"). */
const WITHOUT_TREE = 'Could not retrieve element tree'

/** Whether a fault says that the other desktop lacks something, and not that its server failed. */
export const isLacking = (thrown: unknown): boolean =>
  thrown instanceof Fault &&
  thrown.code === 'PlatformUnsupported' &&
  (thrown.context.connection === undefined || thrown.message.includes(WITHOUT_TREE))

export const isWindowGone = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code === 'WindowGone'

/** Recovers from faults that a condition accepts. */
export const recover =
  <T>(accepts: (thrown: unknown) => boolean, otherwise: T) =>
  (thrown: unknown): T => {
    if (accepts(thrown)) return otherwise
    throw thrown
  }

const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code)

const cut = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text

const objectIn = (value: unknown): FaultContext | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FaultContext) : undefined

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
