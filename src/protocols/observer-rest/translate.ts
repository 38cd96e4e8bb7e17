import * as z from 'zod'
import { problemWords } from '../../base/external-values.ts'
import { Fault, type FaultCode } from '../../base/fault.ts'
import { type IgnoredArgument, unknownNames } from '../../observer/arguments.ts'
import type { SentAs } from '../../observer/policies/secrets.ts'
import { inputSchema } from '../../observer/registry.ts'
import type { CallOutcome, ToolArguments, ToolResult } from '../../observer/result.ts'
import { hasNoArguments, type Tool } from '../../observer/tool.ts'
import { HTTP_STATUS } from '../http/status.ts'

/** A tool call of a client. */
export interface ToolRequest {
  readonly tool: string
  readonly args: unknown
  /** The client's names of arguments that have other names here. */
  readonly sentAs?: SentAs
  /** Unknown arguments of the client. */
  readonly ignored?: readonly IgnoredArgument[]
}

interface Property {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Property[]
  readonly allOf?: readonly Property[]
  /** Named schemas are always objects. */
  readonly $ref?: string
}

/**
 * Converts a query string into the tool's arguments. The schema decides between numbers, booleans and comma-separated lists. Of
 * a repeated name, the first value counts. An empty value counts as absent.
 */
export function fromQuery(tool: Tool, query: Readonly<Record<string, unknown>>): ToolArguments {
  if (hasNoArguments(query)) return {}
  const properties = (inputSchema(tool).properties ?? {}) as Readonly<Record<string, Property>>
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]) => {
      const text = Array.isArray(given) ? given[0] : given
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (typeof text !== 'string' || text === '') return []
      // Unknown names are reported with the result.
      return [[name, property === undefined ? text : parseValue(text, typesOf(property))]]
    }),
  )
}

function typesOf({ type, anyOf, allOf, $ref }: Property): readonly string[] {
  if ($ref !== undefined) return ['object']
  const parts = anyOf ?? allOf
  if (parts) return parts.flatMap(typesOf)
  return type === undefined ? [] : [type].flat()
}

const TRUE_WORDS = new Set(['true', '1', 'yes', 'on'])
const FALSE_WORDS = new Set(['false', '0', 'no', 'off'])

/** Converts a value to its type. A malformed value stays text, so that the schema reports it. */
function parseValue(text: string, types: readonly string[]): unknown {
  if (types.includes('integer') || types.includes('number')) {
    const trimmed = text.trim().replace(/^\+/, '')
    return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text
  }
  if (types.includes('boolean')) {
    const word = text.trim().toLowerCase()
    return TRUE_WORDS.has(word) ? true : FALSE_WORDS.has(word) ? false : text
  }
  if (types.includes('array')) return text.split(',')
  if (types.includes('object')) return jsonOrText(text)
  return text
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The tools of legacy actions with other names, and their names for `value`. */
const LEGACY = {
  type: { tool: 'type_text', value: 'text' },
  key: { tool: 'press_key', value: 'keys' },
} as const

/** Converts POST /api/action into a tool call. Throws `BadRequest`. */
export function fromLegacyAction(body: unknown): ToolRequest {
  const parsed = LegacyAction.safeParse(body)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({
      field: issue.path.join('.') || 'action',
      message: problemWords(issue),
    }))
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

/** Converts POST /api/hover, which names a position or an element. */
export function fromHover(body: unknown): ToolRequest {
  const given = (typeof body === 'object' && body !== null ? body : {}) as ToolArguments
  const place = given.x !== undefined && given.y !== undefined
  const element = given.selector !== undefined || given.element_id !== undefined
  return { tool: place && !element ? 'hover_at' : 'hover_element', args: body }
}

/** A status and a JSON body. */
export interface HttpReply {
  readonly status: number
  /** The body without the `cached` part. */
  readonly body: ToolResult
  /** The part that may have been in an earlier body and is serialized once. */
  readonly cached?: ToolResult | undefined
}

/** The version 2 reply: the error is an object. */
export const toReply = ({ fresh, fault, cached }: CallOutcome): HttpReply => ({
  status: fault ? status[fault.code] : 200,
  body: fresh,
  cached: cached,
})

/** The version 1 reply: the error is a sentence, with the object beside it. */
export function toLegacyReply(outcome: CallOutcome): HttpReply {
  const { fresh, fault } = outcome
  if (!fault) return toReply(outcome)
  const { error, ...rest } = fresh
  return {
    status: legacyStatus(fault.code),
    body: { ...rest, error: fault.message, code: fault.code, error_detail: error },
  }
}

/** The HTTP status of each code (observer document, "Codes"). Codes of other protocols do not occur. */
export const status: Readonly<Record<FaultCode, number>> = { ...HTTP_STATUS, PatternUnsupported: 501 }

/** Version 1 routes use only two error statuses (observer document, "HTTP status codes"). */
export const legacyStatus = (code: FaultCode): number => (code === 'Internal' || code === 'StorageFailed' ? 500 : 400)

const Place = { x: z.int(), y: z.int() }

/** The body of POST /api/action (observer document, "Execute an input action"). */
export const LegacyAction = z.discriminatedUnion(
  'action',
  [
    z.object({
      action: z.literal('click_at'),
      ...Place,
      button: z.enum(['left', 'right', 'middle']).optional(),
      double: z.boolean().optional(),
      dry_run: z.boolean().optional(),
      confirm_token: z.string().optional(),
    }),
    z.object({
      action: z.literal('type'),
      value: z.string(),
      dry_run: z.boolean().optional(),
      confirm_token: z.string().optional(),
    }),
    z.object({
      action: z.literal('key'),
      value: z.string(),
      dry_run: z.boolean().optional(),
      confirm_token: z.string().optional(),
    }),
    z.object({
      action: z.literal('scroll'),
      x: z.int().optional(),
      y: z.int().optional(),
      clicks: z.int().optional(),
      dry_run: z.boolean().optional(),
    }),
  ],
  { error: 'use click_at, type, key or scroll' },
)
export type LegacyAction = z.infer<typeof LegacyAction>
