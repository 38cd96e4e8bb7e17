import { describe, expect, it } from 'vitest'
import { endOfSolution, endStateOf, INPUT_SCENARIO } from '../../../../test/support/protocols/end-state.ts'
import { tracedCallsOf } from '../../../../test/support/protocols/traced-calls.ts'
import { createRestApp, openDesktop, type TestDesktop } from '../../../testing.ts'
import type { ComputerCallOptions } from '../dialect.ts'
import { computerTool, runComputerCall } from '../vendors.ts'
import type { GeminiFunctionResponse } from './dialect.ts'
import { GEMINI_FUNCTIONS } from './functions.ts'

const run = (desktop: TestDesktop, call: unknown, options?: ComputerCallOptions) =>
  runComputerCall(desktop, 'gemini', call, options)
/** The coordinate that stands for a pixel of the default screen, or the nearest after it. */
const gridX = (x: number) => Math.ceil((x * 1000) / 1280)
const gridY = (y: number) => Math.ceil((y * 1000) / 800)
const grid = (x: number, y: number) => ({ x: gridX(x), y: gridY(y) })

const at = { x: 500, y: 250 }
const there = { x: 640, y: 200 }
const click = (args: object) => [{ tool: 'mouse_click', args: { ...args, ...there } }]
const pressed = (keys: string) => ({ tool: 'press_keys', args: { keys } })
const typed = (text: string) => ({ tool: 'type_text', args: { text } })
const wheel = (args: object) => [{ tool: 'mouse_scroll', args: { unit: 'pixels', ...args } }]
const NO_BROWSER = 'this is a desktop, not a browser'
const NO_PHONE = 'this is a desktop, not a phone'

const FUNCTIONS: readonly (readonly [name: string, args: object, tools: readonly object[] | string])[] = [
  ['click', { ...at, intent: 'to see' }, click({ button: 'left', count: 1 })],
  ['double_click', at, click({ button: 'left', count: 2 })],
  ['triple_click', at, click({ button: 'left', count: 3 })],
  ['middle_click', at, click({ button: 'middle', count: 1 })],
  ['right_click', at, click({ button: 'right', count: 1 })],
  ['mouse_down', at, [{ tool: 'mouse_down', args: { button: 'left', ...there } }]],
  ['mouse_down', {}, [{ tool: 'mouse_down', args: { button: 'left' } }]],
  ['mouse_up', at, [{ tool: 'mouse_up', args: { button: 'left', ...there } }]],
  ['move', { x: 999, y: 999 }, [{ tool: 'move_pointer', args: { x: 1278, y: 799 } }]],
  ['type', { text: 'Abc' }, [typed('Abc')]],
  ['type', { text: 'Abc', press_enter: true }, [typed('Abc'), pressed('enter')]],
  [
    'drag_and_drop',
    { start_x: 0, start_y: 0, end_x: 500, end_y: 250 },
    [{ tool: 'mouse_drag', args: { path: [{ x: 0, y: 0 }, there] } }],
  ],
  [
    'drag_and_drop',
    { x: 500, y: 250, destination_x: 0, destination_y: 0 },
    [{ tool: 'mouse_drag', args: { path: [there, { x: 0, y: 0 }] } }],
  ],
  ['wait', {}, [{ tool: 'wait', args: { duration_ms: 1000 } }]],
  ['wait', { seconds: 2.5 }, [{ tool: 'wait', args: { duration_ms: 2500 } }]],
  ['press_key', { key: 'Enter' }, [pressed('enter')]],
  ['press_key', { key: 'Control+S' }, [pressed('ctrl+s')]],
  ['key_down', { key: 'Shift' }, [{ tool: 'key_down', args: { key: 'Shift' } }]],
  ['key_up', { key: 'Shift' }, [{ tool: 'key_up', args: { key: 'Shift' } }]],
  ['hotkey', { keys: ['control', 'shift', 'T'] }, [pressed('ctrl+shift+t')]],
  ['take_screenshot', {}, []],
  ['scroll', { ...at, direction: 'down' }, wheel({ delta_y: 300, ...there })],
  ['scroll', { ...at, direction: 'left', magnitude_in_pixels: 120 }, wheel({ delta_x: -120, ...there })],
  ['go_back', {}, [pressed('alt+left')]],
  ['go_forward', {}, [pressed('alt+right')]],
  ['navigate', { url: 'https://example.org' }, NO_BROWSER],
  ['open_app', { app_name: 'Mail' }, NO_PHONE],
  ['list_apps', {}, NO_PHONE],
  ['long_press', at, NO_PHONE],
  ['open_web_browser', {}, NO_BROWSER],
  ['search', {}, NO_BROWSER],
  ['wait_5_seconds', {}, [{ tool: 'wait', args: { duration_ms: 5000 } }]],
  ['click_at', at, click({})],
  ['hover_at', at, [{ tool: 'move_pointer', args: there }]],
  ['type_text_at', { ...at, text: 'Abc' }, [...click({}), pressed('ctrl+a'), pressed('backspace'), typed('Abc')]],
  [
    'type_text_at',
    { ...at, text: 'Abc', press_enter: true, clear_before_typing: false },
    [...click({}), typed('Abc'), pressed('enter')],
  ],
  ['key_combination', { keys: 'Control+A' }, [pressed('ctrl+a')]],
  ['scroll_document', { direction: 'down' }, [pressed('pagedown')]],
  ['scroll_document', { direction: 'up' }, [pressed('pageup')]],
  ['scroll_document', { direction: 'right' }, wheel({ delta_x: 640, x: 640, y: 400 })],
  ['scroll_at', { ...at, direction: 'up' }, wheel({ delta_y: -640, ...there })],
  ['scroll_at', { ...at, direction: 'right', magnitude: 100 }, wheel({ delta_x: 128, ...there })],
]

describe('the functions of Gemini', () => {
  it('[CT54] has a case for every function', () => {
    expect([...new Set(FUNCTIONS.map(([name]) => name))].sort()).toEqual([...GEMINI_FUNCTIONS.keys()].sort())
  })

  describe('[CT53] [CT54] [CT58] [CT59] [CT60] translations', () => {
    it.each(FUNCTIONS)('translates %s %j', async (name, args, tools) => {
      const { calls, output, fault } = await tracedCallsOf('gemini', { id: 'f1', name, args })
      const { response, parts } = output as GeminiFunctionResponse
      expect(parts).toMatchObject([{ inlineData: { mimeType: 'image/png' } }])
      if (typeof tools === 'string') {
        expect([response.error, fault?.code]).toEqual([expect.stringContaining(tools), 'PlatformUnsupported'])
        return
      }
      const expected = [...tools, { tool: 'capture_screen' }]
      expect(calls).toMatchObject(expected.map((tool) => ({ ...tool, result_summary: { ok: true } })))
      expect(calls[0]).toMatchObject({ door_call: { door: 'gemini', call: { name, args } } })
      expect([response.output, fault]).toEqual(['Done.', undefined])
    })
  })

  it('[CT53] refuses points outside of the grid', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    for (const [x, y] of [
      [1000, 0],
      [0, 1000],
      [-1, 0],
    ])
      expect((await run(desktop, { name: 'click', args: { x, y } })).fault?.message).toContain('x and y are 0 to 999')
    expect(desktop.computer.desktop.windows[0]!.title).toBe('Acme Login')
  })

  describe('[CT14] arguments that do not fit', () => {
    it.each<[string, string, object | null, string]>([
      ['an unknown name', 'clik', at, 'did you mean "click"?'],
      ['a name that objects have', 'toString', {}, 'there is no function "toString"'],
      ['a missing coordinate', 'click', { x: 1 }, 'y'],
      ['half a point', 'mouse_up', { x: 1 }, 'give both x and y'],
      ['a misspelt argument', 'type', { txt: 'a' }, 'text'],
      ['a text as a coordinate', 'click', { x: '1', y: 1 }, 'x'],
      ['half a drag', 'drag_and_drop', { start_x: 1, start_y: 1, end_x: 1 }, 'end_y'],
      ['too long a wait', 'wait', { seconds: 61 }, 'at most 60'],
      ['an unknown key', 'press_key', { key: 'Entr' }, 'there is no key "Entr"'],
      ['an unknown direction', 'scroll', { ...at, direction: 'in' }, 'direction'],
      ['no arguments', 'type', null, 'text'],
    ])('answers %s by an error', async (_, name, args, message) => {
      const { output, fault } = await run(openDesktop({ scenario: 'login' }), { name, args })
      expect(output).toMatchObject({ name, response: { error: expect.stringContaining(message) } })
      expect(fault?.code).toBe('BadRequest')
    })
  })

  describe('[CT14] requests without a call', () => {
    it.each<[string, unknown]>([
      ['a text', 'click'],
      ['parts without a call', { parts: [{ text: 'I click.' }] }],
      ['parts that are no list', { parts: 'x' }],
      ['no function calls', { functionCalls: [] }],
      ['a call without a name', { functionCall: {} }],
      ['a step without an id', { type: 'function_call', name: 'click', arguments: at }],
      ['arguments that are a list', { name: 'click', args: [1, 2] }],
      ['101 calls', Array.from({ length: 101 }, () => ({ name: 'wait', args: {} }))],
    ])('refuses %s', async (_, body) => {
      await expect(run(openDesktop({ scenario: 'login' }), body)).rejects.toMatchObject({ code: 'BadRequest' })
    })
  })
})

describe('the answers of Gemini', () => {
  const wait = { id: 'f1', name: 'wait', args: { seconds: 0 } }
  const answered = {
    id: 'f1',
    name: 'wait',
    response: { output: 'Done.' },
    parts: [{ inlineData: { mimeType: 'image/png' } }],
  }

  it('[CT55] have the shape of the request', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const output = async (body: object) => (await run(desktop, body)).output
    const { id, ...anonymous } = wait
    expect(await output(wait)).toMatchObject(answered)
    expect(await output(anonymous)).not.toHaveProperty('id')
    expect(await output([wait, wait])).toMatchObject([answered, answered])
    expect(await output({ functionCall: wait })).toMatchObject({ functionResponse: answered })
    expect(await output([{ text: 'I wait.' }, { functionCall: wait }])).toMatchObject([{ functionResponse: answered }])
    expect(await output({ functionCalls: [wait] })).toMatchObject({ functionResponses: [answered] })
    expect(await output({ role: 'model', parts: [{ text: 'I wait.' }, { functionCall: wait }] })).toMatchObject({
      role: 'user',
      parts: [{ functionResponse: answered }],
    })
    for (const call of [{ name: 'hover_at', args: at }, { name: 'go_back' }, { name: 'navigate', args: { url: 'x' } }])
      expect(await output(call)).toMatchObject({ response: { url: 'about:blank' } })
    expect(JSON.stringify(await output(wait))).not.toContain('about:blank')
  })

  it('[CT56] are function_result steps for steps of the Interactions API', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const step = { type: 'function_call', id: 's1', name: 'wait', arguments: { seconds: 0 } }
    const { output } = await run(desktop, [step, { ...step, id: 's2', arguments: { seconds: -1 } }])
    expect(output).toMatchObject([
      {
        type: 'function_result',
        call_id: 's1',
        name: 'wait',
        result: [
          { type: 'text', text: '{"output":"Done."}' },
          { type: 'image', mime_type: 'image/png' },
        ],
      },
      { type: 'function_result', call_id: 's2', is_error: true },
    ])
  })

  it('[CT57] tell which calls were not executed', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const { output } = await run(desktop, [
      { name: 'click', args: grid(320, 212) },
      { name: 'press_key', args: { key: 'nokey' } },
      { name: 'type', args: { text: 'alice' } },
    ])
    const responses = output as GeminiFunctionResponse[]
    expect(responses.map(({ response }) => response.error)).toEqual([
      undefined,
      expect.stringContaining('nokey'),
      'Not executed: an earlier function call failed.',
    ])
    expect(responses.map(({ parts }) => parts?.length)).toEqual([1, 1, undefined])
    expect(await desktop.call('find_element', { selector: 'Edit[name="Username"][value=""]' })).toMatchObject({
      ok: true,
    })
  })
})

describe('the confirmations of Gemini', () => {
  it('[CT61] executes a call that needs confirmation when it is acknowledged', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const safety_decision = { decision: 'require_confirmation', explanation: 'A banner.' }
    const call = { name: 'move', args: { x: 500, y: 500, safety_decision } }
    const refused = await run(desktop, call)
    expect(refused).toMatchObject({
      fault: { code: 'ConfirmationRequired' },
      confirmation: { message: 'A banner.' },
      output: { response: { error: expect.stringContaining('A banner.'), safety_decision } },
    })
    expect(await desktop.call('get_pointer')).toMatchObject({ x: 0, y: 0 })
    const passed = { output: { response: { output: 'Done.', safety_acknowledgement: 'true' } } }
    expect(await run(desktop, { ...call, safety_acknowledgement: true })).toMatchObject(passed)
    const within = { name: 'move', args: { ...call.args, safety_acknowledgement: 'true' } }
    expect(await run(desktop, within)).toMatchObject(passed)
    expect(await run(desktop, call, { acknowledged: [refused.confirmation!.id] })).toMatchObject(passed)
    for (const acknowledged of [['safety'], ['ct:0']])
      expect((await run(desktop, call, { acknowledged })).fault?.code).toBe('ConfirmationRequired')
    const regular = { name: 'move', args: { x: 1, y: 1, safety_decision: { decision: 'regular' } } }
    expect((await run(desktop, regular)).output).toMatchObject({ response: { output: 'Done.' } })
  })

  it('[CT63] continues a call that the gate has stopped', async () => {
    const desktop = openDesktop({ scenario: 'login', config: { confirmation_required: [{ name_regex: '^Login$' }] } })
    await run(desktop, [
      { name: 'type_text_at', args: { ...grid(320, 212), text: 'alice' } },
      { name: 'type_text_at', args: { ...grid(320, 252), text: 'x' } },
    ])
    const click = { name: 'click', args: grid(250, 294) }
    const refused = await run(desktop, click)
    expect(refused.output).toMatchObject({ response: { safety_decision: { decision: 'require_confirmation' } } })
    expect(desktop.computer.desktop.windows[0]!.title).toBe('Acme Login')
    const passed = await run(desktop, { ...click, safety_acknowledgement: true })
    expect([passed.fault, desktop.computer.desktop.windows[0]!.title]).toEqual([undefined, 'Acme — Welcome'])
  })
})

describe('the tool of Gemini', () => {
  it('[CT64] names the desktop as environment', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    expect(await computerTool(desktop, 'gemini')).toEqual({ type: 'computer_use', environment: 'desktop' })
    expect(await computerTool(desktop, 'gemini', { version: 'generateContent' })).toEqual({
      computerUse: { environment: 'ENVIRONMENT_DESKTOP' },
    })
  })
})

describe('a client of Gemini', () => {
  it('[CT65] signs in with functions of the first generation', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const { fault } = await run(desktop, {
      role: 'model',
      parts: [
        {
          functionCall: {
            name: 'type_text_at',
            args: { ...grid(320, 212), text: 'alice', clear_before_typing: false },
          },
        },
        {
          functionCall: {
            name: 'type_text_at',
            args: { ...grid(320, 252), text: 'correct horse', clear_before_typing: false },
          },
        },
        { functionCall: { name: 'click_at', args: grid(250, 294) } },
      ],
    })
    expect(fault).toBe(undefined)
    expect(await endStateOf(desktop)).toEqual(await endOfSolution('login'))
  })

  it('[CT65] drags, holds keys and scrolls with functions of desktops', async () => {
    const desktop = openDesktop({ scenario: INPUT_SCENARIO })
    const app = await createRestApp(desktop)
    const [from, to] = [grid(160, 192), grid(440, 250)]
    const calls = [
      { name: 'drag_and_drop', args: { start_x: from.x, start_y: from.y, end_x: to.x, end_y: to.y } },
      { name: 'click', args: grid(160, 424) },
      { name: 'key_down', args: { key: 'Control' } },
      { name: 'click', args: grid(160, 480) },
      { name: 'key_up', args: { key: 'Control' } },
      { name: 'scroll', args: { ...grid(880, 350), direction: 'right', magnitude_in_pixels: 2400 } },
      { name: 'scroll', args: { ...grid(880, 350), direction: 'down', magnitude_in_pixels: 72_000 } },
      { name: 'click', args: grid(1042, 556) },
      { name: 'double_click', args: grid(420, 424) },
    ]
    const payload = { functionCalls: calls }
    const response = await app.inject({ method: 'POST', url: '/computer/gemini', payload })
    expect([response.statusCode, response.headers['x-backlot-error']]).toEqual([200, undefined])
    expect(await endStateOf(desktop)).toEqual(await endOfSolution(INPUT_SCENARIO))
  })
})
