import { describe, expect, it } from 'vitest'
import { rehearse } from '../../testing.ts'
import { TOOLS } from '../registry.ts'

// Rules such as [G1] are stated in SPEC.md of the room.

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
  type_text: { text: 'a' },
  press_key: { keys: 'a' },
  type_and_observe: { text: 'a' },
  press_key_and_observe: { keys: 'a' },
  bring_to_foreground: {},
  select_option: { element_id: 'list', option_index: 0 },
  set_value: { element_id: 'e', value: 'x' },
  key_into_element: { element_id: 'e', keys: 'a' },
}

const limited = (budget: object) => rehearse(APP, { settings: { budget } })

describe('actions', () => {
  it.each(TOOLS.filter(({ kind }) => kind === 'act').map(({ name }) => name))(
    '[G1] counts %s, and refuses it when none is left',
    async (tool) => {
      const desk = limited({ max_actions: 2 })
      await desk.do('focus_element', { element_id: 'e' })
      const args = ACTS[tool] ?? { element_id: 'e' }
      await desk.do(tool, args)
      expect((await desk.do('get_budget_status')).actions).toEqual({ used: 2, limit: 2, remaining: 0 })
      const steps = desk.computer.stepCount
      const { error } = await desk.ask(tool, args)
      expect(error).toMatchObject({
        code: 'BudgetExceeded',
        message: 'max_actions reached',
        recoverable: false,
        context: { used: 2, limit: 2 },
      })
      expect(desk.computer.stepCount).toBe(steps)
    },
  )

  it('[G1] does not count what was refused, nor looking', async () => {
    const desk = limited({ max_actions: 2 })
    await desk.ask('click_element', { element_id: 'nope' })
    await desk.do('observe_window')
    expect((await desk.do('get_budget_status')).actions).toMatchObject({ used: 0 })
  })
})

describe('screenshots', () => {
  it.each([
    ['get_screenshot', { window_uid: 'nope' }],
    ['get_screenshot_cropped', { bbox: { x: 9000, y: 0, width: 1, height: 1 } }],
    ['session_reset', { screenshot: true, scenario: 'nope.yaml' }],
  ])('[G1] that are refused do not count: %s %j', async (tool, args) => {
    const desk = limited({ max_screenshots: 1 })
    expect((await desk.ask(tool, args)).error).toBeDefined()
    expect((await desk.do('get_budget_status')).screenshots).toEqual({ used: 0, limit: 1, remaining: 1 })
  })

  it.each(['get_screenshot', 'get_screenshot_cropped', 'get_full_screenshot'])(
    '[G1] counts %s, and refuses it when none is left',
    async (tool) => {
      const desk = limited({ max_screenshots: 1 })
      await desk.do(tool)
      expect((await desk.ask(tool)).error).toMatchObject({ code: 'BudgetExceeded', message: 'max_screenshots reached' })
      const proposed = await desk.do('propose_action', { action: 'click_element', args: { element_id: 'e' } })
      expect(proposed.would_target).toMatchObject({ element_id: 'e', screenshot_b64: null })
    },
  )

  it.each([
    ['session_step', { action: { tool: 'type_text', args: { text: 'a' } } }],
    ['session_reset', {}],
  ])('[G1] counts that of %s, and does nothing when none is left', async (tool, args) => {
    const desk = limited({ max_screenshots: 1 })
    const asked = { ...args, screenshot: true }
    expect(await desk.do(tool, asked)).toMatchObject({ observation: { screenshot_b64: expect.any(String) } })
    await desk.do('press_key', { keys: 'tab' })
    const steps = desk.computer.stepCount
    const { error } = await desk.ask(tool, asked)
    expect(error).toMatchObject({ code: 'BudgetExceeded', message: 'max_screenshots reached' })
    expect(desk.computer.stepCount).toBe(steps)
    expect((await desk.do('get_budget_status')).screenshots).toEqual({ used: 1, limit: 1, remaining: 0 })
  })
})

describe('time', () => {
  it('[G2] [Q2] limits how fast actions follow each other, over the last minute', async () => {
    const desk = limited({ actions_per_minute: 2 })
    const click = () => desk.ask('click_element', { element_id: 'e' })
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

  it('[G2] [Q2] ends a session, but for the tools that tell of it', async () => {
    const desk = limited({ max_session_seconds: 10 })
    desk.operatorClock.advance(10_000)
    for (const tool of ['observe_window', 'click_element', 'get_screenshot', 'trace_start'])
      expect((await desk.ask(tool, { element_id: 'e' })).error?.code).toBe('BudgetExceeded')
    expect((await desk.do('get_budget_status')).session_seconds).toEqual({ elapsed: 10, limit: 10, remaining: 0 })
  })
})

it('tells nothing but that when nothing is limited', async () => {
  const { configured, ...rest } = await rehearse(APP).do('get_budget_status')
  expect(configured).toBe(false)
  expect(Object.keys(rest)).toEqual(['ok', 'success', 'step_id', 'caused_by_step_id'])
})

it('tells of each limit what is left, null where there is none', async () => {
  expect(await limited({ max_actions: 5 }).do('get_budget_status')).toMatchObject({
    configured: true,
    actions: { used: 0, limit: 5, remaining: 5 },
    screenshots: { used: 0, limit: null, remaining: null },
    vlm_tokens: { used: 0, limit: null, remaining: null },
    session_seconds: { elapsed: 0, limit: null, remaining: null },
    actions_per_minute: { in_window: 0, limit: null, remaining: null },
  })
})

it('[G3] gets smaller when a client asks, never larger', async () => {
  const { session } = limited({ max_actions: 5 })
  session.budget.tighten({ max_actions: 3, max_screenshots: 2 })
  session.budget.tighten({ max_actions: 9, max_screenshots: undefined })
  expect(session.budget.status(session.operatorClock.now())).toMatchObject({
    actions: { limit: 3 },
    screenshots: { limit: 2 },
  })
})
