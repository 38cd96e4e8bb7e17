import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'
import { Script } from '../agent/script/script.ts'
import { asyncApi, openApi } from '../protocols/http/document.ts'
import { PROTOCOLS } from '../protocols/registry.ts'
import { scenarioJsonSchema } from '../scenario/schema/scenario.ts'
import { PACKAGE } from './package.ts'
import { withHelp } from './schema-help.ts'

/** The machine-readable documents that `npm run reference` writes into `docs/reference`. */

export const REFERENCE = join(PACKAGE, 'docs', 'reference')

/** The text of every document by file name. */
export async function referenceDocuments(): Promise<Readonly<Record<string, string>>> {
  const surfaces = await Promise.all(
    PROTOCOLS.map(async ({ name, loadSurface }) => ({ name, ...(await loadSurface()) })),
  )
  const documents = surfaces.flatMap(({ name, ...surface }): [string, object][] => [
    ...(surface.operations.length > 0 ? [[`${name}.openapi.json`, openApi(surface)] as [string, object]] : []),
    ...(surface.channels.length > 0 ? [[`${name}.asyncapi.json`, asyncApi(surface)] as [string, object]] : []),
  ])
  const all = [...documents, ['scenario.schema.json', scenarioFileSchema()] as const]
  return Object.fromEntries(all.map(([name, document]) => [name, `${JSON.stringify(document, null, 1)}\n`]))
}

/** The JSON Schema of a scenario file, for editors. Its agent is a script or a list of steps. */
function scenarioFileSchema(): object {
  const { $defs: own, ...scenario } = scenarioJsonSchema() as Defining
  const { $schema: _, $defs: shapes, ...script } = z.toJSONSchema(Script, { io: 'input' }) as Defining
  const steps = { type: 'array', items: { $ref: '#/$defs/ScriptStep' } }
  const { Scenario, ...others } = own
  const agent = { description: 'What the scripted agent does', anyOf: [{ $ref: '#/$defs/Script' }, steps] }
  const withAgent = { ...Scenario, properties: { ...Scenario!.properties, agent, model: agent } }
  return withHelp({
    ...scenario,
    $defs: unquoted({ Scenario: withAgent, ...others, Script: script, ...shapes }) as object,
  })
}

/** A schema that accepts unquoted numbers and booleans for texts, as the loader does. */
function unquoted(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(unquoted)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      const types = [value].flat()
      const isText = key === 'type' && types.includes('string') && !('enum' in schema || 'const' in schema)
      return [key, isText ? [...types, 'number', 'boolean'] : unquoted(value)]
    }),
  )
}

interface Defining {
  readonly $schema?: string
  readonly $defs: Readonly<Record<string, { readonly properties?: object }>>
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(REFERENCE, { recursive: true })
  for (const [name, text] of Object.entries(await referenceDocuments())) writeFileSync(join(REFERENCE, name), text)
}
