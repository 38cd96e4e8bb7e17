import { Fault } from '../../base/fault.ts'
import type { SentAs } from '../../observer/gates/secrets.ts'
import { type IgnoredArgument, unknownNames } from '../../observer/ignored-arguments.ts'
import { inputSchema } from '../../observer/registry.ts'
import type { CallOutcome, ToolArguments, ToolResult } from '../../observer/result.ts'
import { hasNoArguments, type Tool } from '../../observer/tool.ts'
import { legacyStatus, status } from './errors.ts'
import { LegacyAction } from './wire.ts'

export interface ToolRequest {
  readonly tool: string
  readonly args: unknown
  /** The names under which the client sent arguments that have another name here. */
  readonly sentAs?: SentAs
  /** What was sent and nothing here knows. */
  readonly ignored?: readonly IgnoredArgument[]
}

interface Property {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Property[]
  readonly allOf?: readonly Property[]
  /** Shapes that have a name of their own are objects. */
  readonly $ref?: string
}

/**
 * A query string as the tool's arguments: numbers, booleans and comma lists by its schema; of repeated names the first.
 * Clients that have no value write an empty one.
 */
export function fromQuery(tool: Tool, query: Readonly<Record<string, unknown>>): ToolArguments {
  if (hasNoArguments(query)) return {}
  const properties = (inputSchema(tool).properties ?? {}) as Readonly<Record<string, Property>>
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]) => {
      const text = Array.isArray(given) ? given[0] : given
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (typeof text !== 'string' || text === '') return []
      // What the tool does not know is reported with its answer.
      return [[name, property === undefined ? text : fromText(text, typesOf(property))]]
    }),
  )
}

function typesOf({ type, anyOf, allOf, $ref }: Property): readonly string[] {
  if ($ref !== undefined) return ['object']
  const parts = anyOf ?? allOf
  if (parts) return parts.flatMap(typesOf)
  return type === undefined ? [] : [type].flat()
}

const YES = new Set(['true', '1', 'yes', 'on'])
const NO = new Set(['false', '0', 'no', 'off'])

/** What cannot be read as its type stays text, and the schema says what is wrong with it. */
function fromText(text: string, types: readonly string[]): unknown {
  if (types.includes('integer') || types.includes('number')) {
    const trimmed = text.trim().replace(/^\+/, '')
    return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text
  }
  if (types.includes('boolean')) {
    const word = text.trim().toLowerCase()
    return YES.has(word) ? true : NO.has(word) ? false : text
  }
  if (types.includes('array')) return text.split(',')
  if (types.includes('object')) return parseJson(text)
  return text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The tools behind the legacy actions that have other names for them, and what each calls its `value`. */
const LEGACY = {
  type: { tool: 'type_text', value: 'text' },
  key: { tool: 'press_key', value: 'keys' },
} as const

/** POST /api/action in terms of the tools it stands for. Throws `BadRequest`. */
export function fromLegacyAction(body: unknown): ToolRequest {
  const parsed = LegacyAction.safeParse(body)
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.') || 'action', message }))
    throw new Fault('BadRequest', issues.map(({ field, message }) => `${field}: ${message}`).join('; '), {
      field: issues[0]?.field,
    })
  }
  const variant = LegacyAction.options.find(({ shape }) => shape.action.value === parsed.data.action)!
  const ignored = unknownNames(body as object, Object.keys(variant.shape))
  if (parsed.data.action !== 'type' && parsed.data.action !== 'key') {
    const { action: tool, ...args } = parsed.data
    return { tool, args, ignored }
  }
  const { action, value, ...rest } = parsed.data
  const { tool, value: name } = LEGACY[action]
  return { tool, args: { ...rest, [name]: value }, sentAs: { [name]: 'value' }, ignored }
}

/** POST /api/hover means a place or an element. */
export function fromHover(body: unknown): ToolRequest {
  const given = (typeof body === 'object' && body !== null ? body : {}) as ToolArguments
  const place = given.x !== undefined && given.y !== undefined
  const element = given.selector !== undefined || given.element_id !== undefined
  return { tool: place && !element ? 'hover_at' : 'hover_element', args: body }
}

export interface HttpReply {
  readonly status: number
  /** But for `same`. */
  readonly body: ToolResult
  /** The part that may have been in an earlier body. */
  readonly same?: ToolResult | undefined
}

/** An outcome in the second version's shape: the error is an object. */
export const toReply = ({ fresh, fault, cached }: CallOutcome): HttpReply => ({
  status: fault ? status[fault.code] : 200,
  body: fresh,
  same: cached,
})

/** An outcome in the first version's shape: the error is a sentence, the object stands beside it. */
export function toLegacyReply(outcome: CallOutcome): HttpReply {
  const { fresh, fault } = outcome
  if (!fault) return toReply(outcome)
  const { error, ...rest } = fresh
  return {
    status: legacyStatus(fault.code),
    body: { ...rest, error: fault.message, code: fault.code, error_detail: error },
  }
}
