import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import type { Computer, PerformResult, WindowInfo } from '../../computer.ts'
import { describeElement, findOptionIn } from '../../element-target.ts'
import { noStorage } from '../../real-input.ts'
import { type Accessibility, type AccessibleApp, childrenOf } from '../accessibility/accessibility.ts'
import { type AccessibleNode, createReadCache } from '../accessibility/accessible-node.ts'
import { type ElementTree, type FoundElement, findTarget, toElementTree } from '../accessibility/element-tree.ts'
import { readTree } from '../accessibility/read-tree.ts'
import { hasState } from '../accessibility/roles.ts'
import * as patterns from '../actions/patterns.ts'
import { type Ability, ACCESSIBLE_WAYS, COMPOSITOR_REMEDY, capabilitiesOf, refusal } from '../capabilities.ts'
import type { ObjectRef } from '../dbus.ts'
import { processName } from '../x11/display.ts'

/** A window that is known through accessibility only. */
interface WaylandWindow {
  readonly info: WindowInfo
  readonly elements: ElementTree
}

/**
 * A computer on a Wayland desktop whose compositor cannot be driven. Only accessibility works: trees, and the elements' own
 * actions and values.
 */
export function accessibleComputer(open: () => Promise<Accessibility>, close: () => Promise<void>): Computer {
  const numbers = new Map<string, number>()
  const uidOf = ({ bus, path }: ObjectRef): string => {
    const key = bus + path
    numbers.set(key, numbers.get(key) ?? numbers.size + 1)
    return `atspi:${numbers.get(key)}`
  }
  const frames = async (): Promise<readonly WaylandWindow[]> => {
    const accessibility = await open()
    const apps = await accessibility.apps()
    const found = await Promise.all(apps.map((app) => windowsOf(accessibility, app, uidOf)))
    // The stacking order is unknown; only the focused window is known.
    return found.flat().sort((a, b) => Number(b.info.focused) - Number(a.info.focused))
  }
  const frame = async (uid: string) => (await frames()).find(({ info }) => info.uid === uid)
  const find = async (target: Target): Promise<FoundElement> => {
    const { elements } = (await frame(target.window)) ?? {}
    if (!elements) throw new Fault('WindowGone', `there is no window ${target.window}`, { window_uid: target.window })
    return findTarget(elements, target)
  }

  return {
    info: {
      platform: 'Linux',
      adapter: 'LinuxAdapter',
      synthetic: false,
      supports: capabilitiesOf(ACCESSIBLE_WAYS, true),
    },
    async monitors() {
      // There are none to know of, but the desktop must answer.
      await open()
      return []
    },
    windows: async () => (await frames()).map(({ info }) => info),
    tree: async (uid) => (await frame(uid))?.elements.tree,
    async screenshot() {
      throw unsupported('pictures')
    },
    async pointer() {
      throw unsupported('pointer')
    },
    async perform(action) {
      return perform(await open(), find, action)
    },
    close,
  }
}

const unsupported = (ability: Ability): Fault => new Fault('PlatformUnsupported', refusal(ACCESSIBLE_WAYS, ability)!)

async function windowsOf(
  accessibility: Accessibility,
  app: AccessibleApp,
  uidOf: (ref: ObjectRef) => string,
): Promise<readonly WaylandWindow[]> {
  try {
    const toolkit = await accessibility.toolkit(app)
    const refs = await childrenOf(accessibility.bus, app.root)
    const readings = await Promise.all(
      refs.map((ref) => readTree(accessibility.bus, app, toolkit, ref, createReadCache())),
    )
    return readings
      .filter((reading) => reading !== undefined)
      .map((reading) => toWindow(reading, uidOf(reading.ref), app, toolkit))
  } catch (error) {
    // A program that hangs must not hide the windows of the others.
    if (error instanceof Fault && error.code === 'Timeout') return []
    throw error
  }
}

function toWindow(
  reading: AccessibleNode,
  uid: string,
  app: AccessibleApp,
  toolkit: Parameters<typeof toElementTree>[1]['toolkit'],
): WaylandWindow {
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
  const elements = toElementTree(reading, { toolkit, window, popups: [] }, ({ path }) =>
    path.slice(path.lastIndexOf('/') + 1),
  )
  return {
    elements,
    info: { uid, handle: uid, title: reading.name, process: processName(app.pid), pid: app.pid, bounds, focused },
  }
}

async function perform(
  { bus }: Accessibility,
  find: (target: Target) => Promise<FoundElement>,
  action: Action,
): Promise<PerformResult> {
  if (!(await act()))
    throw new Fault('PatternUnsupported', `the element has no action of its own for this; ${COMPOSITOR_REMEDY}`)
  return { via: 'accessibility' }

  async function act(): Promise<boolean> {
    switch (action.type) {
      case 'click':
        if (!action.target || action.button !== 'left' || action.count !== 1) throw unsupported('pointer')
        return patterns.doClickAction(bus, (await find(action.target)).source)
      case 'invoke':
        return patterns.doDefaultAction(bus, (await find(action.target)).source)
      case 'focus':
        return patterns.grabFocus(bus, (await find(action.target)).source)
      case 'set_value':
        return setValue(action.target, action.value, action.clearFirst)
      case 'clear_text':
        return setValue(action.target, '', true)
      case 'select':
        return select(action.target, action.option)
      case 'type':
      case 'key':
      case 'key_down':
      case 'key_up':
      case 'hold':
        throw unsupported('keys and text')
      case 'hover':
      case 'press':
      case 'release':
      case 'drag':
      case 'scroll':
        throw unsupported('pointer')
      case 'activate':
      case 'window':
        throw unsupported('windows')
      case 'set_clipboard':
        throw unsupported('clipboard')
      case 'write_file':
      case 'webmcp_call':
        throw noStorage(action)
    }
  }

  async function setValue(target: Target, value: string, clearFirst: boolean): Promise<boolean> {
    const { element, source } = await find(target)
    if (await patterns.setElementValue(bus, element, source, value, clearFirst)) return true
    throw new Fault('PatternUnsupported', `${describeElement(element)} takes its text from the keyboard only`)
  }

  async function select(target: Target, wanted: Extract<Action, { type: 'select' }>['option']): Promise<boolean> {
    const { element, source, windowTree } = await find(target)
    const option = findOptionIn(element, wanted)
    if (await patterns.selectChild(bus, source, option.index)) return true
    return patterns.selectChild(bus, windowTree.sources.get(option.parent.id)!, option.at)
  }
}
