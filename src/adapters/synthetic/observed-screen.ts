import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import {
  type Desktop,
  isHiddenWindow,
  isOnScreen,
  type Monitor,
  stackedWindows,
  type Window,
  windowByUid,
} from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Point, Rect } from '../../desktop/model/geometry.ts'
import {
  projectMonitors,
  projectPointOn,
  projectRect,
  projectTree,
  type ScreenProjection,
  unprojectAction,
} from '../../desktop/projection.ts'
import { monitorOf } from '../../desktop/windows/windowing.ts'
import { type ActionExplanation, explainAction } from '../../scenario/explain-action.ts'
import type { FaultEntry } from '../../scenario/faults/fault-kind.ts'
import type { Personality } from '../../scenario/personalities/personality.ts'
import {
  asSeenOn,
  popupTree,
  popupWindow,
  popupWindows,
  toAuthored,
} from '../../scenario/personalities/platform-view.ts'
import { runAt } from '../../scenario/run/elapse.ts'
import { activeObservations, observedTree, picturedDesktop } from '../../scenario/run/observe.ts'
import { stepScenario } from '../../scenario/run/step.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { ScenarioRun } from '../../scenario/scenario-run.ts'
import type { RunView, RunWatcher, ScreenshotTarget, WindowInfo } from '../computer.ts'

/**
 * How callers see a desktop and act on it: in the pixels of the projection of its scenario, and with the accessibility tree of
 * its personality. Without these, the desktop itself.
 */
type View = Pick<Scenario, 'projection' | 'personality'>

/** The monitors as callers see them. */
export const viewMonitors = ({ monitors }: Desktop, { projection }: View): readonly Monitor[] =>
  projection ? projectMonitors(projection, monitors) : monitors

/** The pointer in the pixels that callers see. */
export const viewPointer = (desktop: Desktop, { projection }: View): Point =>
  projection ? projectPointOn(projection, desktop, desktop.pointer) : desktop.pointer

/** The windows as callers see them, front to back. */
export function viewWindows(desktop: Desktop, view: View): readonly WindowInfo[] {
  const { projection } = view
  const windows = projection ? projectedWindows(desktop, projection) : listWindows(desktop)
  return view.personality ? windows.flatMap((window) => [...viewPopups(desktop, view, window), window]) : windows
}

/** The windows that the author hides, which no list has. */
export const viewHiddenWindows = (desktop: Desktop, { projection }: View): readonly WindowInfo[] =>
  projection ? projectedWindows(desktop, projection, isHiddenWindow) : listWindows(desktop, isHiddenWindow)

/** The open menus and lists of a window that are windows of their own. */
function viewPopups(desktop: Desktop, view: View, owner: WindowInfo): readonly WindowInfo[] {
  const { personality } = view
  const window = windowByUid(desktop, owner.uid)
  if (!personality || !window) return []
  return popupWindows(personality, window).map(({ uid, bounds }, index) => ({
    ...owner,
    uid,
    handle: `${owner.handle}.${index + 1}`,
    bounds: onScreen(view, bounds),
    focused: false,
    popupOf: owner.uid,
  }))
}

/** Whether two desktops with the same view have the same list of windows. */
export const hasSameWindows = (a: Desktop, b: Desktop, { personality }: View): boolean =>
  a === b || ((!personality || personality.popups === 'inside') && hasSameWindowList(a, b))

/** Returns a tree as faults show it. `treeIn` finds the same tree in another desktop. */
type Observe = (tree: Element, treeIn: (desktop: Desktop) => Element | undefined) => Element

/** The tree of a window as callers see it, or as the scenario has it. Undefined without one. */
export function viewTree(
  desktop: Desktop,
  view: View,
  uid: string,
  asWritten?: boolean,
  observe?: Observe,
): Element | undefined {
  const { personality, projection } = view
  const window = windowByUid(desktop, uid)
  if (window?.state === 'minimized') return undefined
  const own = window && (observe ? observe(window.tree, (other) => windowByUid(other, uid)?.tree) : window.tree)
  const tree = personality && !asWritten ? seenTree(personality, desktop, uid, own, observe) : own
  return tree && projection ? projectTree(projection, tree) : tree
}

function seenTree(
  personality: Personality,
  desktop: Desktop,
  uid: string,
  own: Element | undefined,
  observe: Observe | undefined,
): Element | undefined {
  if (own) return asSeenOn(personality, own)
  const popup = popupWindow(personality, desktop, uid)
  if (!popup) return undefined
  const seen = observe?.(popup.menu, (other) => popupWindow(personality, other, uid)?.menu)
  return popupTree(personality, popup, seen)
}

/** The bounds of an open menu or list that is a window of its own. Undefined for other windows. */
function viewPopupBounds(desktop: Desktop, view: View, uid: string): Rect | undefined {
  const popup = view.personality && popupWindow(view.personality, desktop, uid)
  return popup && onScreen(view, popup.bounds)
}

/** The window or the part of the screen that a picture shows; undefined for the screen. Throws `WindowGone`. */
export function picturedView(
  desktop: Desktop,
  view: View,
  of: ScreenshotTarget,
): { readonly window: string } | { readonly area: Rect } | undefined {
  if ('area' in of) return { area: of.area }
  if (!('window' in of)) return undefined
  const popup = viewPopupBounds(desktop, view, of.window)
  if (popup) return { area: popup }
  const window = windowByUid(desktop, of.window)
  if (window && window.state !== 'minimized') return { window: of.window }
  throw new Fault('WindowGone', `there is no visible window "${of.window}"`, { window_uid: of.window })
}

const onScreen = ({ projection }: View, bounds: Rect): Rect => (projection ? projectRect(projection, bounds) : bounds)

/** The action on the desktop that an action on its view is. Throws `PatternUnsupported` for one that the view does not offer. */
export function actionOnDesktop(desktop: Desktop, { projection, personality }: View, action: Action): Action {
  const here = projection ? unprojectAction(projection, desktop, action) : action
  return personality ? toAuthored(personality, desktop, here) : here
}

/** Whether two desktops have the same list of windows. Changes inside windows do not matter. */
function hasSameWindowList(a: Desktop, b: Desktop): boolean {
  const [before, after] = [stackedWindows(a), stackedWindows(b)]
  if (before === after) return a.active === b.active && a.monitors === b.monitors
  if (a.active !== b.active || a.monitors !== b.monitors || before.length !== after.length) return false
  for (let at = 0; at < before.length; at++) if (!hasSameWindowInfo(before[at]!, after[at]!)) return false
  return true
}

const hasSameWindowInfo = (a: Window, b: Window): boolean =>
  a === b ||
  (a.uid === b.uid &&
    a.handle === b.handle &&
    a.title === b.title &&
    a.process === b.process &&
    a.pid === b.pid &&
    a.bounds === b.bounds &&
    isHiddenWindow(a) === isHiddenWindow(b) &&
    a.state === b.state)

/** The windows that are on the screen, or others, in its pixels. */
const projectedWindows = (
  desktop: Desktop,
  projection: ScreenProjection,
  isListed = isOnScreen,
): readonly WindowInfo[] =>
  listWindows(desktop, isListed).map((window) => ({
    ...window,
    bounds: projectRect(projection, window.bounds),
    ...(window.scaleFactor !== undefined && { scaleFactor: window.scaleFactor * projection.scale }),
  }))

/** The windows that are on the screen, or others, front to back. */
const listWindows = (desktop: Desktop, isListed = isOnScreen): readonly WindowInfo[] =>
  stackedWindows(desktop)
    .filter(isListed)
    .map(({ uid, handle, title, process, pid, bounds, shell }) => {
      const monitor = monitorOf(desktop, bounds)
      return {
        uid,
        handle,
        title,
        process,
        pid,
        bounds,
        focused: uid === desktop.active,
        ...(shell && { shell: true as const }),
        ...(monitor && { monitorIndex: monitor.index, scaleFactor: monitor.scaleFactor }),
      }
    })

/** The windows and trees of a run, as callers see them without faults. */
export const viewOfRun = ({ desktop, scenario }: ScenarioRun): RunView => ({
  windows: viewWindows(desktop, scenario),
  tree: (uid) => viewTree(desktop, scenario, uid),
})

/**
 * What a scenario does with actions of a caller on a run, one after the other, and with each key in typed text. It ends with the first one that is refused.
 * Faults of the catalogue are left out.
 */
export function explainOnRun(from: ScenarioRun, actions: readonly Action[]): readonly ActionExplanation[] {
  const explanations: ActionExplanation[] = []
  let run = from.faults ? { ...from, faults: undefined } : from
  try {
    for (const wanted of actions) {
      const action = actionOnDesktop(run.desktop, run.scenario, wanted)
      run = stepScenario(run, { type: 'action', action }, (before, part) => {
        explanations.push(explainAction(before, part))
      }).run
    }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
  }
  return explanations
}

/** One watcher for two. */
export const bothWatchers = (one: RunWatcher, other: RunWatcher): RunWatcher => ({
  onAction: (run, action) => {
    one.onAction(run, action)
    other.onAction(run, action)
  },
  onChange: (before, after, fired) => {
    one.onChange(before, after, fired)
    other.onChange(before, after, fired)
  },
})

/** Advances a run to a time, and tells a watcher of what changed. */
export function watchedRunAt(run: ScenarioRun, nowMs: number, watcher: RunWatcher): ScenarioRun {
  // Time passes far more often than timers fire.
  const isDue = run.due.length > 0 && run.due[0]!.atMs <= nowMs
  if (!isDue) return runAt(run, nowMs)
  const timers: number[] = []
  const after = runAt(run, nowMs, (timer) => timers.push(timer))
  watcher.onChange(run, after, { reactions: [], timers })
  return after
}

interface ObservedTree {
  readonly actual: Element
  readonly active: readonly FaultEntry['active'][]
  readonly tree: Element
}

/** The trees and the desktop that faults have changed, so that what is the same keeps its identity. */
export class ObservedTrees {
  readonly #trees = new Map<string, ObservedTree>()
  #pictured:
    | { readonly actual: Desktop; readonly active: ObservedTree['active']; readonly desktop: Desktop }
    | undefined

  /** A tree as it is seen. `uid` identifies its window, and `treeIn` finds it in another desktop. */
  tree(run: ScenarioRun, uid: string, actual: Element, treeIn: (desktop: Desktop) => Element | undefined): Element {
    const active = activeObservations(run).map((entry) => entry.active)
    if (active.length === 0) return actual
    const known = this.#trees.get(uid)
    if (known?.actual === actual && isSameList(known.active, active)) return known.tree
    const tree = observedTree(run, actual, treeIn)
    this.#trees.set(uid, { actual, active, tree })
    return tree
  }

  /** The desktop as pictures show it. */
  desktop(run: ScenarioRun): Desktop {
    const { desktop: actual } = run
    const active = activeObservations(run).map((entry) => entry.active)
    if (active.length === 0) return actual
    const known = this.#pictured
    if (known?.actual === actual && isSameList(known.active, active)) return known.desktop
    this.#pictured = { actual, active, desktop: picturedDesktop(run) }
    return this.#pictured.desktop
  }
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])
