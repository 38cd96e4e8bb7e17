import { describe, expect, it } from 'vitest'
import type { Action } from '../../desktop/input/action.ts'
import { capabilitiesWithout } from '../capabilities.ts'
import { REMOTE_LIMITS, remoteCapabilities } from './hello.ts'
import { toActionRequest } from './remote.ts'

const at = { x: 3, y: 4 }
const target = { window: 'w', element: 'e1' }
const named = { window_uid: 'w', element_id: 'e1' }
const FULL = { supports: capabilitiesWithout(REMOTE_LIMITS) }
/** A server with the routes of the document only. */
const DOCUMENTED = { supports: remoteCapabilities(new Set(), {}) }

const sent = (action: Action, server = FULL) => {
  const { path, body } = toActionRequest(action, server)
  return [path, body]
}

describe('actions of a server with all tools', () => {
  it.each<[Action, string, object]>([
    [
      { type: 'click', at, button: 'left', count: 1 },
      '/api/tool/mouse_click',
      { ...at, button: 'left', count: 1, modifiers: [] },
    ],
    [
      { type: 'click', at, target, button: 'right', count: 2 },
      '/api/element/click',
      { ...named, button: 'right', count: 2 },
    ],
    [
      { type: 'click', at, target, button: 'left', count: 1, modifiers: ['ctrl'] },
      '/api/tool/mouse_click',
      { ...at, button: 'left', count: 1, modifiers: ['ctrl'] },
    ],
    [{ type: 'hover', at, forMs: 0 }, '/api/tool/move_pointer', at],
    [{ type: 'hover', at, forMs: 90 }, '/api/hover', { ...at, hover_ms: 90 }],
    [{ type: 'hover', at, forMs: 90, target }, '/api/hover', { ...named, hover_ms: 90 }],
    [
      { type: 'drag', from: at, to: at, modifiers: ['shift'], durationMs: 500, fromTarget: target },
      '/api/drag',
      { from: { element_id: 'e1' }, to: at, modifiers: ['shift'], duration_s: 0.5, window_uid: 'w' },
    ],
    [
      { type: 'drag', from: at, to: at, modifiers: [], durationMs: 5, through: [{ x: 9, y: 9 }] },
      '/api/tool/mouse_drag',
      { path: [at, { x: 9, y: 9 }, at], button: 'left', modifiers: [], duration_ms: 5 },
    ],
    [{ type: 'scroll', clicks: -2, at }, '/api/action', { action: 'scroll', clicks: -2, ...at }],
    [
      { type: 'scroll', clicks: -2, across: 1, at },
      '/api/tool/mouse_scroll',
      { delta_x: 1, delta_y: 2, modifiers: [], ...at },
    ],
    [{ type: 'press', at, button: 'back' }, '/api/tool/mouse_down', { ...at, button: 'back' }],
    [{ type: 'release', at, button: 'back' }, '/api/tool/mouse_up', { ...at, button: 'back' }],
    [{ type: 'type', text: 'a' }, '/api/tool/type_text', { text: 'a' }],
    [{ type: 'key', keys: 'ctrl+s' }, '/api/tool/press_key', { keys: 'ctrl+s' }],
    [{ type: 'key_down', key: 'shift' }, '/api/tool/key_down', { key: 'shift' }],
    [{ type: 'key_up', key: 'shift' }, '/api/tool/key_up', { key: 'shift' }],
    [{ type: 'hold', keys: 'a', forMs: 700 }, '/api/tool/hold_key', { keys: 'a', duration_ms: 700 }],
    [{ type: 'focus', target, at }, '/api/element/focus', named],
    [{ type: 'invoke', target, at }, '/api/element/invoke', named],
    [{ type: 'clear_text', target, at }, '/api/element/clear_text', named],
    [
      { type: 'set_value', target, at, value: 'v', clearFirst: false },
      '/api/element/set_value',
      { ...named, value: 'v', clear_first: false },
    ],
    [{ type: 'select', target, at, option: { name: 'Red' } }, '/api/element/select', { ...named, option_name: 'Red' }],
    [{ type: 'select', target, at, option: { index: 2 } }, '/api/element/select', { ...named, option_index: 2 }],
    [{ type: 'activate', window: 'w' }, '/api/tool/bring_to_foreground', { window_uid: 'w' }],
  ])('[RM7] %j is one request', (action, path, body) => {
    expect(sent(action)).toEqual([path, body])
  })

  it('[RM7] takes longer for actions that last', () => {
    expect(toActionRequest({ type: 'hold', keys: 'a', forMs: 700 }, FULL).lastsMs).toBe(700)
  })

  it.each<Action>([
    { type: 'set_clipboard', text: 'a' },
    { type: 'write_file', path: '/a', text: 'a' },
    { type: 'window', window: 'w', to: 'close' },
  ])('[RM14] %j is not possible', (action) => {
    expect(() => sent(action)).toThrow(expect.objectContaining({ code: 'PlatformUnsupported' }))
  })
})

describe('actions of a server with the documented routes only', () => {
  it.each<[Action, string, object]>([
    [
      { type: 'click', at, button: 'left', count: 2 },
      '/api/action',
      { action: 'click_at', ...at, button: 'left', double: true },
    ],
    [{ type: 'hover', at, forMs: 0 }, '/api/hover', { ...at, hover_ms: 0 }],
    [{ type: 'type', text: 'a' }, '/api/action', { action: 'type', value: 'a' }],
    [{ type: 'key', keys: 'ctrl+s' }, '/api/action', { action: 'key', value: 'ctrl+s' }],
    [{ type: 'scroll', clicks: 3 }, '/api/action', { action: 'scroll', clicks: 3 }],
  ])('[RM7] %j is one documented request', (action, path, body) => {
    expect(sent(action, DOCUMENTED)).toEqual([path, body])
  })

  it.each<Action>([
    { type: 'click', at, button: 'left', count: 3 },
    { type: 'click', at, button: 'back', count: 1 },
    { type: 'click', at, button: 'left', count: 1, modifiers: ['ctrl'] },
    { type: 'scroll', clicks: 1, across: 1 },
    { type: 'drag', from: at, to: at, modifiers: [], durationMs: 1, button: 'right' },
    { type: 'press', at, button: 'left' },
    { type: 'key_down', key: 'shift' },
    { type: 'hold', keys: 'a', forMs: 1 },
    { type: 'activate', window: 'w' },
  ])('[RM14] %j is not possible, and the reason names the missing tools', (action) => {
    expect(() => sent(action, DOCUMENTED)).toThrow(
      expect.objectContaining({
        code: 'PlatformUnsupported',
        message: expect.stringContaining('the other server does not offer'),
      }),
    )
  })
})

it('[RM14] the reasons of the other server are passed on', () => {
  const reason = 'Wayland does not let other programs press keys'
  const supports = remoteCapabilities(new Set(['bring_to_foreground']), {
    supports: { drag: false, accessibility_tree: true },
    unsupported: { keyboard: reason, nonsense: 'x' },
  })
  expect(supports).toMatchObject({
    accessibility_tree: true,
    raise_windows: true,
    keyboard: reason,
    drag: 'the desktop of the other server does not support drag',
    simulation: REMOTE_LIMITS.simulation,
  })
  expect(Object.keys(supports)).not.toContain('nonsense')
  expect(() => sent({ type: 'type', text: 'a' }, { supports })).toThrow(
    expect.objectContaining({ message: `typing is not possible: ${reason}` }),
  )
})
