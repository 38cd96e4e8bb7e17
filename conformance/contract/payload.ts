import { generateSync, type JsonSchema } from 'json-schema-faker'
import * as z from 'zod'
import type { Random } from '../run/random.ts'

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
