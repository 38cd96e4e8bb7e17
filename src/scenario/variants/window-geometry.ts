import { centerOf, contains, type Point, type Rect, translate } from '../../desktop/model/geometry.ts'
import { MAX_TITLE_HEIGHT_PX } from '../../desktop/style/metrics.ts'
import { primaryMonitor, workArea } from '../../desktop/windows/panel.ts'
import { buildMonitors, DEFAULT_BOUNDS, screenOf } from '../build-window.ts'
import type { AuthoredScenario } from '../scenario-file.ts'
import type { AuthoredElement, AuthoredWindow } from '../schema/element.ts'
import { windowsOf, windowUidOf } from '../visit.ts'
import { isPlainObject, movePoints, type PlainObject, rewriteJson } from './rewrite-file.ts'

/** A window of a state as it is written. */
export interface PlacedWindow {
  readonly uid: string
  readonly bounds: Rect
  readonly window: AuthoredWindow
  /** Its index from the front. */
  readonly depth: number
  /** The number of windows in its state. */
  readonly count: number
}

/** The bounds of a window. */
export const boundsOf = ({ bounds }: AuthoredWindow): Rect => bounds ?? DEFAULT_BOUNDS

/** The area in which windows are placed: the primary monitor without its panel. */
export function roomOf(authored: AuthoredScenario): Rect {
  const screens = { monitors: buildMonitors(authored), ...screenOf(authored) }
  return workArea(screens, primaryMonitor(screens)!)
}

/** A rectangle moved into an area, and made smaller where the area is. Space for its title bar stays above it. */
export function fitInto(area: Rect, rect: Rect): Rect {
  const width = Math.min(rect.width, area.width)
  const top = Math.min(MAX_TITLE_HEIGHT_PX, area.height)
  const height = Math.min(rect.height, Math.max(1, area.height - (rect.y - area.y >= MAX_TITLE_HEIGHT_PX ? top : 0)))
  const least = rect.height <= area.height - top && rect.y - area.y >= MAX_TITLE_HEIGHT_PX ? area.y + top : area.y
  return {
    x: Math.round(Math.min(Math.max(rect.x, area.x), area.x + area.width - width)),
    y: Math.round(Math.min(Math.max(rect.y, least), Math.max(least, area.y + area.height - height))),
    width,
    height,
  }
}

/**
 * Places the windows of all states that are on the primary monitor. Those on other monitors keep their place there, and a
 * dialog its place beside its owner. What is written in pixels of a window moves with it: elements with bounds, changes,
 * regions and points of the solution.
 * @param authored The scenario, with the monitors that it will have.
 * @param before The scenario with its monitors of before, if they change.
 */
export function placeWindows(
  authored: AuthoredScenario,
  area: Rect,
  placeOnPrimary: (window: PlacedWindow) => Rect,
  before: AuthoredScenario = authored,
): AuthoredScenario {
  const elsewhere = otherMonitors(before, authored)
  const place = (window: PlacedWindow): Rect => {
    const monitor = elsewhere(window.bounds)
    return monitor ? translate(window.bounds, monitor.shift.x, monitor.shift.y) : placeOnPrimary(window)
  }
  const placeDialog = (dialog: Rect, owner: Rect, target: Rect): Rect =>
    fitInto(elsewhere(owner)?.area ?? area, translate(dialog, target.x - owner.x, target.y - owner.y))
  const shifts = new Map<string, Point>()
  const owners = new Map<string, Rect>()
  const idOwners = new Map<string, string>()
  const starts: { readonly uid: string; readonly bounds: Rect }[] = []
  const initial = authored.initial_state ?? Object.keys(authored.states)[0]
  const states = Object.fromEntries(
    Object.entries(authored.states).map(([name, state]) => {
      const windows = windowsOf(state)
      const placed = windows.map((window, depth): PlacedWindow => {
        const uid = windowUidOf(name, window, depth)
        return { uid, bounds: boundsOf(window), window, depth, count: windows.length }
      })
      const targets = new Map<string, Rect>()
      const ownTarget = (each: PlacedWindow, open: ReadonlySet<string>): Rect => {
        const known = targets.get(each.uid)
        if (known) return known
        const owner = open.has(each.uid) ? undefined : placed.find(({ uid }) => uid === each.window.modal_to)
        const target = owner
          ? placeDialog(each.bounds, owner.bounds, ownTarget(owner, new Set([...open, each.uid])))
          : place(each)
        targets.set(each.uid, target)
        return target
      }
      const moved = placed.map((each) => {
        const to = ownTarget(each, new Set())
        const shift = { x: to.x - each.bounds.x, y: to.y - each.bounds.y }
        if (!shifts.has(each.uid)) shifts.set(each.uid, shift)
        if (!owners.has(each.uid)) owners.set(each.uid, each.bounds)
        if (name === initial) starts.push(each)
        noteIds(each.window.tree, each.uid, idOwners)
        return movedWindow(each.window, to, shift)
      })
      return [name, state && { ...state, windows: moved }]
    }),
  )
  const named = authored.windows?.map((window) => {
    const bounds = boundsOf(window)
    const owner = owners.get(window.modal_to ?? '')
    const ownerShift = shifts.get(window.modal_to ?? '')
    const to =
      owner && ownerShift
        ? placeDialog(bounds, owner, translate(owner, ownerShift.x, ownerShift.y))
        : place({ uid: window.uid, bounds, window, depth: 0, count: 1 })
    const shift = { x: to.x - bounds.x, y: to.y - bounds.y }
    shifts.set(window.uid, shift)
    owners.set(window.uid, bounds)
    noteIds(window.tree, window.uid, idOwners)
    return { ...movedWindow(window, to, shift), uid: window.uid }
  })
  const opened = (window: AuthoredWindow): AuthoredWindow => {
    const bounds = boundsOf(window)
    const to = place({ uid: window.uid ?? '', bounds, window, depth: 0, count: 1 })
    return movedWindow(window, to, { x: to.x - bounds.x, y: to.y - bounds.y })
  }
  const shiftOf = (uid: string | undefined): Point => (uid === undefined ? undefined : shifts.get(uid)) ?? NO_SHIFT
  const at = (point: Point) => shiftOf(starts.find(({ bounds }) => contains(bounds, point))?.uid)
  const later = movedEffects(
    { ...authored, states, ...(named && { windows: named }) },
    { shiftOf, idOwners, at, opened },
  )
  return movePoints(later, (point) => {
    const shift = at(point)
    return { x: point.x + shift.x, y: point.y + shift.y }
  })
}

const NO_SHIFT: Point = { x: 0, y: 0 }

/** Finds the monitor, other than the primary one, that has the centre of a rectangle: its new area, and how it moves. */
function otherMonitors(before: AuthoredScenario, after: AuthoredScenario) {
  const [old, next] = [buildMonitors(before), buildMonitors(after)]
  const primary = old.indexOf(primaryMonitor({ monitors: old })!)
  return (rect: Rect): { readonly area: Rect; readonly shift: Point } | undefined => {
    const index = old.findIndex(({ bounds }) => contains(bounds, centerOf(rect)))
    if (index < 0 || index === primary) return undefined
    const [from, to] = [old[index]!.bounds, next[index]!.bounds]
    return { area: to, shift: { x: to.x - from.x, y: to.y - from.y } }
  }
}

function noteIds(element: AuthoredElement | undefined, uid: string, owners: Map<string, string>): void {
  if (!element) return
  if (element.id !== undefined && !owners.has(element.id)) owners.set(element.id, uid)
  for (const child of element.children ?? []) noteIds(child, uid, owners)
}

function movedWindow(window: AuthoredWindow, bounds: Rect, shift: Point): AuthoredWindow {
  const { tree } = window
  return { ...window, bounds, ...(tree && { tree: movedElement(tree, shift) }) }
}

/** An element with its written bounds, and those below it, moved. */
export const movedElement = <T>(element: T, { x, y }: Point): T =>
  x === 0 && y === 0
    ? element
    : rewriteJson(element, (key, value) => (key === 'bounds' && isRect(value) ? translate(value, x, y) : undefined))

export const isRect = (value: unknown): value is Rect =>
  isPlainObject(value) && ['x', 'y', 'width', 'height'].every((key) => typeof value[key] === 'number')

/** Whether a trigger measures its region from the corner of an element or a window. */
export const isRelative = (trigger: PlainObject): boolean =>
  ['target_id', 'target_name', 'role', 'selector', 'window'].some((key) => trigger[key] !== undefined)

/** How effects move with the windows that they are about. */
interface EffectMoves {
  readonly shiftOf: (uid: string | undefined) => Point
  readonly idOwners: ReadonlyMap<string, string>
  /** The shift of the window at a point of the start. */
  readonly at: (point: Point) => Point
  /** A window that an effect opens. */
  readonly opened: (window: AuthoredWindow) => AuthoredWindow
}

/** Moves what reactions and timers write in pixels. */
function movedEffects(authored: AuthoredScenario, { shiftOf, idOwners, at, opened }: EffectMoves): AuthoredScenario {
  const move = <T>(list: T): T =>
    rewriteJson(list, (key, value, owner) => {
      const text = (of: unknown) => (typeof of === 'string' ? of : undefined)
      const id = text(owner.id) ?? text(owner.target_id) ?? text(owner.menu)
      const uid = text(owner.window) ?? text(owner.move) ?? (id === undefined ? undefined : idOwners.get(id))
      const shift = shiftOf(uid)
      if (key === 'bounds' && isRect(value)) return translate(value, shift.x, shift.y)
      if (key === 'append') return movedElement(value, shift)
      if (key === 'open' && isPlainObject(value)) return opened(value as AuthoredWindow)
      if (key === 'at' && isPlainObject(value) && typeof value.x === 'number' && typeof value.y === 'number')
        return { x: value.x + shift.x, y: value.y + shift.y }
      if (key === 'region' && isRect(value) && !isRelative(owner)) {
        const by = at(centerOf(value))
        return translate(value, by.x, by.y)
      }
      if (owner.move !== undefined && typeof value === 'number') {
        if (key === 'x') return value + shift.x
        if (key === 'y') return value + shift.y
      }
      return undefined
    })
  return {
    ...authored,
    ...(authored.reactions && { reactions: move(authored.reactions) }),
    ...(authored.timers && { timers: move(authored.timers) }),
    ...(authored.actors && { actors: move(authored.actors) }),
  }
}
