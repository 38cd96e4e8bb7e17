import type { Desktop, Window } from '../desktop/desktop.ts'
import { changeAt, type Element, pathOf, walk } from '../desktop/element.ts'
import { activate, focusElement } from '../desktop/focus.ts'
import { type Rect, sameRect } from '../desktop/geometry.ts'
import { placed } from '../desktop/placing.ts'
import { layOut } from './layout.ts'
import type { Scenario, SceneState } from './scenario.ts'

/**
 * What was changed by hand, by reactions and by the controls themselves, and survives a change of state: per element
 * and field the value that the author had written and the one that took its place. A state that writes another value
 * than that author's one gets its way.
 */
export type Kept = ReadonlyMap<string, KeptFields>

type KeptFields = ReadonlyMap<Field, { readonly written: unknown; readonly now: unknown }>

const FIELDS = [
  'name',
  'value',
  'enabled',
  'keyboardShortcut',
  'description',
  'selected',
  'expanded',
  'valueNow',
  'valueMin',
  'valueMax',
] as const satisfies readonly (keyof Element)[]
type Field = (typeof FIELDS)[number]

const keyOf = (uid: string, element: Element): string => `${uid}\0${element.id}\0${element.role}`

/** The desktop with which a scenario begins. */
export function firstDesktop(scenario: Scenario): Desktop {
  const bare: Desktop = {
    monitors: scenario.monitors,
    windows: [],
    active: undefined,
    pointer: { x: 0, y: 0 },
    clipboard: scenario.clipboard,
    ...(scenario.panel ? { panel: true } : {}),
  }
  return show(bare, scenario.states.get(scenario.initial)!)
}

/** What is to be kept when a state is left. */
export function keep(kept: Kept, left: SceneState, desktop: Desktop): Kept {
  const next = new Map(kept)
  for (const written of left.windows) {
    const window = desktop.windows.find(({ uid }) => uid === written.uid)
    if (window && window.tree !== written.tree) keepBelow(next, written, window)
  }
  return next
}

function keepBelow(kept: Map<string, KeptFields>, written: Window, window: Window): void {
  const now = new Map([...walk(window.tree)].map((element) => [element.id, element]))
  for (const before of walk(written.tree)) {
    const element = now.get(before.id)
    if (!element || element.role !== before.role) continue
    const changed = FIELDS.filter((field) => element[field] !== before[field])
    const key = keyOf(written.uid, before)
    if (changed.length === 0) kept.delete(key)
    else kept.set(key, new Map(changed.map((field) => [field, { written: before[field], now: element[field] }])))
  }
}

/** The desktop with the windows of a state on it. With the same windows as before, they stay where the user put them. */
export function enterState(desktop: Desktop, left: SceneState, state: SceneState, kept: Kept): Desktop {
  const uids = (scene: SceneState) => scene.windows.map(({ uid }) => uid).join('\0')
  const restored: SceneState = { windows: state.windows.map((window) => withKept(window, kept)) }
  if (uids(left) !== uids(state)) return show(desktop, withFocusOf(restored, desktop))
  const windows = desktop.windows.map((window) => {
    const next = restored.windows.find(({ uid }) => uid === window.uid)
    const before = left.windows.find(({ uid }) => uid === window.uid)
    return next && before ? inPlaceOf(next, before, window) : window
  })
  return activateAgain({ ...desktop, windows }, desktop.active)
}

/** The windows of a state in its own order; the first that is not minimised is active. */
function show(desktop: Desktop, state: SceneState): Desktop {
  const blank = { ...desktop, active: undefined, windows: state.windows.map(unfocusedTree) }
  const front = state.windows.find((window) => window.state !== 'minimized')
  return front ? activateAgain(blank, front.uid) : blank
}

function activateAgain(desktop: Desktop, uid: string | undefined): Desktop {
  const blurred = { ...desktop, active: undefined, windows: desktop.windows.map(unfocusedTree) }
  const window = blurred.windows.find((each) => each.uid === uid)
  if (!window || window.state === 'minimized') return blurred
  if (window.focus === undefined) return { ...activate(blurred, window.uid) }
  return focusElement(blurred, { window: window.uid, element: window.focus })
}

/** Only the desktop's focus marks an element; the window remembers which one it was. */
function unfocusedTree(window: Window): Window {
  const path = window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  if (!path) return window.focus === undefined ? window : { ...window, focus: undefined }
  const tree = changeAt(window.tree, path, (node) => (node.focused ? { ...node, focused: false } : node))
  return tree === window.tree ? window : { ...window, tree }
}

/** A window without a focus of its own keeps the one it had, if that element is still there. */
function withFocusOf(state: SceneState, desktop: Desktop): SceneState {
  return {
    windows: state.windows.map((window) => {
      const before = desktop.windows.find(({ uid }) => uid === window.uid)
      return window.focus === undefined ? keepFocus(window, before) : window
    }),
  }
}

function keepFocus(window: Window, before: Window | undefined): Window {
  const focus = before?.focus
  return focus !== undefined && pathOf(window.tree, focus) ? { ...window, focus } : window
}

/** The next content of a window that the user may have moved, resized, minimised or typed into meanwhile. */
function inPlaceOf(next: Window, before: Window, now: Window): Window {
  const bounds = sameRect(next.bounds, before.bounds) ? now.bounds : next.bounds
  const state = next.state === before.state ? now.state : next.state
  const focus = next.focus === before.focus ? now.focus : next.focus
  const { restoreTo: _, ...rest } = next
  const kept = now.restoreTo && state === now.state ? { ...rest, restoreTo: now.restoreTo } : rest
  return inBounds(
    { ...kept, state, focus: focus !== undefined && pathOf(next.tree, focus) ? focus : next.focus },
    bounds,
  )
}

function inBounds(window: Window, bounds: Rect): Window {
  if (sameRect(window.bounds, bounds)) return window
  return layOut({ ...window, bounds, tree: placed(window.tree, bounds) })
}

function withKept(window: Window, kept: Kept): Window {
  if (kept.size === 0) return window
  const tree = keptBelow(window.uid, window.tree, kept)
  return tree === window.tree ? window : layOut({ ...window, tree })
}

function keptBelow(uid: string, element: Element, kept: Kept): Element {
  const fields = kept.get(keyOf(uid, element))
  const now: Record<string, unknown> = {}
  for (const [field, { written, now: value }] of fields ?? [])
    if (element[field] === written && value !== undefined) now[field] = value
  let changed = Object.keys(now).length > 0
  const children = element.children.map((child) => {
    const next = keptBelow(uid, child, kept)
    changed ||= next !== child
    return next
  })
  return changed ? { ...element, ...now, children } : element
}
