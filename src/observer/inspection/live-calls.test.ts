import { describe, expect, it } from 'vitest'
import { realDesktop } from '../../../test/support/observer/real-desktop.ts'
import { openDesktop, type TestDesktopOptions } from '../../testing.ts'
import { call } from '../call.ts'
import { liveCalls } from './live-calls.ts'

// Rules such as [OB291] are stated in SPEC.md of the observer.

const DESK = `
events: {saved: {}}
states:
  form:
    windows:
      - uid: app
        title: App
        bounds: {x: 100, y: 100, width: 400, height: 300}
        tree:
          role: Window
          name: App
          children:
            - {id: go, role: Button, name: Go, bounds: {x: 110, y: 140, width: 80, height: 30}}
            - {id: pw, role: Edit, name: Password, secret: true, value: "", bounds: {x: 110, y: 180, width: 80, height: 30}}
            - {id: name, role: Edit, name: Name, value: Ann, bounds: {x: 110, y: 220, width: 80, height: 30}}
            - {id: volume, role: Slider, name: Volume, value_now: 1, value_min: 0, value_max: 9, bounds: {x: 110, y: 260, width: 80, height: 30}}
  done: {}
reactions:
  - {id: pressed, on: {tool: click_element, target_id: go}, in: form, set: [{emit: saved}, {log: Saved}], transition_to: done}
timers:
  - {in: form, after_ms: 200, set: [{id: name, value: Bob}]}
`

function opened(options: TestDesktopOptions = {}) {
  const desk = openDesktop({ scenario: DESK, ...options })
  return { desk, calls: (after = 0) => liveCalls(desk.session, after) }
}

/** The centre of an element on the screen. */
function centreOf(desk: ReturnType<typeof openDesktop>, id: string) {
  const { x, y, width, height } = desk.computer.tree('app')!.children.find((child) => child.id === id)!.bounds
  return { x: x + width / 2, y: y + height / 2 }
}

describe('the log of calls', () => {
  it('[OB291] has calls with arguments as traces write them', async () => {
    const { desk, calls } = opened()
    await desk.call('list_windows')
    await desk.call('click_element', { selector: 'Edit "Password"' })
    await desk.call('type_text', { text: 'hunter2' })
    await desk.tryCall('click_element', { selector: 'Link' })
    await call(desk.session, `no_such_tool${'x'.repeat(300)}` as string, {})
    expect(calls()).toMatchObject([
      { sequence: 1, step_id: 1, tool: 'list_windows', kind: 'look', caller: 'library', ok: true, changed: null },
      { sequence: 2, tool: 'click_element', kind: 'act', args: { selector: 'Edit "Password"' }, changed: true },
      { sequence: 3, tool: 'type_text', args: { text: '<redacted>' }, start_ms: 50, end_ms: 100, step: 2 },
      { sequence: 4, ok: false, error: { code: 'ElementNotFound', message: expect.stringContaining('Link') }, step: 2 },
      { sequence: 5, step_id: null, kind: 'unknown', ok: false, error: { code: 'BadRequest' } },
    ])
    expect(calls()[4]?.tool).toHaveLength(201)
    expect(calls(3).map(({ sequence }) => sequence)).toEqual([4, 5])
    expect(JSON.stringify(calls())).not.toContain('hunter2')
  })

  it('[OB291] keeps the last 500', async () => {
    const { desk, calls } = opened()
    for (let count = 0; count < 1100; count++) await desk.call('list_windows')
    expect(calls().map(({ sequence }) => sequence)).toEqual(Array.from({ length: 500 }, (_, index) => 601 + index))
  })

  it('[OB292] has what happened in the scenario', async () => {
    const { desk, calls } = opened({ faults: [{ fault: 'lost-click', probability: 1, times: 1 }] })
    await desk.call('click_element', { selector: 'Button' })
    await desk.call('session_advance', { ms: 300 })
    await desk.call('click_element', { selector: 'Button' })
    expect(calls().map(({ fired }) => fired)).toEqual([
      [{ kind: 'fault', text: 'lost-click' }],
      [{ kind: 'timer', text: 'timers[0]: after 200 ms in form' }],
      [
        { kind: 'reaction', text: 'reactions[0]: click_element go in form (pressed)' },
        { kind: 'log', text: 'event saved' },
        { kind: 'log', text: 'Saved' },
        { kind: 'transition', text: 'form → done' },
      ],
    ])
  })

  it('[OB292] withholds texts while elements are hidden', async () => {
    const { desk, calls } = opened({ config: { redaction: { element_role_patterns: ['Edit'] } } })
    await desk.call('click_element', { selector: 'Button' })
    expect(calls()[0]?.fired.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'reaction: reactions[0]: click_element go in form (pressed)',
      'log: (withheld, since it may contain hidden text)',
      'log: (withheld, since it may contain hidden text)',
      'transition: form → done',
    ])
  })

  it('[OB293] has the element at the point, or with the keyboard focus', async () => {
    const { desk, calls } = opened()
    await desk.call('click_at', centreOf(desk, 'pw'))
    await desk.call('type_text', { text: 'a' })
    await desk.call('click_at', centreOf(desk, 'name'))
    await desk.call('click_at', centreOf(desk, 'volume'))
    await desk.call('click_at', { x: 400, y: 380 })
    await desk.call('click_at', { x: 900, y: 700 })
    await desk.call('click_element', { element_id: 'go' })
    expect(calls().map(({ hit }) => hit && [hit.selector, hit.positional])).toEqual([
      ['Edit "Password"', false],
      ['Edit "Password"', false],
      ['Edit "Name"', true],
      ['Slider "Volume"', true],
      null,
      null,
      ['Button "Go"', false],
    ])
    expect(calls()[0]?.hit).toMatchObject({ window_uid: 'app', window: 'App', element_id: 'pw', role: 'Edit' })
  })

  it('[OB293] has the element of a receipt on a real desktop', async () => {
    const { session, ask } = realDesktop()
    await ask('click_element', { selector: 'Button', window_uid: 'form' })
    expect(liveCalls(session, 0)).toMatchObject([
      { tool: 'click_element', hit: { element_id: 'ok', window: null, role: null }, explainable: false, step: null },
    ])
  })
})
