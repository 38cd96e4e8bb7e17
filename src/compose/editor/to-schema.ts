import * as z from 'zod'
import { type Definitions, type JsonSchema, mapParts, refName } from './json-schema.ts'
import { partNames } from './part-names.ts'

/** The JSON Schema of what may be written, without limits that only the number format has. */
export function toSchema(schema: z.ZodType): JsonSchema & { readonly $defs: Definitions } {
  const { $defs = {}, ...root } = tidy(z.toJSONSchema(schema, { io: 'input', metadata: partNames }) as JsonSchema)
  const inline = inlined($defs)
  const named = Object.entries($defs).filter(([name]) => !isUnnamed(name))
  return { ...inline(root), $defs: Object.fromEntries(named.map(([name, part]) => [name, inline(part)])) }
}

const isUnnamed = (name: string): boolean => name.startsWith('__')

/** Replaces references to parts without a name by the parts. In a part that contains itself, anything is allowed. */
function inlined(defs: Definitions): (schema: JsonSchema) => JsonSchema {
  const inline = (schema: JsonSchema, within: readonly string[]): JsonSchema => {
    const name = refName(schema)
    if (name === undefined || !isUnnamed(name)) return mapParts(schema, (part) => inline(part, within))
    const { $ref: _, ...own } = schema
    if (within.includes(name)) return own
    return { ...inline(defs[name] ?? {}, [...within, name]), ...own }
  }
  return (schema) => inline(schema, [])
}

function tidy(whole: JsonSchema): JsonSchema {
  const schema = referenceOnly(whole)
  const { propertyNames: _, oneOf, ...rest } = schema
  const alternatives = oneOf === undefined ? rest : { ...rest, anyOf: oneOf }
  const kept = Object.entries(alternatives).filter(([, value]) => !isLimitOfFormat(value))
  return withInnerHelp(mapParts(Object.fromEntries(kept), tidy))
}

/** A value that may be null, with the description and the examples of the value. */
function withInnerHelp(schema: JsonSchema): JsonSchema {
  const values = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [value] = values
  if (value === undefined || values.length > 1 || schema.anyOf?.length !== 2) return schema
  const { description, examples, ...inner } = value
  const anyOf = schema.anyOf.map((each) => (each === value ? inner : each))
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...schema,
    anyOf,
  }
}

/** A reference without a copy of what it refers to. */
function referenceOnly(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  return Object.fromEntries(Object.entries(schema).filter(([key]) => ['$ref', ...ABOUT].includes(key)))
}

/** Keys of a schema that may stand beside a reference. */
const ABOUT: readonly string[] = ['$id', '$schema', '$defs', 'title', 'description', 'examples', 'default']

const isLimitOfFormat = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
