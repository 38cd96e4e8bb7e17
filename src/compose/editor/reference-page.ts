import { stringify } from 'yaml'
import { ALL_TOOLS } from '../../observer/registry.ts'
import { EVERYWHERE } from '../../scenario/expand/composition-keys.ts'
import { FUNCTIONS, REPLACEMENTS, SCREEN_FUNCTIONS } from '../../scenario/expression/functions.ts'
import { AXES } from '../../scenario/variants/axes.ts'
import { type Definitions, type JsonSchema, refName } from './json-schema.ts'
import { fullScenarioSchema, INCLUDED_SCHEMA, KNOWN_ROLES, SCENARIO_SCHEMA } from './scenario-schema.ts'
import { TEMPLATED } from './to-schema.ts'

/** The page of docs/reference with every key of scenario files, written from the schema. */

/** The named parts with a table of keys, in the order of the page. */
const PARTS: readonly (readonly [definition: string, about: string])[] = [
  ['Scenario', 'The keys at the top of a file. Required: `states`.'],
  [
    'State',
    'A value under `states`. [States that extend others](../scenarios.md#states-that-extend-others) have the last three keys.',
  ],
  [
    'Window',
    'A window of a state. The windows under the key `windows` of the file have the same keys, and need `uid`.',
  ],
  ['Element', 'An element of a tree. A `set` can change the keys marked with ✎ during a run.'],
  [
    'Picture',
    'The value of `picture`: one of these maps, each with its `kind`. See [pictures from data](../scenarios.md#pictures-from-data).',
  ],
  ['TableColumn', 'An entry of `columns` of a table that shows [records](../scenarios.md#tables).'],
  ['Reaction', 'An entry of `reactions`. See [reactions](../scenarios.md#reactions).'],
  ['Timer', 'An entry of `timers`. It has `after_ms` or `every_ms`. See [time](../scenarios.md#time).'],
  ['Trigger', 'The value of `on`.'],
  ['Guard', 'An entry of `when`: one of these maps, each with its own required key.'],
  ['Effect', 'An entry of `set`: one of these maps.'],
  ['Site', 'A value of `sites`. See [web sites](../scenarios.md#web-sites).'],
  ['Page', 'A value of `pages` of a site.'],
  [
    'PlannedFault',
    'An entry of `faults` with the key `on`: calls of a tool that fail. See [planned faults](../scenarios.md#planned-faults).',
  ],
  ['CatalogueFault', 'An entry of `faults` with the key `fault`. [Faults](../faults.md) describes each.'],
  ['Oracle', 'An entry of `success`, `failure`, `harm` and `attack` under `oracles`. All entries have these keys:'],
  ['SolutionStep', 'An entry of `solution`. See [solution](../scenarios.md#solution).'],
  [
    'Component',
    'A value under `components`, with one of `element`, `window` and `item`. See [components](../scenarios.md#components-repeats-and-conditions).',
  ],
  [
    'Parameter',
    'A value under `params` that is drawn; any other value is the value itself. See [drawing parameters](../scenarios.md#drawing-parameters).',
  ],
  ['Rectangle', 'Where something is.'],
  ['Script', 'The value of `agent`. See [a script of your own](../agents.md#a-script-of-your-own).'],
  ['ScriptStep', 'A step of a turn of the script.'],
]

/** The page as Markdown. */
export function referencePage(): string {
  const { $defs } = fullScenarioSchema()
  const sections = PARTS.map(([name, about]) => [`## ${name}`, about, ...tablesOf(name, $defs)])
  return `${[
    '# Scenario files',
    `All keys of scenario files, generated from their schema by \`npm run reference\`. [Writing scenarios](../scenarios.md) explains them
with examples. Editors read [${SCENARIO_SCHEMA}](${SCENARIO_SCHEMA}), and [${INCLUDED_SCHEMA}](${INCLUDED_SCHEMA}) for included files.`,
    `Types are those of YAML. Where a text is expected, an unquoted number or \`true\` is read as a text. In files that use
[composition or data](../scenarios.md#parameters-and-composition), numbers, choices and \`true\` or \`false\` may be templates.`,
    ...sections.flat(),
    '## Keys of composition',
    'Any map below the states, reactions, timers, faults, oracles and solutions may have these keys too.',
    keyTable(
      Object.entries(withoutOwn($defs))
        .flatMap(([key, part]) => keyRows({ properties: { [`${key} `]: part } }, $defs))
        .map(([key, ...rest]) => [key.replace(' `', '`'), ...rest] as KeyRow),
    ),
    '## Roles',
    'Case, blanks, dashes and underscores do not matter.',
    table(
      ['role', 'aliases', 'kind'],
      KNOWN_ROLES.map(({ name, aliases, purpose }) => [code(name), aliases.map(code).join(', '), purpose]),
    ),
    '## Functions of expressions',
    'Beside those of [CEL](https://cel.dev). `matches` takes RE2 patterns.',
    table(
      ['example', 'signature', 'result'],
      [...FUNCTIONS, ...SCREEN_FUNCTIONS, ...REPLACEMENTS.matches!].map(({ example, signature, description }) => [
        code(example),
        code(signature),
        prose(description),
      ]),
    ),
    '## Axes of variants',
    '[Variants](../variants.md) describes them.',
    table(
      ['axis', 'values', 'what changes'],
      AXES.map(({ name, values, about }) => [code(name), prose(values), fromReference(about)]),
    ),
    '## Tools',
    'The tools that a solution calls, with their arguments. Those in bold are required.',
    table(
      ['tool', 'arguments', 'what it does'],
      ALL_TOOLS.map(({ name, summary }) => [code(name), argumentsOf($defs[`arguments-${name}`]), prose(summary)]),
    ),
  ].join('\n\n')}\n`
}

/** A text with links from docs, as a cell of a table in docs/reference. */
const fromReference = (text: string): string => text.replaceAll('|', '\\|').replace(/\]\((?=\w[^)]*\.md)/g, '](../')

const withoutOwn = (defs: Definitions): Definitions =>
  Object.fromEntries(Object.keys(EVERYWHERE).map((key) => [key, defs[key]!]))

/** The tables of a part: one, or one for each alternative after the keys that all of them have. */
function tablesOf(name: string, defs: Definitions): readonly string[] {
  const part = defs[name] ?? {}
  if (part.properties) return [keyTable(rowsOf(name, part, defs))]
  const alternatives = (part.anyOf ?? []).map((each) => {
    const target = refName(each)
    const schema = target === undefined ? each : defs[target]!
    const isChange = target === 'ElementChange'
    const elementRows = isChange ? keyRows(defs.Element!, defs).map((row) => row.join()) : []
    const rows = rowsOf(name, schema, defs).filter((row) => !elementRows.includes(row.join()) || row[0] === '`id`')
    return { title: titleOf(schema, target, name), about: isChange ? [CHANGE] : aboutOf(schema), rows }
  })
  const shared = alternatives[0]!.rows.filter((row) =>
    alternatives.every(({ rows }) => rows.some((other) => other.join() === row.join())),
  )
  const isShared = (row: KeyRow) => shared.some((other) => other.join() === row.join())
  return [
    ...(shared.length === 0 ? [] : [keyTable(shared)]),
    ...alternatives.flatMap(({ title, about, rows }) => [
      `### ${title}`,
      ...about,
      keyTable(rows.filter((row) => !isShared(row))),
    ]),
  ]
}

function rowsOf(name: string, schema: JsonSchema, defs: Definitions): readonly KeyRow[] {
  const rows = keyRows(schema, defs)
  const required = requiredOf(schema)
  const marked = rows.map(
    ([key, ...rest]): KeyRow => [required.includes(key.slice(1, -1)) ? `**${key}**` : key, ...rest],
  )
  if (name !== 'Element') return marked
  const changeable = changeableKeys(defs)
  return marked.map(([key, ...rest]) => [changeable.includes(key.slice(1, -1)) ? `${key} ✎` : key, ...rest])
}

const CHANGE =
  'Changes the element with the `id`, or the window. Every key of an [Element](#element) with ✎ sets that key; these are more:'

/** The keys of elements that effects can change. */
const changeableKeys = ({ Element, ElementChange }: Definitions): readonly string[] =>
  Object.keys(ElementChange?.properties ?? {}).filter(
    (key) => key !== 'id' && Object.hasOwn(Element?.properties ?? {}, key),
  )

const requiredOf = (schema: JsonSchema): readonly string[] =>
  (schema.required ?? (schema.else as JsonSchema | undefined)?.required ?? []) as readonly string[]

/** The title of an alternative: its name, the literal that chooses it, or its required keys. */
function titleOf(schema: JsonSchema, target: string | undefined, above: string): string {
  for (const key of ['kind', 'fault']) {
    const part = schema.properties?.[key]
    if (typeof part?.const === 'string') return `${above} ${part.const}`
    const [choices] = part?.anyOf ?? []
    if (Array.isArray(choices?.enum)) return `${above} ${choices.enum.join(', ')}`
  }
  return target ?? `${above} ${requiredOf(schema).join(', ')}`
}

function aboutOf(schema: JsonSchema): readonly string[] {
  const { fault, kind } = schema.properties ?? {}
  const about = fault?.description ?? kind?.description
  return about === undefined ? [] : [`${prose(about)}.`.replace(/\.\.$/, '.')]
}

function argumentsOf(schema: JsonSchema | undefined): string {
  const required = requiredOf(schema ?? {})
  const names = Object.keys(schema?.properties ?? {})
  return names.map((name) => (required.includes(name) ? `**${code(name)}**` : code(name))).join(', ')
}

const keyTable = (rows: readonly KeyRow[]): string => table(['key', 'type', 'meaning', 'example'], rows)

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** The keys of a part of the schema as rows of a Markdown table. */

/** A key, its type, its meaning with the default, and an example, as Markdown. */
type KeyRow = readonly [key: string, type: string, meaning: string, example: string]

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
function keyRows(schema: JsonSchema, defs: Definitions, above = ''): readonly KeyRow[] {
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
const code = (text: string): string => {
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
