import { ALL_TOOLS } from '../../observer/registry.ts'
import { ARGUMENT_EXAMPLES } from './argument-examples.ts'
import { expandable, orTemplate } from './expandable.ts'
import { type Definitions, type JsonSchema, mapParts, refTo } from './json-schema.ts'
import { toSchema } from './to-schema.ts'

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
export function toolArguments(): Definitions {
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
export function callWithArguments(schema: JsonSchema): JsonSchema {
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
export function scriptWithTools(schema: JsonSchema): JsonSchema {
  const inside = mapParts(schema, scriptWithTools)
  const call = inside.properties?.call
  if (call === undefined) return inside
  return {
    ...inside,
    properties: { ...inside.properties, call: { ...call, examples: ALL_TOOLS.map(({ name }) => name) } },
  }
}
