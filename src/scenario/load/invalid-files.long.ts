import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { expectRefused } from '../../../test/support/scenario/invalid.suite.ts'
import { includeParts, invalidFiles, VALID_FILES } from '../../../test/support/scenario/invalid-files.ts'
import { problemLines } from '../../../test/support/scenario/problems.ts'
import { parseScenario } from './load.ts'

// Rules such as [SC10] are stated in ../SPEC.md.

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const FILES_PER_SEED = 250

describe('[SC10] 2,000 files that were made invalid are refused', () => {
  it.each(shareOf(SEEDS))('seed %i', (seed) => expectRefused(invalidFiles(FILES_PER_SEED, seed)), 600_000)
})

it('[SC10] accepts the files that are made invalid', () => {
  for (const text of Object.values(VALID_FILES))
    expect(() => parseScenario(text, { include: includeParts })).not.toThrow()
})

describe('a file of extreme size', () => {
  it('[SC57] reports thousands of unknown keys in linear time', () => {
    const children = Array.from({ length: 4000 }, (_, number) => `{role: Text, nam${number}: x}`).join(', ')
    const problems = problemLines(`states: {a: {windows: [{uid: w, tree: {role: Window, children: [${children}]}}]}}`)
    expect(problems[0]).toContain('unknown key "nam0"; did you mean "name"?')
  })

  it('[SC57] reports thousands of repeated keys in linear time', () => {
    const problems = problemLines(`a:\n${'  k: 1\n'.repeat(10_000)}`)
    expect(problems[0]).toMatch(/^3:3 : not valid YAML: this key stands twice in its map/)
    const distinct = Array.from({ length: 10_000 }, (_, number) => `  k${number}: 1`).join('\n')
    expect(problemLines(`a:\n${distinct}\n  k7: 2\n`)).toEqual([
      expect.stringMatching(/^10002:3 : not valid YAML: this key stands twice in its map/),
    ])
  })

  it('[SC12] rejects a file that is too large or nested too deep', () => {
    expect(problemLines(`# ${'x'.repeat(2_000_001)}`)).toEqual([
      expect.stringMatching(/^1:1 : the file has 2000003 characters/),
    ])
    expect(problemLines(`states: ${'['.repeat(5000)}`)).toEqual([
      expect.stringMatching(/brackets are nested 5000 deep/),
    ])
    const nested = Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')
    expect(problemLines(nested)).toEqual([expect.stringMatching(/the file is nested too deep/)])
    const chained = Array.from({ length: 100 }, (_, at) => `k${at}: &k${at} ${deepIn(at === 0 ? '1' : `*k${at - 1}`)}`)
    expect(problemLines(chained.join('\n'))[0]).toMatch(/^3:\d+ : not valid YAML: the file is nested too deep$/)
    function deepIn(inner: string): string {
      return '['.repeat(90) + inner + ']'.repeat(90)
    }
    const many = `states: {a: {windows: [{tree: {children: [${'{},'.repeat(50_000)}]}}]}}`
    expect(problemLines(many)).toEqual(['1:9 states: there are 50001 elements; at most 50000 are allowed'])
  })

  it('[SC57] suggests names for at most 50 of thousands of wrong references', () => {
    const children = Array.from({ length: 1500 }, (_, number) => `{id: field${number}, role: Text}`).join(', ')
    const reactions = Array.from(
      { length: 1500 },
      (_, number) => `{on: {tool: click_element, target_id: feld${number}}}`,
    )
    const problems = problemLines(
      `states: {a: {windows: [{uid: w, tree: {role: Window, children: [${children}]}}]}}\nreactions: [${reactions.join(', ')}]`,
    )
    expect(problems[0]).toContain('no window has an element "feld0"; did you mean "field0"?')
    expect(problems.filter((problem) => problem.includes('did you mean')).length).toBeLessThanOrEqual(50)
  })
})
