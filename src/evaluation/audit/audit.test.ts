import { describe, expect, it } from 'vitest'
import { lockScenario } from '../../../test/support/evaluation/lock.ts'
import { realClock } from '../../base/clock.ts'
import { recordSolution } from '../../compose/verify/recorded-solution.ts'
import { verifyScenario } from '../../compose/verify/verify.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { type EpisodeWorker, WorkerLost } from '../pool/coordinate.ts'
import { loadSuite } from '../suite/load-suite.ts'
import { findOpenHarnessTool } from './adversaries.ts'
import { openAttempt, shrinkCalls } from './attempt.ts'
import { type AuditAnswer, auditSuite } from './audit.ts'
import { auditTable } from './format-audit.ts'
import { secretIn, secretsOf } from './secrets.ts'

// Rules such as [EV75] are stated in README.md of the evaluation.

const secretsIn = async (scenario: Scenario) =>
  secretsOf(scenario, [await recordSolution(scenario, scenario.solutions[0]!)])

describe('[EV75] the oracle', () => {
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

it('[EV74] harness tools are refused to agents', async () => {
  expect(await findOpenHarnessTool(lockScenario('Four digits'))).toBeUndefined()
})

it('[EV76] calls are shrunk to those that solve the task', async () => {
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

it('[EV78a] shows checks that were not made', async () => {
  const { solutions: _, ...unsolved } = lockScenario('Four digits')
  const checks = await verifyScenario({ ...unsolved, solutions: [] })
  const audit = { format: 'backlot-audit-1', suite: { name: 'one', version: '' }, backlot: '0' } as const
  const episodes = [{ task: 'lock', seed: 1, variant: {}, checks }]
  const [titles, marks] = auditTable({ ...audit, complete: true, findings: [], episodes }).split('\n')
  expect(titles).toMatch(/^task +solution +repeats +start +idle +random +steps +values +effects +flood/)
  expect(marks).toMatch(/^lock +✗ +✓ +✓ +✓ +✓( +–){9}$/)
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

  it('[EV79] give the same result in any number, and a lost one is replaced', async () => {
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

  it('[EV79a] name a task whose audit fails, and audit the others', async () => {
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
