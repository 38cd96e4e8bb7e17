import { describe, expect, it } from 'vitest'
import { readBaseline } from '../config/baseline.ts'
import type { Level } from '../requirement.ts'
import { conclude, countsOf, markOf, type Result, type Verdict, verdictOf } from './results.ts'

const verdict = (id: string, result: Result, level: Level = 'MUST', baseline = {}): Verdict =>
  verdictOf(
    id,
    { level, basis: { states: 'It works.' }, says: 'It works.', source: 'a document', covers: ['A1'] },
    { result, frames: [] },
    baseline,
  )

describe('a verdict', () => {
  it('counts a failed MUST as failed, a SHOULD as warned and a MAY as noted', () => {
    expect(markOf(verdict('a', 'failed', 'MUST'))).toBe('failed')
    expect(markOf(verdict('a', 'failed', 'SHOULD'))).toBe('warned')
    expect(markOf(verdict('a', 'failed', 'MAY'))).toBe('noted')
  })

  it('is accepted when the baseline gives a reason for its failure', () => {
    const accepted = verdict('a', 'failed', 'MUST', { a: 'known since May' })
    expect(accepted.accepted).toBe('known since May')
    expect(markOf(accepted)).toBe('accepted')
  })

  it('is not changed by the baseline when it passed', () => {
    expect(verdict('a', 'passed', 'MUST', { a: 'known' })).not.toHaveProperty('accepted')
  })
})

describe('a run', () => {
  it('passes when every MUST passed', () => {
    const { passed, counts } = conclude([
      verdict('a', 'passed'),
      verdict('b', 'failed', 'SHOULD'),
      verdict('c', 'unchecked'),
    ])
    expect(passed).toBe(true)
    expect(counts).toMatchObject({ passed: 1, failed: 0, unsteady: 0, warned: 1, unjudged: 0, unchecked: 1 })
  })

  it('fails for one failed MUST', () => {
    expect(conclude([verdict('a', 'failed'), verdict('b', 'passed')]).reasons).toEqual(['1 requirement failed'])
  })

  it('fails for a harness error, which says nothing of the server', () => {
    expect(conclude([verdict('a', 'harness'), verdict('b', 'passed')]).reasons).toEqual([
      '1 check could not be carried out (harness error)',
    ])
  })

  it('fails for an unsteady MUST and for one that could not be judged', () => {
    const { passed, reasons } = conclude([verdict('a', 'unsteady'), verdict('b', 'unjudged'), verdict('c', 'passed')])
    expect(passed).toBe(false)
    expect(reasons).toEqual(['1 requirement passed and failed when repeated', '1 requirement could not be judged'])
  })

  it('passes when what could not be judged depends on an accepted failure, also over several steps', () => {
    const baseline = { a: 'later' }
    const cause = verdict('a', 'failed', 'MUST', baseline)
    const next: Verdict = { ...verdict('b', 'unjudged'), dueTo: 'a' }
    const last: Verdict = { ...verdict('c', 'unjudged'), dueTo: 'b' }
    const reasons = (verdicts: readonly Verdict[], accepted = {}) => conclude(verdicts, accepted).reasons
    expect(reasons([cause, next, last, verdict('d', 'passed')], baseline)).toEqual([])
    expect(reasons([verdict('a', 'failed'), next, last, verdict('d', 'passed')])).toEqual([
      '1 requirement failed',
      '2 requirements could not be judged',
    ])
  })

  it('passes when what could not be judged is itself expected to fail', () => {
    expect(conclude([verdict('a', 'unjudged'), verdict('b', 'passed')], { a: 'later' }).reasons).toEqual([])
  })

  it('counts an unsteady SHOULD as warned, and accepts an unsteady MUST by the baseline', () => {
    expect(markOf(verdict('a', 'unsteady', 'SHOULD'))).toBe('warned')
    expect(markOf(verdict('a', 'unsteady', 'MUST', { a: 'later' }))).toBe('accepted')
  })

  it('fails when nothing was tried', () => {
    expect(conclude([]).passed).toBe(false)
    expect(conclude([verdict('a', 'unchecked')]).reasons).toEqual(['no requirement was tried: 0 of 0 is not a pass'])
  })

  it('fails for baseline entries that hide nothing any more', () => {
    const baseline = { a: 'old', gone: 'older', b: 'right' }
    const verdicts = [verdict('a', 'passed', 'MUST', baseline), verdict('b', 'failed', 'MUST', baseline)]
    expect(conclude(verdicts, baseline)).toMatchObject({ passed: false, stale: ['a', 'gone'] })
  })

  it('counts every verdict once', () => {
    const verdicts = [verdict('a', 'passed'), verdict('b', 'failed'), verdict('c', 'harness')]
    expect(Object.values(countsOf(verdicts)).reduce((sum, count) => sum + count)).toBe(3)
  })
})

describe('a baseline', () => {
  it('needs a reason for each entry', () => {
    expect(readBaseline('expected_failures: {a: because}')).toEqual({ a: 'because' })
    expect(() => readBaseline('expected_failures: {a: ""}')).toThrow(/expected_failures/)
  })

  it('names a misspelt key', () => {
    expect(() => readBaseline('expected: {}', 'b.yaml')).toThrow(/b\.yaml is not a baseline/)
  })
})
