import { generateSync, type JsonSchema } from 'json-schema-faker'
import * as z from 'zod'
import type { Random } from './random.ts'

/**
 * The message shapes of a protocol as its document defines them, written independently of any server. Objects are
 * loose: a server may add fields, but may not omit or retype a documented one.
 */
export interface Contract {
  readonly protocol: string
  /** By `METHOD /path/{parameter}`. */
  readonly operations: Readonly<Record<string, Operation>>
  /**
   * The reason for one common shape of errors that the document does not define. Without it, errors belong to the
   * shape of each operation.
   */
  readonly errors?: { readonly because: string; readonly covers: readonly string[] }
  /** The operation whose `supports` field lists the announced capabilities. */
  readonly announces?: string
  /** Messages that the server sends on a stream or a socket, by event name or `type`. */
  readonly events: Readonly<Record<string, MessageShape>>
  /** Messages that the client sends on a socket or as a body with a `type`, by `type`. */
  readonly messages: Readonly<Record<string, MessageShape>>
  /** Shapes that several messages share, by their names in the JSON Schema. */
  readonly shapes?: Readonly<Record<string, z.ZodType>>
}

export interface Operation {
  readonly covers: readonly string[]
  readonly source: string
  /** The JSON body of the request, if it has one. */
  readonly body?: z.ZodType
  /** The response body of each allowed status. */
  readonly responses: Readonly<Record<number, ResponseBody>>
  /** Servers may omit it, so a run without a success is not a failure. */
  readonly optional?: boolean
  /** The capability that a server announces when it supports the operation. */
  readonly capability?: string
}

/** A JSON shape, or a body that is not JSON. */
export type ResponseBody = z.ZodType | 'empty' | 'text' | 'html' | 'bytes' | 'sse'

export interface MessageShape {
  readonly covers: readonly string[]
  readonly source: string
  readonly schema: z.ZodType
  readonly optional?: boolean
}

/** The operation a request belongs to; literal segments win over parameters. */
export function findOperation(contract: Contract, method: string, path: string): string | undefined {
  const wanted = path.split('?')[0]!.split('/')
  const fits = (name: string) => {
    const [verb, template = ''] = name.split(' ')
    const segments = template.split('/')
    return (
      verb === method &&
      segments.length === wanted.length &&
      segments.every((segment, at) => (segment.startsWith('{') ? wanted[at] !== '' : segment === wanted[at]))
    )
  }
  const parameters = (name: string) => name.split('{').length
  return Object.keys(contract.operations)
    .filter(fits)
    .sort((one, other) => parameters(one) - parameters(other))[0]
}

/** The contract as JSON Schema, for readers and generators in any language. Shared shapes are in `$defs`. */
export function toJsonSchema(contract: Contract): unknown {
  const names = z.registry<{ id: string }>()
  for (const [id, shape] of Object.entries(contract.shapes ?? {})) names.add(shape, { id })
  const all: z.ZodType[] = []
  const place = (shape: z.ZodType) => String(all.push(shape) - 1)
  const placeMessages = (messages: Contract['messages']) => mapValues(messages, ({ schema }) => place(schema))
  const operations = mapValues(contract.operations, ({ body, responses }) => ({
    ...(body && { body: place(body) }),
    answers: mapValues(responses, (answer) => (typeof answer === 'string' ? { is: answer } : place(answer))),
  }))
  const events = placeMessages(contract.events)
  const messages = placeMessages(contract.messages)
  // Without messages, such as of a command line, there are its shapes.
  if (all.length === 0) for (const shape of Object.values(contract.shapes ?? {})) place(shape)
  // One conversion, so that all of them refer to the same definitions.
  const { properties = {}, $defs } = z.toJSONSchema(z.object(Object.fromEntries(all.entries())), {
    io: 'input',
    unrepresentable: 'any',
    metadata: names,
  })
  const at = (name: string) => properties[name]
  return {
    protocol: contract.protocol,
    operations: mapValues(operations, ({ body, answers }) => ({
      ...(body !== undefined && { body: at(body) }),
      answers: mapValues(answers, (answer) => (typeof answer === 'string' ? at(answer) : answer.is)),
    })),
    events: mapValues(events, at),
    messages: mapValues(messages, at),
    ...($defs && { $defs }),
  }
}

const mapValues = <Value, Result>(values: Readonly<Record<string, Value>>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))

type Json = Readonly<Record<string, unknown>>

const asSchema = (shape: z.ZodType) => z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Json

/** Values that fit a shape, with and without its optional fields. */
export function generateSamples(shape: z.ZodType, random: Random, count: number): readonly unknown[] {
  const schema = closed(asSchema(shape)) as JsonSchema
  return Array.from({ length: count }, (_, at) =>
    generateSync(schema, { seed: random.int(1, 2 ** 31 - 1), optionalsProbability: at % 2, maxDefaultItems: 3 }),
  )
}

/** A loose object is generated with its documented fields only. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const { additionalProperties: _, ...rest } = schema as Json
  const inside = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, closed(value)]))
  return inside.type === 'object' && inside.properties ? { ...inside, additionalProperties: false } : inside
}

/** A value with one mistake: a missing required field, or a field of the wrong type. */
export interface BrokenSample {
  readonly path: string
  readonly how: 'missing' | 'mistyped'
  readonly value: unknown
}

/** Every way to break the top level of a shape once. */
export function breakOnce(shape: z.ZodType, random: Random, how?: BrokenSample['how']): readonly BrokenSample[] {
  const schema = asSchema(shape)
  const sample = generateSamples(shape, random, 1)[0] as Json
  const required = (schema.required ?? []) as readonly string[]
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Json>>
  const missing = required.map((path): BrokenSample => {
    const { [path]: _, ...value } = sample
    return { path, how: 'missing', value }
  })
  const mistyped = Object.entries(properties).flatMap(([path, property]): BrokenSample[] => {
    const wrong = misfit(property)
    return wrong === undefined ? [] : [{ path, how: 'mistyped', value: { ...sample, [path]: wrong } }]
  })
  return [...missing, ...mistyped].filter((broken) => how === undefined || broken.how === how)
}

/** A value no reading of the schema accepts, or undefined when everything is accepted. */
function misfit(schema: Json): unknown {
  const shape = z.fromJSONSchema(schema as never)
  return [{ unexpected: [1] }, [[]], 'not \u0000 this', 12.5, true, null].find(
    (value) => !shape.safeParse(value).success,
  )
}
