import { describe, expect, it } from 'vitest'
import { readBaseline } from '../profile.ts'
import type { Level } from '../requirement.ts'
import {
  conclude,
  countMarks,
  markOf,
  type RequirementResult,
  type ResultStatus,
  toRequirementResult,
} from './results.ts'

const result = (id: string, status: ResultStatus, level: Level = 'MUST', baseline = {}): RequirementResult =>
  toRequirementResult(
    id,
    { level, basis: { states: 'It works.' }, text: 'It works.', source: 'a document', covers: ['A1'] },
    { status, frames: [] },
    baseline,
  )

describe('a verdict', () => {
  it('counts a failed MUST as failed, a SHOULD as warned and a MAY as noted', () => {
    expect(markOf(result('a', 'failed', 'MUST'))).toBe('failed')
    expect(markOf(result('a', 'failed', 'SHOULD'))).toBe('warned')
    expect(markOf(result('a', 'failed', 'MAY'))).toBe('noted')
  })

  it('is accepted when the baseline has a reason for its failure', () => {
    const accepted = result('a', 'failed', 'MUST', { a: 'known since May' })
    expect(accepted.accepted).toBe('known since May')
    expect(markOf(accepted)).toBe('accepted')
  })

  it('is not changed by the baseline when it passed', () => {
    expect(result('a', 'passed', 'MUST', { a: 'known' })).not.toHaveProperty('accepted')
  })
})

describe('a run', () => {
  it('passes when every MUST passed', () => {
    const { passed, counts } = conclude([
      result('a', 'passed'),
      result('b', 'failed', 'SHOULD'),
      result('c', 'unchecked'),
    ])
    expect(passed).toBe(true)
    expect(counts).toMatchObject({ passed: 1, failed: 0, unsteady: 0, warned: 1, unjudged: 0, unchecked: 1 })
  })

  it('fails for one failed MUST', () => {
    expect(conclude([result('a', 'failed'), result('b', 'passed')]).reasons).toEqual(['1 MUST failed'])
  })

  it('fails for a harness error, which is not a failure of the server', () => {
    expect(conclude([result('a', 'harness'), result('b', 'passed')]).reasons).toEqual([
      '1 check could not run (harness error)',
    ])
  })

  it('fails for an unsteady MUST and for one that could not be judged', () => {
    const { passed, reasons } = conclude([result('a', 'unsteady'), result('b', 'unjudged'), result('c', 'passed')])
    expect(passed).toBe(false)
    expect(reasons).toEqual(['1 MUST passed and failed when repeated', '1 MUST could not be judged'])
  })

  it('passes when what could not be judged depends on an accepted failure, also over several steps', () => {
    const baseline = { a: 'later' }
    const cause = result('a', 'failed', 'MUST', baseline)
    const next: RequirementResult = { ...result('b', 'unjudged'), dueTo: 'a' }
    const last: RequirementResult = { ...result('c', 'unjudged'), dueTo: 'b' }
    const reasons = (results: readonly RequirementResult[], accepted = {}) => conclude(results, accepted).reasons
    expect(reasons([cause, next, last, result('d', 'passed')], baseline)).toEqual([])
    expect(reasons([result('a', 'failed'), next, last, result('d', 'passed')])).toEqual([
      '1 MUST failed',
      '2 MUSTs could not be judged',
    ])
  })

  it('passes when what could not be judged is itself expected to fail', () => {
    expect(conclude([result('a', 'unjudged'), result('b', 'passed')], { a: 'later' }).reasons).toEqual([])
  })

  it('counts an unsteady SHOULD as warned, and accepts an unsteady MUST by the baseline', () => {
    expect(markOf(result('a', 'unsteady', 'SHOULD'))).toBe('warned')
    expect(markOf(result('a', 'unsteady', 'MUST', { a: 'later' }))).toBe('accepted')
  })

  it('fails when no requirement was tried', () => {
    expect(conclude([]).passed).toBe(false)
    expect(conclude([result('a', 'unchecked')]).reasons).toEqual(['no requirement was tried: 0 of 0 is not a pass'])
  })

  it('fails for stale baseline entries', () => {
    const baseline = { a: 'old', gone: 'older', b: 'right' }
    const results = [result('a', 'passed', 'MUST', baseline), result('b', 'failed', 'MUST', baseline)]
    expect(conclude(results, baseline)).toMatchObject({ passed: false, stale: ['a', 'gone'] })
  })

  it('counts every verdict once', () => {
    const results = [result('a', 'passed'), result('b', 'failed'), result('c', 'harness')]
    expect(Object.values(countMarks(results)).reduce((sum, count) => sum + count)).toBe(3)
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
