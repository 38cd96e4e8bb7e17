import * as z from 'zod'

/** The operations and channels of a protocol, with its wire schemas. OpenAPI and AsyncAPI documents are generated from it. */
export interface ApiDescription {
  readonly title: string
  readonly version: string
  readonly description: string
  /** The default base URL. */
  readonly url: string
  /** Whether the server may require a bearer token. */
  readonly bearer?: boolean
  /** Further paths below which all operations are served, with parameters in braces. */
  readonly prefixes?: readonly string[]
  readonly operations: readonly HttpOperation[]
  readonly channels: readonly SurfaceChannel[]
}

/** An HTTP operation. */
export interface HttpOperation {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** Parameters in braces. */
  readonly path: string
  readonly summary: string
  /** The name of the method that generated clients have for it. */
  readonly id?: string
  readonly tags?: readonly string[]
  /** An object schema of the query parameters. */
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean
  /** The media type of the body, if not JSON. */
  readonly bodyType?: string
  /** By status: a JSON schema, another media type, or null for an empty response. */
  readonly responses: Readonly<Record<number, z.ZodType | string | null>>
  /** The error codes of a refusal, by status. */
  readonly refusals?: Readonly<Record<number, readonly string[]>>
}

/** A message channel: a WebSocket or a stream of server-sent events. */
export interface SurfaceChannel {
  readonly name: string
  readonly over: 'ws' | 'sse'
  /** Parameters in braces. */
  readonly address: string
  readonly toServer: Readonly<Record<string, z.ZodType>>
  readonly toClient: Readonly<Record<string, z.ZodType>>
}

/** The response of `GET /` of every agent protocol: its name, and the phrases of the built-in agent. */
export const ServerInfo = z.looseObject({
  protocol: z.string(),
  phrases: z.array(z.object({ say: z.string(), does: z.string() })),
})

/** Generates an OpenAPI 3.1 document of the HTTP operations. */
export function openApi(api: ApiDescription): JsonObject {
  const schemas = collectSchemas('draft-2020-12')
  const paths: Record<string, JsonObject> = {}
  for (const operation of api.operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation, schemas) }
  const { bearer = false } = api
  return {
    openapi: '3.1.0',
    info: infoOf(api),
    servers: [{ url: api.url }, ...(api.prefixes ?? []).map((path) => prefixServer(api.url, path))],
    // Authentication is optional: the server requires a token only if one is configured.
    ...(bearer ? { security: [{}, { token: [] }] } : {}),
    paths,
    components: {
      schemas: schemas.named,
      ...(bearer ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
  }
}

const infoOf = ({ title, version, description }: ApiDescription) => ({ title, version, description })

const parametersIn = (path: string): readonly string[] => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)

const prefixServer = (url: string, path: string) => ({
  url: url + path,
  variables: Object.fromEntries(parametersIn(path).map((name) => [name, { default: 'default' }])),
})

function operationObject(
  { path, summary, id, tags, query, body, bodyOptional, bodyType, responses: byStatus, refusals }: HttpOperation,
  schemas: SchemaCollector,
): JsonObject {
  const inPath = parametersIn(path)
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...(query ? parametersOf(schemas.of(query, 'input')).filter(({ name }) => !inPath.includes(name)) : []),
  ]
  const responses = Object.entries(byStatus).map(([status, answer]) => [
    status,
    {
      description: Number(status) < 300 ? summary : refusalText(refusals?.[Number(status)]),
      ...(typeof answer === 'string' ? { content: { [answer]: {} } } : {}),
      ...(answer instanceof z.ZodType ? content(schemas.of(answer, 'output')) : {}),
    },
  ])
  return {
    ...(id === undefined ? {} : { operationId: id }),
    ...(tags === undefined ? {} : { tags }),
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: !bodyOptional, ...content(schemas.of(body, 'input'), bodyType) } } : {}),
    responses: Object.fromEntries(responses),
  }
}

const refusalText = (codes?: readonly string[]): string =>
  codes === undefined ? 'The request is refused.' : `The request is refused: ${codes.join(', ')}.`

const content = (schema: JsonObject, type = 'application/json') => ({ content: { [type]: { schema } } })

/** The properties of an object schema as query parameters: comma-separated lists, objects as JSON. */
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

/** Generates an AsyncAPI 3.0 document of the sockets and streams. */
export function asyncApi(api: ApiDescription): JsonObject {
  const schemas = collectSchemas('draft-7')
  const { channels } = api
  const { host } = new URL(api.url)
  const over = channels.some((channel) => channel.over === 'sse') ? 'http' : 'ws'
  return {
    asyncapi: '3.0.0',
    info: infoOf(api),
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

/** The operations of a channel from the server's view: receiving client messages and sending its own. */
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

/** An object of a JSON document. */
type JsonObject = Readonly<Record<string, unknown>>

/** Collects the schemas of one document. Named schemas are stored once, below `#/components/schemas`. */
interface SchemaCollector {
  /** Converts a schema for the document: `input` for data from clients, `output` for data from the server. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonObject
  /** The named schemas found so far. */
  readonly named: JsonObject
}

type Target = 'draft-7' | 'draft-2020-12'

/** Creates a collector for a version of JSON Schema. */
function collectSchemas(target: Target): SchemaCollector {
  const named: Record<string, unknown> = {}
  /** The names assigned to schemas, by their serialized form. */
  const assigned = new Map<string, string>()

  /** Different schemas with the same name, such as those of requests and responses, get a number. */
  const nameFor = (name: string, shape: unknown): string => {
    const serialized = JSON.stringify([name, shape])
    const plain = name.startsWith('__') ? 'Any' : name
    let free = plain
    for (let number = 2; !assigned.has(serialized) && free in named; number++) free = `${plain}${number}`
    const final = assigned.get(serialized) ?? free
    assigned.set(serialized, final)
    named[final] ??= {}
    return final
  }

  return {
    named,
    of(schema, io) {
      const json = z.toJSONSchema(schema, { io, target, unrepresentable: 'any', override: withoutLimits }) as JsonObject
      const { $schema: _, $defs, definitions, ...rest } = json
      const shapes = ($defs ?? definitions ?? {}) as JsonObject
      const names = new Map(Object.entries(shapes).map(([name, shape]) => [name, nameFor(name, shape)]))
      for (const [name, shape] of Object.entries(shapes)) named[names.get(name)!] = withDocumentRefs(shape, names)
      return withDocumentRefs(rest, names) as JsonObject
    },
  }
}

/** Removes the safe-integer limits that Zod adds to every integer. */
function withoutLimits({ jsonSchema }: { readonly jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Rewrites references to local definitions so that they point to the schemas of the document. */
function withDocumentRefs(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withDocumentRefs(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== '$ref' || typeof item !== 'string') return [key, withDocumentRefs(item, names)]
      return [key, `#/components/schemas/${names.get(item.split('/').at(-1)!)}`]
    }),
  )
}
