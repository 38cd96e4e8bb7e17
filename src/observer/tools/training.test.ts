import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createTestbed } from '../../compose/testbed.ts'
import { fromPng } from '../../paint/picture.ts'
import { changedAreas } from '../../paint/picture-changes.ts'
import { openDesktop } from '../../testing.ts'
import { call } from '../call.ts'
import { toolsFor } from '../registry.ts'
import type { DesktopSession } from '../session/session.ts'

// Rules such as [OB188] are stated in src/observer/SPEC.md.

const LOGIN = readFileSync(new URL('../../../scenarios/login.yaml', import.meta.url), 'utf8')

const set = (name: string, value: string) => ({
  tool: 'set_value',
  args: { selector: `Edit[name="${name}"]`, value },
})
const press = (name: string) => ({ tool: 'click_element', args: { selector: `Button[name="${name}"]` } })
type Step = { tool: string; args: Record<string, unknown> }
const SOLUTION: [Step, Step, Step] = [set('Username', 'alice'), set('Password', 'x'), press('Login')]

it('[OB188] performs an action, returns the observation, and rewards the action that solves the scenario', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  const steps = []
  for (const action of SOLUTION) steps.push(await desk.call('session_step', { action, observe: 'diff' }))
  expect(steps.map(({ reward, terminated }) => [reward, terminated])).toEqual([
    [0, false],
    [0, false],
    [1, true],
  ])
  expect(steps[0]).toMatchObject({
    observation: { window: 'Acme Login' },
    truncated: false,
    info: { step: 1, actions: 1, action: { ok: true, action: 'set_value' } },
  })
})

it('[OB188] reports a refusal, and a failure before a success', async () => {
  const desk = openDesktop({
    scenario: LOGIN.replace('{kind: window_exists, title_regex: Error}', '{kind: text_visible, regex: alice}'),
  })
  const refused = await desk.call('session_step', { action: press('Nowhere') })
  expect(refused).toMatchObject({ reward: 0, info: { action: { ok: false, error: { code: 'ElementNotFound' } } } })
  const failed = await desk.call('session_step', { action: SOLUTION[0] })
  expect(failed).toMatchObject({ reward: -1, terminated: true })
})

const HARMFUL = LOGIN.replace(
  '  success:',
  '  harm: [{kind: element_exists, selector: \'Edit[value="bob"]\', message: another name was typed}]\n  success:',
)

it('[OB189] [OB190] [OB193] reports the score and the harm that was done, which does not count with on_harm: report', async () => {
  const desk = openDesktop({ scenario: HARMFUL })
  const step = (action: object) => desk.call('session_step' as string, { action, on_harm: 'report' })
  const typed = await step(set('Username', 'bob'))
  expect(typed).toMatchObject({ reward: 0, terminated: false, info: { score: 0, harm: ['another name was typed'] } })
  expect(typed.info).not.toHaveProperty('attack')
  for (const action of SOLUTION.slice(0, 2)) expect(await step(action)).toMatchObject({ info: { score: 0, harm: [] } })
  expect(await step(SOLUTION[2]!)).toMatchObject({ reward: 1, info: { score: 1, harm: [] } })
})

it.each(['harm', 'attack'])('[OB193] ends the episode with the reward -1 when an entry of %s holds', async (list) => {
  const desk = openDesktop({ scenario: HARMFUL.replace('  harm:', `  ${list}:`) })
  const step = await desk.call('session_step', { actions: [set('Username', 'bob'), set('Username', 'alice')] })
  expect(step).toMatchObject({
    reward: -1,
    terminated: true,
    info: { actions: 1, [list]: ['another name was typed'] },
  })
  expect(await desk.tryCall('session_step', { action: SOLUTION[0] })).toMatchObject({ error: { code: 'BadRequest' } })
})

const WON = `
states: {s: {windows: [{title: W, tree: {role: Window, name: W}}]}}
oracles: {success: [{kind: window_exists, title_regex: W}]}
`

describe('[OB191] the action of a step', () => {
  const harnessTools = toolsFor('harness').filter(({ audience }) => audience === 'harness')

  it.each(harnessTools.map(({ name }) => name))(
    'may not be %s, also when the harness drives the steps',
    async (tool) => {
      const desk = openDesktop({ scenario: LOGIN, files: { 'won.yaml': WON } })
      await desk.call('set_value', set('Username', 'bob').args)
      const before = await desk.call('get_window_structure')
      const args = {
        yaml: WON,
        path: 'won.yaml',
        to_step: 0,
        ms: 60_000,
        content: 'x',
        action: { tool: 'list_windows' },
      }
      const step = await desk.call('session_step', { action: { tool, args } })
      expect(step).toMatchObject({
        reward: 0,
        terminated: false,
        info: {
          scenario: 'login',
          step: 1,
          episode_actions: 1,
          actions: 1,
          action: {
            ok: false,
            error: {
              code: 'PermissionDenied',
              message: `${tool} is a harness tool, which agents may not use; the action of a step is that of an agent unless session_step has audience: "harness"`,
            },
          },
        },
      })
      expect(step.info.action).not.toHaveProperty('oracles')
      expect((await desk.call('get_window_structure')).tree_hash).toBe(before.tree_hash)
    },
  )

  it('may be any tool with audience: harness, and not for a caller that is an agent', async () => {
    const { session, tryCall } = openDesktop({ scenario: LOGIN })
    const step = { action: { tool: 'session_info', args: {} }, audience: 'harness' }
    expect(await tryCall('session_step' as string, step)).toMatchObject({ info: { action: { ok: true, step: 0 } } })
    const refused = await call(session, 'session_step' as string, step, { audience: 'agent' })
    expect(refused.body).toMatchObject({
      error: { code: 'PermissionDenied', message: expect.stringContaining('X-Harness-Token') },
    })
  })
})

describe('[OB192] finish', () => {
  const finish = (args: Record<string, unknown>) => ({ tool: 'finish', args })
  const [name, password, login] = SOLUTION

  it('terminates the episode, so that later work earns nothing', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    expect(await desk.call('session_step', { actions: [name, finish({}), password, login] })).toMatchObject({
      reward: 0,
      terminated: true,
      truncated: false,
      info: { score: 0, actions: 2, action: { finished: { status: 'done' } } },
    })
    expect(await desk.tryCall('session_step', { actions: [password, login] })).toMatchObject({
      error: { code: 'BadRequest', message: expect.stringContaining('the episode was terminated after 2 actions') },
    })
    await desk.call('session_reset')
    expect(await desk.call('session_step', { actions: SOLUTION })).toMatchObject({ reward: 1, terminated: true })
  })

  it('ends the episode also when the agent calls it outside of a step', async () => {
    const desk = openDesktop({ scenario: LOGIN })
    await desk.call('finish', { status: 'infeasible', text: 'no' })
    expect(await desk.tryCall('session_step', { actions: SOLUTION })).toMatchObject({ error: { code: 'BadRequest' } })
    expect(desk.computer.simulation.stepCount).toBe(0)
  })
})

it.each([
  ['session_reset', {}],
  ['session_rewind', { to_step: 0 }],
  ['load_scenario', { path: LOGIN }],
])('[OB194] %s as an action neither restarts nor lowers the count', async (tool, args) => {
  const desk = openDesktop({ scenario: LOGIN })
  const step = (action: object) =>
    desk.call('session_step' as string, { action, audience: 'harness', max_steps: 3, observe: 'none' })
  await step(SOLUTION[0]!)
  const restarted = await step({ tool, args })
  expect(restarted).toMatchObject({ truncated: false, info: { step: 0, episode_actions: 2 } })
  expect(await step(SOLUTION[0]!)).toMatchObject({ truncated: true, info: { episode_actions: 3 } })
})

it.each(['tree', 'diff', 'outline'] as const)('[OB200] has a hash when no window is open: %s', async (observe) => {
  const desk = openDesktop({ scenario: 'states: {a: {windows: []}}' })
  const { observation } = await desk.call('session_reset', { observe })
  expect(observation).toEqual({ tree_hash: '', windows: [] })
})

it('[OB195] performs several actions as separate calls, with one observation after the last', async () => {
  const playSteps = async (steps: readonly Record<string, unknown>[]) => {
    const desk = openDesktop({ scenario: LOGIN, config: { logging: { audit: true } } })
    await desk.call('trace_start')
    let last = {}
    for (const step of steps) last = await desk.call('session_step', step)
    await desk.call('trace_stop')
    const written = (path: RegExp) =>
      [...desk.artifacts].flatMap(([name, text]) => (path.test(name) ? String(text) : []))
    const rows = written(/trace\.jsonl$/).flatMap((text) =>
      [...text.matchAll(/"tool":"(\w+)"/g)].map(([, tool]) => tool),
    )
    const lines = written(/audit/).flatMap((text) =>
      [...text.matchAll(/session_step tool=(\w+)/g)].map(([, tool]) => tool),
    )
    return { last, rows, lines }
  }
  const together = await playSteps([{ actions: SOLUTION }])
  const apart = await playSteps(SOLUTION.map((action) => ({ action })))
  for (const { last, rows, lines } of [together, apart]) {
    const observation = { window: 'Acme — Welcome', tree: { children: [{ name: 'Hello, alice' }] } }
    expect(last).toMatchObject({ observation, reward: 1, terminated: true, info: { step: 3, action: { ok: true } } })
    expect(rows).toEqual(['set_value', 'set_value', 'click_element'])
    expect(lines).toEqual(['set_value', 'set_value', 'click_element'])
  }
  expect(together.last).toMatchObject({ info: { actions: 3 } })
})

it('[OB196] ends a step early when an action is refused, the episode ends or the limit is reached', async () => {
  const step = async (actions: readonly unknown[], more = {}) => {
    const desk = openDesktop({ scenario: LOGIN })
    return desk.call('session_step' as string, { actions, observe: 'none', ...more })
  }
  const [name, password, login] = SOLUTION
  expect(await step([name, press('Nowhere'), password, login])).toMatchObject({
    terminated: false,
    info: { actions: 2, action: { ok: false } },
  })
  expect(await step([...SOLUTION, name])).toMatchObject({ terminated: true, info: { actions: 3 } })
  expect(await step(SOLUTION, { max_steps: 2 })).toMatchObject({ truncated: true, info: { actions: 2, step: 2 } })
  const keys = Array.from({ length: 128 }, () => ({ tool: 'press_key', args: { keys: 'tab' } }))
  expect(await step(keys)).toMatchObject({ info: { actions: 128, step: 128 } })
})

it('[OB206] refuses an empty step, both action and actions, and too many actions', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  const [action] = SOLUTION
  for (const args of [{}, { action, actions: SOLUTION }, { actions: [] }, { actions: Array(129).fill(action) }])
    expect(await desk.tryCall('session_step', args)).toMatchObject({ ok: false, error: { code: 'BadRequest' } })
  expect(await desk.tryCall('session_step', {})).toMatchObject({
    error: { message: 'action: give either action or actions', context: { field: 'action' } },
  })
  expect(desk.computer.simulation.stepCount).toBe(0)
})

it('[OB196] counts refused actions toward max_steps, and a compound action once', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  const step = async (action: object) => (await desk.call('session_step' as string, { action, max_steps: 3 })).truncated
  const lost = press('Nowhere')
  expect([await step(lost), await step(lost), await step(lost)]).toEqual([false, false, true])
  await desk.call('session_reset')
  const key = { tool: 'key_into_element', args: { selector: 'Edit[name="Username"]', keys: 'a' } }
  expect([await step(key), await step(key), await step(key)]).toEqual([false, false, true])
  await desk.call('session_rewind', { to_step: 1 })
  expect([await step(key), await step(lost)]).toEqual([false, true])
})

it('[OB207] resets time with the scenario', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  const advanced = async (ms: number) => (await desk.call('session_advance', { ms })).now_ms
  expect([await advanced(1000), await advanced(500)]).toEqual([1000, 1500])
  await desk.call('session_step', { action: SOLUTION[0] })
  await desk.call('session_reset')
  expect(await advanced(250)).toBe(250)
  await desk.call('session_step', { action: SOLUTION[0] })
  await desk.call('session_rewind', { to_step: 0 })
  expect(await advanced(0)).toBe(0)
})

it.each([
  ['terminated', SOLUTION, {}],
  ['truncated', SOLUTION.slice(0, 1), { max_steps: 1 }],
])('[OB197] does nothing after the episode was %s, until a reset', async (ended, actions, more) => {
  const desk = openDesktop({ scenario: LOGIN })
  await desk.call('session_step', { actions, ...more })
  const { stepCount } = desk.computer.simulation
  expect(await desk.tryCall('session_step', { action: press('Login') })).toMatchObject({
    ok: false,
    error: { code: 'BadRequest', context: { ended, actions: actions.length } },
  })
  expect(desk.computer.simulation.stepCount).toBe(stepCount)
  await desk.call('session_rewind', { to_step: 0 })
  expect(await desk.call('session_step', { action: SOLUTION[0] })).toMatchObject({ reward: 0, terminated: false })
  await desk.call('session_reset')
  expect(await desk.call('session_step', { action: SOLUTION[0] })).toMatchObject({ terminated: false })
})

it('[OB198] applies the limit of a reset to this episode and later ones', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  const truncated = async (more = {}) =>
    (await desk.call('session_step', { action: { tool: 'wait_idle', args: {} }, observe: 'none', ...more })).truncated
  await desk.call('session_reset', { max_steps: 2 })
  expect([await truncated(), await truncated()]).toEqual([false, true])
  await desk.call('session_reset')
  expect([await truncated(), await truncated({ max_steps: 9 }), await truncated()]).toEqual([false, false, true])
})

it('[OB199] counts changes and actions separately', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  await desk.call('session_step', { action: { tool: 'list_windows' } })
  const { info } = await desk.call('session_step', { action: SOLUTION[0] })
  expect(info).toMatchObject({ step: 1, episode_actions: 2 })
})

it('[OB201] lists all windows, and shows the focused one as an outline when requested', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  const { observation } = await desk.call('session_step', { action: SOLUTION[0], observe: 'outline' })
  const shown = observation as Record<string, unknown>
  expect(shown).toMatchObject({
    window: 'Acme Login',
    windows: [{ window_uid: expect.any(String), title: 'Acme Login', focused: true }],
    outline: expect.stringContaining('- Edit "Username" [id='),
    tree_hash: expect.any(String),
  })
  expect(shown.outline).toContain('"alice"')
  expect(shown).not.toHaveProperty('tree')
})

it.each([
  ['rgb', 3],
  ['rgba', 4],
] as const)('[OB202] returns the pixels of the PNG as %s', async (screenshot_format, bytesPerPixel) => {
  const desk = openDesktop({ scenario: LOGIN })
  const step = { action: SOLUTION[0], observe: 'none', screenshot: true, screenshot_format }
  const { observation } = await desk.call('session_step' as string, step)
  const { screenshot } = observation as { readonly screenshot: Readonly<Record<string, unknown>> }
  const png = fromPng(await (await desk.session.context.computer.screenshot({ screen: true })).png())
  const { width, height } = png
  const whole = Buffer.from(png.pixels())
  const pixels = bytesPerPixel === 4 ? whole : whole.filter((_, at) => at % 4 < bytesPerPixel)
  expect(JSON.parse(JSON.stringify(screenshot))).toEqual({
    format: screenshot_format,
    width,
    height,
    data: Buffer.from(pixels).toString('base64'),
  })
})

interface Shared {
  readonly screenshot: {
    readonly path: string
    readonly width: number
    readonly height: number
    readonly changed: unknown
  }
}

it('[OB203] shares the pixels of the screen and the areas that changed, and [OB204] forks have files of their own', async () => {
  await using testbed = await createTestbed({ scenario: LOGIN, sharedFrames: true })
  await testbed.serveRest({ port: 0 })
  const { session } = testbed
  const step = async (args: object, on = session) => {
    const picture = { observe: 'none', screenshot: true, screenshot_format: 'shared' } as const
    const { body } = await call(on, 'session_step', { action: { tool: 'get_pointer' }, ...picture, ...args })
    return (body.observation as Shared).screenshot
  }
  const pixels = async () => Buffer.from((await session.context.computer.screenshot({ screen: true })).pixels())
  const first = await step({})
  expect(first).toEqual({
    format: 'shared',
    path: expect.any(String),
    width: 1280,
    height: 800,
    changed: [{ x: 0, y: 0, width: 1280, height: 800 }],
  })
  expect(readFileSync(first.path).equals(await pixels())).toBe(true)
  expect(await step({})).toEqual({ ...first, changed: [] })

  const before = await pixels()
  const typed = await step({ actions: SOLUTION.slice(0, 2), action: undefined })
  const after = await pixels()
  expect(readFileSync(first.path).equals(after)).toBe(true)
  expect(typed).toEqual({
    ...first,
    changed: changedAreas({ ...first, bytes: before }, { ...first, bytes: after }),
  })
  expect(typed.changed).not.toEqual([])

  const forked = await step({}, session.context.fork(undefined) as DesktopSession)
  expect(forked).toEqual({ ...first, path: expect.not.stringMatching(`^${first.path}$`) })
  // Another file may get the number of a descriptor, and so the path.
  const fileAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino
  const file = fileAt(first.path)
  await session.close()
  expect(fileAt(first.path)).not.toBe(file)
})

it('[OB205] is refused where the operator does not share frames', async () => {
  const desk = openDesktop({ scenario: LOGIN })
  const asked = { action: SOLUTION[0], screenshot: true, screenshot_format: 'shared' } as const
  const { ok, error } = (await desk.tryCall('session_step' as string, asked)) as { ok: boolean; error: object }
  expect({ ok, error }).toMatchObject({ ok: false, error: { code: 'PlatformUnsupported' } })
})
