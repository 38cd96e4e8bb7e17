import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { DesktopSession } from '../../observer/session/session.ts'
import { REDACTED, withoutSecretValues } from '../../observer/trace/withheld.ts'

/** Longer bodies are cut. */
const MAX_BODY_BYTES = 64 * 1024

/** Headers with secrets. Those of listed names are hidden too. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(
  'authorization cookie set-cookie proxy-authorization x-api-key x-goog-api-key x-harness-token'.split(' '),
)

/** Which requests a server logs, and how. */
export interface WireLogOptions {
  /** The session whose tools a request may call. Undefined, or an exception, when it calls none. */
  readonly sessionFor: (request: FastifyRequest) => DesktopSession | undefined
  /** Whether bodies are program text, in which arguments have no names. Such a body is hidden when the trace hides an argument. */
  readonly isProgram?: (request: FastifyRequest) => boolean
}

/**
 * Writes each request whose session records a trace, and that made a call, into `wire.jsonl` beside the trace. Bodies are cut
 * at 64 KiB.
 */
export function logWire(app: FastifyInstance, { sessionFor, isProgram = () => false }: WireLogOptions): void {
  app.addHook('preHandler', (request, reply, done) => {
    done()
    const session = knownSession(request, sessionFor)
    if (!session?.context.tracing.active) return
    const { tracing } = session.context
    const after = tracing.rows
    const hiddenBefore = tracing.hiddenCount
    const startedMs = session.operatorClock.now()
    const bodyOf = collectBody(reply.raw)
    reply.raw.once('finish', () => {
      // Requests that made no call, such as those of a page that watches, would fill the file.
      if (tracing.rows === after) return
      // In what is cut, and in a program, hidden arguments cannot be found.
      const isHiding = tracing.hiddenCount > hiddenBefore
      const withoutSecrets = (body: unknown) =>
        withoutSecretValues('', body, {
          path: '',
          withheld: new Map(),
          isSecret: (name) => tracing.hidesName(name),
        })
      const shown = (body: LoggedBody) => (isHiding && (body.isCut || isProgram(request)) ? REDACTED : body.value)
      tracing.note('wire', {
        after,
        method: request.method,
        url: shownUrl(request.url, (name) => tracing.hidesName(name)),
        headers: headersShown(request),
        ...(request.body !== undefined &&
          request.body !== null && { body: withoutSecrets(shown(loggedBody(request.body))) }),
        status: reply.raw.statusCode,
        response: shown(bodyOf()),
        ms: session.operatorClock.now() - startedMs,
      })
    })
  })
}

function knownSession(request: FastifyRequest, sessionFor: WireLogOptions['sessionFor']): DesktopSession | undefined {
  try {
    return sessionFor(request)
  } catch {
    // The route answers that there is no such session.
    return undefined
  }
}

/** A URL without the values of secret names in its query. */
function shownUrl(url: string, isSecret: (name: string) => boolean): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2)
  if (query === undefined) return url
  const shown = query.split('&').map((pair) => {
    const [encoded = ''] = pair.split('=', 1)
    const [name = ''] = new URLSearchParams(encoded).keys()
    return isSecret(name) && pair !== encoded ? `${encoded}=${REDACTED}` : pair
  })
  return `${path}?${shown.join('&')}`
}

const headersShown = ({ headers }: FastifyRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET_HEADERS.has(name) ? REDACTED : String(value)]),
  )

interface LoggedBody {
  readonly value: unknown
  readonly isCut: boolean
}

/** JSON as its value, so that listed names in it are hidden. What is too long, or no JSON, is a text. */
function loggedBody(body: unknown): LoggedBody {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (text.length > MAX_BODY_BYTES)
    return { value: `${text.slice(0, MAX_BODY_BYTES)}… (${text.length} characters)`, isCut: true }
  if (typeof body !== 'string') return { value: body, isCut: false }
  try {
    return { value: JSON.parse(body) as unknown, isCut: false }
  } catch {
    return { value: body, isCut: false }
  }
}

/** Keeps what is written into a response. Pictures and other bytes are only counted. */
function collectBody(raw: ServerResponse): () => LoggedBody {
  const chunks: Buffer[] = []
  let kept = 0
  let bytes = 0
  let isEnded = false
  const keep = (chunk: unknown) => {
    // `end` may write its chunk by `write`.
    if (isEnded) return
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const buffer = Buffer.from(chunk as string)
    bytes += buffer.length
    if (kept >= MAX_BODY_BYTES) return
    chunks.push(buffer.subarray(0, MAX_BODY_BYTES - kept))
    kept += chunks.at(-1)!.length
  }
  let sentType: unknown
  const [writeHead, write, end] = [raw.writeHead.bind(raw), raw.write.bind(raw), raw.end.bind(raw)]
  // Headers that are given to `writeHead` on a socket are sent without being kept in the response.
  raw.writeHead = ((...args: Parameters<typeof writeHead>) => {
    const headers: unknown = args.at(-1)
    if (typeof headers === 'object' && headers !== null && 'content-type' in headers) sentType = headers['content-type']
    return writeHead(...args)
  }) as typeof raw.writeHead
  raw.write = ((...args: Parameters<typeof write>) => {
    keep(args[0])
    return write(...args)
  }) as typeof raw.write
  raw.end = ((...args: Parameters<typeof end>) => {
    keep(args[0])
    isEnded = true
    return end(...args)
  }) as typeof raw.end
  return () => {
    const type = String(sentType ?? raw.getHeader('content-type') ?? '')
    if (!/json|text|xml/.test(type)) return { value: `${type === '' ? 'no type' : type}, ${bytes} bytes`, isCut: false }
    const text = Buffer.concat(chunks).toString('utf8')
    return bytes > kept ? { value: `${text}… (${bytes} bytes)`, isCut: true } : loggedBody(text)
  }
}
