import { executionAsyncResource } from 'node:async_hooks'
import { maxHeaderSize, type Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyServerOptions } from 'fastify'
import Fastify from 'fastify'
import type * as z from 'zod'
import { describeIssues, isTooDeep } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import { type AccessPolicy, checkAccess, type PageAccess } from './guard.ts'
import { parseJson } from './json.ts'
import { requestFault } from './status.ts'
import { limitConnections, lingerAtEnd } from './timeouts.ts'

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
  /** Responds to bytes that are not an HTTP request. */
  readonly clientErrorHandler?: FastifyServerOptions['clientErrorHandler']
}

/** Creates an HTTP server with limits on time and size. It has no body parsers and no access checks. */
export function createBareApp({
  bodyLimit,
  sendFault,
  maxParamLength,
  clientErrorHandler,
}: BareAppOptions): FastifyInstance {
  retainTickObject()
  const app = Fastify({
    bodyLimit,
    forceCloseConnections: true,
    schemaController: NO_SCHEMA_COMPILERS,
    routerOptions: { maxParamLength: maxParamLength ?? maxHeaderSize },
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
