import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { requirementsNamedBySource } from './certified.ts'
import { loadSuite, PROTOCOLS } from './protocols.ts'
import { findGaps, groupOf, isInTier } from './requirement.ts'
import { generatedSabotages } from './suite/generated-sabotages.ts'
import type { Subject } from './suite/rules.ts'

/** The ids of the rules that the folder of a protocol defines. */
async function definedIn(protocol: string): Promise<readonly string[]> {
  const files = readdirSync(new URL(`${protocol}/rules`, import.meta.url))
  const modules = await Promise.all(files.map((file) => import(`./${protocol}/rules/${file}`)))
  const subjects = modules.flatMap((module) => Object.values<Subject>(module))
  return subjects.flatMap(({ name, rules }) => Object.keys(rules).map((key) => `${protocol}:${name}:${key}`))
}

/** The requirements that rules of `src` name instead of a test. */
const named = [...requirementsNamedBySource().values()].flat()

it('are named by src only for protocols that there are', () => {
  expect(named.filter((id) => !PROTOCOLS.some((protocol) => id.startsWith(`${protocol}:`)))).toEqual([])
})

describe.each(PROTOCOLS)('the requirements of %s', async (protocol) => {
  const { set } = await loadSuite(protocol)
  const rows = Object.entries(set.requirements)

  it('are the rules of its folder, and the shapes of its contract', async () => {
    const own = rows.map(([id]) => id).filter((id) => !id.startsWith(`${protocol}:shape:`))
    expect(own.sort()).toEqual([...(await definedIn(protocol))].sort())
  })

  it('have a check where rules of src name them', () => {
    const checked = rows.flatMap(([id, { unchecked }]) => (unchecked === undefined ? [id] : []))
    expect(named.filter((id) => id.startsWith(`${protocol}:`) && !checked.includes(id))).toEqual([])
  })

  it('speak of every item of the document, and of no other', () => {
    expect(findGaps(set)).toEqual({ bare: [], unknown: [] })
  })

  it('leave no cell of the matrix empty in a run of the tier full', () => {
    const asked = rows.filter(([, row]) => isInTier(row, 'full')).flatMap(([, row]) => row.covers)
    expect(Object.keys(set.items).filter((item) => !asked.includes(item))).toEqual([])
  })

  it('belong to items of groups that have a name', () => {
    expect([...new Set(Object.keys(set.items).map(groupOf))].sort()).toEqual(Object.keys(set.groups).sort())
  })

  it('quote the document for each MUST, and say why there is each other one', () => {
    for (const [id, row] of rows) {
      if (row.level === 'MUST') {
        expect(Object.keys(row.basis), id).toEqual(['states'])
        expect(row.source, id).not.toMatch(
          /reference server|official|good sense|gateway|later documents|leaves it open/,
        )
      }
      expect(Object.values(row.basis), id).toEqual([expect.stringMatching(/^\S.*\.$/)])
    }
  })

  it('are single sentences under ids of the protocol', () => {
    for (const [id, row] of rows) {
      expect(id).toMatch(new RegExp(`^${protocol}:[a-z0-9-]+:[A-Za-z0-9_:-]+$`))
      expect(row.text, id).toMatch(/^\S.*\.$/)
      expect(row.covers.length, id).toBeGreaterThan(0)
    }
  })
})

describe.each(PROTOCOLS)('the checks of %s', async (protocol) => {
  const { set, checks, sabotages, contract, noEffect } = await loadSuite(protocol)
  const isMust = (id: string) => set.requirements[id]?.level === 'MUST'

  it('need rules that have a check, and a MUST needs only a MUST', () => {
    for (const { id, needs } of checks.values()) {
      expect({ id, without: needs.filter((needed) => !checks.has(needed)) }).toEqual({ id, without: [] })
      if (isMust(id)) expect({ id, weak: needs.filter((needed) => !isMust(needed)) }).toEqual({ id, weak: [] })
    }
  })

  it('never need themselves', () => {
    const visit = (id: string, path: readonly string[]): void => {
      expect(path).not.toContain(id)
      for (const needed of checks.get(id)?.needs ?? []) visit(needed, [...path, id])
    }
    for (const id of checks.keys()) visit(id, [])
  })

  it('each have a sabotage, and sabotages break nothing else', () => {
    const broken = sabotages.flatMap(({ targets }) => targets)
    expect([...checks.keys()].filter((id) => !broken.includes(id))).toEqual([])
    expect(broken.filter((id) => !checks.has(id))).toEqual([])
  })

  it('have sabotages with a name of their own', () => {
    const names = sabotages.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('explain no effect only of sabotages that exist', () => {
    const names = [...sabotages, ...generatedSabotages(contract)].map(({ name }) => name)
    expect(noEffect.filter(([pattern]) => !names.some((name) => pattern.test(name)))).toEqual([])
  })
})
