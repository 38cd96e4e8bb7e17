import { describe, expect, it } from 'vitest'
import { brokenClients } from '../../fixtures/broken-clients/index.ts'
import { CLIENT_PROTOCOLS, loadClientSuite } from '../protocols.ts'
import { findGaps, groupOf } from '../requirement.ts'

describe.each(CLIENT_PROTOCOLS)('the requirements of clients of %s', async (protocol) => {
  const { set, flows, dependencies } = await loadClientSuite(protocol)
  const rows = Object.entries(set.requirements)
  const ids = rows.map(([id]) => id)

  it('cover every item that is listed, and no other', () => {
    expect(findGaps(set)).toEqual({ bare: [], unknown: [] })
    expect([...new Set(Object.keys(set.items).map(groupOf))].sort()).toEqual(Object.keys(set.groups).sort())
  })

  it('quote the document for each MUST, and say why there is each other one', () => {
    for (const [id, row] of rows) {
      if (row.level === 'MUST') expect(Object.keys(row.basis), id).toEqual(['states'])
      if (row.level === 'MUST') expect(row.source, id).not.toMatch(/good sense|leaves it open|official/)
      expect(Object.values(row.basis), id).toEqual([expect.stringMatching(/^\S.*\.$/)])
    }
  })

  it('are single sentences under ids of the set', () => {
    for (const [id, row] of rows) {
      expect(id).toMatch(new RegExp(`^${protocol}-client:[a-z-]+:[a-z_-]+$`))
      expect(row.text, id).toMatch(/^\S.*\.$/)
      expect(row.covers.length, id).toBeGreaterThan(0)
    }
  })

  it('are what flows judge and need', () => {
    const named = flows.flatMap(({ requirements, ending }) => [...requirements, ending.id])
    const needed = Object.entries(dependencies).flatMap(([id, others]) => [id, ...others])
    expect([...named, ...needed].filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(flows.map(({ name }) => name)).size).toBe(flows.length)
  })

  it('each have a broken client that fails them', () => {
    const { violations } = brokenClients[protocol as keyof typeof brokenClients]
    const failed = Object.values(violations).map(({ fails }) => `${protocol}-client:${fails}`)
    expect(ids.filter((id) => !failed.includes(id))).toEqual([])
  })
})
