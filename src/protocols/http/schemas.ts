import * as z from 'zod'

/** An object of a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Collects the schemas of one document. Named schemas are stored once, below `#/components/schemas`. */
export interface SchemaCollector {
  /** Converts a schema for the document: `input` for data from clients, `output` for data from the server. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonObject
  /** The named schemas found so far. */
  readonly named: JsonObject
}

type Target = 'draft-7' | 'draft-2020-12'

/** Creates a collector for a version of JSON Schema. */
export function collectSchemas(target: Target): SchemaCollector {
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
