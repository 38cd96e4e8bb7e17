import { expect, it } from 'vitest'
import { explainCall, formatExplanation } from './explain.ts'

// Rules such as [EX5] are stated in scenario/explain/README.md.

it('[EX5] explains a call in a state, and a step of the solution', async () => {
  const early = formatExplanation(
    await explainCall('login', { tool: 'click_element', args: { selector: 'Button "Login"' } }),
  )
  expect(early.slice(0, 3)).toEqual([
    'click_element {"selector":"Button \\"Login\\""}',
    expect.stringMatching(/^ {2}state: /),
    expect.stringMatching(/^ {2}event: click_element on /),
  ])
  const last = await explainCall('login', { step: 5 })
  expect(last.call).toBe('step 5, click_element')
  expect(last.actions[0]?.reactions.map(({ outcome }) => outcome)).toContain('applies')
  await expect(explainCall('login', { state: 'nowhere', tool: 'click_element' })).rejects.toThrow(
    /has no state "nowhere"/,
  )
  await expect(explainCall('login', { step: 99 })).rejects.toThrow(/^the solution ends before step/)
})
