import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { COMPUTER_CAPABILITIES, type ComputerCapability, capabilitiesWithout } from '../adapters/capabilities.ts'
import { type AdapterColumn, adapterColumns } from '../adapters/open-computer.ts'
import { asyncApi, openApi } from '../protocols/http/document.ts'
import { PROTOCOLS } from '../protocols/registry.ts'
import { referencePage } from './editor/reference-page.ts'
import { INCLUDED_SCHEMA, includedFileSchema, SCENARIO_SCHEMA, scenarioFileSchema } from './editor/scenario-schema.ts'
import { PACKAGE } from './package.ts'
import { GALLERY_HEADS, galleryHeads } from './scenario-list.ts'

/** What each adapter can do, as a Markdown table, with a list of the reasons below. */
async function capabilityTable(): Promise<string> {
  const adapters: readonly AdapterColumn[] = [['`synthetic`', capabilitiesWithout()], ...(await adapterColumns())]
  const reasons: string[] = []
  const cell = (supported: true | string): string => {
    if (supported === true) return 'yes'
    if (!reasons.includes(supported)) reasons.push(supported)
    return `no (${reasons.indexOf(supported) + 1})`
  }
  const rows = Object.entries(COMPUTER_CAPABILITIES).map(([name, meaning]) => [
    `${meaning} (\`${name}\`)`,
    ...adapters.map(([, supports]) => cell(supports[name as ComputerCapability])),
  ])
  const lines = [['', ...adapters.map(([title]) => title)], ['', ...adapters].map(() => '---'), ...rows]
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`)
  return [...table, '', ...reasons.map((reason, index) => `${index + 1}. ${reason}`)].join('\n')
}

const BEGINNING = '<!-- capabilities: written by npm run reference -->\n'
const END = '<!-- end of capabilities -->'

/** A page with the current table between its marks. Throws if it has no marks. */
export async function withCapabilityTable(page: string): Promise<string> {
  const [before, rest, ...more] = page.split(BEGINNING)
  const end = rest?.indexOf(END) ?? -1
  if (before === undefined || rest === undefined || end < 0 || more.length > 0)
    throw new Error('the page needs the marks of the capabilities once')
  return `${before}${BEGINNING}${await capabilityTable()}\n${rest.slice(end)}`
}

const MAX_LINE_LENGTH = 140

/** JSON with each value that fits on one line, so that a large document stays short and its changes readable. */
function compactJson(value: unknown, indent = ''): string {
  const line = oneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= MAX_LINE_LENGTH) return line
  const inner = `${indent} `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => compactJson(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${compactJson(item, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${oneLine(item)}`)
  return `{${parts.join(',')}}`
}

/** The documents that `npm run reference` writes into `docs/reference`. */

export const REFERENCE = join(PACKAGE, 'docs', 'reference')

/** The guide with a generated table, which `npm run reference` updates in place. */
export const REAL_DESKTOPS_GUIDE = join(PACKAGE, 'docs', 'real-desktops.md')

/** The text of every document by file name. */
export async function referenceDocuments(): Promise<Readonly<Record<string, string>>> {
  const apis = await Promise.all(
    PROTOCOLS.map(async ({ name, loadApiDescription: load }) => ({ name, ...(await load()) })),
  )
  const documents = apis.flatMap(({ name, ...api }): [string, object][] => [
    ...(api.operations.length > 0 ? [[`${name}.openapi.json`, openApi(api)] as [string, object]] : []),
    ...(api.channels.length > 0 ? [[`${name}.asyncapi.json`, asyncApi(api)] as [string, object]] : []),
  ])
  return {
    ...Object.fromEntries(documents.map(([name, document]) => [name, `${compactJson(document)}\n`])),
    [SCENARIO_SCHEMA]: `${compactJson(scenarioFileSchema())}\n`,
    [INCLUDED_SCHEMA]: `${compactJson(includedFileSchema())}\n`,
    'scenario.md': referencePage(),
    [GALLERY_HEADS]: `${compactJson(await galleryHeads())}\n`,
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  mkdirSync(REFERENCE, { recursive: true })
  for (const [name, text] of Object.entries(await referenceDocuments())) writeFileSync(join(REFERENCE, name), text)
  writeFileSync(REAL_DESKTOPS_GUIDE, await withCapabilityTable(readFileSync(REAL_DESKTOPS_GUIDE, 'utf8')))
}
