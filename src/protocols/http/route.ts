import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type * as z from 'zod'
import { readBody, readValue } from './app.ts'
import type { HttpOperation } from './document.ts'

/** A route of a server: the operation that documents describe, and the handler behind it. */
export interface Route<Context> extends HttpOperation {
  /** Registers the route. All requests share the context. */
  readonly add: (app: FastifyInstance, context: Context) => void
}

/** A request as its handler sees it. */
export interface RouteCall<Parameter extends string, Query, Body> {
  readonly params: Readonly<Record<Parameter, string>>
  /** Parses the body, so that what a handler checks before is refused first. Throws the fault of what does not fit. */
  readonly body: () => Body
  /** Parses the query string. Throws the fault of what does not fit. */
  readonly query: () => Query
  readonly request: FastifyRequest
  /** Has the status of the documented success. */
  readonly reply: FastifyReply
}

/** How a protocol parses what callers send. Each throws the fault of what does not fit. */
export interface Readers {
  readonly body: <Schema extends z.ZodType>(schema: Schema, body: unknown) => z.output<Schema>
  readonly query: <Schema extends z.ZodType>(schema: Schema, query: unknown) => z.output<Schema>
}

interface RouteDefinition<Context, Path extends string, Query, Body, Responses> extends HttpOperation {
  readonly path: Path
  readonly query?: Query & z.ZodType
  readonly body?: Body & z.ZodType
  readonly responses: Responses & HttpOperation['responses']
  /** Whether callers may end the path with a slash. */
  readonly trailingSlash?: boolean
  /** Whether the last parameter is the rest of the path, with its slashes. */
  readonly wildcard?: boolean
  readonly options?: (context: Context) => RouteShorthandOptions
}

type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never

type SuccessStatus = 200 | 201 | 204

/** What a handler returns: the body of the success, or the reply that it has sent itself. */
export type Answer<Responses> = FastifyReply | Body<Responses[keyof Responses & SuccessStatus]>
type Body<Response> = Response extends z.ZodType ? Sent<z.output<Response>> : unknown

/** A value of which nothing is changed. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Sent<T[Key]> }
    : T

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : never

const READERS: Readers = { body: readBody, query: readValue }

/**
 * Returns the function that defines the routes of a protocol, with the schemas and the handler of each in one place. Handlers
 * return the body of the success. Other answers are faults, or are sent by the handler.
 */
export const routesFor =
  <Context>(readers = READERS) =>
  <const Path extends string, Query, Body, Responses, const Result extends Answer<Responses>>(
    {
      trailingSlash = false,
      wildcard = false,
      options,
      ...operation
    }: RouteDefinition<Context, Path, Query, Body, Responses>,
    handle: (
      context: Context,
      call: RouteCall<ParametersOf<Path>, Parsed<Query>, Parsed<Body>>,
    ) => Result | Promise<Result>,
  ): Route<Context> => {
    const { method, path, query, body, bodyOptional, responses } = operation
    // A route that is always refused has no success.
    const success =
      Object.keys(responses)
        .map(Number)
        .find((status) => status < 300) ?? 200
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const pattern = path.replace(/\{(\w+)\}/g, (_, name) => (wildcard && name === names.at(-1) ? '*' : `:${name}`))
    return {
      ...operation,
      add(app, context) {
        for (const url of trailingSlash ? [pattern, `${pattern}/`] : [pattern])
          app.route({
            ...options?.(context),
            method: method.toUpperCase(),
            url,
            handler: async (request, reply) => {
              reply.status(success)
              const params = request.params as Record<ParametersOf<Path> | '*', string>
              const isEmpty = request.body === undefined || request.body === ''
              const answer = await handle(context, {
                params: wildcard ? { ...params, [names.at(-1)!]: params['*']! } : params,
                body: () => readers.body(body!, bodyOptional && isEmpty ? '{}' : request.body) as Parsed<Body>,
                query: () => readers.query(query!, request.query) as Parsed<Query>,
                request,
                reply,
              })
              return responses[success] === null ? reply.send() : answer
            },
          })
      },
    }
  }

/** What defines the routes of a protocol. */
export type DefineRoute<Context> = ReturnType<typeof routesFor<Context>>

/** Registers routes with what all their requests share. */
export function addRoutes<Context>(app: FastifyInstance, routes: readonly Route<Context>[], context: Context): void {
  for (const route of routes) route.add(app, context)
}
