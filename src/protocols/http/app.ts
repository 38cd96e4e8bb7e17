import { executionAsyncResource } from 'node:async_hooks'
import { type IncomingMessage, maxHeaderSize, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyServerOptions } from 'fastify'
import Fastify from 'fastify'
import type * as z from 'zod'
import { describeIssues, isTooDeep } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { type AccessPolicy, checkAccess, type PageAccess } from './guard.ts'
import { parseJson } from './json.ts'
import { requestFault } from './status.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How pages of other origins may load the route. Not at all by default. */
    pages?: PageAccess
  }
}

const noCompiler = (): never => {
  throw new Error('routes must not have Fastify schemas')
}

/** Zod validates bodies, so the schema compilers that Fastify loads at every start are not needed. */
const NO_SCHEMA_COMPILERS = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } } as const

/** Options of a protocol's HTTP server. */
export interface AppOptions extends AccessPolicy {
  /** Largest body in bytes. */
  readonly bodyLimit: number
  /** Sends a fault in the protocol's own error shape. */
  readonly sendFault: (fault: Fault, reply: FastifyReply) => unknown
  /** Whether pages of allowed origins get CORS headers. */
  readonly cors: boolean
  /** Called with unexpected internal errors. */
  readonly onBug: (cause: unknown) => void
}

/** Options of an HTTP server without hooks and routes. */
export interface BareAppOptions extends Pick<AppOptions, 'bodyLimit' | 'sendFault'> {
  /** The longest path parameter, in characters. By default ids of any length reach the route, which does not find them. */
  readonly maxParamLength?: number
  /** Whether `//mcp` is `/mcp`, as when an address that ends with a slash is joined to a path that begins with one. */
  readonly mergesSlashes?: boolean
  /** Responds to bytes that are not an HTTP request. */
  readonly clientErrorHandler?: FastifyServerOptions['clientErrorHandler']
}

/** Creates an HTTP server with limits on time and size. It has no body parsers and no access checks. */
export function createBareApp({
  bodyLimit,
  sendFault,
  maxParamLength,
  mergesSlashes = false,
  clientErrorHandler,
}: BareAppOptions): FastifyInstance {
  retainTickObject()
  const app = Fastify({
    bodyLimit,
    forceCloseConnections: true,
    schemaController: NO_SCHEMA_COMPILERS,
    routerOptions: { maxParamLength: maxParamLength ?? maxHeaderSize, ignoreDuplicateSlashes: mergesSlashes },
    // Paths that cannot be decoded never reach a route.
    frameworkErrors: (error, _request, reply) => sendFault(new Fault('BadRequest', error.message), reply),
    ...(clientErrorHandler && { clientErrorHandler }),
  })
  limitConnections(app)
  lingerAtEnd(app.server as Server)
  app.removeAllContentTypeParsers()
  return app
}

/** Creates an HTTP server that reads any body as text, rejects foreign pages and hosts, and sends every error as a fault. */
export function createApp(options: AppOptions): FastifyInstance {
  const app = createBareApp(options)
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    checkAccess(request.headers, options, request.routeOptions.config?.pages)
    const { origin } = request.headers
    const { 'access-control-request-headers': headers = PAGE_HEADERS } = request.headers
    if (options.cors && origin !== undefined) allowOrigin(reply, origin, headers)
  })
  if (options.cors) app.options('*', async (_request, reply) => reply.status(204).send())

  app.setErrorHandler((thrown, request, reply) => {
    const fault = requestFault(thrown, request)
    if (fault.cause !== undefined) options.onBug(fault.cause)
    return options.sendFault(fault, reply)
  })
  return app
}

const PAGE_HEADERS = 'authorization, content-type, last-event-id'

/** Allows a page to call with any headers, since keys have their own. Streams send the headers of `raw`. */
function allowOrigin({ raw }: FastifyReply, origin: string, headers: string): void {
  raw.setHeader('access-control-allow-origin', origin)
  raw.setHeader('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
  raw.setHeader('access-control-allow-headers', headers)
  raw.setHeader('vary', 'origin')
}

/** Parses a JSON body. Throws `BadRequest` for anything else or an empty body, and `TooLarge` for too many values. */
export function readJson(body: unknown): unknown {
  if (typeof body !== 'string' || body === '') throw new Fault('BadRequest', 'a JSON body is needed')
  const value = parse(body)
  if (isTooDeep(value)) throw new Fault('BadRequest', 'the body is nested too deep')
  return value
}

/** Parses and validates a JSON body. Throws `BadRequest` with every problem. */
export const readBody = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> =>
  readValue(schema, readJson(body))

/** Validates a value, such as a query string. Throws `BadRequest` with every problem. */
export function readValue<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (!result.success) throw new Fault('BadRequest', describeIssues(result.error))
  return result.data
}

function parse(body: string): unknown {
  try {
    return parseJson(body)
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown
    throw new Fault('BadRequest', 'the body is not valid JSON')
  }
}

let retained: object | undefined

/**
 * Retains one of the objects that `process.nextTick` creates. Without it, the first garbage collection that finds none alive
 * discards their hidden class. V8 then defines two of their fields in its slowest way for the rest of the process, about 3 µs
 * per HTTP request (Node 20: the object literal in `nextTick` has computed keys, whose feedback becomes megamorphic).
 */
function retainTickObject(): void {
  if (retained === undefined)
    process.nextTick(() => {
      retained = executionAsyncResource()
    })
}

/** The most concurrent connections. Additional ones are closed as they arrive. */
const MAX_CONNECTIONS = 2048
/** The time in which the head of a request must arrive. */
const HEAD_TIMEOUT_MS = 20_000
/** In each interval, an incomplete body must bring the minimum. Large uploads over slow lines still succeed. */
export const BODY_CHECK_INTERVAL_MS = 30_000
export const MIN_BODY_BYTES_PER_CHECK = 16 * 1024
const TIMED_OUT = `HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`

/** Limits the connections of a server, and its waiting time for the head and the body of a request. */
function limitConnections(app: FastifyInstance): void {
  const server = app.server as Server
  server.maxConnections = MAX_CONNECTIONS
  server.headersTimeout = HEAD_TIMEOUT_MS
  /** Requests whose body is arriving, with the bytes that their connection had received at the last check. */
  const arriving = new Map<IncomingMessage, number>()
  const timer = setInterval(() => {
    for (const [request, before] of arriving) {
      const { socket } = request
      if (request.complete || socket.destroyed) arriving.delete(request)
      else if (socket.bytesRead - before >= MIN_BODY_BYTES_PER_CHECK) arriving.set(request, socket.bytesRead)
      else {
        arriving.delete(request)
        // A second response cannot follow one that has started.
        if (socket.bytesWritten === 0) socket.write(TIMED_OUT)
        socket.destroySoon()
      }
    }
  }, BODY_CHECK_INTERVAL_MS)
  timer.unref()
  app.addHook('onRequest', ({ raw }, reply, done) => {
    // Requests injected by tests have no connection.
    if (raw.complete || !(raw.socket instanceof Socket) || !hasBody(raw)) return done()
    arriving.set(raw, raw.socket.bytesRead)
    reply.raw.once('close', () => arriving.delete(raw))
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
}

/** The longest time, and the most bytes, that a closing connection waits for the rest of a body. */
const LINGER_MS = 10_000
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/**
 * Lets clients read a response that ends the connection before their body has arrived. A server that closes such a connection at once
 * resets it, and the client finds an error of its socket instead of the response (RFC 9112, section 9.6).
 */
function lingerAtEnd(server: Server): void {
  server.on('request', (request) => {
    const { socket } = request
    if (!hasBody(request)) return
    // Node calls this after the last response of a connection.
    const destroySoon = () => {
      restore()
      if (request.complete) socket.destroySoon()
      else discardRest(request)
    }
    const restore = () => {
      if (socket.destroySoon === destroySoon) delete (socket as Partial<Socket>).destroySoon
    }
    socket.destroySoon = destroySoon
    request.once('close', restore)
  })
}

/** Whether a request announces a body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined

/** Ends the server's side of the connection, and the connection itself after the body, or at the limits. */
function discardRest(request: IncomingMessage): void {
  const { socket } = request
  const end = () => socket.destroy()
  const timer = setTimeout(end, LINGER_MS)
  let bytes = 0
  socket.once('close', () => clearTimeout(timer)).end()
  request
    .on('data', ({ length }: Buffer) => {
      bytes += length
      if (bytes > MAX_DISCARDED_BYTES) end()
    })
    .once('end', () => socket.destroySoon())
    .resume()
}
