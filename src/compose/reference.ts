import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { asyncApi, openApi } from '../protocols/http/document.ts'
import { PROTOCOLS } from '../protocols/registry.ts'
import { withCapabilityTable } from './capability-table.ts'
import { compactJson } from './editor/compact-json.ts'
import { referencePage } from './editor/reference-page.ts'
import { INCLUDED_SCHEMA, includedFileSchema, SCENARIO_SCHEMA, scenarioFileSchema } from './editor/scenario-schema.ts'
import { PACKAGE } from './package.ts'

/** The documents that `npm run reference` writes into `docs/reference`. */

export const REFERENCE = join(PACKAGE, 'docs', 'reference')

/** The guide with a generated table, which `npm run reference` updates in place. */
export const REAL_DESKTOPS_GUIDE = join(PACKAGE, 'docs', 'real-desktops.md')

/** The text of every document by file name. */
export async function referenceDocuments(): Promise<Readonly<Record<string, string>>> {
  const surfaces = await Promise.all(
    PROTOCOLS.map(async ({ name, loadSurface }) => ({ name, ...(await loadSurface()) })),
  )
  const documents = surfaces.flatMap(({ name, ...surface }): [string, object][] => [
    ...(surface.operations.length > 0 ? [[`${name}.openapi.json`, openApi(surface)] as [string, object]] : []),
    ...(surface.channels.length > 0 ? [[`${name}.asyncapi.json`, asyncApi(surface)] as [string, object]] : []),
  ])
  return {
    ...Object.fromEntries(documents.map(([name, document]) => [name, `${compactJson(document)}\n`])),
    [SCENARIO_SCHEMA]: `${compactJson(scenarioFileSchema())}\n`,
    [INCLUDED_SCHEMA]: `${compactJson(includedFileSchema())}\n`,
    'scenario.md': referencePage(),
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(REFERENCE, { recursive: true })
  for (const [name, text] of Object.entries(await referenceDocuments())) writeFileSync(join(REFERENCE, name), text)
  writeFileSync(REAL_DESKTOPS_GUIDE, await withCapabilityTable(readFileSync(REAL_DESKTOPS_GUIDE, 'utf8')))
}
