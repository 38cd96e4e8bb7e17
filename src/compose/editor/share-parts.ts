import { type Definitions, type JsonSchema, mapParts, refName, refTo } from './json-schema.ts'

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
