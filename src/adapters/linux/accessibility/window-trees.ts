import { Fault } from '../../../base/fault.ts'
import type { Element } from '../../../desktop/model/element.ts'
import { sameRect } from '../../../desktop/model/geometry.ts'
import type { ObjectRef } from '../dbus/bus.ts'
import type { XWindow } from '../x11/windows.ts'
import { type Accessibility, type AccessibleApp, ATSPI, childrenOf, GET, type Toolkit } from './accessibility.ts'
import { type AssignId, type ElementTree, toElementTree, withMenus } from './element-tree.ts'
import { matchWindows } from './match-windows.ts'
import { createReadCache, EXTENTS, parseExtents, type ReadCache } from './node-details.ts'
import { readTree } from './read-tree.ts'

/** A window together with what its program's accessibility says about it. */
export interface WindowTree extends ElementTree {
  readonly window: XWindow
  readonly app: AccessibleApp
  readonly toolkit: Toolkit
}

/** The trees of windows, remembered as long as their programs report no change. */
export interface WindowTrees {
  /** Undefined for a window whose program offers no accessibility. Throws `Timeout` when the program hangs. */
  read(window: XWindow, windows: readonly XWindow[], options?: WindowTreeOptions): Promise<WindowTree | undefined>
  /** The program behind a window, without asking the program itself. */
  appOf(window: XWindow): Promise<AccessibleApp | undefined>
  /** What is remembered of a program, or of all, must be read anew before it is used. */
  expire(app?: AccessibleApp): void
}

export interface WindowTreeOptions {
  /** How old what is remembered may be, in milliseconds, where its program has reported no change since. */
  readonly maxAgeMs?: number | undefined
}

/** Events tell of changes; not all toolkits tell of all of them, GTK 4 of the fewest. */
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
  /** The popups that the window had. */
  readonly popups?: string
}

export function createWindowTrees(accessibility: Accessibility): WindowTrees {
  const { bus } = accessibility
  const remembered = new Map<number, KnownWindow>()
  let windowsSeen = 0
  let allExpiredMs = 0
  const expired = new Map<string, number>()
  const expiredMs = (app: AccessibleApp): number => Math.max(allExpiredMs, expired.get(app.bus) ?? 0)

  /** Whether a program that hangs has this window is not known; where others may have it, they are asked instead. */
  const framesOf = (app: AccessibleApp, alone: boolean): Promise<readonly ObjectRef[]> =>
    childrenOf(bus, app.root).catch((error) => {
      if (alone || !(error instanceof Fault)) throw error
      return []
    })

  const find = async (window: XWindow, windows: readonly XWindow[]): Promise<KnownWindow | undefined> => {
    const known = remembered.get(window.id)
    const apps = await accessibility.apps()
    if (known && apps.some((app) => app.bus === known.app.bus)) return known
    const candidates = apps.filter((app) => app.pid !== 0 && app.pid === window.pid)
    // In a sandbox a program knows itself by another number, so then all are asked.
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
    async read(window, windows, { maxAgeMs } = {}) {
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
      const reading = await readTree(way, app, toolkit, frame, readCache)
      if (!reading) {
        remembered.delete(window.id)
        return undefined
      }
      // Menus of the other toolkits are where they were opened.
      const isApart = toolkit === 'gtk3' || toolkit === 'chromium'
      const opened = isApart ? await Promise.all(popups.map((popup) => find(popup, windows))) : []
      const menus = await Promise.all(
        opened.map((popup) => popup && readTree(way, app, toolkit, popup.frame, popup.readCache)),
      )
      const whole = withMenus(
        reading,
        menus.filter((menu) => menu !== undefined),
      )
      const elements = toElementTree(whole, { toolkit, window, popups: popups.map(({ inner }) => inner) }, assignId)
      const tree = windowTree ? keepIdentity(windowTree.tree, elements.tree) : elements.tree
      // A root of its own tells that the tree was read, though nothing may have changed.
      const fresh = {
        window,
        app,
        toolkit,
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
      // Programs come and go; of those that were not acted upon for long, events tell.
      if (expired.size >= MAX_EXPIRED_APPS) expired.clear()
      expired.set(app.bus, Date.now())
    },
  }
}

const isFresh = (
  { windowTree, changes, atMs = 0 }: KnownWindow,
  changesNow: number,
  nowMs: number,
  expiredMs: number,
  maxAgeMs: number,
): boolean => windowTree !== undefined && changes === changesNow && atMs > expiredMs && nowMs - atMs < maxAgeMs

const isSameWindowState = (a: XWindow, b: XWindow): boolean =>
  a.focused === b.focused && a.title === b.title && sameRect(a.bounds, b.bounds) && sameRect(a.inner, b.inner)

async function describe({ bus }: Accessibility, frame: ObjectRef) {
  const [name, extents] = await Promise.all([
    bus.tryCall<string>(frame, GET, `${ATSPI}.Accessible`, 'Name'),
    bus.tryCall<readonly number[]>(frame, EXTENTS, 0),
  ])
  return { name: name ?? '', extents: extents && parseExtents(extents) }
}

/** Short ids that stay with their objects: `w2-e1`, `w2-e2` … in the order in which a window's objects were first seen. */
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

/** The new tree with every subtree that says the same as before replaced by the old value. */
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
  const a = before as unknown as Readonly<Record<string, unknown>>
  const b = after as unknown as Readonly<Record<string, unknown>>
  const names = Object.keys(b)
  if (names.length !== Object.keys(a).length) return false
  return names.every((name) => {
    if (name === 'children' || a[name] === b[name]) return true
    if (name === 'bounds') return sameRect(before.bounds, after.bounds)
    return name === 'traits' && JSON.stringify(a[name]) === JSON.stringify(b[name])
  })
}
