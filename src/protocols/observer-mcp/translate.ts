import { createHash } from 'node:crypto'
import { FAULTS } from '../../base/fault.ts'
import { inputSchema, outputSchema } from '../../observer/registry.ts'
import { type CallOutcome, pictureType, type ToolArguments, type ToolResult } from '../../observer/result.ts'
import type { Audience, Tool } from '../../observer/tool.ts'

/** Revisions of the protocol without structured content. */
const UNSTRUCTURED_VERSIONS: ReadonlySet<string> = new Set(['2024-10-07', '2024-11-05', '2025-03-26'])

/** Who a listing or result is for. */
export interface Reader {
  readonly audience: Audience
  /** The negotiated revision of the protocol. */
  readonly protocolVersion: string
}

const readsStructures = ({ protocolVersion }: Reader): boolean => !UNSTRUCTURED_VERSIONS.has(protocolVersion)

/** The argument with which the harness gets the bytes of pictures in structured content. */
const INLINE = 'inline'
const INLINE_SCHEMA = {
  type: 'boolean',
  default: false,
  description:
    'Whether structured content has the bytes of pictures too, in base64. They are image content in any case',
}

const mayInline = (tool: Tool, { audience }: Reader): boolean =>
  audience === 'harness' && (hasPictures(outputSchema(tool)) || 'screenshot' in propertiesOf(inputSchema(tool)))

const propertiesOf = ({ properties }: JsonObject): JsonObject => (isObject(properties) ? properties : {})

/**
 * A tool in tools/list. Agents do not get the output schema, because most clients put it into every prompt and it is larger than
 * all other parts.
 */
export function toListing(tool: Tool, reader: Reader) {
  const input = inputSchema(tool) as JsonObject
  const properties = { ...propertiesOf(input), ...(mayInline(tool, reader) && { [INLINE]: INLINE_SCHEMA }) }
  return {
    name: tool.name,
    description: `${tool.summary}${errorsOf(tool)}`,
    inputSchema: { ...(portable({ ...input, properties }, input) as object), type: 'object' as const },
    ...(reader.audience === 'harness' &&
      readsStructures(reader) && {
        outputSchema: {
          ...(portable(withImages(outputSchema(tool)), outputSchema(tool)) as object),
          type: 'object' as const,
        },
      }),
    annotations: {
      readOnlyHint: tool.kind === 'look',
      destructiveHint: tool.kind === 'act' && tool.traits.destructive === true,
      idempotentHint: tool.kind === 'look' || tool.traits.idempotent === true,
      openWorldHint: false,
    },
  }
}

const errorsOf = (tool: Tool): string =>
  tool.faults.length === 0
    ? ''
    : ` Errors: ${tool.faults.map((code) => `${code} (${FAULTS[code].message})`).join(', ')}.`

type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

export interface JsonObject {
  readonly [key: string]: unknown
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The field of an object, or of the schema of its fields, that is a picture in base64. */
function pictureField(fields: JsonObject): string | undefined {
  if ('screenshot_b64' in fields) return 'screenshot_b64'
  return 'data' in fields && 'encoding' in fields ? 'data' : undefined
}

/** What stands for a picture in results: the picture itself is image content. */
const IMAGE_SCHEMA = {
  type: 'object',
  description: 'The picture, which is image content',
  properties: {
    content: { type: 'integer', description: 'Its index among the image content, from 0' },
    media_type: { type: 'string' },
    bytes: { type: 'integer', description: 'Its size in bytes' },
    sha256: { type: 'string', description: 'The hash of its bytes, in hexadecimal digits' },
  },
  required: ['content', 'media_type', 'bytes', 'sha256'],
  additionalProperties: false,
} as const

const ANY_TYPE = ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({ type }))
/** Keywords whose values are schemas by name. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'definitions', '$defs'])
const NOT_SCHEMAS: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'required', 'examples'])

/** A schema that says the same without lists of types, without empty or boolean schemas, and with the type beside a reference. */
function portable(schema: unknown, root: JsonObject): unknown {
  if (Array.isArray(schema)) return schema.map((each) => portable(each, root))
  if (!isObject(schema)) return schema
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (NOT_SCHEMAS.has(key)) return [key, value]
      if (key === 'items' && value === false) return ['maxItems', (schema.prefixItems as readonly unknown[]).length]
      if (!BY_NAME.has(key) || !isObject(value)) return [key, portable(value, root)]
      return [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, portable(each, root)]))]
    }),
  )
  if (Array.isArray(type) && !('anyOf' in rest)) return { ...rest, anyOf: type.map((each) => ({ type: each })) }
  const referred = type ?? referredType(rest.$ref, root)
  if (referred !== undefined) return { type: referred, ...rest }
  return Object.keys(rest).every((key) => key === 'description' || key === 'default')
    ? { ...rest, anyOf: ANY_TYPE }
    : rest
}

/** The type of what a reference within a schema means. */
function referredType(reference: unknown, root: JsonObject): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), root)
  return isObject(found) ? found.type : undefined
}

const hasPictures = (schema: unknown): boolean =>
  Array.isArray(schema)
    ? schema.some(hasPictures)
    : isObject(schema) &&
      ((isObject(schema.properties) && pictureField(schema.properties) !== undefined) ||
        Object.values(schema).some(hasPictures))

/** A schema in which objects with a picture have an `image`, and the bytes only if they were asked for. */
function withImages(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withImages)
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withImages(value)]))
  const field = isObject(inner.properties) ? pictureField(inner.properties) : undefined
  if (field === undefined) return inner
  const required = ((inner.required ?? []) as readonly string[]).filter((name) => name !== field)
  return { ...inner, properties: { ...(inner.properties as JsonObject), image: IMAGE_SCHEMA }, required }
}

/** The arguments for the tool, and whether structured content has the bytes of pictures. */
export function readArguments(
  tool: Tool,
  given: unknown,
  reader: Reader,
): { readonly args: unknown; readonly isInline: boolean } {
  if (!isObject(given) || typeof given[INLINE] !== 'boolean' || !mayInline(tool, reader))
    return { args: given, isInline: false }
  const { [INLINE]: isInline, ...args }: ToolArguments = given
  return { args, isInline: isInline === true }
}

/**
 * The result of tools/call: the same fields as over REST, as structured content and as JSON text. Each picture is sent once, as
 * image content, and described where it was.
 */
export function toResult({ body, fault }: CallOutcome, reader: Reader, isInline = false) {
  const images: Content[] = []
  const described = describePictures(body, images, false) as JsonObject
  const content: Content[] = [{ type: 'text', text: JSON.stringify(described) }, ...images]
  if (fault) return { content, isError: true }
  if (!readsStructures(reader)) return { content }
  return { content, structuredContent: isInline ? (describePictures(body, [], true) as JsonObject) : described }
}

/** Adds an `image` to objects with a picture, and takes the bytes out unless they are kept. Appends the pictures to `images`. */
function describePictures(value: unknown, images: Content[], keepsBytes: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => describePictures(item, images, keepsBytes))
  if (!isObject(value)) return value
  const field = pictureField(value)
  const data = field === undefined ? undefined : value[field]
  const rest = Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      key === field && typeof data === 'string' && !keepsBytes
        ? []
        : [[key, describePictures(inner, images, keepsBytes)]],
    ),
  )
  if (typeof data !== 'string') return rest
  const media_type = pictureType(value as ToolResult)
  const bytes = Buffer.from(data, 'base64')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  images.push({ type: 'image', data, mimeType: media_type })
  return { ...rest, image: { content: images.length - 1, media_type, bytes: bytes.length, sha256 } }
}
