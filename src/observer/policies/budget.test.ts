import { describe, expect, it, onTestFinished } from 'vitest'
import { virtualClock } from '../../base/clock.ts'
import { createTestbed } from '../../compose/testbed.ts'
import { openDesktop } from '../../testing.ts'
import { ALL_TOOLS } from '../registry.ts'
import { Budget } from './budget.ts'

// Rules such as [OB221] are stated in src/observer/SPEC.md.

const LOGIN = new URL('../../../scenarios/login.yaml', import.meta.url).pathname

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: A
        tree:
          role: Window
          name: A
          children:
            - {id: e, role: Edit, name: E, value: "", bounds: {x: 10, y: 50, width: 100, height: 28}}
            - {id: list, role: List, name: L, bounds: {x: 10, y: 100, width: 100, height: 100}, children: [{id: i, role: ListItem, name: I}]}
`

/** Arguments with which each tool that acts succeeds on this screen. */
const ACTS: Readonly<Record<string, object>> = {
  click_at: { x: 50, y: 60 },
  double_click_at: { x: 50, y: 60 },
  right_click_at: { x: 50, y: 60 },
  hover_at: { x: 50, y: 60 },
  scroll: {},
  drag: { from: { x: 50, y: 60 }, to: { x: 60, y: 60 } },
  move_pointer: { x: 50, y: 60 },
  mouse_drag: {
    path: [
      { x: 50, y: 60 },
      { x: 60, y: 60 },
    ],
  },
  key_down: { key: 'a' },
  key_up: { key: 'a' },
  hold_key: { keys: 'a', duration_ms: 50 },
  press_keys: { keys: 'a' },
  wait: { duration_ms: 50 },
  set_clipboard: { text: 'a' },
  write_disk_file: { path: '/a', content: 'a' },
  type_text: { text: 'a' },
  press_key: { keys: 'a' },
  type_and_observe: { text: 'a' },
  press_key_and_observe: { keys: 'a' },
  bring_to_foreground: {},
  select_option: { element_id: 'list', option_index: 0 },
  set_value: { element_id: 'e', value: 'x' },
  key_into_element: { element_id: 'e', keys: 'a' },
}

const limited = (budget: object) => openDesktop({ scenario: APP, config: { budget } })

describe('actions', () => {
  // Tools of pages are off here, and counted in compose/page-tools.test.ts.
  it.each(ALL_TOOLS.filter(({ kind, traits }) => kind === 'act' && !traits.ofPages).map(({ name }) => name))(
    '[OB221] counts %s, and refuses it when none is left',
    async (tool) => {
      const desk = limited({ max_actions: 2 })
      await desk.call('focus_element', { element_id: 'e' })
      const args = ACTS[tool] ?? { element_id: 'e' }
      await desk.call(tool, args)
      expect((await desk.call('get_budget_status')).actions).toEqual({ used: 2, limit: 2, remaining: 0 })
      const steps = desk.computer.stepCount
      const { error } = await desk.tryCall(tool, args)
      expect(error).toMatchObject({
        code: 'BudgetExceeded',
        message: 'max_actions reached',
        recoverable: false,
        context: { used: 2, limit: 2 },
      })
      expect(desk.computer.stepCount).toBe(steps)
    },
  )

  it('[OB221] does not count refused actions or observations', async () => {
    const desk = limited({ max_actions: 2 })
    await desk.tryCall('click_element', { element_id: 'nope' })
    await desk.call('observe_window')
    expect((await desk.call('get_budget_status')).actions).toMatchObject({ used: 0 })
  })
})

describe('screenshots', () => {
  it.each([
    ['get_screenshot', { window_uid: 'nope' }],
    ['get_screenshot_cropped', { bbox: { x: 9000, y: 0, width: 1, height: 1 } }],
    ['session_reset', { screenshot: true, scenario: 'nope.yaml' }],
  ])('[OB221] do not count when refused: %s %j', async (tool, args) => {
    const desk = limited({ max_screenshots: 1 })
    expect((await desk.tryCall(tool, args)).error).toBeDefined()
    expect((await desk.call('get_budget_status')).screenshots).toEqual({ used: 0, limit: 1, remaining: 1 })
  })

  it.each(['get_screenshot', 'get_screenshot_cropped', 'get_full_screenshot', 'capture_screen', 'get_annotations'])(
    '[OB221] counts %s, and refuses it when none is left',
    async (tool) => {
      const desk = limited({ max_screenshots: 1 })
      await desk.call(tool)
      expect((await desk.tryCall(tool)).error).toMatchObject({
        code: 'BudgetExceeded',
        message: 'max_screenshots reached',
      })
      const proposed = await desk.call('propose_action', { action: 'click_element', args: { element_id: 'e' } })
      expect(proposed.would_target).toMatchObject({ element_id: 'e', screenshot_b64: null })
    },
  )

  it.each([
    ['session_step', { action: { tool: 'type_text', args: { text: 'a' } } }],
    ['session_reset', {}],
  ])('[OB221] counts the one of %s, and does nothing when none is left', async (tool, args) => {
    const desk = limited({ max_screenshots: 1 })
    const withScreenshot = { ...args, screenshot: true }
    expect(await desk.call(tool, withScreenshot)).toMatchObject({ observation: { screenshot_b64: expect.any(String) } })
    await desk.call('press_key', { keys: 'tab' })
    const steps = desk.computer.stepCount
    const { error } = await desk.tryCall(tool, withScreenshot)
    expect(error).toMatchObject({ code: 'BudgetExceeded', message: 'max_screenshots reached' })
    expect(desk.computer.stepCount).toBe(steps)
    expect((await desk.call('get_budget_status')).screenshots).toEqual({ used: 1, limit: 1, remaining: 0 })
  })
})

describe('time', () => {
  it('[OB222] [OB134] limits the actions in the last minute', async () => {
    const desk = limited({ actions_per_minute: 2 })
    const click = () => desk.tryCall('click_element', { element_id: 'e' })
    await click()
    await click()
    expect((await click()).error).toMatchObject({
      code: 'RateLimited',
      recoverable: true,
      suggested_next_tool: 'get_budget_status',
      context: { window: 2, limit: 2 },
    })
    desk.operatorClock.advance(60_000)
    expect((await click()).ok).toBe(true)
  })

  it('[OB222] [OB134] ends a session, except for the tools that report its status', async () => {
    const desk = limited({ max_session_seconds: 10 })
    desk.operatorClock.advance(10_000)
    for (const tool of ['observe_window', 'click_element', 'get_screenshot', 'trace_start'])
      expect((await desk.tryCall(tool, { element_id: 'e' })).error?.code).toBe('BudgetExceeded')
    expect((await desk.call('get_budget_status')).session_seconds).toEqual({ elapsed: 10, limit: 10, remaining: 0 })
  })
})

it('reports only that no budget is set', async () => {
  const { configured, ...rest } = await openDesktop({ scenario: APP }).call('get_budget_status')
  expect(configured).toBe(false)
  expect(Object.keys(rest)).toEqual(['ok', 'success', 'step_id', 'caused_by_step_id'])
})

it('reports the rest of each limit, null for no limit', async () => {
  expect(await limited({ max_actions: 5 }).call('get_budget_status')).toMatchObject({
    configured: true,
    actions: { used: 0, limit: 5, remaining: 5 },
    screenshots: { used: 0, limit: null, remaining: null },
    vlm_tokens: { used: 0, limit: null, remaining: null },
    session_seconds: { elapsed: 0, limit: null, remaining: null },
    actions_per_minute: { in_window: 0, limit: null, remaining: null },
  })
})

it('[OB226] can be reduced by a client, never increased', async () => {
  const { session } = limited({ max_actions: 5 })
  session.budget.tighten({ max_actions: 3, max_screenshots: 2 })
  session.budget.tighten({ max_actions: 9, max_screenshots: undefined })
  expect(session.budget.status(session.operatorClock.now())).toMatchObject({
    actions: { limit: 3 },
    screenshots: { limit: 2 },
  })
})

describe('the budget of a server', () => {
  const served = async (budget: object, operatorClock = virtualClock()) => {
    const testbed = await createTestbed({ config: { budget }, operatorClock, scenario: LOGIN })
    onTestFinished(() => testbed.close())
    const { url } = await testbed.serveRest({ port: 0 })
    const post = async (path: string, body: object = {}) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { error?: { code: string }; base_url?: string; session_id?: string }
    }
    const status = async (base: string) => post(`${base}/api/tool/get_budget_status`)
    const act = async (base: string) => (await post(`${base}/api/tool/press_key`, { keys: 'tab' })).error?.code
    const look = async (base: string) => (await post(`${base}/api/tool/get_screenshot`)).error?.code
    const open = async () => (await post('/sessions')).base_url!
    const fork = async () => `/sessions/${(await post('/api/session/fork')).session_id}`
    return { operatorClock, act, look, open, fork, status, testbed }
  }

  it('[OB223] limits the actions and screenshots of all sessions together', async () => {
    const { act, look, open, fork, status } = await served({ max_actions: 3, max_screenshots: 1 })
    const [one, other] = [await open(), await fork()]
    expect([await act(''), await act(one), await act(other)]).toEqual([undefined, undefined, undefined])
    expect(await look(one)).toBeUndefined()
    for (const base of ['', one, other, await open(), await fork()]) {
      expect([await act(base), await look(base)]).toEqual(['BudgetExceeded', 'BudgetExceeded'])
      expect(await status(base)).toMatchObject({
        actions: { used: 3, limit: 3, remaining: 0 },
        screenshots: { used: 1, limit: 1, remaining: 0 },
      })
    }
  })

  it('[OB223] limits the rate of actions and the run time', async () => {
    const { act, open, fork, operatorClock } = await served({ actions_per_minute: 2, max_session_seconds: 100 })
    expect([await act(''), await act(await open())]).toEqual([undefined, undefined])
    expect([await act(await open()), await act(await fork())]).toEqual(['RateLimited', 'RateLimited'])
    operatorClock.advance(60_001)
    expect(await act(await open())).toBeUndefined()
    operatorClock.advance(40_000)
    expect([await act(''), await act(await open())]).toEqual(['BudgetExceeded', 'BudgetExceeded'])
  })

  it('[OB223] limits tokens of the vision model', () => {
    const server = new Budget({ max_vlm_tokens: 100 }, 0)
    const [one, other] = [new Budget({ max_vlm_tokens: 100 }, 0, server), new Budget({}, 0, server)]
    one.spendVlmTokens(100)
    for (const each of [one, other, other.fork(), new Budget({}, 0, server)])
      expect(() => each.admitVlm()).toThrow('max_vlm_tokens reached')
  })

  it('[OB224] counts calls in progress in other sessions', async () => {
    const server = new Budget({ max_actions: 2, actions_per_minute: 9 }, 0)
    const sessions = [1, 2, 3].map(() => new Budget({}, 0, server))
    const act = async (budget: Budget, work: () => Promise<boolean>) => {
      budget.beginAction(0)
      let counts = false
      try {
        counts = await work()
        return counts
      } finally {
        budget.endAction(counts ? 0 : undefined)
      }
    }
    let finish = (_counts: boolean) => {}
    const slow = act(sessions[0]!, () => new Promise((resolve) => (finish = resolve)))
    await act(sessions[1]!, async () => true)
    await expect(act(sessions[2]!, async () => true)).rejects.toThrow('max_actions reached')
    finish(false)
    await slow
    await expect(act(sessions[2]!, () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed')
    expect(await act(sessions[2]!, async () => true)).toBe(true)
    expect(sessions[0]!.status(0)).toMatchObject({ actions: { used: 2, limit: 2, remaining: 0 } })
  })

  it('[OB225] reports the budget of the session while that is the smaller one', async () => {
    const { act, open, status, testbed } = await served({ max_actions: 5 })
    testbed.session.budget.tighten({ max_actions: 2 })
    const other = await open()
    await act('')
    await act(other)
    expect(await status('')).toMatchObject({ actions: { used: 1, limit: 2, remaining: 1 } })
    expect(await status(other)).toMatchObject({ actions: { used: 2, limit: 5, remaining: 3 } })
    await act('')
    expect([await act(''), await act(other)]).toEqual(['BudgetExceeded', undefined])
  })
})
