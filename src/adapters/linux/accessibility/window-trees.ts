import { Fault } from '../../../base/fault.ts'
import type { Element } from '../../../desktop/model/element.ts'
import { type Rect, sameRect } from '../../../desktop/model/geometry.ts'
import type { Bus, ObjectRef } from '../dbus.ts'
import type { DesktopWindow, RightPress } from '../desktop-backend.ts'
import { type Accessibility, type AccessibleApp, ATSPI, childrenOf, GET, type Toolkit } from './accessibility.ts'
import { createReadCache, EXTENTS, parseExtents, type ReadCache, readAttributes } from './accessible-node.ts'
import { type AssignId, type ElementTree, newMenusIn, toElementTree, withMenus } from './element-tree.ts'
import { originOf, withMenuAt } from './origin.ts'
import { readTree } from './read-tree.ts'
import { hasState, ROLE } from './roles.ts'

/** A window with its element tree. */
export interface WindowTree extends ElementTree {
  readonly window: DesktopWindow
  readonly app: AccessibleApp
  readonly toolkit: Toolkit
  /** The press that has opened the context menu in it, which tells its place where the session does not. */
  readonly menuPress?: RightPress | undefined
}

/** The trees of windows, cached until their programs report a change. */
export interface WindowTrees {
  /** Reads the tree of a window. Undefined when its program offers no accessibility. Throws `Timeout` when it hangs. */
  read(
    window: DesktopWindow,
    windows: readonly DesktopWindow[],
    options?: WindowTreeOptions,
  ): Promise<WindowTree | undefined>
  /** The program of a window, without a call to the program. */
  appOf(window: DesktopWindow): Promise<AccessibleApp | undefined>
  /** Invalidates the cached trees of a program, or of all programs. */
  expire(app?: AccessibleApp): void
}

export interface WindowTreeOptions {
  /** The maximum age of a cached tree, in milliseconds, if its program has reported no change since. */
  readonly maxAgeMs?: number | undefined
  /** Where a context menu has opened, if it is not a window of the session. */
  readonly rightPress?: RightPress | undefined
}

/** The maximum age of a cached tree, because toolkits do not report all changes. GTK 4 reports the fewest. */
const MAX_TREE_AGE_MS: Readonly<Record<Toolkit, number>> = { gtk3: 1000, gtk4: 100, qt: 500, chromium: 500, other: 500 }
const MAX_ELEMENT_IDS = 100_000
const MAX_EXPIRED_APPS = 1000

interface KnownWindow {
  readonly app: AccessibleApp
  readonly frame: ObjectRef
  readonly assignId: AssignId
  readonly readCache: ReadCache
  readonly windowTree?: WindowTree
  readonly changes?: number
  readonly atMs?: number
  /** The ids of the popups that the window had. */
  readonly popups?: string
}

export function createWindowTrees(accessibility: Accessibility): WindowTrees {
  const { bus } = accessibility
  const remembered = new Map<number, KnownWindow>()
  let windowsSeen = 0
  let allExpiredMs = 0
  const expired = new Map<string, number>()
  const pressOfMenu = createMenuPresses()
  const expiredMs = (app: AccessibleApp): number => Math.max(allExpiredMs, expired.get(app.bus) ?? 0)

  /** The windows of a program. A program that hangs has none unless it is the only candidate. */
  const framesOf = (app: AccessibleApp, isOnlyCandidate: boolean): Promise<readonly ObjectRef[]> =>
    childrenOf(bus, app.root).catch((error) => {
      if (isOnlyCandidate || !(error instanceof Fault)) throw error
      return []
    })

  const find = async (window: DesktopWindow, windows: readonly DesktopWindow[]): Promise<KnownWindow | undefined> => {
    const known = remembered.get(window.id)
    const apps = await accessibility.apps()
    if (known && apps.some((app) => app.bus === known.app.bus)) return known
    const candidates = apps.filter((app) => app.pid !== 0 && app.pid === window.pid)
    // A sandboxed program has another process id, so all programs are candidates.
    for (const app of candidates.length > 0 ? candidates : window.pid === 0 ? apps : []) {
      const frames = await framesOf(app, candidates.length > 0)
      const family = windows.filter((other) => other.pid === window.pid)
      const described = await Promise.all(frames.map((frame) => describe(accessibility, frame)))
      const index = matchWindows(family, described)[family.findIndex((other) => other.id === window.id)]
      const frame = index === undefined ? undefined : frames[index]
      if (!frame) continue
      const found = { app, frame, assignId: createElementIds(++windowsSeen), readCache: createReadCache() }
      remembered.set(window.id, found)
      return found
    }
    return undefined
  }

  return {
    async read(window, windows, { maxAgeMs, rightPress } = {}) {
      for (const id of remembered.keys()) if (!windows.some((other) => other.id === id)) remembered.delete(id)
      const known = await find(window, windows)
      if (!known) return undefined
      const { app, frame, assignId, readCache, windowTree } = known
      const toolkit = await accessibility.toolkit(app)
      const changes = accessibility.changeCount(app.bus)
      const atMs = Date.now()
      const popups = windows.filter(({ owner }) => owner === window.id)
      const popupIds = popups.map(({ id }) => id).join()
      if (
        windowTree &&
        known.popups === popupIds &&
        isFresh(known, changes, atMs, expiredMs(app), maxAgeMs ?? MAX_TREE_AGE_MS[toolkit]) &&
        isSameWindowState(windowTree.window, window)
      )
        return windowTree
      const way = await accessibility.connectionTo(app)
      const { isWayland } = window
      const reading = await readTree(way, app, toolkit, frame, readCache, { isWayland })
      if (!reading) {
        remembered.delete(window.id)
        return undefined
      }
      // Menus of the other toolkits are in the tree of their window already.
      const isApart = toolkit === 'gtk3' || toolkit === 'chromium'
      const opened = isApart ? await Promise.all(popups.map((popup) => find(popup, windows))) : []
      const menus = await Promise.all(
        opened.map((popup) => popup && readTree(way, app, toolkit, popup.frame, popup.readCache)),
      )
      let menuPress: RightPress | undefined
      if (isWayland && toolkit === 'gtk3' && window.focused) {
        const popups = (await readOpened(way, app, frame, 'gtk3', ROLE.window)).filter(
          (popup) => newMenusIn(popup, reading).length > 0,
        )
        menuPress = pressOfMenu(rightPress, popups.length > 0)
        const origin = originOf(reading, toolkit, window)
        menus.push(...popups.map((popup) => (menuPress ? withMenuAt(popup, menuPress, origin) : popup)))
      }
      const tips = isWayland && toolkit === 'qt' ? await readOpened(way, app, frame, 'qt', ROLE.toolTip) : []
      const whole = withMenus(
        { ...reading, children: [...reading.children, ...tips] },
        menus.filter((menu) => menu !== undefined),
      )
      const elements = toElementTree(whole, { toolkit, window, popups: popups.map(({ inner }) => inner) }, assignId)
      const tree = windowTree ? keepIdentity(windowTree.tree, elements.tree) : elements.tree
      // A new root object marks the tree as read again, even if nothing has changed.
      const fresh = {
        window,
        app,
        toolkit,
        menuPress,
        sources: elements.sources,
        tree: tree === windowTree?.tree ? { ...tree } : tree,
      }
      remembered.set(window.id, { ...known, windowTree: fresh, changes, atMs, popups: popupIds })
      return fresh
    },
    async appOf(window) {
      const known = remembered.get(window.id)
      if (known) return known.app
      return (await accessibility.apps()).find((app) => app.pid !== 0 && app.pid === window.pid)
    },
    expire(app) {
      if (!app) {
        allExpiredMs = Date.now()
        expired.clear()
        return
      }
      // The map would grow with each program. Events report changes of programs without recent actions.
      if (expired.size >= MAX_EXPIRED_APPS) expired.clear()
      expired.set(app.bus, Date.now())
    },
  }
}

/**
 * Returns a function that takes the last press of the right button and whether a context menu is open, and returns the press that has
 * opened it: one that was the latest input when its menu was first seen, and whose menu has not been seen closed since.
 */
export function createMenuPresses() {
  let [openMs, closedMs] = [0, 0]
  return (press: RightPress | undefined, isOpen: boolean): RightPress | undefined => {
    if (!press || press.atMs === closedMs) return undefined
    const wasOpen = press.atMs === openMs
    if (!isOpen && wasOpen) closedMs = press.atMs
    if (!isOpen || !(wasOpen || press.isLatest)) return undefined
    openMs = press.atMs
    return press
  }
}

/** Open menus of GTK 3 and tooltips of Qt. On Wayland they are no windows of the session, but objects beside the frames of their program. */
async function readOpened(bus: Bus, app: AccessibleApp, frame: ObjectRef, toolkit: Toolkit, role: number) {
  const others = (await childrenOf(bus, app.root)).filter(({ path }) => path !== frame.path)
  const popups = await Promise.all(
    others.map(async (ref) => {
      const attributes = await readAttributes(bus, ref)
      const isOpen = attributes?.role === role && hasState(attributes.states, 'showing')
      return isOpen ? readTree(bus, app, toolkit, ref, createReadCache(), { isWayland: true }) : undefined
    }),
  )
  return popups.filter((popup) => popup !== undefined)
}

const isFresh = (
  { windowTree, changes, atMs = 0 }: KnownWindow,
  changesNow: number,
  nowMs: number,
  expiredMs: number,
  maxAgeMs: number,
): boolean => windowTree !== undefined && changes === changesNow && atMs > expiredMs && nowMs - atMs < maxAgeMs

const isSameWindowState = (a: DesktopWindow, b: DesktopWindow): boolean =>
  a.focused === b.focused && a.title === b.title && sameRect(a.bounds, b.bounds) && sameRect(a.inner, b.inner)

async function describe({ bus }: Accessibility, frame: ObjectRef) {
  const [name, extents] = await Promise.all([
    bus.tryCall<string>(frame, GET, `${ATSPI}.Accessible`, 'Name'),
    bus.tryCall<readonly number[]>(frame, EXTENTS, 0),
  ])
  return { name: name ?? '', extents: extents && parseExtents(extents) }
}

/** Assigns short, stable ids to the objects of a window: `w2-e1`, `w2-e2` … in the order in which they first appear. */
export function createElementIds(windowNumber: number): AssignId {
  let names = new Map<string, string>()
  let last = 0
  return ({ path }) => {
    const known = names.get(path)
    if (known) return known
    if (names.size >= MAX_ELEMENT_IDS) names = new Map()
    const name = `w${windowNumber}-e${++last}`
    names.set(path, name)
    return name
  }
}

/** Replaces each unchanged subtree of the new tree by the old value. */
function keepIdentity(before: Element, after: Element): Element {
  const old = new Map(before.children.map((child) => [child.id, child]))
  const children = after.children.map((child) => {
    const match = old.get(child.id)
    return match ? keepIdentity(match, child) : child
  })
  const sameChildren =
    children.length === before.children.length && children.every((child, index) => child === before.children[index])
  if (sameChildren && sameFields(before, after)) return before
  return { ...after, children }
}

function sameFields(before: Element, after: Element): boolean {
  const names = Object.keys(after) as (keyof Element)[]
  if (names.length !== Object.keys(before).length) return false
  return names.every((name) => {
    if (name === 'children' || before[name] === after[name]) return true
    if (name === 'bounds') return sameRect(before.bounds, after.bounds)
    return name === 'traits' && JSON.stringify(before.traits) === JSON.stringify(after.traits)
  })
}

/** A window as its program reports it over accessibility. */
export interface AccessibleWindow {
  readonly name: string
  readonly extents: Rect | undefined
}

type WindowToMatch = Pick<DesktopWindow, 'title' | 'bounds' | 'inner' | 'popup'>

const SAME_TITLE = 8
const SAME_SIZE = 4
const SAME_POSITION = 2
/** Borders and shadows make sizes differ by up to this much, in pixels. */
const TOLERANCE_PX = 12

/**
 * Returns the index of the accessible window of each X window of a program, or undefined where there is none. The best
 * pairs match first, by title, then size, then position; equal scores match in order.
 */
export function matchWindows(
  windows: readonly WindowToMatch[],
  frames: readonly AccessibleWindow[],
): readonly (number | undefined)[] {
  const pairs = windows.flatMap((window, windowIndex) =>
    frames.map((frame, frameIndex) => ({ windowIndex, frameIndex, score: matchScore(window, frame) })),
  )
  const matched = new Array<number | undefined>(windows.length).fill(undefined)
  const taken = new Set<number>()
  for (const { windowIndex, frameIndex, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (matched[windowIndex] !== undefined || taken.has(frameIndex)) continue
    // A popup has no title to match, and a wrong tree is worse than none.
    if (windows[windowIndex]!.popup && score < SAME_SIZE) continue
    matched[windowIndex] = frameIndex
    taken.add(frameIndex)
  }
  return matched
}

function matchScore(window: WindowToMatch, { name, extents }: AccessibleWindow): number {
  const title = !window.popup && name !== '' && name === window.title ? SAME_TITLE : 0
  if (!extents) return title
  const sizes = [window.bounds, window.inner]
  const size = sizes.some((rect) => near(rect.width, extents.width) && near(rect.height, extents.height))
  const place = sizes.some((rect) => near(rect.x, extents.x) && near(rect.y, extents.y))
  return title + (size ? SAME_SIZE : 0) + (size && place ? SAME_POSITION : 0)
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE_PX
