import { writeFileSync } from 'node:fs'
import { toJsonSchema } from './contract/contract.ts'
import { CLIENT_PROTOCOLS, loadClientSuite, loadSuite, PROTOCOLS } from './protocols.ts'
import { setDigest } from './report/certificate.ts'
import { escapeCell } from './report/escape.ts'
import type { Requirement, RequirementSet } from './requirement.ts'

/** The requirements of a protocol as a page to read: by subject, then the coverage list. */
function createSpecification(set: RequirementSet): string {
  const rows = Object.entries(set.requirements)
  const subjects = new Map<string, [string, Requirement][]>()
  for (const row of rows) {
    const subject = row[0].split(':')[1]!
    subjects.set(subject, [...(subjects.get(subject) ?? []), row])
  }
  const counts = (['MUST', 'SHOULD', 'MAY'] as const)
    .map((level) => `${rows.filter(([, row]) => row.level === level).length} ${level}`)
    .join(', ')
  return [
    `# ${set.protocol}: requirements`,
    '',
    `Read from: ${set.document}.`,
    `${rows.length} requirements (${counts}), set \`${setDigest(set).slice(0, 12)}\`.`,
    'A MUST that fails fails the run, a SHOULD warns, a MAY is noted. The tier is the smallest claim that includes the row.',
    'This page is generated from the rules of the protocol: `npx tsx conformance/documents.ts`.',
    '',
    ...[...subjects].flatMap(([subject, of]) => [`## ${subject}`, '', ...of.map(line), '']),
    '## The document, item by item',
    '',
    '| item | | requirements |',
    '|---|---|---|',
    ...Object.entries(set.items).map(([item, title]) => {
      const ids = rows
        .filter(([, row]) => row.covers.includes(item))
        .map(([id]) => `\`${id.slice(set.protocol.length + 1)}\``)
      return `| ${item} | ${escapeCell(title)} | ${ids.join(' ')} |`
    }),
    '',
  ].join('\n')
}

function line([id, { level, text, source, basis, tier = 'core', unchecked }]: [string, Requirement]): string {
  const found = 'states' in basis ? `The document: ${basis.states}` : `Why: ${basis.because}`
  const why = unchecked === undefined ? '' : `\n  Not checked: ${unchecked}.`
  return `- **${level}** ${text}\n  \`${id}\` · ${tier} · ${source}\n  ${found}${why}`
}

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
