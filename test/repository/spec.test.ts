import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { requirementsNamedIn } from '../../conformance/certified.ts'

// Every rule in a `SPEC.md` or `README.md` has an id, and a test whose title cites it or a requirement of `conformance` that
// certifies it, and every citation names a rule. `conformance/rules.test.ts` checks that these requirements exist. The ids of a page
// have a prefix of their own and ascend; a rule between K14 and K15 is K14a.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAX_LINE_LENGTH = 140

/** An id: the prefix of its page, a number, and a letter for a rule that came later. */
const ID = String.raw`[A-Z]{1,4}\d+[a-z]?`

/** Folders whose tests cover the whole product, and may cite every page. */
const CITES_ALL: readonly string[] = ['src/compose', 'test/acceptance', 'test/repository']

/** Folders of `src` whose tests also cite the rules of other folders there. */
const ALSO_CITES: Readonly<Record<string, readonly string[]>> = {
  cli: ['base'],
  stores: ['base'],
  compose: ['scenario/expand'],
  'scenario/sheets': ['scenario/data'],
  protocols: ['observer', 'agent', 'scenario', 'perception', 'protocols/observer-rest'],
}

const files = ['src', 'test', 'bench', 'fuzz', 'docs/site/playground']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .sort()
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const rulesOf = (page: string) => [...read(page).matchAll(new RegExp(`^- \\[(${ID})]`, 'gm'))].map(([, id = '']) => id)
/** The rules of a page that name the requirements which certify them; a rule ends before the next item or blank line. */
const certifiedOf = (page: string) =>
  [...read(page).matchAll(new RegExp(`^- \\[(${ID})](.*(?:\\n +(?!- ).*)*)`, 'gm'))]
    .filter(([, , text = '']) => requirementsNamedIn(text).length > 0)
    .map(([, id = '']) => id)
const pages = files.filter((path) => /(?:SPEC|README)\.md$/.test(path))
const pagesWithRules = pages.filter((page) => rulesOf(page).length > 0)
const tests = files.filter((path) => /\.(?:test|suite|real|long|wine|desktops)\.ts$/.test(path))

const TITLE = /(?:\b(?:it|describe)(?:\.\w+)?|\))\(\s*(?:'[^']*'|`[^`]*`)/g
const citedBy = (path: string) =>
  (read(path).match(TITLE) ?? []).flatMap((title) =>
    [...title.matchAll(new RegExp(`\\[(${ID})]`, 'g'))].map(([, id = '']) => id),
  )
const citations = new Map(tests.map((path) => [path, citedBy(path)]))

const prefixOf = (id: string) => id.replace(/\d.*/, '')
/** The place of an id among those of its page: 14 for K14, 14.01 for K14a. */
const placeOf = (id: string) =>
  Number(id.match(/\d+/)) + (/[a-z]$/.test(id) ? (id.charCodeAt(id.length - 1) - 96) / 100 : 0)

/** Whether a test may cite the rules of a page. */
function mayCite(test: string, page: string): boolean {
  const folder = dirname(page)
  const isIn = (parent: string) => test.startsWith(`${parent}/`)
  const alsoCited = Object.keys(ALSO_CITES)
    .filter((name) => isIn(`src/${name}`))
    .flatMap((name) => ALSO_CITES[name]!)
  return CITES_ALL.some(isIn) || isIn(folder) || alsoCited.some((name) => folder === `src/${name}`)
}

describe.each(pagesWithRules)('%s', (page) => {
  it('has a test or a certifying requirement for each rule', () => {
    const cited = new Set(tests.filter((test) => mayCite(test, page)).flatMap((test) => citations.get(test) ?? []))
    const certified = certifiedOf(page)
    expect(rulesOf(page).filter((id) => !cited.has(id) && !certified.includes(id))).toEqual([])
  })

  it('has a prefix of its own', () => {
    const prefix = prefixOf(rulesOf(page)[0]!)
    expect(rulesOf(page).filter((id) => prefixOf(id) !== prefix)).toEqual([])
    expect(pagesWithRules.filter((each) => rulesOf(each).some((id) => prefixOf(id) === prefix))).toEqual([page])
  })

  it('has ids that ascend', () => {
    const ids = rulesOf(page)
    expect(ids.filter((id, index) => index > 0 && placeOf(id) <= placeOf(ids[index - 1]!))).toEqual([])
  })
})

describe.each(tests.filter((test) => citations.get(test)?.length))('%s', (test) => {
  it('cites rules that exist', () => {
    const known = new Set(pagesWithRules.filter((page) => mayCite(test, page)).flatMap(rulesOf))
    expect((citations.get(test) ?? []).filter((id) => !known.has(id))).toEqual([])
  })
})

describe.each(pages)('%s', (page) => {
  it(`has lines of at most ${MAX_LINE_LENGTH} characters`, () => {
    const long = read(page)
      .split('\n')
      .some((line) => line.length > MAX_LINE_LENGTH)
    expect(long).toBe(false)
  })
})
