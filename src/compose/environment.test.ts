import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openDesktop } from '../testing.ts'
import { createEnvironment } from './environment.ts'

const LOGIN = readFileSync(new URL('../../scenarios/login.yaml', import.meta.url), 'utf8')
const EDIT = (name: string) => ({ selector: `Edit "${name}"` })

it('rewards the step that solves the scenario, and repeats the episode of a seed', async () => {
  const play = async () => {
    const environment = createEnvironment(openDesktop({ scenario: LOGIN }).session, {
      observe: 'diff',
      screenshot: true,
    })
    const { observation, info } = await environment.reset({ seed: 3 })
    const [, user] = /as (\w+)\./.exec(String(info.task))!
    const steps = [
      await environment.step('set_value', { ...EDIT('Username'), value: user }),
      await environment.step('click_element', { selector: 'Button "Nowhere"' }),
      await environment.step('set_value', { ...EDIT('Password'), value: 'x' }),
      await environment.step('click_element', { selector: 'Button "Login"' }),
    ]
    return { observation, info, steps }
  }
  const first = await play()
  expect(first.info).toMatchObject({ scenario: 'login', seed: 3, step: 0 })
  expect(first.info.task).not.toContain('alice')
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

it('truncates an episode after maxSteps', async () => {
  const environment = createEnvironment(openDesktop({ scenario: LOGIN }).session, { observe: 'none', maxSteps: 2 })
  await environment.reset()
  expect((await environment.step('press_key', { keys: 'tab' })).truncated).toBe(false)
  expect((await environment.step('press_key', { keys: 'tab' })).truncated).toBe(true)
})

it('performs several actions as one step with one observation', async () => {
  const environment = createEnvironment(openDesktop({ scenario: LOGIN }).session, { observe: 'diff', maxSteps: 9 })
  await environment.reset()
  const { reward, info } = await environment.steps([
    { tool: 'set_value', args: { ...EDIT('Username'), value: 'alice' } },
    { tool: 'press_key', args: { keys: 'tab' } },
    { tool: 'type_text', args: { text: 'x' } },
    { tool: 'click_element', args: { selector: 'Button "Login"' } },
    { tool: 'press_key', args: { keys: 'tab' } },
  ])
  expect(reward).toBe(1)
  expect(info).toMatchObject({ actions: 4, step: 4 })
})

it('takes a session, and says so', () => {
  const scenario = { scenario: 'login' } as unknown as Parameters<typeof createEnvironment>[0]
  expect(() => createEnvironment(scenario)).toThrow('createEnvironment takes a session, such as (await createTestbed(')
})
