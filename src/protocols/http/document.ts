import * as z from 'zod'
import { collectSchemas, type JsonObject, type SchemaCollector } from './schemas.ts'

/** What a protocol consists of, as its wire schemas have it; OpenAPI and AsyncAPI documents are made from this. */
export interface Surface {
  readonly title: string
  readonly version: string
  readonly description: string
  /** Where it is served unless told otherwise. */
  readonly url: string
  /** Whether callers may have to send a token. */
  readonly bearer?: boolean
  /** Paths below which everything is served once more, with parameters in braces. */
  readonly prefixes?: readonly string[]
  readonly operations: readonly HttpOperation[]
  readonly channels: readonly SurfaceChannel[]
}

/** One HTTP request. */
export interface HttpOperation {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** Parameters in braces. */
  readonly path: string
  readonly summary: string
  /** An object of what may stand in the query. */
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean
  /** What the body is, if not JSON. */
  readonly bodyType?: string
  /** By status: a schema of JSON, another media type, or null for nothing. */
  readonly responses: Readonly<Record<number, z.ZodType | string | null>>
}

/** A place where messages travel by themselves: a socket or a stream of server-sent events. */
export interface SurfaceChannel {
  readonly name: string
  readonly over: 'ws' | 'sse'
  /** Parameters in braces. */
  readonly address: string
  readonly toServer: Readonly<Record<string, z.ZodType>>
  readonly toClient: Readonly<Record<string, z.ZodType>>
}

/** What `GET /` of every agent protocol tells: what is served, and what to say to the built-in agent. */
export const ServerInfo = z.looseObject({
  protocol: z.string(),
  phrases: z.array(z.object({ say: z.string(), does: z.string() })),
})

/** An OpenAPI 3.1 document of the HTTP side. */
export function openApi(surface: Surface): JsonObject {
  const schemas = collectSchemas('draft-2020-12')
  const paths: Record<string, JsonObject> = {}
  for (const operation of surface.operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: described(operation, schemas) }
  const { bearer = false } = surface
  return {
    openapi: '3.1.0',
    info: infoOf(surface),
    servers: [{ url: surface.url }, ...(surface.prefixes ?? []).map((path) => belowOf(surface.url, path))],
    // Without a token configured nobody is asked for one.
    ...(bearer ? { security: [{}, { token: [] }] } : {}),
    paths,
    components: {
      schemas: schemas.named,
      ...(bearer ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
  }
}

const infoOf = ({ title, version, description }: Surface) => ({ title, version, description })

const parametersIn = (path: string): readonly string[] => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)

const belowOf = (url: string, path: string) => ({
  url: url + path,
  variables: Object.fromEntries(parametersIn(path).map((name) => [name, { default: 'default' }])),
})

function described(
  { path, summary, query, body, bodyOptional, bodyType, responses: answersByStatus }: HttpOperation,
  schemas: SchemaCollector,
): JsonObject {
  const inPath = parametersIn(path)
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(query ? parametersOf(schemas.of(query, 'input')).filter(({ name }) => !inPath.includes(name)) : []),
  ]
  const responses = Object.entries(answersByStatus).map(([status, answer]) => [
    status,
    {
      description: Number(status) < 300 ? summary : 'The request is refused.',
      ...(typeof answer === 'string' ? { content: { [answer]: {} } } : {}),
      ...(answer instanceof z.ZodType ? content(schemas.of(answer, 'output')) : {}),
    },
  ])
  return {
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: !bodyOptional, ...content(schemas.of(body, 'input'), bodyType) } } : {}),
    responses: Object.fromEntries(responses),
  }
}

const content = (schema: JsonObject, type = 'application/json') => ({ content: { [type]: { schema } } })

/** The properties of an object as parameters of a query: lists by commas, objects as JSON. */
function parametersOf({ properties = {}, required = [] }: JsonObject) {
  const needed = new Set(required as readonly string[])
  return Object.entries(properties as Readonly<Record<string, JsonObject>>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      ...(needed.has(name) ? { required: true } : {}),
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      ...(schema.type === 'object' || schema.$ref !== undefined ? content(schema) : { schema }),
    }),
  )
}

/** An AsyncAPI 3.0 document of the sockets and streams. */
export function asyncApi(surface: Surface): JsonObject {
  const schemas = collectSchemas('draft-7')
  const { channels } = surface
  const { host } = new URL(surface.url)
  const over = channels.some((channel) => channel.over === 'sse') ? 'http' : 'ws'
  return {
    asyncapi: '3.0.0',
    info: infoOf(surface),
    defaultContentType: 'application/json',
    servers: { local: { host, protocol: over } },
    channels: Object.fromEntries(channels.map((channel) => [channel.name, channelOf(channel, schemas)])),
    operations: Object.fromEntries(channels.flatMap(operationsOf)),
    components: { schemas: schemas.named },
  }
}

function channelOf({ address, toServer, toClient }: SurfaceChannel, schemas: SchemaCollector): JsonObject {
  const messages = (given: SurfaceChannel['toServer'], io: 'input' | 'output') =>
    Object.entries(given).map(([name, schema]) => [name, { name, payload: schemas.of(schema, io) }])
  const parameters = parametersIn(address).map((name) => [name, {}])
  return {
    address,
    ...(parameters.length > 0 ? { parameters: Object.fromEntries(parameters) } : {}),
    messages: Object.fromEntries([...messages(toServer, 'input'), ...messages(toClient, 'output')]),
  }
}

/** What the server does: it receives what clients send, and sends what they hear. */
function operationsOf({ name, toServer, toClient }: SurfaceChannel): readonly (readonly [string, JsonObject])[] {
  const operation = (action: 'send' | 'receive', messages: readonly string[]) => ({
    action,
    channel: { $ref: `#/channels/${name}` },
    messages: messages.map((message) => ({ $ref: `#/channels/${name}/messages/${message.replaceAll('/', '~1')}` })),
  })
  return [
    [`${name}.receive`, operation('receive', Object.keys(toServer))] as const,
    [`${name}.send`, operation('send', Object.keys(toClient))] as const,
  ].filter(([, { messages }]) => messages.length > 0)
}

/** The members of a discriminated union by the value of `type`. */
export const byType = (union: { readonly options: readonly z.ZodObject[] }): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(union.options.map((option) => [String((option.shape.type as z.ZodLiteral).value), option]))
