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

/** A part of fewer characters is not worth a reference. */
const MIN_KEY_LENGTH = 60
const MIN_PART_LENGTH = 300

/**
 * The same schema with one definition for parts that are equal. A definition has the name of the key whose value it
 * describes, so that references are readable: `#/$defs/keyboard_shortcut`.
 */
export function shareParts(schema: JsonSchema): JsonSchema {
  const counts = countParts(schema)
  const names = new Map<string, string>()
  const taken = new Set(Object.keys(schema.$defs ?? {}))
  const shared: Record<string, JsonSchema> = {}

  const share = (part: JsonSchema, property: string | undefined, key: string): JsonSchema => {
    const text = JSON.stringify(part)
    const inside = () => mapParts(part, (each, below) => share(each, below, below ?? key))
    if (!isLong(text, property) || (counts.get(text) ?? 0) < 2) return inside()
    const known = names.get(text)
    if (known !== undefined) return refTo(known)
    const name = freeName(key, taken)
    taken.add(name)
    names.set(text, name)
    shared[name] = inside()
    return refTo(name)
  }

  const top = ({ $defs, ...rest }: JsonSchema): JsonSchema => ({
    ...mapParts(rest, (part, property) => share(part, property, property ?? 'value')),
    ...($defs && {
      $defs: Object.fromEntries(
        Object.entries($defs).map(([name, part]) => [
          name,
          mapParts(part, (each, below) => share(each, below, below ?? name)),
        ]),
      ),
    }),
  })
  const result = top(schema)
  const sorted = Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1))
  return withoutSingleUses({ ...result, $defs: { ...result.$defs, ...Object.fromEntries(sorted) } }, shared)
}

const isLong = (text: string, property: string | undefined): boolean =>
  text.length >= (property === undefined ? MIN_PART_LENGTH : MIN_KEY_LENGTH)

function freeName(key: string, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key
  let number = 2
  while (taken.has(`${key}-${number}`)) number++
  return `${key}-${number}`
}

/** How often each part occurs. */
function countParts(schema: JsonSchema): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const count = (part: JsonSchema): JsonSchema => {
    const text = JSON.stringify(part)
    counts.set(text, (counts.get(text) ?? 0) + 1)
    return mapParts(part, count)
  }
  mapParts(schema, (part) => mapParts(part, count))
  return counts
}

/** A part that only occurs within one shared part is written there again. */
function withoutSingleUses(schema: JsonSchema, shared: Definitions): JsonSchema {
  const uses = new Map<string, number>()
  const count = (part: JsonSchema): JsonSchema => {
    const name = refName(part)
    if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1)
    return mapParts(part, count)
  }
  mapParts(schema, count)
  const isSingle = (name: string | undefined): name is string =>
    name !== undefined && Object.hasOwn(shared, name) && uses.get(name) === 1
  const restore = (part: JsonSchema): JsonSchema => {
    const name = refName(part)
    return mapParts(isSingle(name) ? schema.$defs![name]! : part, restore)
  }
  const restored = mapParts(schema, restore)
  const kept = Object.entries(restored.$defs ?? {}).filter(([name]) => !isSingle(name))
  return { ...restored, $defs: Object.fromEntries(kept) }
}
