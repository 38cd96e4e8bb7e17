import { maxHeaderSize } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyServerOptions } from 'fastify'
import type * as z from 'zod'
import { isTooDeep } from '../../base/depth.ts'
import { Fault } from '../../base/fault.ts'
import { describeIssues } from '../../base/issues.ts'
import { type AccessPolicy, checkAccess, type PageAccess } from './guard.ts'
import { parseJson } from './json.ts'
import { retainTickObject } from './next-tick.ts'
import { limitConnections } from './timeouts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How pages of other origins may load the route; not at all when left out. */
    pages?: PageAccess
  }
}

const notHere = (): never => {
  throw new Error('routes have no schemas of Fastify')
}

/** Bodies are read by schemas of our own, so the compilers that Fastify would read at every start are not needed. */
const OWN_SCHEMAS = { compilersFactory: { buildValidator: notHere, buildSerializer: notHere } } as const

/** How a protocol's HTTP side is set up. */
export interface AppOptions extends AccessPolicy {
  /** Largest body in bytes. */
  readonly bodyLimit: number
  /** Answers a fault in the protocol's own words. */
  readonly sendFault: (fault: Fault, reply: FastifyReply) => unknown
  /** Whether pages of allowed origins are told that they may read the answers. */
  readonly cors: boolean
  readonly onBug: (cause: unknown) => void
}

/** The parts of an HTTP server that differ even before its hooks and routes. */
export interface BareAppOptions extends Pick<AppOptions, 'bodyLimit' | 'sendFault'> {
  /** The longest parameter of a path, in characters. By default an id of any length is looked for and not found. */
  readonly maxParamLength?: number
  /** Answers bytes that are not a request. */
  readonly clientErrorHandler?: FastifyServerOptions['clientErrorHandler']
}

/** An HTTP server with bounds on time and size, which as yet takes no bodies and lets everybody in. */
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
    schemaController: OWN_SCHEMAS,
    routerOptions: { maxParamLength: maxParamLength ?? maxHeaderSize },
    // Addresses that cannot be decoded never come to a route.
    frameworkErrors: (error, _request, reply) => sendFault(new Fault('BadRequest', error.message), reply),
    ...(clientErrorHandler && { clientErrorHandler }),
  })
  limitConnections(app)
  app.removeAllContentTypeParsers()
  return app
}

/** An HTTP server that takes any body as text, refuses foreign pages and names, and answers every throw as a fault. */
export function createApp(options: AppOptions): FastifyInstance {
  const app = createBareApp(options)
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    checkAccess(request.headers, options, request.routeOptions.config?.pages)
    const { origin } = request.headers
    const { 'access-control-request-headers': asked = PAGE_HEADERS } = request.headers
    if (options.cors && origin !== undefined) allow(reply, origin, asked)
  })
  if (options.cors) app.options('*', async (_request, reply) => reply.status(204).send())

  app.setErrorHandler((thrown, _request, reply) => {
    const fault = faultOf(thrown)
    if (fault.cause !== undefined) options.onBug(fault.cause)
    // Who is hung up on while still sending never reads the answer, so the rest is read and thrown away.
    if (fault.code === 'TooLarge') reply.removeHeader('connection')
    return options.sendFault(fault, reply)
  })
  return app
}

const PAGE_HEADERS = 'authorization, content-type, last-event-id'

/** Whose page may call may send what headers it likes: keys have their own. A stream sends those of `raw`. */
function allow({ raw }: FastifyReply, origin: string, headers: string): void {
  raw.setHeader('access-control-allow-origin', origin)
  raw.setHeader('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
  raw.setHeader('access-control-allow-headers', headers)
  raw.setHeader('vary', 'origin')
}

/** Fastify's own complaints about a request are the caller's doing too. */
function faultOf(thrown: unknown): Fault {
  const status = (thrown as { readonly statusCode?: unknown } | null)?.statusCode
  if (thrown instanceof Fault || typeof status !== 'number' || status < 400 || status > 499) return Fault.from(thrown)
  return new Fault(status === 413 ? 'TooLarge' : 'BadRequest', (thrown as Error).message)
}

/** The JSON in a body. Throws `BadRequest` for anything else, an empty body included, and `TooLarge` for too many values. */
export function readJson(body: unknown): unknown {
  if (typeof body !== 'string' || body === '') throw new Fault('BadRequest', 'a JSON body is needed')
  const value = parse(body)
  if (isTooDeep(value)) throw new Fault('BadRequest', 'the body is nested too deep')
  return value
}

/** A JSON body as the schema has it. Throws `BadRequest` with all that does not fit. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(readJson(body))
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
