import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** The ids of a protocol's rows, and what its tests cite. */
async function rowsOf(folder: string) {
  const { ROWS } = (await import(`./${folder}/rows.ts`)) as { readonly ROWS: Readonly<Record<string, string>> }
  const tests = readdirSync(join(import.meta.dirname, folder)).filter((name) => name.endsWith('.test.ts'))
  const text = tests.map((name) => readFileSync(join(import.meta.dirname, folder, name), 'utf8')).join('\n')
  const titles = text.match(/\b(?:it|describe)(?:\.each\([\s\S]*?\))?\(\s*(?:'[^']*'|`[^`]*`|"[^"]*")/g) ?? []
  const cited = new Set(
    titles.flatMap((title) => title.match(/\[[A-Z]-[A-Z]+\d+\]/g) ?? []).map((id) => id.slice(1, -1)),
  )
  return { rows: Object.keys(ROWS), cited }
}

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((name) => readdirSync(join(import.meta.dirname, name)).includes('rows.ts'))

it.each(folders)('every row of %s is cited by the title of a test, and no test cites another', async (folder) => {
  const { rows, cited } = await rowsOf(folder)
  expect({
    missing: rows.filter((id) => !cited.has(id)),
    unknown: [...cited].filter((id) => !rows.includes(id)),
  }).toEqual({
    missing: [],
    unknown: [],
  })
})

/** How many facts the protocols' fact sheets number, by the letter of each group. */
const NUMBERED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'agent-webkit': { E: 6, M: 7, V: 12, X: 9, F: 6, R: 7, K: 5, T: 10 },
  cortask: { E: 4, M: 4, V: 12, X: 13, R: 14, K: 2, D: 5 },
  navi: { E: 14, M: 4, V: 13, X: 6, S: 6, G: 9 },
}

it.each(Object.entries(NUMBERED))('the rows of %s are all that its fact sheet numbers', async (folder, groups) => {
  const { rows } = await rowsOf(folder)
  const [first = ''] = rows
  const expected = Object.entries(groups).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${first[0]}-${letter}${index + 1}`),
  )
  expect(rows.toSorted()).toEqual(expected.toSorted())
})
