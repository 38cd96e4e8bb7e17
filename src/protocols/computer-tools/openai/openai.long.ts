import { describe, expect, it } from 'vitest'
import { endOfSolution, endStateOf, INPUT_SCENARIO } from '../../../../test/support/protocols/end-state.ts'
import { tracedCallsOf } from '../../../../test/support/protocols/traced-calls.ts'
import { createRestApp, openDesktop, type TestDesktop } from '../../../testing.ts'
import type { ComputerCallOptions } from '../dialect.ts'
import { OPENAI_ACTIONS } from '../openai.ts'
import { computerTool, runComputerCall } from '../vendors.ts'

const computerCall = (...actions: readonly object[]) => ({ type: 'computer_call', call_id: 'call_1', actions })
const run = (desktop: TestDesktop, call: unknown, options?: ComputerCallOptions) =>
  runComputerCall(desktop, 'openai', call, options)
const sizeOf = ({ output }: { output: { image_url: string } }) => {
  const png = Buffer.from(output.image_url.replace('data:image/png;base64,', ''), 'base64')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

const clickArgs = { button: 'left', modifiers: [], x: 7, y: 8 }
const pressed = (keys: string) => ({ tool: 'press_keys', args: { keys } })

type Action = Readonly<Record<string, unknown>> & { readonly type: string }
const ACTIONS: readonly (readonly [action: Action, tools: readonly object[]])[] = [
  [{ type: 'click', x: 7, y: 8 }, [{ tool: 'mouse_click', args: clickArgs }]],
  ...Object.entries({ left: 'left', right: 'right', wheel: 'middle', back: 'back', forward: 'forward' }).map(
    ([button, ours]) =>
      [{ type: 'click', button, x: 7, y: 8 }, [{ tool: 'mouse_click', args: { ...clickArgs, button: ours } }]] as const,
  ),
  [
    { type: 'click', button: 'left', x: 7, y: 8, keys: ['SHIFT', 'CTRL'] },
    [{ tool: 'mouse_click', args: { ...clickArgs, modifiers: ['ctrl', 'shift'] } }],
  ],
  [
    { type: 'double_click', x: 7, y: 8, keys: null },
    [{ tool: 'mouse_click', args: { count: 2, modifiers: [], x: 7, y: 8 } }],
  ],
  [
    {
      type: 'drag',
      path: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
        { x: 5, y: 6 },
      ],
      keys: ['ALT'],
    },
    [
      {
        tool: 'mouse_drag',
        args: {
          path: [
            { x: 1, y: 2 },
            { x: 3, y: 4 },
            { x: 5, y: 6 },
          ],
          modifiers: ['alt'],
        },
      },
    ],
  ],
  [{ type: 'keypress', keys: ['CTRL', 'A'] }, [pressed('ctrl+a')]],
  [{ type: 'keypress', keys: ['CTRL+SHIFT', 'ARROWLEFT'] }, [pressed('ctrl+shift+left')]],
  [{ type: 'keypress', keys: ['ENTER'] }, [pressed('enter')]],
  [{ type: 'keypress', keys: ['A', 'B'] }, [pressed('a'), pressed('b')]],
  [{ type: 'keypress', keys: ['ALT'] }, [pressed('alt')]],
  [{ type: 'keypress', keys: ['CTRL', '+'] }, [pressed('ctrl+plus')]],
  [{ type: 'keypress', keys: [' '] }, [pressed('space')]],
  [{ type: 'move', x: 7, y: 8 }, [{ tool: 'move_pointer', args: { x: 7, y: 8 } }]],
  [
    { type: 'move', x: 7, y: 8, keys: ['SHIFT'] },
    [
      { tool: 'key_down', args: { key: 'shift' } },
      { tool: 'move_pointer', args: { x: 7, y: 8 } },
      { tool: 'key_up', args: { key: 'shift' } },
    ],
  ],
  [{ type: 'screenshot' }, []],
  [
    { type: 'scroll', x: 7, y: 8, scroll_x: -240, scroll_y: 120 },
    [{ tool: 'mouse_scroll', args: { delta_x: -240, delta_y: 120, unit: 'pixels', modifiers: [], x: 7, y: 8 } }],
  ],
  [{ type: 'type', text: 'A+b\n' }, [{ tool: 'type_text', args: { text: 'A+b\n' } }]],
  [{ type: 'wait' }, [{ tool: 'wait', args: { duration_ms: 1000 } }]],
]

describe('the actions of OpenAI', () => {
  it('[CT36] has a case for every action', () => {
    expect([...new Set(ACTIONS.map(([{ type }]) => type))].sort()).toEqual([...OPENAI_ACTIONS.keys()].sort())
  })

  describe('[CT36] [CT40] [CT41] [CT42] [CT43] translations', () => {
    it.each(ACTIONS)('translates %j', async (action, tools) => {
      const ga = await tracedCallsOf('openai', computerCall(action))
      const expected = [...tools, { tool: 'capture_screen' }]
      expect(ga.calls).toMatchObject(expected.map((tool) => ({ ...tool, result_summary: { ok: true } })))
      expect(ga.calls[0]).toMatchObject({ door_call: { door: 'openai' } })
      expect(ga.output).toEqual({
        type: 'computer_call_output',
        call_id: 'call_1',
        output: {
          type: 'computer_screenshot',
          image_url: expect.stringMatching(/^data:image\/png;base64,/),
          detail: 'original',
        },
      })
      expect(ga.fault).toBe(undefined)
      const preview = await tracedCallsOf('openai', { type: 'computer_call', call_id: 'call_1', action })
      expect(preview.calls.map(({ tool, args }) => ({ tool, args }))).toEqual(
        ga.calls.map(({ tool, args }) => ({ tool, args })),
      )
    })
  })

  it('[CT4] [CT37] executes a batch up to the first failure and returns the picture', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const app = await createRestApp(desktop)
    const payload = computerCall(
      { type: 'click', button: 'left', x: 320, y: 212 },
      { type: 'type', text: 'al' },
      { type: 'click', button: 'left', x: 5000, y: 1 },
      { type: 'type', text: 'ice' },
    )
    const response = await app.inject({ method: 'POST', url: '/computer/openai', payload })
    expect(response.statusCode).toBe(200)
    expect(response.headers['x-backlot-error']).toBe('BadRequest')
    expect(response.headers['x-backlot-error-message']).toContain(
      '(5000, 1) is outside of the screenshot; x is 0 to 1279',
    )
    expect(sizeOf(response.json())).toEqual([1280, 800])
    expect(await desktop.call('find_element', { selector: 'Edit[name="Username"][value="al"]' })).toMatchObject({
      ok: true,
    })
  })

  it('[CT39] has a picture of one pixel when the budget refuses the screenshot', async () => {
    const desktop = openDesktop({ scenario: 'login', config: { budget: { max_screenshots: 0 } } })
    const { output, fault } = await run(desktop, computerCall({ type: 'wait' }))
    expect([sizeOf(output), fault]).toEqual([[1, 1], undefined])
  })

  it('[CT40] scrolls by pixels of the screenshot', async () => {
    const scroll = { type: 'scroll', x: 7, y: 8, scroll_x: 0, scroll_y: 60 }
    const { calls } = await tracedCallsOf('openai', computerCall(scroll), { display: { width: 640 } })
    expect(calls[0]).toMatchObject({ tool: 'mouse_scroll', args: { delta_y: 120, x: 15, y: 17 } })
  })

  describe('[CT38] input that does not fit', () => {
    it.each<[string, unknown, string]>([
      ['no actions', { type: 'computer_call', call_id: 'a' }, 'actions: is missing'],
      ['no id', { type: 'computer_call', actions: [] }, 'call_id'],
      ['another item', { type: 'function_call', call_id: 'a', name: 'click' }, 'type'],
      ['an unknown type', computerCall({ type: 'clik' }), 'did you mean "click"?'],
      ['a type that objects have', computerCall({ type: 'constructor' }), 'there is no action "constructor"'],
      ['a missing coordinate', computerCall({ type: 'click', x: 1 }), 'actions.0: y'],
      ['an unknown button', computerCall({ type: 'click', x: 1, y: 1, button: 'middle' }), 'wheel'],
      ['an unknown field', computerCall({ type: 'type', text: 'a', txt: 'b' }), 'unknown key "txt"'],
      ['a path of one point', computerCall({ type: 'drag', path: [{ x: 1, y: 1 }] }), 'path'],
      [
        'a path of points as arrays',
        computerCall({
          type: 'drag',
          path: [
            [1, 1],
            [2, 2],
          ],
        }),
        'path',
      ],
      ['no keys', computerCall({ type: 'keypress', keys: [] }), 'keys'],
      ['too much scrolling', computerCall({ type: 'scroll', x: 1, y: 1, scroll_y: 1e9 }), 'scroll_y'],
      ['101 actions', computerCall(...Array.from({ length: 101 }, () => ({ type: 'wait' }))), 'actions'],
    ])('refuses %s and executes nothing', async (_, call, message) => {
      const desktop = openDesktop({ scenario: 'login' })
      await expect(run(desktop, call)).rejects.toMatchObject({
        code: 'BadRequest',
        message: expect.stringContaining(message),
      })
      expect(desktop.session.steps).toBe(0)
    })
  })

  it('[CT18] releases held keys when a move fails', async () => {
    const desktop = openDesktop({ scenario: 'login', config: { actions: { deny: ['move_pointer'] } } })
    const { fault } = await run(desktop, computerCall({ type: 'move', x: 1, y: 1, keys: ['CTRL', 'SHIFT'] }))
    expect(fault?.code).toBe('PermissionDenied')
    expect(await desktop.call('get_pointer')).toMatchObject({ keys: [] })
  })

  it('[CT37] tells of unknown keys and of keys that cannot be held', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const of = async (action: object) => (await run(desktop, computerCall(action))).fault?.message
    expect(await of({ type: 'keypress', keys: ['ENTR'] })).toContain('there is no key "ENTR"')
    expect(await of({ type: 'click', x: 1, y: 1, keys: ['A'] })).toContain('"A" is not a modifier')
  })
})

describe('the confirmations of OpenAI', () => {
  const gated = { scenario: 'login', config: { confirmation_required: [{ name_regex: '^Login$' }] } }
  const login = computerCall(
    { type: 'click', button: 'left', x: 320, y: 212 },
    { type: 'type', text: 'alice' },
    { type: 'click', button: 'left', x: 320, y: 252 },
    { type: 'type', text: 'x' },
    { type: 'click', button: 'left', x: 250, y: 294 },
    { type: 'wait' },
  )

  it('[CT44] [CT45] stops a batch before the gated action and continues there', async () => {
    const desktop = openDesktop(gated)
    const app = await createRestApp(desktop)
    const post = (payload: object) => app.inject({ method: 'POST', url: '/computer/openai', payload })
    const refused = await post(login)
    const { pending_safety_checks, error } = refused.json()
    expect([refused.statusCode, error.code]).toEqual([412, 'ConfirmationRequired'])
    expect(pending_safety_checks).toEqual([
      { id: expect.stringMatching(/^ct:/), code: 'confirmation_required', message: expect.stringContaining('Login') },
    ])
    expect(desktop.computer.desktop.windows[0]!.title).toBe('Acme Login')
    expect((await post({ ...login, acknowledged_safety_checks: [{ id: 'ct:0' }] })).statusCode).toBe(412)
    const again = (await post(login)).json().pending_safety_checks
    const confirmed = await post({ ...login, acknowledged_safety_checks: again })
    expect([confirmed.statusCode, confirmed.headers['x-backlot-error']]).toEqual([200, undefined])
    expect(desktop.computer.desktop.windows[0]!.title).toBe('Acme — Welcome')
  })

  it('[CT46] executes a call with checks of its own when they are acknowledged', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const app = await createRestApp(desktop)
    const post = (payload: object) => app.inject({ method: 'POST', url: '/computer/openai', payload })
    const pending_safety_checks = [
      { id: 'cu_sc_1', code: 'malicious_instructions', message: 'Careful.' },
      { id: 'cu_sc_2' },
    ]
    const checked = { ...computerCall({ type: 'move', x: 9, y: 9 }), pending_safety_checks }
    const [one, two] = [
      { id: 'cu_sc_1', code: 'malicious_instructions', message: 'Careful.' },
      { id: 'cu_sc_2', code: null, message: null },
    ]
    const refused = await post(checked)
    expect([refused.statusCode, refused.json().pending_safety_checks]).toEqual([412, [one, two]])
    const half = await post({ ...checked, acknowledged_safety_checks: [{ id: 'cu_sc_1' }] })
    expect([half.statusCode, half.json().pending_safety_checks]).toEqual([412, [two]])
    expect(await desktop.call('get_pointer')).toMatchObject({ x: 0, y: 0 })
    const passed = await post({ ...checked, acknowledged_safety_checks: pending_safety_checks })
    expect([passed.statusCode, passed.json().acknowledged_safety_checks]).toEqual([200, [one, two]])
    expect(await desktop.call('get_pointer')).toMatchObject({ x: 9, y: 9 })
  })
})

describe('the tool of OpenAI', () => {
  it('[CT47] has a size and an environment in the preview only', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    expect(await computerTool(desktop, 'openai')).toEqual({ type: 'computer' })
    expect(await computerTool(desktop, 'openai', { version: 'computer_use_preview', display: { width: 640 } })).toEqual(
      {
        type: 'computer_use_preview',
        display_width: 640,
        display_height: 400,
        environment: expect.stringMatching(/^(linux|windows|mac)$/),
      },
    )
    await expect(computerTool(desktop, 'openai', { version: 'computer_20251124' })).rejects.toThrow('known are')
  })
})

describe('a client of OpenAI', () => {
  it('[CT48] signs in with one batch', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const { fault } = await run(
      desktop,
      computerCall(
        { type: 'click', button: 'left', x: 320, y: 212 },
        { type: 'type', text: 'alice' },
        { type: 'keypress', keys: ['TAB'] },
        { type: 'type', text: 'correct horse' },
        { type: 'click', button: 'left', x: 250, y: 294 },
        { type: 'screenshot' },
      ),
    )
    expect(fault).toBe(undefined)
    expect(await endStateOf(desktop)).toEqual(await endOfSolution('login'))
  })

  it('[CT48] drags along a path, holds keys and scrolls by pixels', async () => {
    const desktop = openDesktop({ scenario: INPUT_SCENARIO })
    const app = await createRestApp(desktop)
    const actions = [
      {
        type: 'drag',
        path: [
          { x: 160, y: 192 },
          { x: 280, y: 220 },
          { x: 440, y: 250 },
        ],
      },
      { type: 'click', button: 'left', x: 160, y: 424 },
      { type: 'click', button: 'left', x: 160, y: 480, keys: ['CTRL'] },
      { type: 'scroll', x: 880, y: 350, scroll_x: 2400, scroll_y: 72_000 },
      { type: 'click', button: 'left', x: 1042, y: 556 },
      { type: 'double_click', x: 420, y: 424, keys: null },
    ]
    for (const [index, action] of actions.entries()) {
      const payload = {
        type: 'computer_call',
        call_id: `call_${index}`,
        action,
        pending_safety_checks: [],
        status: 'completed',
      }
      const response = await app.inject({ method: 'POST', url: '/computer/openai', payload })
      expect([response.statusCode, response.headers['x-backlot-error']]).toEqual([200, undefined])
    }
    expect(await endStateOf(desktop)).toEqual(await endOfSolution(INPUT_SCENARIO))
  })
})
