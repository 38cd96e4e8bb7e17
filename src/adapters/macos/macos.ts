import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { type Element, nodeById, walk } from '../../desktop/model/element.ts'
import { centerOf, sameRect } from '../../desktop/model/geometry.ts'
import type { Computer, PerformResult } from '../computer.ts'
import { macCapabilities, NOT_VERIFIED } from './capabilities.ts'
import { assertDone, NOT_ANSWERING, type WindowElements, windowElements } from './elements.ts'
import { macInput } from './input.ts'
import { type CfRef, loadMacFunctions, MAC_LIBRARIES, type MacLibraries } from './native.ts'
import { macObjects, type Ownership } from './objects.ts'
import { listMacMonitors, listMacWindows, type MacWindow, macWindowNumber, toWindowInfos } from './windows.ts'

/** How long a program has for one call. Calls block this process meanwhile. */
const MAX_CALL_S = 0.7

/**
 * Opens the desktop of this Mac. Not verified on a Mac. Throws `PlatformUnsupported` when a library is missing, or when the
 * operator has not allowed control over the computer.
 */
export function openMacComputer(libraries: MacLibraries = MAC_LIBRARIES): Computer {
  const c = loadFunctions(libraries)
  if (!c.isTrusted())
    throw new Fault(
      'PlatformUnsupported',
      'this program may not control the computer; allow it in System Settings, Privacy & Security, Accessibility',
    )
  const objects = macObjects(c)
  const stop = new AbortController()
  const input = macInput(c, objects, stop.signal)
  const elements = new Map<number, { readonly known: WindowElements; tree?: Element }>()
  let turn: Promise<unknown> = Promise.resolve()
  let closed = false

  const assertOpen = () => {
    if (closed) throw new Fault('PlatformUnsupported', 'this computer has been closed')
  }
  const attribute = (ref: CfRef, name: string, owner: Ownership): CfRef | undefined => {
    const out: [CfRef | null] = [null]
    const error = c.copyAttribute(ref, objects.name(name), out)
    if (error === NOT_ANSWERING) assertDone(error)
    return error === 0 && out[0] ? owner.own(out[0]) : undefined
  }
  const frontPid = (): number | undefined =>
    objects.scope((owner) => {
      const front = attribute(owner.own(c.systemWide()), 'AXFocusedApplication', owner)
      const pid: number[] = [0]
      return front !== undefined && c.pidOf(front, pid) === 0 ? pid[0] : undefined
    })
  const listWindows = () => {
    assertOpen()
    const windows = listMacWindows(c, objects)
    for (const [number, { known }] of elements) {
      if (windows.some((window) => window.number === number)) continue
      known.close()
      elements.delete(number)
    }
    return windows
  }
  const windowOf = (uid: string): MacWindow | undefined => {
    const number = macWindowNumber(uid)
    return listWindows().find((window) => window.number === number)
  }
  /** Works on the accessible element of a window, which is found by its bounds. Undefined when its program has none. */
  const onWindow = <T>(window: MacWindow, work: (ref: CfRef) => T): T | undefined =>
    objects.scope((owner) => {
      const program = owner.own(c.application(window.pid))
      c.setTimeout(program, MAX_CALL_S)
      const list = attribute(program, 'AXWindows', owner)
      if (list === undefined) return undefined
      const frames = objects
        .items(list)
        .map((ref) => ({ ref, bounds: boundsOf(ref, owner), title: titleOf(ref, owner) }))
      const same = frames.filter(({ bounds }) => bounds && sameRect(bounds, window.bounds))
      const match = same.find(({ title }) => title === window.title) ?? same[0]
      return match && work(match.ref)
    })
  const titleOf = (ref: CfRef, owner: Ownership): string => {
    const title = attribute(ref, 'AXTitle', owner)
    return title === undefined ? '' : objects.readText(title)
  }
  const boundsOf = (ref: CfRef, owner: Ownership) => {
    const [at, size] = ['AXPosition', 'AXSize'].map((name) => {
      const value = attribute(ref, name, owner)
      const read = value === undefined ? undefined : objects.read(value)
      return read && 'point' in read ? read.point : undefined
    })
    if (!at || !size) return undefined
    const [x, y, width, height] = [at.x, at.y, size.x, size.y].map(Math.round) as [number, number, number, number]
    return { x, y, width, height }
  }
  const readTree = (window: MacWindow): Element | undefined => {
    const entry = elements.get(window.number) ?? {
      known: windowElements(c, objects, window.number, () => performance.now()),
    }
    elements.set(window.number, entry)
    return onWindow(window, (ref) => {
      entry.tree = entry.known.read(ref)
      return entry.tree
    })
  }
  /** The element of a target, in a tree that has just been read. */
  const find = ({ window: uid, element }: Target) => {
    const window = windowOf(uid)
    if (!window) throw noMacWindow(uid)
    const tree = readTree(window)
    const node = tree && nodeById(tree, element)
    const ref = elements.get(window.number)?.known.find(element)
    if (!node || ref === undefined) throw new Fault('ElementNotFound', `no element has the id ${element}`)
    if (!node.enabled) throw new Fault('ElementDisabled', `${node.role} "${node.name}" is disabled`)
    return { ref, node }
  }
  const hasAction = (ref: CfRef, action: string): boolean =>
    objects.scope((owner) => {
      const out: [CfRef | null] = [null]
      if (c.copyActions(ref, out) !== 0 || !out[0]) return false
      return objects.items(owner.own(out[0])).some((name) => objects.readText(name) === action)
    })
  const setText = (ref: CfRef, text: string) =>
    objects.scope((owner) =>
      assertDone(c.setAttribute(ref, objects.name('AXValue'), owner.own(objects.createText(text)))),
    )
  const raise = (uid: string) => {
    const window = windowOf(uid)
    if (!window) throw noMacWindow(uid)
    const done = onWindow(window, (ref) => {
      assertDone(c.performAction(ref, objects.name('AXRaise')))
      return true
    })
    if (!done) throw new Fault('PatternUnsupported', 'the program of this window offers no accessibility')
    objects.scope((owner) => {
      const program = owner.own(c.application(window.pid))
      assertDone(c.setAttribute(program, objects.name('AXFrontmost'), c.true))
    })
  }
  const press = (ref: CfRef) => assertDone(c.performAction(ref, objects.name('AXPress')))

  async function act(action: Action): Promise<PerformResult['via']> {
    switch (action.type) {
      case 'click': {
        const { at, button, count, modifiers = [], target } = action
        const found = target && find(target)
        const isPlain = button === 'left' && count === 1 && modifiers.length === 0
        if (found && isPlain && hasAction(found.ref, 'AXPress')) {
          press(found.ref)
          return 'accessibility'
        }
        await input.click(button, found ? centerOf(found.node.bounds) : at, count, modifiers)
        return 'pointer'
      }
      case 'invoke':
        press(find(action.target).ref)
        return 'accessibility'
      case 'focus':
        assertDone(c.setAttribute(find(action.target).ref, objects.name('AXFocused'), c.true))
        return 'accessibility'
      case 'set_value': {
        const { ref, node } = find(action.target)
        setText(ref, action.clearFirst ? action.value : (node.value ?? '') + action.value)
        return 'accessibility'
      }
      case 'clear_text':
        setText(find(action.target).ref, '')
        return 'accessibility'
      case 'select':
        select(action.target, action.option)
        return 'accessibility'
      case 'activate':
        raise(action.window)
        return 'accessibility'
      case 'hover':
        input.move(action.at)
        await input.pause(action.forMs)
        return 'pointer'
      case 'drag':
        await input.drag(
          [action.from, ...(action.through ?? []), action.to],
          action.button ?? 'left',
          action.modifiers,
          action.durationMs,
        )
        return 'pointer'
      case 'scroll':
        input.wheel(action.clicks, action.across ?? 0, action.at, action.modifiers ?? [])
        return 'pointer'
      case 'press':
        input.move(action.at)
        input.press(action.button, action.at)
        return 'pointer'
      case 'release':
        input.move(action.at)
        input.release(action.button, action.at)
        return 'pointer'
      case 'type':
        await input.type(action.text)
        return 'keyboard'
      case 'key':
        await input.chord(action.keys)
        return 'keyboard'
      case 'hold':
        await input.chord(action.keys, action.forMs)
        return 'keyboard'
      case 'key_down':
        input.keyDown(action.key)
        return 'keyboard'
      case 'key_up':
        input.keyUp(action.key)
        return 'keyboard'
      case 'window':
        throw new Fault('PlatformUnsupported', `${action.to} is not offered for windows of macOS; use their buttons`)
      case 'set_clipboard':
      case 'write_file':
        throw new Fault('PlatformUnsupported', `${action.type} needs a synthetic desktop`)
    }
  }

  /** Presses an option, after opening what has it. */
  function select(target: Target, wanted: Extract<Action, { type: 'select' }>['option']): void {
    const owner = find(target)
    const optionIn = (node: Element) => {
      const options = [...walk(node)].filter(({ role }) =>
        ['MenuItem', 'ListItem', 'DataItem', 'TabItem'].includes(role),
      )
      return 'name' in wanted ? options.find(({ name }) => name === wanted.name) : options[wanted.index]
    }
    if (!optionIn(owner.node)) press(owner.ref)
    const option = optionIn(find(target).node)
    if (!option) throw new Fault('ElementNotFound', 'no such option')
    press(find({ window: target.window, element: option.id }).ref)
  }

  return {
    info: {
      platform: 'Darwin',
      adapter: 'MacAdapter',
      synthetic: false,
      supports: macCapabilities(),
      notice: NOT_VERIFIED,
    },
    monitors: () => listMacMonitors(c),
    windows: () => toWindowInfos(listWindows(), frontPid()),
    tree(uid) {
      const window = windowOf(uid)
      return window && readTree(window)
    },
    async screenshot(of) {
      if ('window' in of && !windowOf(of.window)) throw noMacWindow(of.window)
      throw new Fault('PlatformUnsupported', String(macCapabilities().screenshots))
    },
    pointer: () => input.state(),
    async perform(action) {
      assertOpen()
      // There is one pointer and one keyboard, so actions run one after the other.
      const run = async (): Promise<PerformResult> => {
        await input.pause(0)
        return { via: await act(action) }
      }
      const done = turn.then(run, run)
      turn = done.catch(() => {})
      return done
    },
    abort: () => stop.abort(),
    async close() {
      if (closed) return
      stop.abort()
      await turn
      closed = true
      input.releaseAll()
      for (const { known } of elements.values()) known.close()
      elements.clear()
      objects.close()
    },
  }
}

const noMacWindow = (uid: string): Fault => new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })

function loadFunctions(libraries: MacLibraries) {
  try {
    return loadMacFunctions(libraries)
  } catch (thrown) {
    throw new Fault('PlatformUnsupported', `the libraries of macOS cannot be loaded: ${(thrown as Error).message}`)
  }
}
