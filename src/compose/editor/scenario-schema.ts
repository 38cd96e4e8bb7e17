import * as z from 'zod'
import { WrittenScript } from '../../agent/script/script.ts'
import { COMPOSITION_PARTS, EVERYWHERE, STATE_KEYS, TOP_KEYS } from '../../scenario/expand/composition-keys.ts'
import { EXPANDED_SECTIONS } from '../../scenario/expand/expand-scenario.ts'
import { INCLUDED_SECTIONS } from '../../scenario/expand/includes.ts'
import { isTextKey } from '../../scenario/load/source.ts'
import { WrittenScenario } from '../../scenario/schema/scenario.ts'
import { expandable, isText, TEMPLATED } from './expandable.ts'
import { type Definitions, type JsonSchema, mapParts, refTo } from './json-schema.ts'
import { withKinds } from './oracle-kinds.ts'
import { withRoles } from './roles.ts'
import { withHelp } from './schema-help.ts'
import { shareParts } from './share-parts.ts'
import { toSchema } from './to-schema.ts'
import { callWithArguments, scriptWithTools, toolArguments } from './tool-arguments.ts'

/** The JSON Schemas of scenario files and of the files that they include, for editors. */

/** A name, not an address: nothing is fetched. */
const SCHEMA_ID = 'urn:backlot:scenario'

/** The file names of the schemas. */
export const SCENARIO_SCHEMA = 'scenario.schema.json'
export const INCLUDED_SCHEMA = 'scenario-include.schema.json'

/** The schema of a scenario file, with every part of a definition in full. The reference is written from it. */
export function fullScenarioSchema(): JsonSchema & { readonly $defs: Definitions } {
  const { $defs, ...root } = toSchema(WrittenScenario)
  const { Scenario, State, Element, Oracle, SolutionCall, ...parts } = $defs
  const { $defs: script } = toSchema(z.object({ agent: WrittenScript }))
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
