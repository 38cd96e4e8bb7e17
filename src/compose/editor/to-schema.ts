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

function tidy(schema: JsonSchema): JsonSchema {
  const { propertyNames: _, oneOf, ...rest } = schema
  const alternatives = oneOf === undefined ? rest : { ...rest, anyOf: oneOf }
  const kept = Object.entries(alternatives).filter(([, value]) => !isLimitOfFormat(value))
  return mapParts(Object.fromEntries(kept), tidy)
}

const isLimitOfFormat = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
