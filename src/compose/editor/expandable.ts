import { EVERYWHERE } from '../../scenario/expand/composition-keys.ts'
import { type JsonSchema, mapParts, refTo } from './json-schema.ts'

/** What composition changes in a schema: templates, `use`, `repeat` and `if` are replaced before a file is checked. */

/** A text with a template. The pattern has no effect on values that are not texts. */
const PATTERN = '\\{\\{'

const orText = (type: string, expected: string): JsonSchema => ({
  type: [type, 'string'],
  pattern: PATTERN,
  patternErrorMessage: `Expected ${expected}, or a template in {{ }}.`,
})

/** Values that may be templates, by their types. */
export const TEMPLATED: Readonly<Record<string, JsonSchema>> = {
  flag: orText('boolean', 'true or false'),
  number: orText('number', 'a number'),
  whole: orText('integer', 'a whole number'),
  template: { type: 'string', pattern: PATTERN, description: 'An expression in {{ }}' },
}

const NAMES: Readonly<Record<string, string>> = { boolean: 'flag', number: 'number', integer: 'whole' }

/** The keys that may stand in every map. */
const REFERENCES: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.keys(EVERYWHERE).map((key) => [key, refTo(key)]),
)

/** A schema whose maps take the keys of composition, and whose numbers, booleans and choices may be templates. */
export function expandable(schema: JsonSchema): JsonSchema {
  const inside = orTemplate(mapParts(schema, expandable))
  if (!inside.properties) return inside
  const { required, ...rest } = inside
  const own = Object.entries(inside.properties)
  return {
    ...rest,
    properties: Object.fromEntries([...own, ...Object.entries(REFERENCES), ...own]),
    // A component gives what is required.
    ...(required && { if: { required: ['use'] }, else: { required } }),
  }
}

/** A schema of numbers, booleans, choices or texts of a form that accepts a template too. */
export function orTemplate(schema: JsonSchema): JsonSchema {
  const { description, default: fallback, examples, enum: choices, type, ...rest } = schema
  const about = { ...(description !== undefined && { description }), ...(examples !== undefined && { examples }) }
  if (choices !== undefined)
    return { ...about, anyOf: [{ ...rest, ...(type !== undefined && { type }), enum: choices }, refTo('template')] }
  if (type === 'string' && schema.pattern !== undefined && schema.pattern !== PATTERN)
    return { ...about, anyOf: [{ ...rest, type }, refTo('template')] }
  const name = typeof type === 'string' && Object.hasOwn(NAMES, type) ? NAMES[type] : undefined
  if (name === undefined) return schema
  return { ...about, ...(fallback !== undefined && { default: fallback }), ...refTo(name), ...rest }
}

/** Whether a schema is for free text. */
export const isText = ({ type, enum: choices, pattern }: JsonSchema): boolean =>
  [type ?? []].flat().includes('string') && choices === undefined && pattern !== PATTERN
