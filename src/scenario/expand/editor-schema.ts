/** A JSON Schema, as far as it is changed here. */
interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly [key: string]: unknown
}

const PARAMS: JsonSchema = {
  type: 'object',
  description: 'Values drawn from the seed, in order; each may use those before it',
  examples: [
    {
      customer: { pick: ['Ada', 'Bob'], default: 'Ada' },
      amount: { between: [10, 90] },
      people: { fake: 'person', count: 5 },
    },
  ],
}

/** Keys at the top of a file. */
const TOP_KEYS: Readonly<Record<string, JsonSchema>> = {
  vars: {
    type: 'object',
    description: 'Values that change while the scenario runs: numbers, texts, booleans, lists and records',
    examples: [{ count: 0, search: '', orders: [{ id: 1, customer: 'Ada', total: 12.5 }] }],
  },
  include: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'Files whose components, states, reactions and other sections are added',
    examples: ['parts/dialogs.yaml'],
  },
  params: PARAMS,
  assert: {
    type: 'array',
    items: { type: 'string' },
    description: 'Conditions of the parameters, which are drawn again until all hold',
    examples: [['{{ first != second }}']],
  },
  components: {
    type: 'object',
    description: 'Parts with typed parameters, for `use`',
    additionalProperties: {
      type: 'object',
      properties: {
        about: { type: 'string', description: 'What it is for' },
        params: {
          type: 'object',
          description: 'Parameters with their types: text, number, integer, boolean, list, record or any',
          examples: [{ label: 'text', count: { type: 'integer', default: 0 } }],
        },
        element: { $ref: '#/$defs/Element', description: 'The element that it stands for' },
        window: { type: 'object', description: 'The window that it stands for' },
        item: { description: 'The item of any list that it stands for, such as a step of the solution' },
        reactions: { type: 'array', description: 'Reactions that come with it' },
        timers: { type: 'array', description: 'Timers that come with it' },
      },
      additionalProperties: false,
    },
  },
}

/** Keys of a state. */
const STATE_KEYS: Readonly<Record<string, JsonSchema>> = {
  extends: { type: 'string', description: 'The state from which this one differs' },
  without: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'The uids of windows that this state does not have',
  },
  set: { type: 'array', items: { type: 'object' }, description: 'Changes of windows and elements, as in a reaction' },
}

/** Keys of any map below the sections that are expanded. */
const EVERYWHERE: Readonly<Record<string, JsonSchema>> = {
  use: { type: 'string', description: 'The component that stands here' },
  with: { type: 'object', description: 'The parameters of the component' },
  repeat: { description: 'A list or a number: one item for each', examples: ['people', 3] },
  as: { type: 'string', description: 'The name of the item in templates; item when left out' },
  if: { type: ['string', 'boolean'], description: 'Left out when this is false', examples: ['count > 0'] },
}

/** These keys by reference, since they stand in every map. */
const REFERENCES: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.keys(EVERYWHERE).map((key) => [key, { $ref: `#/$defs/key-${key}` }]),
)
const DEFINITIONS = Object.fromEntries(Object.entries(EVERYWHERE).map(([key, schema]) => [`key-${key}`, schema]))

/** Short keys that a misspelt key rarely means. */
const UNLIKELY = ['as', 'if']

/** The keys of composition that are valid in a map of a scenario: all of them at the top and in a state. */
export function compositionKeysAt(path: readonly (string | number)[]): {
  readonly keys: readonly string[]
  readonly listed: boolean
} {
  if (path.length === 0) return { keys: Object.keys(TOP_KEYS), listed: true }
  if (path.length === 2 && path[0] === 'states') return { keys: Object.keys(STATE_KEYS), listed: true }
  return { keys: Object.keys(EVERYWHERE).filter((key) => !UNLIKELY.includes(key)), listed: false }
}

const SECTIONS = ['states', 'reactions', 'timers', 'faults', 'oracles', 'solution']
const TEMPLATE: JsonSchema = { $ref: '#/$defs/template' }

/** The schema of a scenario for editors, with the keys that are expanded before a scenario is checked. */
export function withExpandedKeys(schema: JsonSchema): JsonSchema {
  const { $defs, ...rest } = schema as { readonly $defs: Readonly<Record<string, JsonSchema>> }
  const { Scenario, Element, ...others } = $defs
  const properties = Object.fromEntries(
    Object.entries(Scenario?.properties ?? {}).map(([key, part]) => [
      key,
      SECTIONS.includes(key) ? expandable(part) : part,
    ]),
  )
  return {
    ...rest,
    $defs: {
      Scenario: { ...Scenario, properties: { ...properties, ...TOP_KEYS, states: statesOf(properties.states ?? {}) } },
      Element: expandable(Element ?? {}),
      ...Object.fromEntries(Object.entries(others).map(([name, part]) => [name, expandable(part)])),
      ...DEFINITIONS,
      template: { type: 'string', pattern: '\\{\\{', description: 'An expression in {{ }}' },
    },
  }
}

/** Objects take the keys of any map, and numbers and booleans a template as well. */
function expandable(schema: JsonSchema): JsonSchema {
  if (schema.type === 'boolean' || schema.type === 'number' || schema.type === 'integer') {
    const { description, ...bare } = schema
    return { ...(description === undefined ? {} : { description }), anyOf: [bare, TEMPLATE] }
  }
  const parts = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, key === 'properties' ? part : inside(part)]),
  )
  if (!schema.properties) return parts
  const properties = Object.fromEntries(Object.entries(schema.properties).map(([key, part]) => [key, expandable(part)]))
  // A component gives what is required.
  const { required: _, ...optional } = parts
  return {
    ...optional,
    properties: { ...properties, ...REFERENCES, ...(properties.with && { with: properties.with }) },
  }
}

function inside(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inside)
  return typeof part === 'object' && part !== null ? expandable(part as JsonSchema) : part
}

function statesOf(states: JsonSchema): JsonSchema {
  const withKeys = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(withKeys)
    if (typeof schema !== 'object' || schema === null) return schema
    const { properties, ...rest } = schema as JsonSchema
    return properties?.windows
      ? { ...rest, properties: { ...properties, ...STATE_KEYS } }
      : Object.fromEntries(
          Object.entries(schema).map(([key, part]) => [key, key === 'properties' ? part : withKeys(part)]),
        )
  }
  return withKeys(states) as JsonSchema
}
