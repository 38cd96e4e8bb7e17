/** A JSON Schema, as far as this folder reads it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Definitions
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly [key: string]: unknown
}

/** The named parts of a schema. */
export type Definitions = Readonly<Record<string, JsonSchema>>

/** Keys of a schema whose values are data and not schemas. */
const DATA: readonly string[] = ['examples', 'default', 'const', 'enum', 'required', 'enumDescriptions']

/** A schema with each of its direct parts changed. The key is undefined for a part that is not below `properties`. */
export function mapParts(
  schema: JsonSchema,
  change: (part: JsonSchema, property: string | undefined) => JsonSchema,
): JsonSchema {
  const each = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(each)
    return isSchema(value) ? change(value, undefined) : value
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (DATA.includes(key)) return [key, value]
      if (!MAPS.includes(key) || !isSchema(value)) return [key, each(value)]
      const parts = Object.entries(value).map(([name, part]) => [
        name,
        isSchema(part) ? change(part, key === 'properties' ? name : undefined) : part,
      ])
      return [key, Object.fromEntries(parts)]
    }),
  )
}

/** Keys of a schema whose values are schemas by name. */
const MAPS: readonly string[] = ['properties', '$defs', 'dependentSchemas']

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const PREFIX = '#/$defs/'

/** A reference to a named part. */
export const refTo = (name: string): JsonSchema => ({ $ref: PREFIX + name })

/** The name of the part that a schema refers to, if it is a reference. */
export const refName = ({ $ref }: JsonSchema): string | undefined =>
  $ref?.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined
