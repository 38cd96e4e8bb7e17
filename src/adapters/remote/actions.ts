import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { parseChord, parseKey } from '../../desktop/input/keys.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { ComputerCapability } from '../capabilities.ts'
import type { PerformResult } from '../computer.ts'
import type { RemoteRequest } from './connection.ts'
import type { RemoteServer } from './hello.ts'

/** A request that performs an action. */
export interface ActionRequestOnWire extends RemoteRequest {
  /** How the action is performed, if the answer does not say. */
  readonly via: PerformResult['via']
  /** The time that the action itself takes, in milliseconds. */
  readonly lastsMs?: number
}

const tool = (name: string, body: Body, via: PerformResult['via']): ActionRequestOnWire => ({
  method: 'POST',
  path: `/api/tool/${name}`,
  body,
  via,
})
const route = (path: string, body: Body, via: PerformResult['via']): ActionRequestOnWire => ({
  method: 'POST',
  path,
  body,
  via,
})
type Body = Readonly<Record<string, unknown>>
type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>

/**
 * The request of the documented API that performs an action. Actions on elements are sent as such, so that the other server finds
 * the best way. Throws `PlatformUnsupported` for what the other server lacks, and `BadRequest` for unknown keys.
 */
export function toActionRequest(action: Action, { supports }: Pick<RemoteServer, 'supports'>): ActionRequestOnWire {
  const primitive = supports.primitive_input === true
  const requires = (capability: ComputerCapability, what: string): void => {
    const reason = supports[capability]
    if (reason !== true) throw new Fault('PlatformUnsupported', `${what} is not possible: ${reason}`, { capability })
  }

  switch (action.type) {
    case 'click':
      return click(action)
    case 'hover': {
      const { at, forMs, target } = action
      requires('pointer', 'hovering')
      if (target)
        return { ...route('/api/hover', { ...elementOf(target), hover_ms: forMs }, 'pointer'), lastsMs: forMs }
      if (primitive && forMs === 0) return tool('move_pointer', { ...at }, 'pointer')
      return { ...route('/api/hover', { ...at, hover_ms: forMs }, 'pointer'), lastsMs: forMs }
    }
    case 'drag':
      requires('drag', 'dragging')
      return { ...drag(action), lastsMs: action.durationMs }
    case 'scroll':
      return scroll(action)
    case 'press':
    case 'release': {
      const name = action.type === 'press' ? 'mouse_down' : 'mouse_up'
      requires('primitive_input', name)
      return tool(name, { button: action.button, ...action.at }, 'pointer')
    }
    case 'type':
      requires('keyboard', 'typing')
      if (primitive) return tool('type_text', { text: action.text }, 'keyboard')
      return route('/api/action', { action: 'type', value: action.text }, 'keyboard')
    case 'key':
      requires('keyboard', 'pressing keys')
      parseChord(action.keys)
      if (primitive) return tool('press_key', { keys: action.keys }, 'keyboard')
      return route('/api/action', { action: 'key', value: action.keys }, 'keyboard')
    case 'key_down':
    case 'key_up':
      parseKey(action.key)
      requires('primitive_input', action.type)
      return tool(action.type, { key: action.key }, 'keyboard')
    case 'hold':
      parseChord(action.keys)
      requires('primitive_input', 'hold_key')
      return {
        ...tool('hold_key', { keys: action.keys, duration_ms: action.forMs }, 'keyboard'),
        lastsMs: action.forMs,
      }
    case 'focus':
    case 'invoke':
    case 'clear_text':
      return onElement(action.type, action.target)
    case 'set_value':
      return onElement('set_value', action.target, { value: action.value, clear_first: action.clearFirst })
    case 'select': {
      const { option, target } = action
      const wanted = 'name' in option ? { option_name: option.name } : { option_index: option.index }
      return onElement('select', target, wanted)
    }
    case 'activate':
      requires('raise_windows', 'raising a window')
      return tool('bring_to_foreground', { window_uid: action.window }, 'accessibility')
    case 'window':
      throw new Fault(
        'PlatformUnsupported',
        `the protocol has no request to ${action.to} a window; use its own buttons`,
      )
    case 'set_clipboard':
    case 'write_file':
      requires(action.type === 'set_clipboard' ? 'clipboard' : 'files', action.type)
      throw new Fault('PlatformUnsupported', `${action.type} is not a request to another server`)
  }

  function onElement(name: string, target: Target, more: Body = {}): ActionRequestOnWire {
    requires('accessibility_tree', 'an action on an element')
    return route(`/api/element/${name}`, { ...elementOf(target), ...more }, 'accessibility')
  }

  function click({ at, button, count, modifiers = [], target }: ActionOf<'click'>): ActionRequestOnWire {
    requires('pointer', 'clicking')
    const isPlain = modifiers.length === 0 && button !== 'back' && button !== 'forward'
    if (isPlain && target) return onElement('click', target, { button, count })
    if (isPlain && count <= 2 && !primitive)
      return route('/api/action', { action: 'click_at', ...at, button, double: count === 2 }, 'pointer')
    requires('primitive_input', isPlain ? 'a triple click' : 'a click with a modifier or a side button')
    return tool('mouse_click', { ...at, button, count, modifiers }, 'pointer')
  }

  function drag(action: ActionOf<'drag'>): ActionRequestOnWire {
    const { from, to, modifiers, durationMs, through = [], button = 'left', fromTarget, toTarget } = action
    const window = (fromTarget ?? toTarget)?.window
    const isInOneWindow = (fromTarget?.window ?? window) === (toTarget?.window ?? window)
    if (button !== 'left' || through.length > 0) {
      requires('primitive_input', 'a drag along a path or with another button')
      const path = [from, ...through, to]
      return tool('mouse_drag', { path, button, modifiers, duration_ms: durationMs }, 'pointer')
    }
    const end = (point: typeof from, target: Target | undefined) =>
      target && isInOneWindow ? { element_id: target.element } : point
    return route(
      '/api/drag',
      {
        from: end(from, fromTarget),
        to: end(to, toTarget),
        modifiers,
        duration_s: durationMs / 1000,
        ...(window !== undefined && isInOneWindow && { window_uid: window }),
      },
      'pointer',
    )
  }

  function scroll({ clicks, across = 0, modifiers = [], at, reveals }: ActionOf<'scroll'>): ActionRequestOnWire {
    requires('pointer', 'turning the wheel')
    if (reveals) throw new Fault('PatternUnsupported', 'a row out of view is selected by select_option')
    const isPlain = across === 0 && modifiers.length === 0 && Number.isInteger(clicks)
    if (isPlain) return route('/api/action', { action: 'scroll', clicks, ...at }, 'pointer')
    requires('primitive_input', 'turning the wheel sideways, with a modifier or by parts of a click')
    return tool('mouse_scroll', { delta_x: across, delta_y: 0 - clicks, modifiers, ...at }, 'pointer')
  }
}

const elementOf = ({ window, element }: Target): Body => ({ window_uid: window, element_id: element })
