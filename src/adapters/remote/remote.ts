import { Fault } from '../../base/fault.ts'
import type { Action, Button } from '../../desktop/input/action.ts'
import { parseChord, parseKey } from '../../desktop/input/keys.ts'
import type { Monitor, Target } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { EMPTY_RECT, type Rect, unite } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import type { ComputerCapability } from '../capabilities.ts'
import {
  type Computer,
  isAway,
  type PerformOptions,
  type PerformResult,
  type PointerState,
  type WindowInfo,
} from '../computer.ts'
import { inputStopped } from '../real-input.ts'
import {
  createRemoteConnection,
  DEFAULT_REMOTE_TIMEOUTS,
  isLacking,
  isWindowGone,
  misunderstood,
  parseRemoteAddress,
  type RemoteAnswer,
  type RemoteRequest,
  type RemoteTimeouts,
  recover,
} from './connection.ts'
import { greet, type RemoteServer } from './hello.ts'
import {
  assumedMonitors,
  blackPicture,
  overlapping,
  partOfScreen,
  rectOf,
  stackingOrder,
  toElements,
  toMonitors,
  toPicture,
  toWindows,
} from './observation.ts'

/** Which other server to use. */
export interface RemoteOptions {
  /** The URL of an observer, or of one of its sessions. */
  readonly url: string
  /** Sent to that server as `Authorization: Bearer …`. Never logged. */
  readonly token?: string | undefined
  readonly timeouts?: Partial<RemoteTimeouts> | undefined
  /** Receives one line per circumstance that the operator should know. */
  readonly warn?: ((line: string) => void) | undefined
}

/** How long closing waits for held input to be released, and stopping for the other server. */
const MAX_FAREWELL_MS = 3000
const STOP_ATTEMPTS = 3

/**
 * Opens the desktop that another observer serves. Throws `BadRequest` for a URL that cannot be used, and the reason why the server
 * cannot be used. Later, each call without an answer is a `Timeout`, and the next call connects again.
 */
export async function openRemoteComputer(options: RemoteOptions): Promise<Computer> {
  const address = parseRemoteAddress(options.url)
  const connection = createRemoteConnection(address, options.token)
  const { at } = connection
  const { helloMs, readMs, actMs } = { ...DEFAULT_REMOTE_TIMEOUTS, ...options.timeouts }
  const server = await greet(connection, helloMs)
  const { tools, treeDepth, supports } = server
  if (options.token !== undefined && address.exposed)
    options.warn?.(`the token for ${address.base} is sent without encryption; use https or a tunnel`)
  if (server.synthetic)
    options.warn?.(
      `${address.base} serves a scenario; unless it runs with --clock real, its time passes only while it acts`,
    )
  const stop = new AbortController()
  const held = new Map<string, Action>()
  const trees = new Map<string, Element>()
  let order: { readonly key: string; readonly uids: readonly string[] } | undefined
  let stopping: Promise<void> | undefined
  let closed = false

  const send = (request: RemoteRequest): Promise<RemoteAnswer> => {
    if (closed) throw new Fault('PlatformUnsupported', 'this computer has been closed')
    return connection.send(request, { timeoutMs: readMs })
  }
  const get = (path: string, query: RemoteRequest['query'] = {}) => send({ method: 'GET', path, query })

  const listWindows = async (): Promise<readonly WindowInfo[]> => {
    const windows = toWindows(await get('/api/windows'))
    if (!windows) throw misunderstood('sent a malformed list of windows', at)
    for (const uid of trees.keys()) if (!windows.some((window) => window.uid === uid)) trees.delete(uid)
    return windows
  }
  const regionsOf = async ({ uid }: WindowInfo): Promise<readonly [string, readonly Rect[]]> => {
    const { visible_regions: regions } = await get('/api/visible_areas', { window_uid: uid }).catch(
      recover<RemoteAnswer>(isWindowGone, {}),
    )
    return [uid, Array.isArray(regions) ? regions.flatMap((region) => rectOf(region) ?? []) : []]
  }
  /** The list is sorted by focus and title. The order of the stack follows from what is visible of each window. */
  const windows = async (): Promise<readonly WindowInfo[]> => {
    const listed = (await listWindows()).filter((window) => !isAway(window))
    const crowded = overlapping(listed)
    if (crowded.length === 0 || supports.stacking_order !== true) return stackingOrder(listed, new Map())
    const key = JSON.stringify(listed.map(({ uid, bounds, focused }) => [uid, bounds, focused]))
    if (order?.key !== key) {
      const regions = new Map(await Promise.all(crowded.map(regionsOf)))
      order = { key, uids: stackingOrder(listed, regions).map(({ uid }) => uid) }
    }
    const place = new Map(order.uids.map((uid, index) => [uid, index]))
    return [...listed].sort((a, b) => place.get(a.uid)! - place.get(b.uid)!)
  }
  const monitors = async (): Promise<readonly Monitor[]> => {
    const answer = await get('/api/monitors').catch(recover(isLacking, undefined))
    if (!answer) return assumedMonitors(await listWindows())
    const listed = toMonitors(answer)
    if (!listed) throw misunderstood('sent a malformed list of monitors', at)
    return listed
  }

  const pictureIn = (answer: RemoteAnswer): Picture => {
    const picture = toPicture(answer)
    if (!picture) throw misunderstood('sent no PNG where a picture was expected', at)
    return picture
  }
  const ofWindow = async (uid: string): Promise<Picture> => {
    const answer = await get('/api/screenshot', { window_uid: uid })
    // Servers that do not know the window may send the whole screen.
    const isNamed = answer.window_uid === undefined && (await listWindows()).some((window) => window.uid === uid)
    if (answer.window_uid !== uid && !isNamed) throw noWindow(uid)
    return pictureIn(answer)
  }
  const ofArea = async (area: Rect): Promise<Picture> => {
    if (!tools.has('capture_screen')) return partOfScreen(...(await ofScreen()), area)
    const request: RemoteRequest = { method: 'POST', path: '/api/tool/capture_screen', body: { region: area } }
    const answer = await send(request).catch((thrown) => {
      // The area is outside of the screen.
      if (thrown instanceof Fault && thrown.code === 'BadRequest') return undefined
      throw thrown
    })
    return answer ? partOfScreen(pictureIn(answer), rectOf(answer.region) ?? area, area) : blackPicture(area)
  }
  const ofScreen = async (): Promise<[picture: Picture, shown: Rect]> => {
    const [answer, known] = await Promise.all([get('/api/screenshot'), monitors()])
    const picture = pictureIn(answer)
    const whole = known.map(({ bounds }) => bounds).reduce(unite, EMPTY_RECT)
    const primary = known.find((monitor) => monitor.primary)?.bounds ?? whole
    const shown = [whole, primary].find(({ width, height }) => width === picture.width && height === picture.height)
    return [picture, shown ?? { x: 0, y: 0, width: picture.width, height: picture.height }]
  }

  /** Keys go to the window with the keyboard, which may have changed since the action was admitted. */
  const checkKeyboard = async ({ keyboardWindow }: PerformOptions, { via }: { readonly via: string }) => {
    if (via !== 'keyboard' || keyboardWindow === undefined) return
    const focused = (await listWindows()).find((window) => window.focused)
    if (focused?.uid !== keyboardWindow)
      throw new Fault('WindowOccluded', 'another window has taken the keyboard; nothing was typed')
  }

  const perform = async (action: Action, given: PerformOptions = {}): Promise<PerformResult> => {
    if (stop.signal.aborted) throw inputStopped()
    const { via, lastsMs = 0, ...request } = toActionRequest(action, server)
    await checkKeyboard(given, { via })
    const body = { ...request.body, ...(given.settleMs !== undefined && { settle_ms: given.settleMs }) }
    const isDocumented = request.path === '/api/action'
    if (action.type === 'press') held.set(action.button, { ...action, type: 'release' })
    if (action.type === 'key_down') held.set(action.key, { ...action, type: 'key_up' })
    const answer = await connection.send(isDocumented ? request : { ...request, body }, {
      timeoutMs: actMs + lastsMs + (given.settleMs ?? 0),
      signal: stop.signal,
      acts: true,
    })
    if (action.type === 'activate') order = undefined
    if (action.type === 'release') held.delete(action.button)
    if (action.type === 'key_up') held.delete(action.key)
    return { via: isVia(answer.via) ? answer.via : via, ...(typeof answer.note === 'string' && { note: answer.note }) }
  }

  /** Ends all input of the other server too. It is tried several times, because the server may be busy. */
  const stopServer = async (): Promise<void> => {
    const request: RemoteRequest = { method: 'POST', path: '/api/stop-all', ofServer: true, body: {} }
    for (let attempt = 1; attempt <= STOP_ATTEMPTS; attempt++) {
      try {
        await connection.send(request, { timeoutMs: MAX_FAREWELL_MS })
        return
      } catch (thrown) {
        if (attempt === STOP_ATTEMPTS)
          options.warn?.(`${address.base} could not be stopped: ${Fault.from(thrown).message}`)
      }
    }
  }

  return {
    info: {
      platform: server.platform,
      adapter: 'RemoteAdapter',
      synthetic: false,
      supports,
      typesAtIntervals: supports.primitive_input === true,
    },
    monitors,
    windows,
    hiddenWindows: async () => (await listWindows()).filter(isAway),
    async tree(uid) {
      // Closed dialogs are left out by this server, not by the other.
      const query = { window_uid: uid, visible_only: 'false', ...(treeDepth !== undefined && { depth: treeDepth }) }
      const answer = await get('/api/structure', query).catch(recover(hasNoTree, undefined))
      // Servers that do not know the window may send the tree of another one.
      if (!answer || (answer.window_uid !== undefined && answer.window_uid !== uid)) {
        trees.delete(uid)
        return undefined
      }
      const tree = toElements(answer.tree, trees.get(uid))
      if (!tree) throw misunderstood('sent a malformed tree', at)
      trees.set(uid, tree)
      return tree
    },
    async screenshot(of) {
      if ('window' in of) return ofWindow(of.window)
      if ('area' in of) return ofArea(of.area)
      const [[picture, shown], known] = await Promise.all([ofScreen(), monitors()])
      return partOfScreen(picture, shown, known.map(({ bounds }) => bounds).reduce(unite, EMPTY_RECT))
    },
    async pointer() {
      if (supports.primitive_input !== true)
        throw new Fault('PlatformUnsupported', `the pointer cannot be read: ${supports.primitive_input}`)
      return toPointer(await send({ method: 'POST', path: '/api/tool/get_pointer', body: {} }))
    },
    perform,
    abort({ closing = false } = {}) {
      stop.abort()
      if (!closing) stopping ??= stopServer()
    },
    async close() {
      if (closed) return
      closed = true
      stop.abort()
      await stopping
      // What this computer holds down would stay down on the other desktop.
      const releases = [...held.values()].map((action) => {
        const { via: _via, ...request } = toActionRequest(action, server)
        return connection.send(request, { timeoutMs: MAX_FAREWELL_MS, acts: true }).catch(() => {})
      })
      await Promise.all(releases)
    },
  }
}

const noWindow = (uid: string): Fault => new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })

const hasNoTree = (thrown: unknown): boolean => isWindowGone(thrown) || isLacking(thrown)

const VIAS: ReadonlySet<unknown> = new Set<PerformResult['via']>([
  'reaction',
  'behaviour',
  'accessibility',
  'pointer',
  'keyboard',
  'nothing',
])
const isVia = (value: unknown): value is PerformResult['via'] => VIAS.has(value)

function toPointer({ x, y, buttons, keys }: RemoteAnswer): PointerState {
  const texts = (value: unknown) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [])
  return { at: { x: Number(x) || 0, y: Number(y) || 0 }, buttons: texts(buttons) as Button[], keys: texts(keys) }
}

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
      if (primitive) return tool('type_text', { text: action.text, interval_ms: action.intervalMs }, 'keyboard')
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
    case 'webmcp_call':
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
