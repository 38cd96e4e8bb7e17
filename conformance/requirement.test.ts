import { describe, expect, it } from 'vitest'
import { findGaps, groupOf, isInTier, PROTOCOLS } from './requirement.ts'
import { loadSuite, suiteNames } from './run/protocol-suites.ts'

describe.each(suiteNames())('the requirements of %s', async (protocol) => {
  const { set, checks } = await loadSuite(protocol)
  const rows = Object.entries(set.requirements)

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

  it('each have a check or a reason why there is none, never both', () => {
    const isShape = (id: string) => id.startsWith(`${protocol}:shape:`)
    const without = rows.filter(([id, row]) => !checks.has(id) && !isShape(id) && row.unchecked === undefined)
    const both = rows.filter(([id, row]) => checks.has(id) && row.unchecked !== undefined)
    expect({ without: without.map(([id]) => id), both: both.map(([id]) => id) }).toEqual({ without: [], both: [] })
  })

  it('are what the checks prove', () => {
    expect([...checks.keys()].filter((id) => !(id in set.requirements))).toEqual([])
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

it('names each protocol once', () => {
  expect(new Set(PROTOCOLS).size).toBe(PROTOCOLS.length)
})
