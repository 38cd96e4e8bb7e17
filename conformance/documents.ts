import { writeFileSync } from 'node:fs'
import { toJsonSchema } from './contract/contract.ts'
import { CLIENT_PROTOCOLS, loadClientSuite, loadSuite, PROTOCOLS } from './protocols.ts'
import { createSpecification } from './report/specification.ts'

/** The pages and files that are made from the rows and the contracts, by path from the root of the package. */
export async function generateFiles(): Promise<Readonly<Record<string, string>>> {
  const suites = await Promise.all(PROTOCOLS.map(loadSuite))
  const clients = await Promise.all(CLIENT_PROTOCOLS.map(async (name) => (await loadClientSuite(name)).set))
  return Object.fromEntries([
    ...suites.flatMap(({ set, contract }) => [
      [`docs/requirements/${set.protocol}.md`, createSpecification(set)],
      [`conformance/${set.protocol}/contract.json`, `${JSON.stringify(toJsonSchema(contract), null, 2)}\n`],
    ]),
    ...clients.map((set) => [`docs/requirements/${set.protocol}.md`, createSpecification(set)]),
  ])
}

// Run as a program it writes them: `npx tsx conformance/documents.ts`.
if (import.meta.url === `file://${process.argv[1]}`)
  for (const [path, text] of Object.entries(await generateFiles()))
    writeFileSync(new URL(`../${path}`, import.meta.url), text)
