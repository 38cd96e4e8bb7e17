import { describe, expect, it } from 'vitest'
import { endOfSolution, endStateOf, INPUT_SCENARIO } from '../../../../test/support/protocols/end-state.ts'
import { tracedCallsOf } from '../../../../test/support/protocols/traced-calls.ts'
import { createRestApp, openDesktop, type TestDesktop } from '../../../testing.ts'
import type { ComputerCallOptions } from '../dialect.ts'
import { computerTool, runComputerCall, runVendorCall } from '../vendors.ts'
import { ANTHROPIC_ACTIONS } from './actions.ts'
import { ANTHROPIC_VERSIONS, type AnthropicToolResult, anthropicActionNames } from './dialect.ts'

let ids = 0
/** A call of the single tool. */
const single = (action: string, input: object = {}) => ({
  type: 'tool_use',
  id: `toolu_${ids++}`,
  name: 'computer',
  input: { action, ...input },
})
/** A call of a member of the toolset. */
const member = (name: string, input: object = {}) => ({
  type: 'tool_use',
  id: `toolu_${ids++}`,
  name,
  toolset_name: 'computer',
  input,
})

const run = (desktop: TestDesktop, call: object, options?: ComputerCallOptions) =>
  runComputerCall(desktop, 'anthropic', call, options)
const answerTo = async (desktop: TestDesktop, call: object, options?: ComputerCallOptions) =>
  (await run(desktop, call, options)).output as AnthropicToolResult
const textOf = ({ content }: AnthropicToolResult) =>
  content.flatMap((block) => (block.type === 'text' ? block.text : []))
const pictureIn = ({ content }: AnthropicToolResult) => {
  const data = content.flatMap((block) => (block.type === 'image' ? block.source.data : []))[0]
  return data === undefined ? undefined : Buffer.from(data, 'base64')
}
/** Width and height of a PNG. */
const sizeOf = (png: Buffer | undefined) => [png?.readUInt32BE(16), png?.readUInt32BE(20)]

const INPUTS: readonly (readonly [name: string, input: object, line: string | undefined, tools: readonly object[]])[] =
  [
    ['key', { text: 'ctrl+a' }, 'Pressed ctrl+a.', [{ tool: 'press_keys', args: { keys: 'ctrl+a', repeat: 1 } }]],
    ['key', { text: 'Down', repeat: 3 }, 'Pressed Down.', [{ tool: 'press_keys', args: { keys: 'Down', repeat: 3 } }]],
    [
      'key',
      { text: 'Tab Return' },
      'Pressed Tab Return.',
      [
        { tool: 'press_keys', args: { keys: 'Tab', repeat: 1 } },
        { tool: 'press_keys', args: { keys: 'Return', repeat: 1 } },
      ],
    ],
    [
      'hold_key',
      { text: 'a', duration: 1.5 },
      'Held a for 1.5s.',
      [{ tool: 'hold_key', args: { keys: 'a', duration_ms: 1500 } }],
    ],
    ['type', { text: 'Grüße\n' }, 'Typed.', [{ tool: 'type_text', args: { text: 'Grüße\n' } }]],
    ['cursor_position', {}, 'X=0,Y=0', [{ tool: 'get_pointer', args: {} }]],
    ['mouse_move', { coordinate: [7, 8] }, 'Moved the mouse.', [{ tool: 'move_pointer', args: { x: 7, y: 8 } }]],
    ['left_mouse_down', {}, 'Left mouse button pressed.', [{ tool: 'mouse_down', args: { button: 'left' } }]],
    ['left_mouse_up', {}, 'Left mouse button released.', [{ tool: 'mouse_up', args: { button: 'left' } }]],
    [
      'left_click',
      { coordinate: [7, 8], text: 'ctrl+shift' },
      'Clicked.',
      [{ tool: 'mouse_click', args: { button: 'left', count: 1, modifiers: ['ctrl', 'shift'], x: 7, y: 8 } }],
    ],
    [
      'left_click',
      { coordinate: null, text: null },
      'Clicked.',
      [{ tool: 'mouse_click', args: { button: 'left', count: 1, modifiers: [] } }],
    ],
    [
      'left_click_drag',
      { start_coordinate: [1, 2], coordinate: [3, 4], text: 'alt' },
      'Dragged.',
      [
        {
          tool: 'mouse_drag',
          args: {
            path: [
              { x: 1, y: 2 },
              { x: 3, y: 4 },
            ],
            modifiers: ['alt'],
          },
        },
      ],
    ],
    [
      'right_click',
      { coordinate: [7, 8] },
      'Right-clicked.',
      [{ tool: 'mouse_click', args: { button: 'right', count: 1, modifiers: [], x: 7, y: 8 } }],
    ],
    [
      'middle_click',
      {},
      'Middle-clicked.',
      [{ tool: 'mouse_click', args: { button: 'middle', count: 1, modifiers: [] } }],
    ],
    [
      'double_click',
      { coordinate: [7, 8] },
      'Double-clicked.',
      [{ tool: 'mouse_click', args: { button: 'left', count: 2, modifiers: [], x: 7, y: 8 } }],
    ],
    [
      'triple_click',
      { coordinate: [7, 8], key: 'shift' },
      'Triple-clicked.',
      [{ tool: 'mouse_click', args: { button: 'left', count: 3, modifiers: ['shift'], x: 7, y: 8 } }],
    ],
    [
      'scroll',
      { scroll_direction: 'up', scroll_amount: 3, coordinate: [7, 8] },
      'Scrolled up.',
      [{ tool: 'mouse_scroll', args: { delta_y: -3, modifiers: [], x: 7, y: 8 } }],
    ],
    [
      'scroll',
      { scroll_direction: 'right', scroll_amount: 2, text: 'shift' },
      'Scrolled right.',
      [{ tool: 'mouse_scroll', args: { delta_x: 2, modifiers: ['shift'] } }],
    ],
    ['wait', { duration: 2 }, 'Waited 2s.', [{ tool: 'wait', args: { duration_ms: 2000 } }]],
    ['screenshot', {}, undefined, [{ tool: 'capture_screen' }]],
    [
      'zoom',
      { region: [10, 20, 330, 220] },
      undefined,
      [{ tool: 'capture_screen', args: { region: { x: 10, y: 20, width: 320, height: 200 } } }],
    ],
  ]

describe('the actions of Anthropic', () => {
  it('[CT22] has a case for every action', () => {
    expect([...new Set(INPUTS.map(([name]) => name))].sort()).toEqual([...ANTHROPIC_ACTIONS.keys()].sort())
  })

  describe('[CT22] [CT29] translations', () => {
    it.each(INPUTS)('translates %s %j', async (name, input, line, tools) => {
      const toolset = await tracedCallsOf('anthropic', member(name, input))
      expect(toolset.calls).toMatchObject(tools.map((tool) => ({ ...tool, result_summary: { ok: true } })))
      expect(textOf(toolset.output as AnthropicToolResult)).toEqual(line === undefined ? [] : [line])
      expect(pictureIn(toolset.output as AnthropicToolResult) === undefined).toBe(line !== undefined)
      const alone = await tracedCallsOf('anthropic', single(name, input), {
        screenshot: false,
        version: 'computer_toolset_20260801',
      })
      expect(alone.calls.map(({ tool, args }) => ({ tool, args }))).toEqual(
        toolset.calls.map(({ tool, args }) => ({ tool, args })),
      )
      expect(textOf(alone.output as AnthropicToolResult)).toEqual(textOf(toolset.output as AnthropicToolResult))
    })
  })

  it('[CT10] writes each tool call to the trace with the call as it was sent', async () => {
    const call = single('key', { text: 'Tab Tab' })
    const { calls } = await tracedCallsOf('anthropic', call)
    expect(calls.map(({ tool }) => tool)).toEqual(['press_keys', 'press_keys', 'capture_screen'])
    const row = { caller: 'anthropic', door_call: { door: 'anthropic', call } }
    expect(calls.slice(0, 2)).toMatchObject([row, row])
  })

  it.each(ANTHROPIC_VERSIONS)('limits the actions to those of %s', async (version) => {
    const known = anthropicActionNames(version)
    const desktop = openDesktop({ scenario: 'login' })
    for (const [name, input] of INPUTS) {
      const { is_error, content } = await answerTo(desktop, single(name, input), { version })
      if (known.includes(name)) expect([name, is_error]).toEqual([name, undefined])
      else
        expect([name, JSON.stringify(content)]).toEqual([
          name,
          expect.stringContaining(`known are ${known.join(', ')}`),
        ])
    }
  })

  it('[CT23] knows 10, 16, 17 and 17 actions', () => {
    expect(ANTHROPIC_VERSIONS.map((version) => anthropicActionNames(version).length)).toEqual([10, 16, 17, 17])
  })

  it('[CT29] answers actions of the single tool by a line and a screenshot', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    expect(sizeOf(pictureIn(await answerTo(desktop, single('mouse_move', { coordinate: [1, 1] }))))).toEqual([
      1280, 800,
    ])
    expect(
      pictureIn(await answerTo(desktop, single('mouse_move', { coordinate: [1, 1] }), { screenshot: false })),
    ).toBe(undefined)
    expect(
      pictureIn(await answerTo(desktop, member('mouse_move', { coordinate: [1, 1] }), { screenshot: true })),
    ).toBeDefined()
  })

  it('[CT29] executes an action whose screenshot is refused', async () => {
    const desktop = openDesktop({ scenario: 'login', config: { budget: { max_screenshots: 1 } } })
    await answerTo(desktop, single('screenshot'))
    const clicked = await answerTo(desktop, single('left_click', { coordinate: [320, 212] }))
    expect([textOf(clicked), pictureIn(clicked), clicked.is_error]).toEqual([['Clicked.'], undefined, undefined])
    const refused = await run(desktop, single('screenshot'))
    expect(refused).toMatchObject({ fault: { code: 'BudgetExceeded' }, output: { is_error: true } })
  })

  it('[CT25] refuses keys that are no modifiers, and unknown ones', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const held = (text: string) => answerTo(desktop, single('left_click', { coordinate: [1, 1], text }))
    expect(textOf(await held('ctrl+a'))).toEqual(['Error: text: "a" is not a modifier; hold ctrl, shift, alt or meta'])
    expect(textOf(await held('Retrun'))).toEqual([expect.stringContaining('return')])
  })

  it('[CT26] drags from the pointer, with held modifiers', async () => {
    const { calls } = await tracedCallsOf(
      'anthropic',
      single('left_click_drag', { coordinate: [400, 212], text: 'ctrl' }),
      {
        screenshot: false,
      },
    )
    const path = [
      { x: 0, y: 0 },
      { x: 400, y: 212 },
    ]
    expect(calls).toMatchObject([{ tool: 'mouse_drag', args: { path, modifiers: ['ctrl'] } }])
  })

  it('[CT26] [CT16] keeps no button pressed while a drag waits for a confirmation', async () => {
    const desktop = openDesktop({ scenario: 'login', config: { confirmation_required: [{ name_regex: '^Login$' }] } })
    const drag = single('left_click_drag', { coordinate: [250, 294], text: 'ctrl' })
    const { confirmation } = await run(desktop, drag)
    expect(await desktop.call('get_pointer')).toMatchObject({ buttons: [], keys: [] })
    expect((await run(desktop, drag, { acknowledged: [confirmation!.id] })).fault).toBeUndefined()
    expect(await desktop.call('get_pointer')).toMatchObject({ x: 250, y: 294, buttons: [] })
  })

  it('[CT11] writes the screenshot after a call to the trace without what the call has typed', async () => {
    const call = single('type', { text: 'correct horse' })
    const { calls } = await tracedCallsOf('anthropic', call)
    expect(calls.map(({ tool }) => tool)).toEqual(['type_text', 'capture_screen'])
    expect(calls[1]).toMatchObject({ door_call: { call: { type: 'tool_use', id: call.id, name: 'computer' } } })
    expect(JSON.stringify(calls[1])).not.toContain('horse')
  })

  it('[CT13] refuses more than 100 chords, and presses none of them', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const answer = await answerTo(desktop, single('key', { text: 'a '.repeat(101) }))
    expect(textOf(answer)).toEqual(['Error: text: press at most 100 chords at once, not 101'])
    expect(desktop.session.steps).toBe(0)
  })

  it('[CT20] begins no action after the client has gone', async () => {
    const { session } = openDesktop({ scenario: 'login' })
    const caller = { session, audience: 'agent' as const, watch: { signal: AbortSignal.abort() } }
    const { fault } = await runVendorCall(caller, 'anthropic', member('type', { text: 'a' }), {})
    expect([fault?.code, session.steps]).toEqual(['Timeout', 0])
  })

  it('[CT27] [CT28] zooms into a part without changing coordinates', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const options = { display: { width: 640 } }
    expect(sizeOf(pictureIn(await answerTo(desktop, single('screenshot'), options)))).toEqual([640, 400])
    const zoomed = await answerTo(desktop, single('zoom', { region: [100, 100, 180, 150] }), options)
    expect(sizeOf(pictureIn(zoomed))).toEqual([640, 400])
    await answerTo(desktop, single('mouse_move', { coordinate: [160, 106] }), options)
    expect(textOf(await answerTo(desktop, single('cursor_position'), options))).toEqual(['X=160,Y=106'])
    expect(await desktop.call('get_pointer')).toMatchObject({ x: 321, y: 213 })
    for (const region of [
      [0, 0, 641, 10],
      [-1, 0, 5, 5],
      [5, 5, 5, 9],
      [9, 0, 5, 5],
    ])
      expect(textOf(await answerTo(desktop, single('zoom', { region }), options))).toEqual([
        expect.stringContaining('x1 <= 640'),
      ])
  })
})

describe('requests in the dialect of Anthropic', () => {
  it('[CT21] answers a block by a result, and messages and arrays by several', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const [a, b] = [single('wait', { duration: 0 }), member('wait', { duration: 0 })]
    expect(await answerTo(desktop, a)).toMatchObject({ type: 'tool_result', tool_use_id: a.id })
    expect(await answerTo(desktop, b)).toEqual({
      type: 'tool_result',
      tool_use_id: b.id,
      toolset_name: 'computer',
      content: [{ type: 'text', text: 'Waited 0s.' }],
    })
    const others = [
      { type: 'text', text: 'I wait.' },
      { type: 'tool_use', id: 'x', name: 'wait', input: {} },
    ]
    for (const request of [[...others, a, b], { role: 'assistant', content: [...others, a, b] }])
      expect((await run(desktop, request)).output).toMatchObject([{ tool_use_id: a.id }, { tool_use_id: b.id }])
  })

  it('[CT4] [CT24] answers the calls after a failure as not executed', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const { output, fault } = await run(desktop, [
      member('left_click', { coordinate: [320, 212] }),
      member('key', { text: 'nokey' }),
      member('type', { text: 'alice' }),
      member('screenshot'),
    ])
    const answers = output as AnthropicToolResult[]
    expect(answers.map(({ is_error }) => is_error)).toEqual([undefined, true, true, true])
    expect(answers.slice(2).flatMap(textOf)).toEqual(
      Array(2).fill('Not executed: an earlier computer action in this turn failed.'),
    )
    expect(fault?.code).toBe('BadRequest')
    expect(await desktop.call('find_element', { selector: 'Edit[name="Username"][value=""]' })).toMatchObject({
      ok: true,
    })
  })

  describe('[CT14] input that does not fit', () => {
    it.each<[string, object, string]>([
      ['no action', single(undefined as never), 'Error: action: name one of key, hold_key'],
      ['an unknown action', single('left_clik'), 'did you mean "left_click"? Known are key'],
      ['an action that objects have', single('constructor'), 'there is no action "constructor"'],
      ['an unknown member', member('__proto__'), 'there is no action "__proto__"'],
      ['a misspelt field', single('left_click', { coordinates: [1, 2] }), 'did you mean "coordinate"?'],
      ['a field of another action', single('type', { text: 'a', coordinate: [1, 1] }), 'unknown key "coordinate"'],
      ['a missing coordinate', single('mouse_move'), 'mouse_move: coordinate'],
      ['half a coordinate', single('mouse_move', { coordinate: [1] }), 'coordinate'],
      ['a coordinate of texts', single('mouse_move', { coordinate: ['1', '2'] }), 'coordinate'],
      ['a missing start', single('scroll', { scroll_amount: 1 }), 'scroll_direction'],
      ['too long a wait', single('wait', { duration: 61 }), 'expected at most 60, found 61'],
      ['a negative wait', single('wait', { duration: -1 }), 'duration'],
      ['too long a hold', member('hold_key', { text: 'a', duration: 1e9 }), 'at most 60'],
      ['too many repetitions', member('key', { text: 'a', repeat: 1000 }), 'at most 100'],
      ['too much scrolling', single('scroll', { scroll_direction: 'up', scroll_amount: 1e6 }), 'at most 1000'],
      ['input that is text', { ...single('wait'), input: 'wait' }, 'action: name one of'],
      ['input that is a list', { ...member('type'), input: ['a'] }, 'type: '],
    ])('answers %s by an error', async (_, call, message) => {
      const { output, fault } = await run(openDesktop({ scenario: 'login' }), call)
      expect(output).toMatchObject({ is_error: true, content: [{ text: expect.stringContaining(message) }] })
      expect(fault?.code).toBe('BadRequest')
    })

    it.each<[string, unknown]>([
      ['nothing', undefined],
      ['null', null],
      ['a number', 5],
      ['an empty array', []],
      ['an empty message', { content: [] }],
      ['no id', { type: 'tool_use', name: 'computer', input: {} }],
      ['another tool', { type: 'tool_use', id: 'a', name: 'bash', input: {} }],
      ['another toolset', { ...member('wait'), toolset_name: 'browser' }],
      ['a result', { type: 'tool_result', tool_use_id: 'a' }],
      ['content that is text', { content: 'hello' }],
      ['101 calls', Array.from({ length: 101 }, () => single('screenshot'))],
      ['deep input', { ...single('wait'), input: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) }],
    ])('refuses %s', async (_, body) => {
      await expect(runComputerCall(openDesktop({ scenario: 'login' }), 'anthropic', body)).rejects.toMatchObject({
        code: 'BadRequest',
      })
    })
  })
})

describe('the tool of Anthropic', () => {
  it('[CT30] has the size of the screenshots', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const size = { name: 'computer', display_width_px: 1280, display_height_px: 800 }
    const all = await Promise.all(ANTHROPIC_VERSIONS.map((version) => computerTool(desktop, 'anthropic', { version })))
    expect(all).toEqual([
      { type: 'computer_20241022', ...size },
      { type: 'computer_20250124', ...size },
      { type: 'computer_20251124', ...size, enable_zoom: true },
      { type: 'computer_toolset_20260801' },
    ])
    expect(
      await computerTool(desktop, 'anthropic', { version: 'computer_20250124', display: { height: 500 } }),
    ).toEqual({
      type: 'computer_20250124',
      name: 'computer',
      display_width_px: 800,
      display_height_px: 500,
    })
  })

  it('[CT9] takes what the models of a version can see of a large screen', async () => {
    const scenario = `
name: large
states: {start: {windows: []}}
monitors: [{bounds: {x: 0, y: 0, width: 3840, height: 2160}, primary: true}]
`
    const desktop = openDesktop({ scenario })
    const sizes = async (version: string) =>
      sizeOf(pictureIn(await answerTo(desktop, single('screenshot'), { version })))
    expect(await sizes('computer_20250124')).toEqual([1429, 804])
    expect(await sizes('computer_toolset_20260801')).toEqual([2576, 1449])
    expect(await computerTool(desktop, 'anthropic', { version: 'computer_20250124' })).toMatchObject({
      display_width_px: 1429,
      display_height_px: 804,
    })
  })
})

describe('a client of Anthropic', () => {
  it('[CT31] signs in with the toolset', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const { output } = await run(desktop, [
      member('screenshot'),
      member('left_click', { coordinate: [320, 212] }),
      member('type', { text: 'alice' }),
      member('key', { text: 'Tab' }),
      member('type', { text: 'correct horse' }),
      member('left_click', { coordinate: [250, 294] }),
    ])
    expect((output as AnthropicToolResult[]).every(({ is_error }) => !is_error)).toBe(true)
    expect(await endStateOf(desktop)).toEqual(await endOfSolution('login'))
  })

  it('[CT31] drags, holds keys and scrolls with the single tool, at half the size', async () => {
    const desktop = openDesktop({ scenario: INPUT_SCENARIO })
    const app = await createRestApp(desktop)
    const calls = [
      single('left_click_drag', { start_coordinate: [80, 96], coordinate: [220, 125] }),
      single('left_click', { coordinate: [80, 212] }),
      single('left_click', { coordinate: [80, 240], text: 'ctrl' }),
      single('scroll', { coordinate: [440, 175], scroll_direction: 'right', scroll_amount: 20 }),
      single('scroll', { coordinate: [440, 175], scroll_direction: 'down', scroll_amount: 600 }),
      single('left_click', { coordinate: [521, 278] }),
      single('double_click', { coordinate: [210, 212] }),
    ]
    for (const payload of calls) {
      const url = '/computer/anthropic?display_width=640&version=computer_20250124'
      const response = await app.inject({ method: 'POST', url, payload })
      expect(response.json()).toMatchObject({ type: 'tool_result', tool_use_id: payload.id })
      expect(response.headers).not.toHaveProperty('x-backlot-error')
    }
    expect(await endStateOf(desktop)).toEqual(await endOfSolution(INPUT_SCENARIO))
  })
})
