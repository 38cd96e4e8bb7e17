import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { agentWebkitApi } from '../agent-webkit/routes.ts'
import { cortaskApi } from '../cortask/routes.ts'
import { naviApi } from '../navi/routes.ts'
import { windieosApi } from '../windieos/routes.ts'
import { type ApiDescription, asyncApi, openApi } from './document.ts'

type Node = Readonly<Record<string, unknown>>

/** Every object below a value, with the key it lies under. */
function* nodes(value: unknown, key = ''): Generator<readonly [string, Node]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [key, value as Node]
  for (const [name, item] of Object.entries(value)) yield* nodes(item, name)
}

const lookUp = (document: Node, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => (value as Node | undefined)?.[key.replaceAll('~1', '/')], document)

/** A schema of a document, read back by a parser of JSON Schema together with the shapes it refers to. */
function readBack(document: Node, schema: unknown): z.ZodType {
  const { schemas } = document.components as { readonly schemas: Node }
  const whole = JSON.stringify({ ...(schema as Node), $defs: schemas })
  const written: unknown = JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/'))
  return z.fromJSONSchema(written as Parameters<typeof z.fromJSONSchema>[0])
}

/** How many schemas a document has; each can be read back. */
function schemasOf(document: Node): number {
  // A schema may have a property of that name itself.
  const holders = [...nodes(document)].filter(([key]) => key !== 'properties')
  const found = holders.flatMap(([, node]) => [node.schema, node.payload].filter((schema) => schema !== undefined))
  for (const schema of found) readBack(document, schema)
  return found.length
}

const apis: readonly (readonly [string, ApiDescription, number, number])[] = [
  ['agent-webkit', agentWebkitApi, 6, 12],
  ['cortask', cortaskApi, 20, 16],
  ['navi', naviApi, 14, 14],
  ['windieos', windieosApi, 35, 41],
]

describe.each(apis)('the documents of %s', (_name, api, operations, messages) => {
  it('describe every request, with schemas that can be read back', () => {
    const document = openApi(api)
    const described = Object.values(document.paths as Record<string, Node>).flatMap((item) => Object.values(item))
    expect(described).toHaveLength(operations)
    expect(schemasOf(document)).toBeGreaterThanOrEqual(operations)
    for (const [path, item] of Object.entries(document.paths as Record<string, Record<string, Node>>))
      for (const operation of Object.values(item)) {
        const inPath = ((operation.parameters ?? []) as Node[]).filter((parameter) => parameter.in === 'path')
        const named = inPath.map((parameter) => `{${String(parameter.name)}}`)
        expect(named).toEqual(path.match(/\{[^}]+\}/g) ?? [])
        expect(Object.keys(operation.responses as Node).some((status) => status.startsWith('2'))).toBe(true)
      }
  })

  it('describe every message, with references that lead somewhere', () => {
    const document = asyncApi(api)
    expect(schemasOf(document)).toBe(messages)
    const references = [...nodes(document)].flatMap(([, node]) => (typeof node.$ref === 'string' ? [node.$ref] : []))
    expect(references.length).toBeGreaterThanOrEqual(messages)
    for (const reference of references) expect(lookUp(document, reference), reference).toBeDefined()
  })
})

it('a schema that was read back accepts and rejects the same values as the wire', () => {
  const document = asyncApi(cortaskApi)
  const payload = lookUp(document, '#/channels/chat/messages/chat') as Node
  const schema = readBack(document, payload.payload)
  const chat = { type: 'chat', sessionKey: 's', message: 'hi', workspaceId: 'w' }
  expect([schema.safeParse(chat).success, schema.safeParse({ ...chat, message: 7 }).success]).toEqual([true, false])
})
