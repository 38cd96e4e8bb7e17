import * as z from 'zod'
import { Script } from '../../agent/script/script.ts'
import { EVERYWHERE } from '../../scenario/expand/composition-keys.ts'
import { CatalogueFault } from '../../scenario/faults/catalogue.ts'
import { AuthoredState, PlannedFault } from '../../scenario/scenario-file.ts'
import { AuthoredRect } from '../../scenario/schema/common.ts'
import * as effects from '../../scenario/schema/effect.ts'
import { AuthoredWindow, NamedWindow, TableColumn } from '../../scenario/schema/element.ts'
import { Guard } from '../../scenario/schema/guard.ts'
import { AuthoredPicture } from '../../scenario/schema/picture.ts'
import { Reaction, Timer, Trigger } from '../../scenario/schema/reaction.ts'
import { AuthoredPage, AuthoredSite } from '../../scenario/schema/sites.ts'
import { SolutionStep } from '../../scenario/schema/solution.ts'
import { type Definitions, type JsonSchema, mapParts, refName, refTo } from './json-schema.ts'

/** The JSON Schema of what may be written, without limits that only the number format has. */
export function toSchema(schema: z.ZodType): JsonSchema & { readonly $defs: Definitions } {
  const { $defs = {}, ...root } = tidy(z.toJSONSchema(schema, { io: 'input', metadata: partNames }) as JsonSchema)
  const inline = inlined($defs)
  const named = Object.entries($defs).filter(([name]) => !isUnnamed(name))
  return { ...inline(root), $defs: Object.fromEntries(named.map(([name, part]) => [name, inline(part)])) }
}

const isUnnamed = (name: string): boolean => name.startsWith('__')

/** Replaces references to parts without a name by the parts. In a part that contains itself, anything is allowed. */
function inlined(defs: Definitions): (schema: JsonSchema) => JsonSchema {
  const inline = (schema: JsonSchema, within: readonly string[]): JsonSchema => {
    const name = refName(schema)
    if (name === undefined || !isUnnamed(name)) return mapParts(schema, (part) => inline(part, within))
    const { $ref: _, ...own } = schema
    if (within.includes(name)) return own
    return { ...inline(defs[name] ?? {}, [...within, name]), ...own }
  }
  return (schema) => inline(schema, [])
}

function tidy(whole: JsonSchema): JsonSchema {
  const schema = referenceOnly(whole)
  const { propertyNames: _, oneOf, ...rest } = schema
  const alternatives = oneOf === undefined ? rest : { ...rest, anyOf: oneOf }
  const kept = Object.entries(alternatives).filter(([, value]) => !isLimitOfFormat(value))
  return withInnerHelp(mapParts(Object.fromEntries(kept), tidy))
}

/** A value that may be null, with the description and the examples of the value. */
function withInnerHelp(schema: JsonSchema): JsonSchema {
  const values = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [value] = values
  if (value === undefined || values.length > 1 || schema.anyOf?.length !== 2) return schema
  const { description, examples, ...inner } = value
  const anyOf = schema.anyOf.map((each) => (each === value ? inner : each))
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...schema,
    anyOf,
  }
}

/** A reference without a copy of what it refers to. */
function referenceOnly(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  return Object.fromEntries(Object.entries(schema).filter(([key]) => ['$ref', ...ANNOTATION_KEYS].includes(key)))
}

/** Keys of a schema that may stand beside a reference. */
const ANNOTATION_KEYS: readonly string[] = ['$id', '$schema', '$defs', 'title', 'description', 'examples', 'default']

const isLimitOfFormat = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER

/** The parts of scenario files that are definitions of their own in the schema for editors, with their names there. */
const PART_NAMES = new Map<z.core.$ZodType, string>([
  [AuthoredState, 'State'],
  [AuthoredWindow, 'Window'],
  [NamedWindow, 'NamedWindow'],
  [AuthoredRect, 'Rectangle'],
  [TableColumn, 'TableColumn'],
  [AuthoredPicture, 'Picture'],
  [Reaction, 'Reaction'],
  [Timer, 'Timer'],
  [Trigger, 'Trigger'],
  [Guard, 'Guard'],
  ...namedEffects(),
  [AuthoredSite, 'Site'],
  [AuthoredPage, 'Page'],
  [PlannedFault, 'PlannedFault'],
  [CatalogueFault, 'CatalogueFault'],
  [Script, 'Script'],
  ...alternatives(SolutionStep, ['SolutionCall', 'SolutionLoop', 'SolutionBranch']),
])

/** The kinds of effects, which have the names of their schemas. The union of all has a name of its own. */
function namedEffects(): readonly (readonly [z.core.$ZodType, string])[] {
  return Object.entries(effects).flatMap(([name, part]) =>
    part instanceof z.ZodType && part !== effects.ScenarioEffect ? [[part, name] as const] : [],
  )
}

function alternatives(union: z.ZodType, names: readonly string[]): readonly (readonly [z.core.$ZodType, string])[] {
  if (!(union instanceof z.ZodUnion)) throw new Error(`${names.join(', ')} are not the alternatives of a union`)
  return names.map((name, index) => [union.options[index]!, name])
}

/** The descriptions and examples of the parts of a scenario, with these names. */
const partNames = {
  get(schema: z.core.$ZodType) {
    const about = z.globalRegistry.get(schema)
    const id = PART_NAMES.get(schema)
    return id === undefined ? about : { ...about, id }
  },
} as typeof z.globalRegistry

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

const TYPE_NAMES: Readonly<Record<string, string>> = { boolean: 'flag', number: 'number', integer: 'whole' }

/** The keys that may stand in every map. */
const REFERENCES: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.keys(EVERYWHERE).map((key) => [key, refTo(key)]),
)

/** A schema whose maps take the keys of composition, and whose numbers, booleans and choices may be templates. */
export function expandable(schema: JsonSchema): JsonSchema {
  const inside = orTemplate(mapParts(schema, expandable))
  if (!inside.properties) return inside
  const { required, ...rest } = inside
  const own = Object.entries(inside.properties).filter(([, part]) => !part.isComposed)
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
  const name = typeof type === 'string' && Object.hasOwn(TYPE_NAMES, type) ? TYPE_NAMES[type] : undefined
  if (name === undefined) return schema
  return { ...about, ...(fallback !== undefined && { default: fallback }), ...refTo(name), ...rest }
}

/** Whether a schema is for free text. */
export const isText = ({ type, enum: choices, pattern }: JsonSchema): boolean =>
  [type ?? []].flat().includes('string') && choices === undefined && pattern !== PATTERN
