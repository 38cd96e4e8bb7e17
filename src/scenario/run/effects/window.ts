import { changeWindow, type Desktop, type Window, windowByUid } from '../../../desktop/model/desktop.ts'
import type { Metrics } from '../../../desktop/style/metrics.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { refOf } from '../../../desktop/tree/element-ref.ts'
import { placed } from '../../../desktop/tree/tree-edits.ts'
import { openPopup } from '../../../desktop/widgets/popup-placement.ts'
import { activateWindow } from '../../../desktop/windows/focus.ts'
import { headerBarOf } from '../../../desktop/windows/frame.ts'
import { closeWindow, maximize, minimize, restore } from '../../../desktop/windows/windowing.ts'
import { buildWindowToOpen, fillMonitor } from '../../build-window.ts'
import { laidOutAgain, layOutWindow } from '../../layout/layout.ts'
import { elementWithId, windowNamed } from '../../live-context.ts'
import { type ScenarioRun, withDesktop } from '../../scenario-run.ts'
import type {
  CloseEffect,
  ElementChange,
  FocusEffect,
  MenuEffect,
  MoveEffect,
  OpenEffect,
} from '../../schema/effect.ts'
import type { NamedWindow } from '../../schema/element.ts'
import { withOpened } from '../scene.ts'
import { type ApplyEffect, type FillText, fillElement, skipEffect, textFiller } from './context.ts'
import { withClosedWindows } from './live-windows.ts'

/** Changes the title, bounds, state or `busy` of a window, or removes it. A missing window is skipped and recorded. */
export const applyWindowChange: ApplyEffect<ElementChange> = (run, change, context) => {
  const { desktop } = run
  const { window: named, title, busy, bounds, state } = change
  if (named === undefined) return run
  const uid = windowNamed(desktop, named, context.near)?.uid
  if (uid === undefined) return skipEffect(run, 'window', `there is no window ${JSON.stringify(named)}`)
  if (change.remove) return closed(run, uid)
  const fill = textFiller(run, context, uid)
  const changed = changeWindow(desktop, uid, (window) => {
    const named = title === undefined ? window : { ...window, title: fill(title) }
    const settled = busy === undefined ? named : { ...named, busy }
    const metrics = styleMetrics(desktop.style, desktop.language)
    if (bounds) return layOutWindow({ ...settled, bounds, tree: placed(settled.tree, bounds) }, metrics)
    return title !== undefined && headerBarOf(settled) ? layOutWindow(settled, metrics) : settled
  })
  return withDesktop(run, state === undefined ? changed : inState(changed, uid, state))
}

function inState(desktop: Desktop, uid: string, state: NonNullable<ElementChange['state']>): Desktop {
  const now = windowByUid(desktop, uid)!.state
  if (now === state) return desktop
  if (state === 'minimized') return minimize(desktop, uid)
  const next = state === 'maximized' ? maximize(desktop, uid) : restore(desktop, uid)
  // A window that was maximised before it was minimised is maximised again first.
  const done = state === 'normal' && windowByUid(next, uid)!.state === 'maximized' ? restore(next, uid) : next
  return laidOutAgain(desktop, done)
}

/** The handle of a window that a fault opens, far from those of the file. */
const FIRST_FAULT_HANDLE = 80_001

/** Opens a window in front, as written. One that is open comes to the front. */
export const applyOpen: ApplyEffect<OpenEffect> = (run, { open }, context) => {
  const { desktop } = run
  const uid = typeof open === 'string' ? open : open.uid
  if (windowByUid(desktop, uid)) return withDesktop(run, activateWindow(desktop, uid))
  const window = typeof open === 'string' ? writtenWindow(run, open) : builtWindow(run, open, textFiller(run, context))
  if (!window) return skipEffect(run, 'open', `there is no window "${uid}"`)
  return withDesktop(run, withOpened(desktop, window))
}

/** The window with a uid: of the current state, of `windows`, or of the first state that has it. */
function writtenWindow({ scenario, state }: ScenarioRun, uid: string): Window | undefined {
  const inState = (name: string) => scenario.states.get(name)?.windows.find((window) => window.uid === uid)
  const own = inState(state) ?? scenario.windows.get(uid)
  if (own) return own
  for (const name of scenario.states.keys()) {
    const other = inState(name)
    if (other) return other
  }
  return undefined
}

function builtWindow({ scenario, desktop }: ScenarioRun, authored: NamedWindow, fill: FillText): Window {
  const { title, tree } = authored
  const filled = {
    ...authored,
    ...(title !== undefined && { title: fill(title) }),
    ...(tree && { tree: fillElement(tree, fill) }),
  }
  return fillMonitor(
    buildWindowToOpen(filled, scenario.handles.get(authored.uid) ?? FIRST_FAULT_HANDLE, desktop),
    desktop,
  )
}

/** Closes a window with its dialogs. */
export const applyClose: ApplyEffect<CloseEffect> = (run, { close }, { near }) => {
  const window = windowNamed(run.desktop, close, near)
  return window ? closed(run, window.uid) : skipEffect(run, 'close', `no window "${close}" is open`)
}

/** The run without a window, and with what closing it does to the data that it follows. */
const closed = (run: ScenarioRun, uid: string): ScenarioRun =>
  withClosedWindows(run, withDesktop(run, closeWindow(run.desktop, uid)))

/** Brings a window to the front and restores its focus. */
export const applyFocus: ApplyEffect<FocusEffect> = (run, { focus }, { near }) => {
  const window = windowNamed(run.desktop, focus, near)
  return window
    ? withDesktop(run, activateWindow(run.desktop, window.uid))
    : skipEffect(run, 'focus', `no window "${focus}" is open`)
}

/** Moves and resizes a window. A maximised window is no longer maximised. */
export const applyMove: ApplyEffect<MoveEffect> = (run, effect, { near }) => {
  const { desktop } = run
  const window = windowNamed(desktop, effect.move, near)
  if (!window) return skipEffect(run, 'move', `no window "${effect.move}" is open`)
  const metrics = styleMetrics(desktop.style, desktop.language)
  return withDesktop(
    run,
    changeWindow(desktop, window.uid, (each) => movedWindow(each, effect, metrics)),
  )
}

function movedWindow({ restoreTo, ...window }: Window, { x, y, width, height }: MoveEffect, metrics: Metrics): Window {
  const from = restoreTo ?? window.bounds
  const bounds = {
    x: x ?? from.x,
    y: y ?? from.y,
    width: width ?? from.width,
    height: height ?? from.height,
  }
  const state = window.state === 'maximized' ? 'normal' : window.state
  return layOutWindow({ ...window, state, bounds, tree: placed(window.tree, bounds) }, metrics)
}

/** Opens a menu at a point, by default at the pointer. */
export const applyMenu: ApplyEffect<MenuEffect> = (run, { menu, window, at }, { near, event }) => {
  const { desktop } = run
  const found = elementWithId(desktop, menu, window, near, event?.within)
  if (!found) return skipEffect(run, 'menu', `there is no element "${menu}"`)
  const owner = refOf(desktop, { window: found.window.uid, element: found.element.id })
  return withDesktop(run, openPopup(desktop, owner, { at: at ?? desktop.pointer }))
}
