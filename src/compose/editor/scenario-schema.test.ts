import { describe, expect, it } from 'vitest'
import { ROLES } from '../../desktop/model/role.ts'
import { INCLUDED_SECTIONS } from '../../scenario/expand/includes.ts'
import { TOOL_NAMES } from '../../scenario/tools.ts'
import { type Definitions, type JsonSchema, mapParts, refName, shareParts } from './json-schema.ts'
import { fullScenarioSchema, includedFileSchema, SCENARIO_SCHEMA, scenarioFileSchema } from './scenario-schema.ts'
import { hasDescription, hasSuggestion } from './schema-help.ts'

const full = fullScenarioSchema()
const shared = scenarioFileSchema() as JsonSchema & { readonly $defs: Definitions }

/** Calls back for each part of a schema, from the top. The conditions of rules are no parts that authors see. */
function visit(schema: JsonSchema, look: (part: JsonSchema, property: string | undefined, path: string) => void): void {
  const below =
    (path: string) =>
    ({ if: _, ...part }: JsonSchema, property: string | undefined): JsonSchema => {
      const here = property === undefined ? path : `${path}.${property}`
      look(part, property, here)
      return mapParts(part, below(here))
    }
  for (const [name, part] of Object.entries(schema.$defs ?? {})) below(name)(part, undefined)
}

/** The keys for which a check fails, by their paths. */
function keysWithout(
  schema: JsonSchema,
  check: (property: JsonSchema, defs: Definitions) => boolean,
): readonly string[] {
  const found: string[] = []
  visit(schema, (part, property, path) => {
    if (property !== undefined && !check(part, schema.$defs ?? {})) found.push(path)
  })
  return found
}

const targetOf = (part: JsonSchema | undefined): JsonSchema => full.$defs[refName(part ?? {}) ?? ''] ?? part ?? {}
const partOf = (name: string, key: string): JsonSchema => full.$defs[name]?.properties?.[key] ?? {}

describe('the schema of scenarios for editors', () => {
  it('[ED1] describes every key', () => {
    expect([keysWithout(full, hasDescription), keysWithout(shared, hasDescription)]).toEqual([[], []])
  })

  it('[ED1] suggests a value for every key: an example, choices or the default', () => {
    expect([keysWithout(full, hasSuggestion), keysWithout(shared, hasSuggestion)]).toEqual([[], []])
  })

  it('[ED2] suggests the roles and accepts others', () => {
    const [known, any] = partOf('Element', 'role').anyOf ?? []
    expect([known?.enum].flat().toSorted()).toEqual(ROLES.map(([name]) => name).toSorted())
    expect(any).toEqual({ type: 'string', minLength: 1 })
  })

  it('[ED2] suggests the tools, each with its summary', () => {
    const [known, template] = partOf('SolutionCall', 'call').anyOf ?? []
    expect(known?.enum).toEqual(TOOL_NAMES)
    expect(known?.enumDescriptions).toHaveLength(TOOL_NAMES.length)
    expect(template).toEqual({ $ref: '#/$defs/template' })
  })

  it('[ED3] has the arguments of every tool, and requires what the tool requires', () => {
    const { call } = full.$defs.SolutionCall!.dependentSchemas as { readonly call: JsonSchema }
    const rules = call.allOf as readonly JsonSchema[]
    expect(rules).toHaveLength(TOOL_NAMES.length)
    expect(rules.find((rule) => JSON.stringify(rule.if).includes('"type_text"'))).toEqual({
      if: { properties: { call: { const: 'type_text' } } },
      // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema; the object is not callable.
      then: expect.objectContaining({ required: ['with'] }),
    })
    expect(full.$defs['arguments-type_text']).toMatchObject({
      properties: { text: { type: ['string', 'number', 'boolean'] } },
      required: ['text'],
      additionalProperties: false,
    })
  })

  it('[ED4] accepts templates for numbers, booleans, choices and texts of a form', () => {
    expect(partOf('Element', 'enabled').$ref).toBe('#/$defs/flag')
    expect(full.$defs.flag).toMatchObject({ type: ['boolean', 'string'], pattern: '\\{\\{' })
    expect(partOf('Window', 'state').anyOf?.[1]).toEqual({ $ref: '#/$defs/template' })
    expect(partOf('TableColumn', 'field').anyOf).toEqual([
      expect.objectContaining({ pattern: '^[A-Za-z_]\\w*$' }),
      { $ref: '#/$defs/template' },
    ])
    expect(partOf('Scenario', 'seed').type).toBe('integer')
  })

  it('[ED5] accepts unquoted numbers below keys of text only', () => {
    const typeOf = (name: string, key: string) => targetOf(partOf(name, key)).type
    expect(typeOf('Element', 'name')).toEqual(['string', 'number', 'boolean'])
    expect(typeOf('Element', 'label')).toBe('string')
  })

  it('[ED6] requires keys unless a component gives them', () => {
    expect(full.$defs.Reaction).toMatchObject({ if: { required: ['use'] }, else: { required: ['on'] } })
    expect(full.$defs.Reaction).not.toHaveProperty('required')
  })

  it('[ED7] has the sections of included files, as references into the schema of scenarios', () => {
    const { properties = {} } = includedFileSchema()
    expect(Object.keys(properties)).toEqual(INCLUDED_SECTIONS)
    for (const key of INCLUDED_SECTIONS) {
      expect(properties[key]).toEqual({ $ref: `${SCENARIO_SCHEMA}#/$defs/Scenario/properties/${key}` })
      expect(shared.$defs.Scenario?.properties).toHaveProperty(key)
    }
  })

  it('[ED8] shares equal parts under the name of their key', () => {
    const bold = { type: 'boolean', description: 'Whether the text is bold, for the name and the value' }
    const part = (key: string): JsonSchema => ({ type: 'object', properties: { [key]: { type: 'string' }, bold } })
    expect(shareParts({ $defs: { A: part('a'), B: part('b') } })).toEqual({
      $defs: {
        A: { type: 'object', properties: { a: { type: 'string' }, bold: { $ref: '#/$defs/bold' } } },
        B: { type: 'object', properties: { b: { type: 'string' }, bold: { $ref: '#/$defs/bold' } } },
        bold,
      },
    })
  })

  it('[ED8] contains a recursive definition of elements', () => {
    expect(targetOf(partOf('Element', 'children')).items).toEqual({ $ref: '#/$defs/Element' })
  })

  it('[ED9] refers to definitions that exist, and to all of them', () => {
    const used = new Set([refName(shared)])
    visit(shared, (part) => used.add(refName(part)))
    expect([...used].filter((name) => name !== undefined).sort()).toEqual(Object.keys(shared.$defs).sort())
  })
})
