import { Fault } from '../../base/fault.ts'
import { inputStopped } from '../refusals.ts'
import type { RemoteAddress } from './address.ts'
import { misunderstood, type RemoteAnswer, toFault } from './faults.ts'

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
