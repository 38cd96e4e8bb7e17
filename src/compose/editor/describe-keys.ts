import { stringify } from 'yaml'
import { EVERYWHERE } from '../../scenario/expand/composition-keys.ts'
import { TEMPLATED } from './expandable.ts'
import { type Definitions, type JsonSchema, refName } from './json-schema.ts'

/** The keys of a part of the schema as rows of a Markdown table. */

/** A key, its type, its meaning with the default, and an example, as Markdown. */
export type KeyRow = readonly [key: string, type: string, meaning: string, example: string]

const NAMES: Readonly<Record<string, string>> = {
  flag: 'true or false',
  number: 'number',
  whole: 'whole number',
  string: 'text',
  boolean: 'true or false',
  integer: 'whole number',
  null: '`~`',
  object: 'map',
  array: 'list',
}

/** The rows of all keys of a map, those of inner maps after their own. Keys of composition are left out. */
export function keyRows(schema: JsonSchema, defs: Definitions, above = ''): readonly KeyRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, part]) => {
    if (part.$ref === `#/$defs/${key}` && Object.hasOwn(EVERYWHERE, key)) return []
    const path = `${above}${key}`
    const row: KeyRow = [code(path), typeOf(part), meaningOf(part, defs), exampleOf(part, defs)]
    return [row, ...innerMaps(part, path).flatMap(([inner, prefix]) => keyRows(inner, defs, prefix))]
  })
}

/** The maps that are written in a schema, with the prefix of their keys. */
function innerMaps(part: JsonSchema, path: string): readonly (readonly [JsonSchema, string])[] {
  if (part.properties) return [[part, `${path}.`]]
  const inItems = isSchema(part.items) ? innerMaps(part.items, `${path}[]`) : []
  return [...inItems, ...(part.anyOf ?? []).flatMap((each) => innerMaps(each, path))]
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

/** The type of a value in words, with links to the named parts. */
const typeOf = (schema: JsonSchema): string => `${typeWords(schema)}${limitsOf(schema)}`

/** A limit further away is only there to bound the work. */
const FAR = 100_000

function limitsOf({ minimum, maximum }: JsonSchema): string {
  const [least, most] = [minimum, maximum].map((limit) =>
    typeof limit === 'number' && Math.abs(limit) < FAR ? limit : undefined,
  )
  if (least === undefined) return most === undefined ? '' : ` ≤ ${most}`
  return most === undefined ? ` ≥ ${least}` : ` from ${least} to ${most}`
}

/** A type within another, in brackets if it is a choice. */
function innerType(schema: JsonSchema): string {
  const words = typeOf(schema)
  return / or |, /.test(words) ? `(${words})` : words
}

function typeWords(schema: JsonSchema): string {
  const { type, anyOf, items, additionalProperties: values } = schema
  const name = refName(schema)
  if (name !== undefined) return NAMES[name] ?? linkTo(name)
  if ('const' in schema) return code(plain(schema.const))
  if (Array.isArray(schema.enum)) return schema.enum.map((choice) => code(plain(choice))).join(', ')
  if (anyOf) {
    const known = anyOf.some((each) => Array.isArray(each.enum) && each.enumDescriptions !== undefined)
    const words = anyOf.filter((each) => refName(each) !== 'template').map(typeOf)
    return known ? 'text' : [...new Set(words)].join(' or ')
  }
  if (type === 'array') return isSchema(items) && Object.keys(items).length > 0 ? `list of ${innerType(items)}` : 'list'
  if (type === 'object')
    return isSchema(values) && Object.keys(values).length > 0 ? `map of ${innerType(values)}` : 'map'
  const types = [type ?? []].flat()
  // A text may be written without quotes as a number or as true or false.
  const isUnquoted = ['string', 'number', 'boolean'].every((each) => types.includes(each))
  const written = isUnquoted ? types.filter((each) => each === 'string' || each === 'null') : types
  return written.length === 0 ? 'any value' : written.map((each) => NAMES[each] ?? each).join(' or ')
}

function meaningOf(part: JsonSchema, defs: Definitions): string {
  const { description = '' } = { ...defs[refName(part) ?? ''], ...part }
  const isOwn = part.default !== undefined && JSON.stringify(part.default) !== '{}'
  return `${prose(description)}${isOwn ? `. Default: ${code(plain(part.default))}` : ''}`
}

function exampleOf(part: JsonSchema, defs: Definitions): string {
  const target = Object.hasOwn(TEMPLATED, refName(part) ?? '') ? part : { ...defs[refName(part) ?? ''], ...part }
  const [example] = Array.isArray(target.examples) ? target.examples : []
  return example === undefined ? '' : code(plain(example))
}

/** A value as YAML on one line. */
const plain = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim()

/** A link to the section of a part. Windows that effects open have the keys of other windows. */
function linkTo(name: string): string {
  const section = name === 'NamedWindow' ? 'Window' : name
  return `[${section}](#${section.toLowerCase()})`
}

/** A text as code in a cell of a table. */
export const code = (text: string): string => {
  const fence = text.includes('`') ? '``' : '`'
  return `${fence}${text.replaceAll('|', '\\|').replaceAll('\n', ' ')}${fence}`
}

/** A text of a description in a cell of a table. Braces and tags are code, which Markdown leaves as they are. */
export const prose = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replace(/\{.*?\}+/g, (braces) => `\`${braces}\``).replaceAll('<', '&lt;'),
    )
    .join('')
