import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../src/compose/package.ts'
import { PROTOCOL_NAMES, type ProtocolName } from '../src/protocols/registry.ts'

type Json = Readonly<Record<string, unknown>>

/** A parameter of an operation, in its path or query. */
interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: Json
}

/** An operation of an OpenAPI document: a method of a path. */
export interface RestOperation {
  readonly protocol: ProtocolName
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** The JSON Schema of its body with all references. Undefined without a body. */
  readonly body: Json | undefined
  /** The statuses that the document lists. */
  readonly statuses: readonly number[]
}

/** A socket with the schemas of the documented client messages. */
export interface FrameChannel {
  readonly protocol: ProtocolName
  readonly address: string
  readonly payloads: readonly Json[]
}

/** Operations that end the input of every desktop. Nothing could be tested after them. */
const LEFT_OUT = ['/api/stop-all']
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const pathOf = (protocol: ProtocolName, kind: 'openapi' | 'asyncapi'): string =>
  join(PACKAGE, 'docs/reference', `${protocol}.${kind}.json`)

/** Whether a protocol has sockets or streams. Others have no AsyncAPI document. */
const hasChannels = (protocol: ProtocolName): boolean => existsSync(pathOf(protocol, 'asyncapi'))

const readDocument = (protocol: ProtocolName, kind: 'openapi' | 'asyncapi'): Json =>
  JSON.parse(readFileSync(pathOf(protocol, kind), 'utf8'))

/** All operations of all protocols. */
export const readOperations = (): readonly RestOperation[] =>
  PROTOCOL_NAMES.flatMap((protocol) => {
    const document = readDocument(protocol, 'openapi')
    return Object.entries(document.paths as Record<string, Json>).flatMap(([path, methods]) =>
      METHODS.filter((method) => methods[method] !== undefined && !LEFT_OUT.includes(path)).map((method) => {
        const row = methods[method] as Json
        const content = (row.requestBody as Json | undefined)?.content as Record<string, Json> | undefined
        const schema = content?.['application/json']?.schema as Json | undefined
        return {
          protocol,
          method: method.toUpperCase(),
          path,
          parameters: (row.parameters ?? []) as readonly Parameter[],
          body: schema && resolved(schema, document),
          statuses: Object.keys(row.responses as Json).map(Number),
        }
      }),
    )
  })

/** All sockets of all protocols. */
export const readChannels = (): readonly FrameChannel[] =>
  PROTOCOL_NAMES.filter(hasChannels).flatMap((protocol) => {
    const document = readDocument(protocol, 'asyncapi')
    const received = Object.values(document.operations as Record<string, Json>).filter(
      ({ action }) => action === 'receive',
    )
    return Object.entries(document.channels as Record<string, Json>).flatMap(([name, { address, messages }]) => {
      const refs = received.flatMap((operation) => (operation.messages ?? []) as readonly { readonly $ref: string }[])
      const payloads = Object.entries(messages as Record<string, Json>)
        .filter(([message]) => refs.some(({ $ref }) => $ref === `#/channels/${name}/messages/${message}`))
        .map(([, { payload }]) => resolved(payload as Json, document))
      return payloads.length === 0 ? [] : [{ protocol, address: String(address), payloads }]
    })
  })

/** The depth to which a recursive schema is expanded. */
const MAX_UNFOLDED = 3
/** The longest text that is made from a schema. One of megabytes takes seconds, in which no request is sent. */
const MAX_CHARACTERS = 2000

/** The schema with inlined references and short texts, reduced to its documented fields. */
function resolved(schema: unknown, document: Json, seen: readonly string[] = []): Json {
  const go = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(go)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, additionalProperties: _, ...rest } = value as Json
    if (typeof $ref !== 'string')
      return Object.fromEntries(
        Object.entries(rest).map(([key, part]) => [
          key,
          key === 'maxLength' && typeof part === 'number' ? Math.min(part, MAX_CHARACTERS) : go(part),
        ]),
      )
    if (seen.filter((each) => each === $ref).length >= MAX_UNFOLDED) return { type: 'null' }
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((part, key) => (part as Json | undefined)?.[key], document)
    return resolved(target ?? {}, document, [...seen, $ref])
  }
  return go(schema) as Json
}
