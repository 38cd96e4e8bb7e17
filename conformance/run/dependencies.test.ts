import { describe, expect, it } from 'vitest'
import { dependenciesOf, dependentPrefixes } from './dependencies.ts'
import { loadSuite, suiteNames } from './protocol-suites.ts'

const suites = await Promise.all(suiteNames().map(loadSuite))
const checks = suites.flatMap(({ checks: own }) => [...own.keys()])
const requirements = Object.assign({}, ...suites.map(({ set }) => set.requirements))

describe('what checks rely on', () => {
  it('is a MUST that has a check', () => {
    const needed = new Set(checks.flatMap(dependenciesOf))
    for (const id of needed) expect([id, requirements[id]?.level, checks.includes(id)]).toEqual([id, 'MUST', true])
  })

  it('is listed of checks that exist', () => {
    for (const start of dependentPrefixes) expect(checks.filter((id) => id.startsWith(start))).not.toEqual([])
  })

  it('never leads back to a check itself', () => {
    const all = (id: string, path: readonly string[]): void => {
      expect(path).not.toContain(id)
      for (const needed of dependenciesOf(id)) all(needed, [...path, id])
    }
    for (const id of checks) all(id, [])
  })
})
