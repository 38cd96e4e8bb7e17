import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requirementsNamedIn } from '../../conformance/certified.ts'

/** The ids of a protocol's facts, what its tests cite, and the facts that requirements of `conformance` certify. */
async function factsOf(folder: string) {
  const { FACTS } = (await import(`./${folder}/facts.ts`)) as { readonly FACTS: Readonly<Record<string, string>> }
  const tests = readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  )
  const text = tests.map((name) => readFileSync(join(import.meta.dirname, folder, name), 'utf8')).join('\n')
  const titles = text.match(/\b(?:it|describe)(?:\.each\([\s\S]*?\))?\(\s*(?:'[^']*'|`[^`]*`|"[^"]*")/g) ?? []
  const cited = new Set(
    titles.flatMap((title) => title.match(/\[[A-Z]-[A-Z]+\d+\]/g) ?? []).map((id) => id.slice(1, -1)),
  )
  const certified = Object.keys(FACTS).filter((id) => requirementsNamedIn(FACTS[id]!).length > 0)
  return { facts: Object.keys(FACTS), cited, certified: new Set(certified) }
}

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((name) => readdirSync(join(import.meta.dirname, name)).includes('facts.ts'))

it.each(folders)(
  'every fact of %s is cited by the title of a test or certified, and no test cites an unknown one',
  async (folder) => {
    const { facts, cited, certified } = await factsOf(folder)
    expect({
      missing: facts.filter((id) => !cited.has(id) && !certified.has(id)),
      unknown: [...cited].filter((id) => !facts.includes(id)),
    }).toEqual({
      missing: [],
      unknown: [],
    })
  },
)

/** How many facts the protocols' fact sheets number, by the letter of each group. */
const NUMBERED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'agent-webkit': { E: 6, M: 7, V: 12, X: 9, F: 6, R: 7, K: 5, T: 10 },
  cortask: { E: 4, M: 4, V: 12, X: 13, R: 14, K: 2, D: 5 },
  navi: { E: 14, M: 4, V: 13, X: 6, S: 6, G: 9 },
}

it.each(Object.entries(NUMBERED))('the facts of %s are all that its fact sheet numbers', async (folder, groups) => {
  const { facts } = await factsOf(folder)
  const [first = ''] = facts
  const expected = Object.entries(groups).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${first[0]}-${letter}${index + 1}`),
  )
  expect(facts.toSorted()).toEqual(expected.toSorted())
})
