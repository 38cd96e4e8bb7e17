import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { environmentOf } from './environment.ts'
import { rehearse } from './testing.ts'

const LOGIN = readFileSync(new URL('../scenarios/login.yaml', import.meta.url), 'utf8')
const EDIT = (name: string) => ({ selector: `Edit "${name}"` })

it('rewards the step that solves the scenario, and the same seed gives the same episode', async () => {
  const play = async () => {
    const world = environmentOf(rehearse(LOGIN).session, { observe: 'diff', screenshot: true })
    const { observation, info } = await world.reset({ seed: 3 })
    const steps = [
      await world.step('set_value', { ...EDIT('Username'), value: 'alice' }),
      await world.step('click_element', { selector: 'Button "Nowhere"' }),
      await world.step('set_value', { ...EDIT('Password'), value: 'x' }),
      await world.step('click_element', { selector: 'Button "Login"' }),
    ]
    return { observation, info, steps }
  }
  const first = await play()
  expect(first.info).toMatchObject({ scenario: 'login', seed: 3, step: 0 })
  expect(first.steps.map(({ reward, terminated, truncated }) => [reward, terminated, truncated])).toEqual([
    [0, false, false],
    [0, false, false],
    [0, false, false],
    [1, true, false],
  ])
  expect(first.steps[1]!.info.action).toMatchObject({ ok: false, error: { code: 'ElementNotFound' } })
  expect(String(first.observation.screenshot_b64)).toMatch(/^iVBOR/)
  expect(await play()).toEqual(first)
})

it('ends an episode that is too long', async () => {
  const world = environmentOf(rehearse(LOGIN).session, { observe: 'none', maxSteps: 2 })
  await world.reset()
  expect((await world.step('press_key', { keys: 'tab' })).truncated).toBe(false)
  expect((await world.step('press_key', { keys: 'tab' })).truncated).toBe(true)
})

it('does several actions as one step, with one observation', async () => {
  const world = environmentOf(rehearse(LOGIN).session, { observe: 'diff', maxSteps: 9 })
  await world.reset()
  const { reward, info } = await world.steps([
    { tool: 'set_value', args: { ...EDIT('Username'), value: 'alice' } },
    { tool: 'press_key', args: { keys: 'tab' } },
    { tool: 'type_text', args: { text: 'x' } },
    { tool: 'click_element', args: { selector: 'Button "Login"' } },
    { tool: 'press_key', args: { keys: 'tab' } },
  ])
  expect(reward).toBe(1)
  expect(info).toMatchObject({ actions: 4, step: 4 })
})
