import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { Computer, PerformResult, WindowInfo } from '../computer.ts'
import { type Accessibility, type App, childrenOf } from './accessibility/accessibility.ts'
import { type Found, findIn, nameOf, optionIn } from './accessibility/element-lookup.ts'
import { type Dressed, dress } from './accessibility/element-tree.ts'
import { noLessons } from './accessibility/node-details.ts'
import { type Reading, readTree } from './accessibility/read-tree.ts'
import { hasState } from './accessibility/roles.ts'
import * as patterns from './actions/patterns.ts'
import type { Ref } from './dbus/bus.ts'
import { processName } from './x11/process.ts'

/** A window of which only accessibility knows. */
interface Frame {
  readonly info: WindowInfo
  readonly dressed: Dressed
}

const REMEDY = 'log out and choose "X11" or "Xorg" at the login screen'

/**
 * A Wayland desktop: it tells no program where windows are, what they look like or which is on top, and takes no input
 * from programs. What remains is what accessibility does by itself: trees, and the elements' own actions and values.
 */
export function waylandComputer(open: () => Promise<Accessibility>, close: () => Promise<void>): Computer {
  const numbers = new Map<string, number>()
  const uidOf = ({ bus, path }: Ref): string => {
    const key = bus + path
    numbers.set(key, numbers.get(key) ?? numbers.size + 1)
    return `atspi:${numbers.get(key)}`
  }
  const frames = async (): Promise<readonly Frame[]> => {
    const accessibility = await open()
    const apps = await accessibility.apps()
    const found = await Promise.all(apps.map((app) => framesOf(accessibility, app, uidOf)))
    // Nothing tells which window is in front, only which has the keyboard.
    return found.flat().sort((a, b) => Number(b.info.focused) - Number(a.info.focused))
  }
  const frame = async (uid: string) => (await frames()).find(({ info }) => info.uid === uid)
  const find = async (target: Target): Promise<Found> => {
    const { dressed } = (await frame(target.window)) ?? {}
    if (!dressed) throw new Fault('WindowGone', `there is no window ${target.window}`, { window_uid: target.window })
    return findIn(dressed, target)
  }

  return {
    info: {
      platform: 'Linux',
      adapter: 'LinuxAdapter',
      synthetic: false,
      supports: { accessibilityTree: true, nativeInvoke: true, occlusion: false, drag: false },
    },
    monitors: () => [],
    windows: async () => (await frames()).map(({ info }) => info),
    tree: async (uid) => (await frame(uid))?.dressed.tree,
    async screenshot() {
      throw unsupported('take pictures')
    },
    async perform(action) {
      return perform(await open(), find, action)
    },
    close,
  }
}

const unsupported = (what: string): Fault =>
  new Fault('PlatformUnsupported', `Wayland does not let other programs ${what}; ${REMEDY}`)

async function framesOf(
  accessibility: Accessibility,
  app: App,
  uidOf: (ref: Ref) => string,
): Promise<readonly Frame[]> {
  try {
    const toolkit = await accessibility.toolkit(app)
    const refs = await childrenOf(accessibility.bus, app.root)
    const readings = await Promise.all(refs.map((ref) => readTree(accessibility.bus, app, toolkit, ref, noLessons())))
    return readings
      .filter((reading) => reading !== undefined)
      .map((reading) => frameOf(reading, uidOf(reading.ref), app, toolkit))
  } catch (error) {
    // One program that hangs must not hide the windows of all others.
    if (error instanceof Fault && error.code === 'Timeout') return []
    throw error
  }
}

function frameOf(reading: Reading, uid: string, app: App, toolkit: Parameters<typeof dress>[1]['toolkit']): Frame {
  const { width = 0, height = 0 } = reading.extents ?? {}
  const bounds = { x: 0, y: 0, width, height }
  const focused = hasState(reading.states, 'active')
  const window = {
    bounds,
    inner: bounds,
    shadow: { left: 0, right: 0, top: 0, bottom: 0 },
    focused,
    title: reading.name,
  }
  const dressed = dress(reading, { toolkit, window, popups: [] }, ({ path }) => path.slice(path.lastIndexOf('/') + 1))
  return {
    dressed,
    info: { uid, handle: uid, title: reading.name, process: processName(app.pid), pid: app.pid, bounds, focused },
  }
}

async function perform(
  { bus }: Accessibility,
  find: (target: Target) => Promise<Found>,
  action: Action,
): Promise<PerformResult> {
  if (!(await act())) throw new Fault('PatternUnsupported', `the element does not do this by itself; ${REMEDY}`)
  return { via: 'accessibility' }

  async function act(): Promise<boolean> {
    switch (action.type) {
      case 'click':
        if (!action.target || action.button !== 'left' || action.count !== 1) throw unsupported('move the pointer')
        return patterns.press(bus, (await find(action.target)).place)
      case 'invoke':
        return patterns.invoke(bus, (await find(action.target)).place)
      case 'focus':
        return patterns.grabFocus(bus, (await find(action.target)).place)
      case 'set_value':
        return setValue(action.target, action.value, action.clearFirst)
      case 'clear_text':
        return setValue(action.target, '', true)
      case 'select':
        return select(action.target, action.option)
      case 'type':
      case 'key':
        throw unsupported('press keys')
      case 'hover':
      case 'drag':
      case 'scroll':
        throw unsupported('move the pointer')
      case 'activate':
      case 'window':
        throw unsupported('arrange windows')
    }
  }

  async function setValue(target: Target, value: string, clearFirst: boolean): Promise<boolean> {
    const { element, place } = await find(target)
    if (await patterns.setValue(bus, element, place, value, clearFirst)) return true
    throw new Fault('PatternUnsupported', `${nameOf(element)} takes its text from the keyboard only`)
  }

  async function select(target: Target, wanted: Extract<Action, { type: 'select' }>['option']): Promise<boolean> {
    const { element, place, scene } = await find(target)
    const option = optionIn(element, wanted)
    if (await patterns.selectChild(bus, place, option.index)) return true
    return patterns.selectChild(bus, scene.refs.get(option.parent.id)!, option.at)
  }
}
