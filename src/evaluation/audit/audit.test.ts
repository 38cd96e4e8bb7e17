import { describe, expect, it } from 'vitest'
import { lockScenario } from '../../../test/support/evaluation/lock.ts'
import { realClock } from '../../base/clock.ts'
import { recordSolution } from '../../compose/verify/recorded-solution.ts'
import { verifyScenario } from '../../compose/verify/verify.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { findOpenHarnessTool } from '../adversaries/adversaries.ts'
import { openAttempt, shrinkCalls } from '../adversaries/attempt.ts'
import { type EpisodeWorker, WorkerLost } from '../pool/coordinate.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { type AuditAnswer, type AuditedEpisode, auditSuite, type SuiteAudit } from './audit.ts'
import type { AuditCheck } from './audit-task.ts'
import { auditTable } from './format-audit.ts'
import { openEnvReport } from './openenv-report.ts'
import { secretIn, secretsOf } from './secrets.ts'

// Rules such as [EV80] are stated in README.md of the evaluation.

const secretsIn = async (scenario: Scenario) =>
  secretsOf(scenario, [await recordSolution(scenario, scenario.solutions[0]!)])

describe('[EV80] the oracle', () => {
  it('is what the solution enters without having seen it, and the texts of oracles that no screen shows', async () => {
    expect(await secretsIn(lockScenario('Four digits'))).toEqual({
      answers: ['4930'],
      oracles: ["opened == ['open']", 'the lock was opened once'],
    })
  })

  it('is not found where only a text that says more, a number or a picture has it', () => {
    expect(secretIn({ value: 4930, text: '14930', data: '4930' }, ['4930'])).toBeUndefined()
    expect(secretIn({ content: [{ text: '{"step_id":4930}' }] }, ['4930'])).toBeUndefined()
    expect(secretIn({ content: [{ text: '{"name":"try 4930."}' }] }, ['4930'])).toBe('4930')
  })
})

it('[EV79] harness tools are refused to agents', async () => {
  expect(await findOpenHarnessTool(lockScenario('Four digits'))).toBeUndefined()
})

it('[EV87] calls are shrunk to those that solve the task', async () => {
  const scenario = lockScenario('Four digits')
  const attempt = openAttempt(scenario)
  for (const value of ['1', '22', '4930']) await attempt.call('set_value', { selector: 'Edit "Code"', value })
  await attempt.call('click_element', { selector: 'Text' })
  await attempt.call('click_element', { selector: 'Button "Open"' })
  expect((await shrinkCalls(scenario, attempt.calls)).map(({ args }) => args)).toEqual([
    { selector: 'Edit "Code"', value: '4930' },
    { selector: 'Button "Open"' },
  ])
})

it('[EV90] shows checks that were not made', async () => {
  const { solutions: _, ...unsolved } = lockScenario('Four digits')
  const checks = await verifyScenario({ ...unsolved, solutions: [] })
  const audit = { format: 'backlot-audit-1', suite: { name: 'one', version: '' }, backlot: '0' } as const
  const episodes = [{ task: 'lock', seed: 1, variant: {}, checks }]
  const [titles, marks] = auditTable({ ...audit, complete: true, findings: [], episodes }).split('\n')
  expect(titles).toMatch(/^task +solution +repeats +start +idle +random +steps +values +effects +flood/)
  expect(marks).toMatch(/^lock +✗ +✓ +✓ +✓ +✓( +–){9}$/)
})

describe('[EV91] a report of OpenEnv', () => {
  const head = { format: 'backlot-audit-1', suite: { name: 'one', version: '2' }, backlot: '0' } as const
  const check = (name: AuditCheck['name'], message = '') => ({ name, passed: true, message })
  const episode = (...checks: AuditCheck[]): AuditedEpisode => ({ task: 'lock', seed: 1, variant: {}, checks })
  const of = (audit: Omit<SuiteAudit, keyof typeof head>) =>
    openEnvReport({ ...head, ...audit }) as {
      readonly verdict: string
      readonly results: readonly { check_id: string; status: string; evidence: string[]; remediation: string | null }[]
    }
  const statuses = ({ results }: ReturnType<typeof of>) =>
    Object.fromEntries(results.filter(({ status }) => status !== 'skip').map((each) => [each.check_id, each.status]))

  it('has what the audit proves, and what it does not measure as skipped', () => {
    const allowed = 'allowed, because the task is one press'
    const checks = [check('solution'), check('repeats'), check('idle'), check('flood', allowed), check('oracle')]
    const report = of({ complete: true, findings: [], episodes: [episode(...checks)] })
    expect(statuses(report)).toEqual({
      'runtime.episode_determinism': 'pass',
      'runtime.oracle_containment': 'pass',
      'runtime.seed_control': 'pass',
      'semantic.canary_floor': 'pass',
      'semantic.floor_gap': 'pass',
      'semantic.no_solution_leakage': 'pass',
      'semantic.oracle_max': 'pass',
      'semantic.replayability': 'pass',
      'semantic.verifier_determinism': 'pass',
    })
    expect([report.results.length, report.verdict]).toEqual([23, 'warn'])
    const canary = report.results.find(({ check_id }) => check_id === 'semantic.canary_floor')
    expect(canary?.evidence).toEqual([`lock, seed 1: flood: ${allowed}`])
  })

  it('fails where a check fails, names the finding and its repair, and skips what could not be made', () => {
    const checks = [check('solution', 'not checked, because there is none'), { ...check('edit'), passed: false }]
    const finding = {
      ...episode(),
      check: 'edit',
      message: 'solved',
      calls: null,
      request: null,
      fix: 'compare',
    } as const
    const report = of({ complete: true, findings: [finding], episodes: [episode(...checks)] })
    expect(statuses(report)).toEqual({ 'semantic.canary_floor': 'fail' })
    expect(report.verdict).toBe('fail')
    expect(report.results.find(({ status }) => status === 'fail')).toMatchObject({
      evidence: ['lock, seed 1: edit: solved'],
      remediation: 'compare',
      measured: { audit_checks: ['edit'], episodes: 1, failed: 1 },
    })
  })

  it('is an error where a task could not be audited', () => {
    const unaudited = [{ task: 'lock', seed: 2, variant: { theme: 'dark' }, message: 'out of memory' }]
    const report = of({ complete: false, findings: [], episodes: [], unaudited })
    expect(new Set(Object.values(statuses(report)))).toEqual(new Set(['error']))
    expect(report.results.find(({ status }) => status === 'error')!.evidence).toEqual([
      'lock, seed 2, theme=dark: not audited: out of memory',
    ])
    expect(report.verdict).toBe('fail')
  })
})

describe('the workers of an audit', () => {
  const passed = { name: 'start', passed: true, message: '' } as const
  const audit = async (workers: number, play: EpisodeWorker<AuditAnswer>['play']) =>
    auditSuite({
      suite: await loadSuite(['login', 'form'], { seeds: [1, 2, 3] }),
      version: '0',
      openWorker: async () => ({ play, close: async () => {} }),
      workers,
      clock: realClock(),
      signal: new AbortController().signal,
    })

  it('[EV92] give the same result in any number, and a lost one is replaced', async () => {
    const one = await audit(1, async (episode) => ({ episode, checks: [passed] }))
    expect(one.episodes.map(({ task, seed }) => `${task} ${seed}`)).toEqual(
      ['login', 'form'].flatMap((task) => [1, 2, 3].map((seed) => `${task} ${seed}`)),
    )
    let plays = 0
    const three = await audit(3, async (episode) => {
      if (++plays % 3 === 0) throw new WorkerLost()
      // Later seeds end first.
      for (let turns = episode.seed; turns < 4; turns++) await Promise.resolve()
      return { episode, checks: [passed] }
    })
    expect(three).toEqual(one)
    expect(one).toMatchObject({ complete: true, findings: [] })
  })

  it('[EV93] name a task whose audit fails, and audit the others', async () => {
    const whole = await audit(2, async (episode) => {
      if (episode.task === 'form' && episode.seed === 2) throw new WorkerLost()
      return episode.seed === 3 ? { episode, message: 'out of memory' } : { episode, checks: [passed] }
    })
    const { complete, episodes, unaudited } = whole
    expect(complete).toBe(false)
    expect(episodes).toHaveLength(3)
    expect(auditTable(whole)).toContain('3 seeds or variants not audited, the first login in seed 3: out of memory')
    expect(unaudited).toEqual([
      { task: 'login', seed: 3, variant: {}, message: 'out of memory' },
      { task: 'form', seed: 2, variant: {}, message: 'its worker process ended 3 times' },
      { task: 'form', seed: 3, variant: {}, message: 'out of memory' },
    ])
  })
})
