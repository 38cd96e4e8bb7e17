import http from 'node:http'
import https from 'node:https'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import type * as z from 'zod'
import { type Contract, findOperation } from '../contract/contract.ts'
import { fail, ignoreLateRejection, parseAs, parseJson } from './failure.ts'
import { type FrameRecorder, quoteBody, sentBody, shorten } from './frame.ts'

/** One request; `body` is sent as JSON, `raw` as it is. */
export interface HttpRequest {
  readonly method: string
  /** With its query, below the server's address. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly raw?: string | Buffer
  /** The body is wrong on purpose. */
  readonly deliberate?: boolean
  readonly timeoutMs?: number
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly text: string
  readonly tookMs: number
  /** The request, for messages. */
  readonly what: string
  json(): unknown
  json<T>(shape: z.ZodType<T>): T
}

type Options = Omit<HttpRequest, 'method' | 'path' | 'body'>

/** An HTTP client for the server under test that records every exchange. */
export interface HttpProbe {
  readonly base: URL
  send(request: HttpRequest): Promise<HttpResponse>
  get(path: string, options?: Options): Promise<HttpResponse>
  post(path: string, body?: unknown, options?: Options): Promise<HttpResponse>
  delete(path: string, options?: Options): Promise<HttpResponse>
  patch(path: string, body: unknown, options?: Options): Promise<HttpResponse>
  /** Opens a request with an endless response; the caller reads and destroys it. */
  open(request: HttpRequest): Promise<http.IncomingMessage>
  close(): void
}

export interface HttpOptions {
  readonly url: string
  readonly token?: string
  readonly contract: Contract
  readonly recorder: FrameRecorder
  /** Milliseconds that the server may take to respond to an ordinary request. */
  readonly responseTimeoutMs: number
}

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/**
 * A connection that was idle for longer is not used again. Servers close idle connections, often after five seconds, and a request
 * that is then under way fails, which would be blamed on the server: a busy machine can hold this process up for that long.
 */
const MAX_IDLE_MS = 1000

/** A large body extends the timeout; 2 MB per second is slow even for a busy server. */
const BYTES_PER_MS = 2000

export function createHttpProbe({ url, token, contract, recorder, responseTimeoutMs }: HttpOptions): HttpProbe {
  const base = new URL(url)
  const agent = new (base.protocol === 'https:' ? https : http).Agent({ keepAlive: true })
  const idleSince = new WeakMap<Duplex, number>()
  agent.on('free', (socket: Duplex) => idleSince.set(socket, performance.now()))
  const closeIdleConnections = () => {
    const oldest = performance.now() - MAX_IDLE_MS
    for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []))
      if ((idleSince.get(socket) ?? 0) < oldest) socket.destroy()
  }
  const opened = new Set<http.ClientRequest>()
  const prefix = base.pathname.replace(/\/$/, '')

  async function start(request: HttpRequest): Promise<{ message: http.IncomingMessage; sentAt: number }> {
    const body = request.raw ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
    const headers: Record<string, string> = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
      ...lowerCase(request.headers ?? {}),
    }
    for (const [name, value] of Object.entries(headers)) if (value === '') delete headers[name]
    const operation = findOperation(contract, request.method, request.path)
    recorder.add({
      direction: 'sent',
      channel: 'http',
      title: `${request.method} ${request.path}`,
      text: body === undefined ? '' : shorten(body.toString()),
      request: {
        method: request.method,
        url: base.origin + prefix + request.path,
        headers: token ? { ...headers, authorization: 'Bearer $TOKEN' } : headers,
        ...(body !== undefined && sentBody(body.toString())),
      },
      ...(request.body !== undefined && operation && { shape: `${operation} body`, value: request.body }),
      ...(request.deliberate && { deliberate: true }),
    })
    const sentAt = performance.now()
    const what = `${request.method} ${request.path}`
    closeIdleConnections()
    const once = (isRetry: boolean): Promise<http.IncomingMessage> =>
      new Promise((resolve, reject) => {
        const outgoing = (base.protocol === 'https:' ? https : http).request(
          {
            ...(isRetry ? { agent: false } : { agent }),
            method: request.method,
            hostname: base.hostname,
            port: base.port,
            path: prefix + request.path,
            headers,
          },
          (message) => {
            clearTimeout(timer)
            resolve(message)
          },
        )
        opened.add(outgoing)
        const patience = (request.timeoutMs ?? responseTimeoutMs) + Math.floor((body?.length ?? 0) / BYTES_PER_MS)
        const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${patience} ms`)), patience)
        outgoing.on('close', () => {
          clearTimeout(timer)
          opened.delete(outgoing)
        })
        outgoing.on('error', (error: Error & { code?: string }) => {
          // A server may close a connection after any answer; a request that was already on its way is sent again.
          if (outgoing.reusedSocket && error.code === 'ECONNRESET' && !isRetry) resolve(once(true))
          else reject(reason(what, error))
        })
        outgoing.end(body)
      })
    return { message: await once(false), sentAt }
  }

  const send = (request: HttpRequest): Promise<HttpResponse> => ignoreLateRejection(exchange(request))

  async function exchange(request: HttpRequest): Promise<HttpResponse> {
    const { message, sentAt } = await start(request)
    const what = `${request.method} ${request.path}`
    const bytes = await readAll(message, what, request.timeoutMs ?? responseTimeoutMs)
    const tookMs = performance.now() - sentAt
    const text = bytes.toString('utf8')
    const operation = findOperation(contract, request.method, request.path)
    const status = message.statusCode ?? 0
    const answer: HttpResponse = {
      status,
      headers: readHeaders(message),
      bytes,
      text,
      tookMs,
      what,
      json: <T>(shape?: z.ZodType<T>) => {
        const value = parseJson(text, `the answer to ${what} (${status})`)
        return shape ? parseAs(shape, value, `the answer to ${what}`) : value
      },
    }
    recorder.add({
      direction: 'received',
      channel: 'http',
      title: `${status} to ${what}`,
      text: quoteBody(bytes, message.headers['content-type']),
      tookMs,
      ...(operation && { shape: `${operation} ${status}`, value: answer }),
    })
    return answer
  }

  return {
    base,
    send,
    get: (path, options) => send({ method: 'GET', path, ...options }),
    post: (path, body, options) => send({ method: 'POST', path, body, ...options }),
    delete: (path, options) => send({ method: 'DELETE', path, ...options }),
    patch: (path, body, options) => send({ method: 'PATCH', path, body, ...options }),
    open: async (request) => (await start(request)).message,
    close: () => {
      for (const request of opened) request.destroy()
      agent.destroy()
    },
  }
}

/** The headers of an answer. The spelling of its media type does not matter, so it is in lower case without blanks. */
export function readHeaders({ headers }: http.IncomingMessage): Readonly<Record<string, string>> {
  const type = headers['content-type']?.toLowerCase().replace(/\s*;\s*/g, '; ')
  return { ...(headers as Record<string, string>), ...(type !== undefined && { 'content-type': type.trim() }) }
}

export const isEventStream = (headers: Readonly<Record<string, string>>): boolean =>
  /^text\/event-stream(;|$)/.test(headers['content-type'] ?? '')

/** The content of a message without the codings that it went through; each is allowed where a request names none. */
export function decodeContent(message: http.IncomingMessage): Readable {
  const codings = (message.headers['content-encoding'] ?? '').toLowerCase().split(',')
  return codings.reverse().reduce<Readable>((content, coding) => {
    const decoder = DECODERS[coding.trim()]
    return decoder ? pipeline(content, decoder(), () => undefined) : content
  }, message)
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
/** Each passes on what it has, because a stream may not end. */
const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: () => zlib.createGunzip({ flush: Z_SYNC_FLUSH }),
  'x-gzip': () => zlib.createGunzip({ flush: Z_SYNC_FLUSH }),
  deflate: () => zlib.createInflate({ flush: Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH }),
}

function readAll(message: http.IncomingMessage, what: string, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (error: Error) => content.destroy(error)
    const timer = setTimeout(() => end(new Error(`the answer did not end within ${timeoutMs} ms`)), timeoutMs)
    const content = decodeContent(message)
    content.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_RESPONSE_BYTES) return end(new Error(`the answer is larger than ${MAX_RESPONSE_BYTES} bytes`))
      chunks.push(chunk)
    })
    content.on('close', () => clearTimeout(timer))
    content.on('error', (error) => reject(reason(what, error)))
    content.on('end', () => resolve(Buffer.concat(chunks)))
  })
}

function reason(what: string, error: Error & { code?: string }): unknown {
  try {
    fail(`${what}: ${error.code ? `${error.code} ` : ''}${error.message}`)
  } catch (failure) {
    return failure
  }
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
