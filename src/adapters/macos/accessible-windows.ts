import { Fault } from '../../base/fault.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import { type Element, nodeById } from '../../desktop/model/element.ts'
import { type Rect, sameRect } from '../../desktop/model/geometry.ts'
import { assertDone, NOT_ANSWERING, type WindowElements, windowElements } from './elements.ts'
import { type CfRef, type MacFunctions, type MacObjects, type Ownership, POINT, SIZE } from './native.ts'
import {
  listMacDisplays,
  listMacWindows,
  type MacDisplay,
  type MacWindow,
  macScale,
  macWindowNumber,
} from './window-list.ts'

/** How long a program has for one call. Calls block this process meanwhile. */
const MAX_CALL_S = 0.7

/** The windows of a Mac with their accessible elements. */
export type AccessibleWindows = ReturnType<typeof accessibleWindows>

/** An element of a tree that has just been read. */
export interface MacElement {
  readonly ref: CfRef
  readonly node: Element
}

export const noMacWindow = (uid: string): Fault =>
  new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })

/** Creates the windows. `assertOpen` throws after the computer has been closed. */
export function accessibleWindows(c: MacFunctions, objects: MacObjects, assertOpen: () => void) {
  const elements = new Map<number, WindowElements>()

  const attribute = (ref: CfRef, name: string, owner: Ownership): CfRef | undefined => {
    const out: [CfRef | null] = [null]
    const error = c.copyAttribute(ref, objects.name(name), out)
    if (error === NOT_ANSWERING) assertDone(error)
    return error === 0 && out[0] ? owner.own(out[0]) : undefined
  }
  const displays = (): readonly MacDisplay[] => listMacDisplays(c, objects)
  /** The windows on the screen. The elements of others are released. */
  const list = (): readonly MacWindow[] => {
    assertOpen()
    const windows = listMacWindows(c, objects)
    for (const [number, known] of elements) {
      if (windows.some((window) => window.number === number)) continue
      known.close()
      elements.delete(number)
    }
    return windows
  }
  const find = (uid: string): MacWindow | undefined => {
    const number = macWindowNumber(uid)
    return list().find((window) => window.number === number)
  }
  /** A window that may be minimised. Throws `WindowGone`. */
  const get = (uid: string): MacWindow => {
    assertOpen()
    const number = macWindowNumber(uid)
    const window = listMacWindows(c, objects, { minimized: true }).find((each) => each.number === number)
    if (!window) throw noMacWindow(uid)
    return window
  }
  const titleOf = (ref: CfRef, owner: Ownership): string => {
    const title = attribute(ref, 'AXTitle', owner)
    return title === undefined ? '' : objects.readText(title)
  }
  const boundsOf = (ref: CfRef, owner: Ownership): Rect | undefined => {
    const [at, size] = ['AXPosition', 'AXSize'].map((name) => {
      const value = attribute(ref, name, owner)
      const read = value === undefined ? undefined : objects.read(value)
      return read && 'point' in read ? read.point : undefined
    })
    if (!at || !size) return undefined
    const [x, y, width, height] = [at.x, at.y, size.x, size.y].map(Math.round) as [number, number, number, number]
    return { x, y, width, height }
  }
  /** Works on the accessible element of a window, which is found by its bounds. Undefined when its program has none. */
  const onWindow = <T>(window: MacWindow, work: (ref: CfRef, owner: Ownership) => T): T | undefined =>
    objects.scope((owner) => {
      const program = owner.own(c.application(window.pid))
      c.setTimeout(program, MAX_CALL_S)
      const known = attribute(program, 'AXWindows', owner)
      if (known === undefined) return undefined
      const frames = objects
        .items(known)
        .map((ref) => ({ ref, bounds: boundsOf(ref, owner), title: titleOf(ref, owner) }))
      const same = frames.filter(({ bounds }) => bounds && sameRect(bounds, window.bounds))
      const match = same.find(({ title }) => title === window.title) ?? same[0]
      return match && work(match.ref, owner)
    })
  /** As `onWindow`. Throws `PatternUnsupported` when the program of the window has no elements. */
  const changeWindow = (window: MacWindow, change: (ref: CfRef, owner: Ownership) => void): void => {
    const done = onWindow(window, (ref, owner) => {
      change(ref, owner)
      return true
    })
    if (!done) throw new Fault('PatternUnsupported', 'the program of this window offers no accessibility')
  }
  const readTree = (window: MacWindow): Element | undefined => {
    const known = elements.get(window.number) ?? windowElements(c, objects, window.number, () => performance.now())
    elements.set(window.number, known)
    return onWindow(window, (ref) => known.read(ref, macScale(displays())))
  }
  const setFlag = (ref: CfRef, name: string, flag: boolean) =>
    assertDone(c.setAttribute(ref, objects.name(name), flag ? c.true : c.false))

  return {
    displays,
    list,
    find,
    get,
    readTree,
    setFlag,
    /** The element of a target, in a tree that has just been read. Throws `WindowGone`, `ElementNotFound` or `ElementDisabled`. */
    element({ window: uid, element }: Target): MacElement {
      const window = find(uid)
      if (!window) throw noMacWindow(uid)
      const tree = readTree(window)
      const node = tree && nodeById(tree, element)
      const ref = elements.get(window.number)?.find(element)
      if (!node || ref === undefined) throw new Fault('ElementNotFound', `no element has the id ${element}`)
      if (!node.enabled) throw new Fault('ElementDisabled', `${node.role} "${node.name}" is disabled`)
      return { ref, node }
    },
    /** The program with the keyboard. */
    frontPid(): number | undefined {
      return objects.scope((owner) => {
        const front = attribute(owner.own(c.systemWide()), 'AXFocusedApplication', owner)
        const pid: number[] = [0]
        return front !== undefined && c.pidOf(front, pid) === 0 ? pid[0] : undefined
      })
    },
    /** Brings a window to the front, with its program. */
    raise(uid: string): void {
      const window = get(uid)
      changeWindow(window, (ref, owner) => {
        if (isFlagSet(attribute(ref, 'AXMinimized', owner))) setFlag(ref, 'AXMinimized', false)
        assertDone(c.performAction(ref, objects.name('AXRaise')))
      })
      objects.scope((owner) => setFlag(owner.own(c.application(window.pid)), 'AXFrontmost', true))
    },
    minimize(uid: string, isMinimized: boolean): void {
      changeWindow(get(uid), (ref) => setFlag(ref, 'AXMinimized', isMinimized))
    },
    /** Presses the button that closes a window, so that its program can ask what to save. */
    close(uid: string): void {
      changeWindow(get(uid), (ref, owner) => {
        const button = attribute(ref, 'AXCloseButton', owner)
        if (button === undefined) throw new Fault('PatternUnsupported', 'this window has no button that closes it')
        assertDone(c.performAction(button, objects.name('AXPress')))
      })
    },
    /** Moves and resizes a window, in points. Its program may keep it smaller. */
    setFrame(uid: string, { x, y, width, height }: Rect): void {
      const values = [
        ['AXPosition', POINT, { x, y }],
        ['AXSize', SIZE, { x: width, y: height }],
      ] as const
      changeWindow(get(uid), (ref, owner) => {
        for (const [name, kind, value] of values)
          assertDone(c.setAttribute(ref, objects.name(name), owner.own(c.createValue(kind, value))))
      })
    },
    release(): void {
      for (const known of elements.values()) known.close()
      elements.clear()
    },
  }

  function isFlagSet(ref: CfRef | undefined): boolean {
    const value = ref === undefined ? undefined : objects.read(ref)
    return value !== undefined && 'flag' in value && value.flag
  }
}
