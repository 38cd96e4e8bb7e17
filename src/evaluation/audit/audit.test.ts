import { describe, expect, it } from 'vitest'
import { recordSolution } from '../../compose/verify/audit/recording.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { lockScenario } from '../../test-support/evaluation/lock.ts'
import { openAttempt, shrinkCalls } from './attempt.ts'
import { secretIn, secretsOf } from './secrets.ts'
import { findOpenHarnessTool } from './tools.ts'

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
