import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// Every rule that is written down is cited by the title of a test, and no test cites a rule that is not.

const ROOMS = [
  ['../observer/', 'SPEC.md'],
  ['../protocols/', 'SPEC.md'],
  ['../protocols/observer-rest/', 'README.md'],
  ['../protocols/observer-mcp/', 'README.md'],
] as const

const here = (path: string) => new URL(path, import.meta.url)
const rulesOf = (text: string) => [...text.matchAll(/^- \[([A-Z]{1,2}\d+)]/gm)].map(([, id]) => id!)
const pages = ROOMS.map(([folder, page]) => rulesOf(readFileSync(here(folder + page), 'utf8')))
const rules = new Set(pages.flat())

const tests = [
  '../parity.test.ts',
  ...new Set(
    ROOMS.flatMap(([folder]) =>
      // The folders of the agent protocols cite rules of `agent` as well.
      readdirSync(here(folder), { recursive: folder !== '../protocols/', encoding: 'utf8' }).map(
        (name) => folder + name,
      ),
    ),
  ),
].filter((name) => name.endsWith('.test.ts'))
const titles = tests.flatMap((name) => {
  const text = readFileSync(here(name), 'utf8')
  return (
    text.match(
      /\b(?:it|describe)(?:\.\w+)?\(\s*(?:'[^']*'|`[^`]*`)|^ *\)?\]?\)\(\s*(?:'[^']*'|`[^`]*`)|\]\)\(\s*'[^']*'/gm,
    ) ?? []
  )
})
const cited = new Set(titles.flatMap((title) => [...title.matchAll(/\[([A-Z]{1,2}\d+)]/g)].map(([, id]) => id!)))

it('every rule of the observer and its wires has a test that cites it', () => {
  expect([...rules].filter((id) => !cited.has(id))).toEqual([])
})

it('no id stands for two rules, on whichever pages they are', () => {
  const ids = pages.flat()
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

it('no test of theirs cites a rule that is not written down', () => {
  expect([...cited].filter((id) => !rules.has(id))).toEqual([])
})

it('what others get wrong is answered, each of thirty-eight', () => {
  const page = readFileSync(here('SPEC.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (\d+) +\| .+ \| .+ \|$/gm)].map(([, number]) => Number(number))
  expect(rows).toEqual(Array.from({ length: 38 }, (_, at) => at + 1))
})
