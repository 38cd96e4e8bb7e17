import * as z from 'zod'
import { AuthoredScript } from '../../agent/script/script.ts'
import { ROLE_TABLE } from '../../desktop/model/role-table.ts'
import { ALL_TOOLS } from '../../observer/registry.ts'
import { COMPOSITION_PARTS, EVERYWHERE, STATE_KEYS, TOP_KEYS } from '../../scenario/expand/composition-keys.ts'
import { EXPANDED_SECTIONS } from '../../scenario/expand/expand-scenario.ts'
import { INCLUDED_SECTIONS } from '../../scenario/expand/includes.ts'
import { AuthoredScenario } from '../../scenario/scenario-file.ts'
import { isTextKey } from '../../scenario/source/source.ts'
import { type Definitions, type JsonSchema, mapParts, refTo, shareParts } from './json-schema.ts'
import { withHelp, withKinds } from './schema-help.ts'
import { expandable, isText, orTemplate, TEMPLATED, toSchema } from './to-schema.ts'

/** The JSON Schemas of scenario files and of the files that they include, for editors. */

/** A name, not an address: nothing is fetched. */
const SCHEMA_ID = 'urn:backlot:scenario'

/** The file names of the schemas. */
export const SCENARIO_SCHEMA = 'scenario.schema.json'
export const INCLUDED_SCHEMA = 'scenario-include.schema.json'

/** The schema of a scenario file, with every part of a definition in full. The reference is written from it. */
export function fullScenarioSchema(): JsonSchema & { readonly $defs: Definitions } {
  const { $defs, ...root } = toSchema(AuthoredScenario)
  const { Scenario, State, Element, Oracle, SolutionCall, ...parts } = $defs
  const { $defs: script } = toSchema(z.object({ agent: AuthoredScript }))
  const agent = {
    description: 'The script of the scripted agent, or a list of steps that it takes for every message',
    anyOf: [refTo('Script'), { type: 'array', items: refTo('ScriptStep') }],
  }
  const defs: Definitions = {
    Scenario: {
      ...Scenario,
      properties: { ...expandedSections(Scenario?.properties ?? {}), ...TOP_KEYS, agent, model: agent },
    },
    State: expandable({ ...State, properties: { ...State?.properties, ...STATE_KEYS } }),
    Element: withRoles(expandable(Element ?? {})),
    ...mapValues(parts, expandable),
    Oracle: withKinds(expandable(Oracle ?? {})),
    SolutionCall: callWithArguments(expandable(SolutionCall ?? {})),
    ...COMPOSITION_PARTS,
    ...EVERYWHERE,
    ...TEMPLATED,
    ...toolArguments(),
    ...mapValues(script, scriptWithTools),
  }
  const helped = withHelp({ $id: SCHEMA_ID, ...root, $defs: defs })
  const isScript = (name: string) => Object.hasOwn(script, name)
  const read = Object.entries(helped.$defs ?? {}).map(([name, part]) => [
    name,
    isScript(name) ? part : unquoted(part, false),
  ])
  return { ...helped, $defs: Object.fromEntries(read) }
}

/** The schema of a scenario file. */
export const scenarioFileSchema = (): JsonSchema => shareParts(fullScenarioSchema())

/** The schema of a file that scenarios include: the sections that it may have, as in a scenario. */
export function includedFileSchema(): JsonSchema {
  const sections = INCLUDED_SECTIONS.map((key) => [
    key,
    { $ref: `${SCENARIO_SCHEMA}#/$defs/Scenario/properties/${key}` },
  ])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A file that Backlot scenarios include',
    type: 'object',
    properties: Object.fromEntries(sections),
    additionalProperties: false,
  }
}

const mapValues = (parts: Definitions, change: (part: JsonSchema) => JsonSchema): Definitions =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]))

const expandedSections = (sections: Definitions): Definitions =>
  Object.fromEntries(
    Object.entries(sections).map(([key, part]) => [key, EXPANDED_SECTIONS.includes(key) ? expandable(part) : part]),
  )

/** A schema that accepts unquoted numbers and booleans for texts, below the keys for which the loader does. */
function unquoted(schema: JsonSchema, isTextBelow: boolean): JsonSchema {
  const read = mapParts(schema, (part, property) =>
    unquoted(part, property === undefined ? isTextBelow : isTextKey(property) || property === 'files'),
  )
  if (!isTextBelow || !isText(schema)) return read
  return { ...read, type: [...new Set([read.type ?? []].flat()), 'number', 'boolean'] }
}

/** What a schema says about calls of tools: their arguments in solutions, and their names. */

const definitionOf = (tool: string): string => `arguments-${tool}`

/** An argument with an example, as far as it has nothing else to suggest. */
function withExamples(schema: JsonSchema, key: string | undefined): JsonSchema {
  const inside = mapParts(schema, withExamples)
  const isShown = ['examples', 'default', 'enum', 'const'].some((each) => each in schema) || schema.type === 'boolean'
  if (isShown || key === undefined || !Object.hasOwn(ARGUMENT_EXAMPLES, key)) return inside
  return { ...inside, examples: [ARGUMENT_EXAMPLES[key]] }
}

/** The arguments of each tool. Numbers, booleans and choices may be templates. */
function toolArguments(): Definitions {
  const found: Record<string, JsonSchema> = {}
  for (const { name, input, summary } of ALL_TOOLS) {
    const { $schema: _, $defs, ...schema } = toSchema(input)
    const properties = Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([key, part]) => [
        key,
        orTemplate(mapParts(withExamples(part, key), expandable)),
      ]),
    )
    found[definitionOf(name)] = { description: summary, ...schema, properties, additionalProperties: false }
    for (const [part, value] of Object.entries($defs ?? {})) found[part] = expandable(withExamples(value, undefined))
  }
  return found
}

/** The schema of a call in a solution, with the arguments of the tool that it names. */
function callWithArguments(schema: JsonSchema): JsonSchema {
  const definitions = toolArguments()
  const rules = ALL_TOOLS.map(({ name }) => {
    const definition = definitionOf(name)
    const isRequired = definitions[definition]?.required !== undefined
    return {
      if: { properties: { call: { const: name } } },
      // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema; the object is not callable.
      then: { properties: { with: refTo(definition) }, ...(isRequired && { required: ['with'] }) },
    }
  })
  const properties = { ...schema.properties, call: NAMED_TOOL }
  return { ...schema, properties, dependentSchemas: { call: { allOf: rules } } }
}

const NAMED_TOOL: JsonSchema = {
  description: 'The tool of the observer that is called',
  anyOf: [
    {
      type: 'string',
      enum: ALL_TOOLS.map(({ name }) => name),
      enumDescriptions: ALL_TOOLS.map(({ summary }) => summary),
    },
    refTo('template'),
  ],
}

/** A part of the script of an agent, with suggestions for the tools that it calls. */
function scriptWithTools(schema: JsonSchema): JsonSchema {
  const inside = mapParts(schema, scriptWithTools)
  const call = inside.properties?.call
  if (call === undefined) return inside
  return {
    ...inside,
    properties: { ...inside.properties, call: { ...call, examples: ALL_TOOLS.map(({ name }) => name) } },
  }
}

/** Examples of the arguments of tools, for arguments whose schema has neither an example nor a default. */
const ARGUMENT_EXAMPLES: Readonly<Record<string, unknown>> = {
  a: 's1',
  action: { tool: 'click_element', args: { selector: 'Button "Save"' } },
  actions: [{ tool: 'press_key', args: { keys: 'enter' } }],
  any_of: [{ type: 'element_appears', selector: 'Text "Saved"' }],
  at_step: 3,
  b: 's2',
  bbox: { x: 0, y: 0, width: 200, height: 100 },
  confirm_token: 'token of propose_action',
  content: 'a text',
  depth: 3,
  duration_ms: 500,
  element_id: 'save',
  exclude_roles: ['Separator'],
  fault: 'lost-click',
  focus_element: 'save',
  from: { selector: 'ListItem "Draft"' },
  grid_height: 24,
  interval_ms: 50,
  grid_width: 72,
  key: 'ctrl',
  keys: 'ctrl+s',
  max_height: 480,
  max_nodes: 500,
  max_pixels: 786_432,
  max_steps: 50,
  max_text_len: 80,
  max_tokens: 4000,
  max_width: 640,
  monitor: 1,
  name_regex: '^Report',
  option_index: 0,
  option_name: 'Sunday',
  page_cursor: 'cursor of an earlier result',
  predicate: { kind: 'text_visible', regex: 'Saved' },
  predicates: [{ kind: 'text_visible', regex: 'Saved' }],
  region: { x: 0, y: 0, width: 200, height: 100 },
  replay_id: 'id of replay_start',
  roles: ['Button', 'Edit'],
  scenario: 'login',
  scope: 'editor',
  settle_ms: 200,
  since: 'token of an earlier result',
  snapshot_id: 'id of snapshot',
  to: { selector: 'List "Archive"' },
  to_step: 2,
  window_index: 0,
  window_title: 'Report',
  yaml: 'states: {start: {windows: []}}',
}

/** A role with behaviour and appearance of its own. */
export interface KnownRole {
  readonly name: string
  readonly aliases: readonly string[]
  readonly purpose: string
}

const ROWS = Object.values(ROLE_TABLE).filter(({ spellings }) => spellings !== '')
const PURPOSES = [...new Set(ROWS.map(({ purpose }) => purpose))]

/** The roles, those of one purpose together. */
export const KNOWN_ROLES: readonly KnownRole[] = PURPOSES.flatMap((purpose) =>
  ROWS.filter((row) => row.purpose === purpose).map(({ spellings }) => {
    const [name = '', ...aliases] = spellings.split(' ')
    return { name, aliases, purpose }
  }),
)

/** A schema of elements that suggests the roles with behaviour, although any text is a role. */
function withRoles(element: JsonSchema): JsonSchema {
  const { role, ...others } = element.properties ?? {}
  const { description, ...text } = role ?? {}
  const known = {
    type: 'string',
    enum: KNOWN_ROLES.map(({ name }) => name),
    enumDescriptions: KNOWN_ROLES.map(({ purpose, aliases }) =>
      aliases.length === 0 ? purpose : `${purpose}; also ${aliases.join(', ')}`,
    ),
  }
  const suggested = { ...(description !== undefined && { description }), anyOf: [known, text] }
  return { ...element, properties: { role: suggested, ...others } }
}
