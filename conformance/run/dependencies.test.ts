import { describe, expect, it } from 'vitest'
import { dependenciesOf, dependentPrefixes } from './dependencies.ts'
import { loadSuite, suiteNames } from './protocol-suites.ts'

const suites = await Promise.all(suiteNames().map(loadSuite))
const checks = suites.flatMap(({ checks: own }) => [...own.keys()])
const requirements = Object.assign({}, ...suites.map(({ set }) => set.requirements))

describe('what checks rely on', () => {
  it('has a check', () => {
    expect(checks.flatMap(dependenciesOf).filter((id) => !checks.includes(id))).toEqual([])
  })

  it('is a MUST, if a MUST relies on it', () => {
    const musts = checks.filter((id) => requirements[id]?.level === 'MUST')
    expect(musts.flatMap(dependenciesOf).filter((id) => requirements[id]?.level !== 'MUST')).toEqual([])
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
