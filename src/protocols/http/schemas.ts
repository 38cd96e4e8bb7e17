import * as z from 'zod'

export type JsonObject = Readonly<Record<string, unknown>>

/** The schemas of one document. Shapes that have a name are kept once, below `#/components/schemas`. */
export interface SchemaCollector {
  /** A schema as the document holds it: what a client may send (`input`), or what a server sends (`output`). */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonObject
  /** The named shapes that were met so far. */
  readonly named: JsonObject
}

type Target = 'draft-7' | 'draft-2020-12'

export function collectSchemas(target: Target): SchemaCollector {
  const named: Record<string, unknown> = {}
  /** The names that shapes were given, by how they are written. */
  const known = new Map<string, string>()

  /** Shapes of the same name that differ, such as what is sent and what is answered, get a number. */
  const nameFor = (name: string, shape: unknown): string => {
    const written = JSON.stringify([name, shape])
    const plain = name.startsWith('__') ? 'Any' : name
    let free = plain
    for (let number = 2; !known.has(written) && free in named; number++) free = `${plain}${number}`
    const final = known.get(written) ?? free
    known.set(written, final)
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
      for (const [name, shape] of Object.entries(shapes)) named[names.get(name)!] = pointed(shape, names)
      return pointed(rest, names) as JsonObject
    },
  }
}

/** Every whole number has the limits of a double; they say nothing. */
function withoutLimits({ jsonSchema }: { readonly jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** A value whose references into its own shapes lead to those of the document. */
function pointed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => pointed(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== '$ref' || typeof item !== 'string') return [key, pointed(item, names)]
      return [key, `#/components/schemas/${names.get(item.split('/').at(-1)!)}`]
    }),
  )
}
