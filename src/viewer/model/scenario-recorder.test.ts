import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseScenario } from '../../scenario/load/load.ts'
import type { LiveCall, LiveElement } from './live.ts'
import { recordedCalls, solutionOf, testOf } from './scenario-recorder.ts'

// Rules such as [VW58] are stated in ../README.md.

let sequence = 0
const call = (tool: string, args: object = {}, more: Partial<LiveCall> = {}): LiveCall => ({
  sequence: ++sequence,
  step_id: sequence,
  tool,
  kind: 'act',
  caller: 'person',
  args: args as LiveCall['args'],
  ok: true,
  error: null,
  changed: true,
  summary: {},
  wall_time: '2026-01-01T00:00:00.000Z',
  wall_ms: 1,
  start_ms: 0,
  end_ms: 0,
  step: sequence,
  fired: [],
  hit: null,
  explainable: true,
  ...more,
})
const hit = (selector: string, more: Partial<LiveElement> = {}): { readonly hit: LiveElement } => ({
  hit: {
    window_uid: 'front',
    window: 'Front',
    element_id: 'e',
    role: 'Button',
    name: 'Go',
    selector,
    bounds: { x: 0, y: 0, width: 1, height: 1 },
    positional: false,
    ...more,
  },
})

it('[VW58] turns clicks at a point into clicks on the element that received them', () => {
  const calls = [
    call('click_at', { x: 1, y: 2 }, hit('Button "Go"')),
    call('click_at', { x: 1, y: 2, double: true }, hit('Button "Go"', { window_uid: 'back', window: 'Back' })),
    call('click_at', { x: 1, y: 2, button: 'right' }, hit('Edit', { window_uid: 'back', window: 'Back' })),
    call('click_at', { x: 1, y: 2 }, hit('Slider', { positional: true })),
    call('type_text', { text: 'x' }),
  ]
  expect(recordedCalls(calls, 'front')).toEqual([
    { tool: 'click_element', args: { selector: 'Button "Go"' } },
    { tool: 'double_click_element', args: { selector: 'Button "Go"', window_title: 'Back' } },
    { tool: 'right_click_element', args: { selector: 'Edit' } },
    { tool: 'click_at', args: { x: 1, y: 2 } },
    { tool: 'type_text', args: { text: 'x' } },
  ])
})

it('[VW58] keeps what acted and succeeded, and waits for advances of the clock', () => {
  const calls = [
    call('get_screenshot', {}, { kind: 'look' }),
    call('press_key', { keys: 'q' }, { ok: false }),
    call('press_key', { keys: 'a' }, { caller: 'press_key_and_observe' }),
    call('press_key_and_observe', { keys: 'a' }),
    call('press_key', { keys: 'b' }, { caller: 'session_step' }),
    call('session_step', {}, { kind: 'manage' }),
    call('session_advance', { ms: 100 }, { kind: 'manage' }),
    call('session_advance', { ms: 1000 }, { kind: 'manage' }),
  ]
  expect(recordedCalls(calls, undefined)).toEqual([
    { tool: 'press_key_and_observe', args: { keys: 'a' } },
    { tool: 'press_key', args: { keys: 'b' } },
    { tool: 'wait', args: { duration_ms: 1100 } },
  ])
})

it('[VW58] marks texts that the log hides', () => {
  const calls = recordedCalls([call('type_text', { text: 'a' }), call('type_text', { text: '<redacted>' })], undefined)
  expect(solutionOf(calls)).toBe(`solution:
  - {call: type_text, with: {text: "a"}}
  - {call: type_text, with: {text: "<redacted>"}} # fill in the hidden text
`)
  expect(testOf(calls, { scenario: 'desk' })).toContain("{ text: '<redacted>' }) // fill in the hidden text\n")
})

it('[VW58] drops what was rewound or reset', () => {
  const press = (keys: string, step: number) => call('press_key', { keys }, { step })
  const rewound = [press('a', 1), press('b', 2), call('session_rewind', { to_step: 1 }, { kind: 'manage', step: 1 })]
  expect(recordedCalls([...rewound, press('c', 2)], undefined).map(({ args }) => args.keys)).toEqual(['a', 'c'])
  const reset = call('session_reset', {}, { kind: 'manage', step: 0 })
  expect(recordedCalls([...rewound, reset, press('d', 1)], undefined).map(({ args }) => args.keys)).toEqual(['d'])
})

it('[VW58] writes YAML and TypeScript that have the same values, whatever texts contain', () => {
  const texts = ['Button "Go"', "it's", 'a: b # c', '\\', '\n\t\u2028\u0007', '</script>', '{{ x }}', 'on', '😀']
  const calls = texts.map((text) => ({ tool: 'type_text', args: { text, on: true, path: [{ x: 1, y: 2 }] } }))
  expect(parse(solutionOf(calls))).toEqual({
    solution: calls.map(({ tool, args }) => ({ call: tool, with: args })),
  })
  const lines = testOf(calls, { scenario: 'desk', seed: 7, variant: { theme: 'dark' } }).split('\n')
  expect(lines).toContain("  const desktop = openDesktop({ scenario: 'desk', seed: 7, variant: { theme: 'dark' } })")
  const made = lines.filter((line) => line.startsWith('  await desktop.call('))
  const evaluate = (text: string): unknown => new Function(`return [${text}]`)()
  expect(made.map((line) => evaluate(line.slice('  await desktop.call('.length, -1)))).toEqual(
    calls.map(({ tool, args }) => [tool, args]),
  )
  expect(solutionOf([])).toBe('solution: []\n')
})

it('[VW58] writes braces so that they stay text in a scenario with expressions', () => {
  const texts = ['{{ x }}', 'a {{b}} {{', '{{{ "c" }}}', 'Button "{{ x }}"', '}}']
  const calls = texts.map((text) => ({ tool: 'type_text', args: { text } }))
  const typedIn = (head: string, isComposed: boolean) => {
    const { solutions } = parseScenario(`${head}\nstates: {only: {}}\n${solutionOf(calls, { isComposed })}`)
    return JSON.stringify(solutions[0])
  }
  for (const text of texts) {
    expect(typedIn('vars: {x: 1}', true)).toContain(JSON.stringify(text))
    expect(typedIn('name: plain', false)).toContain(JSON.stringify(text))
  }
})
