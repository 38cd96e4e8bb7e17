import { z } from 'zod'

/** What a protocol consists of, as its wire schemas have it; OpenAPI and AsyncAPI documents are made from this. */
export interface Surface {
  readonly title: string
  readonly version: string
  /** Where it is served unless told otherwise. */
  readonly url: string
  readonly operations: readonly Operation[]
  readonly channels: readonly Channel[]
}

/** One HTTP request. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** Parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly body?: z.ZodType
  /** By status; null where there is no JSON. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>
}

/** A place where messages travel by themselves: a socket or a stream. */
export interface Channel {
  readonly name: string
  readonly address: string
  readonly toServer: Readonly<Record<string, z.ZodType>>
  readonly toClient: Readonly<Record<string, z.ZodType>>
}

type Json = Readonly<Record<string, unknown>>

/** An OpenAPI 3.1 document of the HTTP side. */
export function openApi({ title, version, url, operations }: Surface): Json {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const item = paths[operation.path] ?? {}
    paths[operation.path] = { ...item, [operation.method]: described(operation) }
  }
  return { openapi: '3.1.0', info: { title, version }, servers: [{ url }], paths }
}

function described({ path, summary, body, answers }: Operation): Json {
  const parameters = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const responses = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: Number(status) < 300 ? summary : 'The request cannot be answered.',
      ...(schema ? content(schema, 'output') : {}),
    },
  ])
  return {
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, ...content(body, 'input') } } : {}),
    responses: Object.fromEntries(responses),
  }
}

const content = (schema: z.ZodType, io: 'input' | 'output') => ({
  content: { 'application/json': { schema: schemaOf(schema, io) } },
})

/** An AsyncAPI 3.0 document of the sockets and streams. */
export function asyncApi({ title, version, url, channels }: Surface): Json {
  const { host, protocol } = new URL(url)
  const server = { host, protocol: protocol === 'https:' ? 'wss' : 'ws' }
  return {
    asyncapi: '3.0.0',
    info: { title, version },
    servers: { local: server },
    channels: Object.fromEntries(channels.map((channel) => [channel.name, channelOf(channel)])),
    operations: Object.fromEntries(channels.flatMap(operationsOf)),
  }
}

function channelOf({ address, toServer, toClient }: Channel): Json {
  const messages = [
    ...Object.entries(toServer).map(([name, schema]) => [name, messageOf(name, schema, 'input')]),
    ...Object.entries(toClient).map(([name, schema]) => [name, messageOf(name, schema, 'output')]),
  ]
  return { address, messages: Object.fromEntries(messages) }
}

const messageOf = (name: string, schema: z.ZodType, io: 'input' | 'output') => ({
  name,
  contentType: 'application/json',
  payload: schemaOf(schema, io),
})

function operationsOf({ name, toServer, toClient }: Channel): readonly (readonly [string, Json])[] {
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

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  return rest
}

/** The members of a discriminated union by the value of `type`. */
export const byType = (union: { readonly options: readonly z.ZodObject[] }): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(union.options.map((option) => [String((option.shape.type as z.ZodLiteral).value), option]))
