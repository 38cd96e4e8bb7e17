import { describe, expect, it } from 'vitest'
import { realDesktop } from '../../../test/support/observer/real-desktop.ts'
import { openDesktop } from '../../testing.ts'
import { call } from '../call.ts'
import type { CallWatch } from '../tool.ts'

// Rules such as [OB92] are stated in src/observer/SPEC.md.

/** A window with one of each: a button, a drop zone, a wide area, a field. Each reaction sets a text. */
const DESK = `
name: desk
states:
  a:
    windows:
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 800, height: 600}
        tree:
          role: Window
          name: App
          id: root
          children:
            - {role: Button, name: Card, id: card, bounds: {x: 20, y: 60, width: 100, height: 40}}
            - {role: Group, name: Zone, id: zone, bounds: {x: 300, y: 60, width: 200, height: 100}}
            - {role: Image, name: Middle, id: middle, bounds: {x: 200, y: 60, width: 50, height: 100}}
            - {role: Edit, name: Notes, id: notes, value: "", bounds: {x: 20, y: 200, width: 300, height: 30}}
            - {role: Text, name: Event, id: event, value: "", bounds: {x: 20, y: 300, width: 300, height: 30}}
            - {role: Button, name: Delete all, id: delete, bounds: {x: 20, y: 400, width: 100, height: 40}}
initial_state: a
reactions:
  - on: {tool: double_click_element, target_id: card}
    set: [{id: event, value: double}]
  - on: {tool: drop, target_id: zone, from_id: card}
    set: [{id: event, value: dropped}]
  - on: {tool: drag, target_id: middle}
    set: [{id: event, value: dragged}]
  - on: {tool: right_click_element, target_id: card}
    set: [{id: event, value: menu}]
  - on: {tool: click_element, target_id: card}
    set: [{id: event, value: clicked}]
  - on: {tool: hover_element, target_id: middle}
    set: [{id: event, value: passed}]
  - on: {keys: BrowserBack}
    set: [{id: event, value: back}]
  - on: {keys: alt+right}
    set: [{id: event, value: forward}]
  - on: {keys: ctrl+s}
    set: [{id: event, value: saved}]
  - on: {keys: f5}
    set: [{id: event, value: reloaded}]
`
const CARD = { x: 60, y: 80 }
const ZONE = { x: 400, y: 100 }
const MIDDLE = { x: 220, y: 100 }

const desk = () => openDesktop({ scenario: DESK })
type Desk = ReturnType<typeof desk>

const value = async (on: Desk, id: string) =>
  ((await on.call('get_window_structure', { scope: id })).tree as { value: string }).value
/** The event after some calls on a new desktop. */
const eventAfter = async (...calls: readonly (readonly [tool: string, args: object])[]) => {
  const on = desk()
  for (const [tool, args] of calls) await on.call(tool, args)
  return value(on, 'event')
}

describe('the mouse', () => {
  it('[OB90] returns the pointer and what is held', async () => {
    const on = desk()
    await on.call('move_pointer', { x: 220, y: 100 })
    await on.call('mouse_down', { button: 'right' })
    await on.call('key_down', { key: 'Control_L' })
    expect(await on.call('get_pointer')).toMatchObject({ x: 220, y: 100, buttons: ['right'], keys: ['ctrl'] })
  })

  it('[OB90] returns the pointer in pixels of the screen', async () => {
    for (const axes of [{ scale: 2 }, { locale: 'mirrored' }]) {
      const on = openDesktop({ scenario: DESK })
      await on.call('session_reset', { variant: axes })
      for (const at of [{ x: 100, y: 215 }, CARD, { x: 311, y: 217 }]) {
        await on.call('move_pointer', at)
        const { x, y } = (await on.call('get_pointer')) as { x: number; y: number }
        await on.call('move_pointer', { x, y })
        expect([axes, await on.call('get_pointer')]).toMatchObject([axes, { x, y }])
        expect(Math.max(Math.abs(x - at.x), Math.abs(y - at.y))).toBeLessThan(2)
      }
    }
  })

  it('[OB91] acts where the pointer is without a point, and needs both of its coordinates', async () => {
    const on = desk()
    await on.call('move_pointer', CARD)
    expect(await on.call('mouse_click', { count: 2 })).toMatchObject({ action: 'mouse_click', ...CARD, count: 2 })
    expect(await value(on, 'event')).toBe('double')
    const { error } = await on.tryCall('mouse_down', { x: 5 })
    expect(error).toMatchObject({ code: 'BadRequest', message: 'y: give both x and y, or neither' })
  })

  it.each([
    [
      'clicked',
      [
        ['mouse_down', CARD],
        ['mouse_up', {}],
      ],
    ],
    [
      'double',
      [
        ['mouse_down', CARD],
        ['mouse_up', {}],
        ['mouse_down', CARD],
        ['mouse_up', {}],
      ],
    ],
    [
      'clicked',
      [
        ['mouse_down', CARD],
        ['mouse_up', {}],
        ['wait', { duration_ms: 600 }],
        ['mouse_down', CARD],
        ['mouse_up', {}],
      ],
    ],
    [
      'menu',
      [
        ['mouse_down', { ...CARD, button: 'right' }],
        ['mouse_up', { button: 'right' }],
      ],
    ],
    ['menu', [['mouse_click', { ...CARD, button: 'right' }]]],
    [
      'dropped',
      [
        ['mouse_down', CARD],
        ['mouse_up', ZONE],
      ],
    ],
    [
      'passed',
      [
        ['mouse_down', CARD],
        ['move_pointer', MIDDLE],
      ],
    ],
    [
      'dropped',
      [
        ['mouse_down', CARD],
        ['move_pointer', MIDDLE],
        ['move_pointer', ZONE],
        ['mouse_up', {}],
      ],
    ],
    ['dropped', [['mouse_drag', { path: [CARD, ZONE] }]]],
    ['dropped', [['mouse_drag', { path: [CARD, MIDDLE, ZONE] }]]],
    ['passed', [['mouse_drag', { path: [CARD, MIDDLE, { x: 600, y: 500 }] }]]],
    ['dragged', [['mouse_drag', { path: [MIDDLE, ZONE] }]]],
    ['', [['mouse_drag', { path: [CARD, ZONE], button: 'middle' }]]],
    ['back', [['mouse_click', { ...ZONE, button: 'back' }]]],
    [
      'forward',
      [
        ['mouse_down', { ...ZONE, button: 'forward' }],
        ['mouse_up', { button: 'forward' }],
      ],
    ],
  ] as const)('[OB92] triggers the reaction "%s" by %j', async (event, calls) => {
    expect(await eventAfter(...calls)).toBe(event)
  })

  it('[OB92] goes back nowhere without a reaction or a control, and the result states it', async () => {
    const on = openDesktop({ scenario: DESK.replace('BrowserBack', 'f9') })
    expect(await on.call('mouse_click', { ...ZONE, button: 'back' })).toMatchObject({
      changed: false,
      via: 'nothing',
      note: 'nothing at 400,100 goes back in a history, so nothing received the button',
    })
  })

  it('[OB93] turns the wheel by clicks and pixels', async () => {
    const given: unknown[] = []
    const { ask } = realDesktop({
      perform: (action) => {
        given.push(action)
        return { via: 'pointer' }
      },
    })
    await ask('mouse_scroll', { delta_y: 2, delta_x: -1, modifiers: ['ctrl'] })
    await ask('mouse_scroll', { x: 9, y: 9, delta_y: -180, unit: 'pixels' })
    expect(given).toEqual([
      { type: 'scroll', clicks: -2, across: -1, at: { x: 5, y: 5 }, modifiers: ['ctrl'] },
      { type: 'scroll', clicks: 1.5, at: { x: 9, y: 9 } },
    ])
    const { body } = await ask('mouse_scroll', { delta_y: 1001 })
    expect(body.error).toMatchObject({ code: 'BadRequest', message: 'delta_y: at most 1000 clicks at once, not 1001' })
  })

  it('[OB70] does nothing in a dry run', async () => {
    const on = desk()
    for (const [tool, args] of [
      ['mouse_down', CARD],
      ['mouse_up', CARD],
      ['mouse_click', CARD],
      ['move_pointer', CARD],
      ['mouse_drag', { path: [CARD, ZONE] }],
      ['mouse_scroll', { delta_y: 1 }],
      ['key_down', { key: 'a' }],
      ['key_up', { key: 'a' }],
      ['hold_key', { keys: 'a', duration_ms: 100 }],
      ['press_keys', { keys: 'f5' }],
      ['wait', { duration_ms: 100 }],
    ] as const)
      expect(await on.call(tool as string, { ...args, dry_run: true })).toMatchObject({ dry_run: true })
    expect([on.computer.stepCount, on.clock.now() - on.computer.run.startedAtMs]).toEqual([0, 0])
  })

  it('[OB261] needs a token for the press and the release of a button on a protected element', async () => {
    const config = { confirmation_required: [{ name_regex: 'Delete.*' }] }
    const on = openDesktop({ scenario: DESK, config })
    const at = { x: 60, y: 420 }
    const { error } = await on.tryCall('mouse_down', at)
    expect(error).toMatchObject({ code: 'ConfirmationRequired', context: { target: { element_id: 'delete' } } })
    const token = async (action: string, args: object) =>
      (await on.call('propose_action', { action, args: args as Record<string, unknown> })).confirm_token
    await on.call('mouse_down', { ...at, confirm_token: await token('mouse_down', at) })
    expect((await on.tryCall('mouse_up')).error).toMatchObject({ code: 'ConfirmationRequired' })
    await on.call('mouse_up', { confirm_token: await token('mouse_up', {}) })
    await on.call('mouse_down', CARD)
    expect((await on.tryCall('mouse_up', at)).error).toMatchObject({ code: 'ConfirmationRequired' })
  })
})

describe('held input', () => {
  const held = async (on: Pick<Desk, 'call'>) => {
    const { buttons, keys } = await on.call('get_pointer')
    return [buttons, keys]
  }
  const BOTH = [['left'], ['shift']]

  it('[OB95] stays so in forks and rewinds, and is released by a reset', async () => {
    const on = desk()
    await on.call('mouse_down', CARD)
    await on.call('key_down', { key: 'shift' })
    const fork = on.session.fork('other')
    expect(fork.computer.pointer()).toMatchObject({ buttons: ['left'], keys: ['shift'] })
    await on.call('key_up', { key: 'shift' })
    await on.call('mouse_up')
    await on.call('session_rewind', { to_step: 2 })
    expect(await held(on)).toEqual(BOTH)
    await on.call('session_reset')
    expect(await held(on)).toEqual([[], []])
  })

  it("[OB95] is released by the operator's stop", async () => {
    const on = desk()
    await on.call('mouse_down', CARD)
    await on.call('key_down', { key: 'shift' })
    on.session.stop()
    expect(await held(on)).toEqual([[], []])
    expect((await on.tryCall('mouse_up')).error).toMatchObject({ code: 'PermissionDenied' })
  })
})

describe('the keyboard', () => {
  it('[OB94] triggers reactions by held keys, once each', async () => {
    expect(await eventAfter(['key_down', { key: 'ctrl' }], ['press_keys', { keys: 's' }])).toBe('saved')
    expect(await eventAfter(['key_down', { key: 'ctrl' }], ['key_down', { key: 's' }])).toBe('saved')
    expect(await eventAfter(['key_down', { key: 'ctrl' }], ['type_text', { text: 's' }])).toBe('saved')
    expect(await eventAfter(['hold_key', { keys: 'F5', duration_ms: 1000 }])).toBe('reloaded')
    expect(await eventAfter(['key_down', { key: 'ctrl' }], ['key_up', { key: 'ctrl' }])).toBe('')
  })

  it('[OB94] presses several times, and holds keys for their time', async () => {
    const on = desk()
    await on.call('click_element', { element_id: 'notes' })
    await on.call('press_keys', { keys: 'a', repeat: 3 })
    expect(await value(on, 'notes')).toBe('aaa')
    const startedMs = on.clock.now()
    await on.call('hold_key', { keys: 'b', duration_ms: 550 })
    expect([await value(on, 'notes'), on.clock.now() - startedMs]).toEqual(['aaabbb', 600])
  })

  it('[OB96] lets time pass', async () => {
    const on = desk()
    const startedMs = on.clock.now()
    expect(await on.call('wait', { duration_ms: 1500 })).toMatchObject({ duration_ms: 1500, clock: 'virtual' })
    expect(on.clock.now() - startedMs).toBe(1500)
  })

  it.each([
    [{}, 90_000, 60_000],
    [{ max_timeout_ms: 300 }, 90_000, 300],
    [{ max_timeout_ms: 120_000 }, 90_000, 90_000],
  ])('[OB97] cuts a wait to the limit of all waits, and says so: %j', async (wait_for, duration_ms, waitedMs) => {
    const on = openDesktop({ scenario: DESK, config: { wait_for } })
    const startedMs = on.clock.now()
    const { note, duration_ms: saidMs } = await on.call('wait', { duration_ms })
    expect([saidMs, on.clock.now() - startedMs, note]).toEqual([
      waitedMs,
      waitedMs,
      waitedMs < duration_ms
        ? `duration_ms 90000 was cut to ${waitedMs}, the most that this server waits; call again`
        : undefined,
    ])
  })

  it('[OB96] waits on a real clock in parts, until the operator stops it or the caller cancels', async () => {
    const { session, clock } = realDesktop()
    const ended: string[] = []
    const reported: number[] = []
    const waiting = (watch: CallWatch) =>
      call(session, 'wait', { duration_ms: 5000 }, { watch }).then(({ body }) => {
        ended.push(`${body.duration_ms ?? (body.error as { code: string }).code}`)
      })
    const whole = waiting({ onProgress: ({ elapsedMs }) => reported.push(elapsedMs) })
    await clock.advance(4999)
    expect([ended, reported]).toEqual([[], [1000, 2000, 3000, 4000]])
    await clock.advance(1)
    await whole
    const cancel = new AbortController()
    const cancelled = waiting({ signal: cancel.signal })
    await clock.advance(100)
    cancel.abort()
    await cancelled
    const stopped = waiting({})
    await clock.advance(300)
    session.stop()
    await stopped
    expect(ended).toEqual(['5000', 'Timeout', '300'])
  })

  it.each([
    ['key_down', { key: 'Retrun' }, 'return'],
    ['press_keys', { keys: 'ctrl+pagdown' }, 'pagedown'],
    ['hold_key', { keys: 'excape', duration_ms: 1 }, 'escape'],
  ])('[OB98] %s %j reports similar names', async (tool, args, near) => {
    const { error } = await desk().tryCall(tool as string, args)
    expect(error).toMatchObject({ code: 'BadRequest', message: expect.stringContaining(near) })
  })
})
