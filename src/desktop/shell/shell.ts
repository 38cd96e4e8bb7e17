import {
  changeWindow,
  type Desktop,
  desktopWith,
  isHiddenWindow,
  isWindowOf,
  type Shell,
  type ShellBasis,
  type Window,
  windowByUid,
  windowWith,
} from '../model/desktop.ts'
import { changeAt, nodeAt, pathOf, withFields } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import type { Flyout, ShellCommand, WindowAction } from '../model/traits.ts'
import type { ShellMetrics } from '../style/metrics.ts'
import { windowOf } from '../tree/element-ref.ts'
import { activateNext, activateWindow, focusElement } from '../windows/focus.ts'
import { activeOwner, primaryMonitor, shellOf } from '../windows/panel.ts'
import { closeWindow, minimize, toggleMaximized } from '../windows/windowing.ts'
import { barsOf } from './bars.ts'
import { desktopWindow } from './desktop-icons.ts'
import { flyoutOf } from './flyouts.ts'
import { launcherOf, SEARCH_ID } from './launcher.ts'
import { menuStates } from './menus.ts'
import { DESKTOP_UID, flyoutUid, flyoutWithUid, isOpenPart, LAUNCHER_UID, reconcile } from './shell-elements.ts'
import { INPUT_ID } from './tray.ts'

/**
 * Brings the windows of the shell up to date: the bars with a button for each window, the icons of the desktop's files, and
 * the launcher or a flyout, which closes when it is not active. Returns the same desktop if all are current, and a desktop without them
 * if it has no style. Elements that do not change keep their identity.
 */
export function withShell(desktop: Desktop): Desktop {
  const metrics = shellOf(desktop)
  const monitor = primaryMonitor(desktop)
  if (!metrics || !monitor) return desktop.shell ? desktopWith(desktop, { shell: undefined }) : desktop
  const { shell } = desktop
  const basis = basisOf(desktop)
  const isShut = !isOpenPart(desktop.active) && basis.open !== undefined
  if (shell && !isShut && isCurrent(shell.basis, basis)) return desktop
  const windows = shellWindows(desktop, metrics, monitor.bounds)
  const made: Desktop = desktopWith(desktop, { shell: { windows, basis } })
  return desktopWith(made, { shell: { windows, basis: basisOf(made) } })
}

function shellWindows(desktop: Desktop, shell: ShellMetrics, screen: Window['bounds']): readonly Window[] {
  const before = new Map(desktop.shell?.windows.map((window) => [window.uid, window]))
  const open = isOpenPart(desktop.active) ? before.get(desktop.active ?? '') : undefined
  return [
    ...(open ? [updated(open, openPartOf(desktop, shell, screen, open))] : []),
    ...barsOf(desktop, shell, screen).map((bar) => updated(before.get(bar.uid), bar)),
    unmarked(desktopWindow(desktop, shell, screen, before.get(DESKTOP_UID)), desktop.active),
  ]
}

/** The launcher or the flyout that is open, for the desktop as it is now. */
function openPartOf(desktop: Desktop, shell: ShellMetrics, screen: Window['bounds'], open: Window): Window {
  const flyout = flyoutWithUid(open.uid)
  return flyout ? flyoutOf(desktop, shell, screen, flyout, open) : launcherOf(desktop, shell, screen, open)
}

/** The new window, with the tree and the focus of the old one where they still hold. */
function updated(old: Window | undefined, made: Window): Window {
  if (!old) return made
  const tree = reconcile(old.tree, made.tree)
  const focus = old.focus !== undefined && pathOf(tree, old.focus) ? old.focus : undefined
  return windowWith(old, { tree, bounds: made.bounds, title: made.title, focus, screen: made.screen })
}

/** Without a focused element, if the window is not active. Entering a state removes the focus without a look at the shell. */
function unmarked(window: Window, active: string | undefined): Window {
  const path = window.uid === active || window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  if (!path || !nodeAt(window.tree, path)?.focused) return window
  return windowWith(window, { tree: changeAt(window.tree, path, (node) => withFields(node, { focused: false })) })
}

function basisOf(desktop: Desktop): ShellBasis {
  const { windows, active, monitors, panel, style, nowMs, dateNames, language, files, apps, shell } = desktop
  const treeOf = (uid: string) => shell?.windows.find((window) => window.uid === uid)?.tree
  return {
    windows,
    active,
    monitors,
    ...(panel !== undefined && { panel }),
    ...(style !== undefined && { style }),
    ...(nowMs !== undefined && { nowMs }),
    ...(dateNames && { dateNames }),
    ...(language !== undefined && { language }),
    ...(files && { files }),
    ...(apps && { apps }),
    open: shell?.windows.find(({ uid }) => isOpenPart(uid))?.tree,
    icons: treeOf(DESKTOP_UID),
    menus: shellOf(desktop)?.bars.some(({ kind }) => kind === 'menu bar') ? menuStates(desktop) : undefined,
  }
}

/** Whether nothing that the shell shows has changed. Changes inside windows do not matter. */
function isCurrent(basis: Shell['basis'], now: Shell['basis']): boolean {
  return (
    basis.active === now.active &&
    basis.monitors === now.monitors &&
    basis.panel === now.panel &&
    basis.style === now.style &&
    basis.nowMs === now.nowMs &&
    basis.dateNames === now.dateNames &&
    basis.language === now.language &&
    basis.files === now.files &&
    basis.apps === now.apps &&
    basis.open === now.open &&
    basis.icons === now.icons &&
    basis.menus === now.menus &&
    (basis.windows === now.windows ||
      (basis.windows.length === now.windows.length &&
        basis.windows.every((window, at) => isListedAs(window, now.windows[at]!))))
  )
}

const isListedAs = (a: Window, b: Window): boolean =>
  a === b ||
  (a.uid === b.uid &&
    a.handle === b.handle &&
    a.title === b.title &&
    a.process === b.process &&
    a.state === b.state &&
    isHiddenWindow(a) === isHiddenWindow(b) &&
    a.modalTo === b.modalTo &&
    a.notification === b.notification)

/** Does what a button of the shell does. A task or application closes the launcher and flyouts. */
export function runShellCommand(desktop: Desktop, command: ShellCommand): Desktop {
  switch (command.does) {
    case 'launcher':
      return toggleLauncher(desktop)
    case 'page':
      return showPage(desktop, command.page)
    case 'task':
      return runTask(desktop, command.window)
    case 'window':
      return runWindow(desktop, command.window, command.to)
    case 'app': {
      const shut = closeOpenPart(desktop)
      const window = openWindowOf(shut, command.app)
      return window ? activateWindow(shut, window.uid) : shut
    }
    case 'flyout':
      return toggleFlyout(desktop, command.flyout)
    case 'input':
      return chooseInput(desktop, command.code)
  }
}

/** The front window of an application. Undefined if none is open. */
export function openWindowOf({ apps, windows }: Desktop, id: string): Window | undefined {
  const app = apps?.find((each) => each.id === id)
  return app && windows.find((window) => isWindowOf(app, window))
}

/** Opens the launcher with an empty field that has the focus, or closes it. Does nothing on a desktop without a shell. */
export const toggleLauncher = (desktop: Desktop): Desktop =>
  windowByUid(desktop, LAUNCHER_UID)
    ? closeOpenPart(desktop)
    : openPart(desktop, (metrics, screen) => launcherOf(desktop, metrics, screen, undefined), SEARCH_ID)

/** Shows a page of the applications in the open launcher. Its field has the focus. */
function showPage(desktop: Desktop, page: number): Desktop {
  const open = windowByUid(desktop, LAUNCHER_UID)
  return open
    ? openPart(desktop, (metrics, screen) => launcherOf(desktop, metrics, screen, open, page), SEARCH_ID)
    : desktop
}

const toggleFlyout = (desktop: Desktop, flyout: Flyout): Desktop =>
  windowByUid(desktop, flyoutUid(flyout))
    ? closeOpenPart(desktop)
    : openPart(desktop, (metrics, screen) => flyoutOf(desktop, metrics, screen, flyout, undefined))

/** Opens a part of the shell, which is active then. */
function openPart(desktop: Desktop, make: (metrics: ShellMetrics, screen: Rect) => Window, focus?: string): Desktop {
  const monitor = primaryMonitor(desktop)
  const metrics = shellOf(desktop)
  if (!metrics || !monitor) return desktop
  const { shell } = withShell(desktop)
  if (!shell) return desktop
  const opened = make(metrics, monitor.bounds)
  const others = shell.windows.filter(({ uid }) => !isOpenPart(uid))
  const shown = desktopWith(desktop, { shell: { ...shell, windows: [opened, ...others] } })
  return focus === undefined
    ? activateWindow(shown, opened.uid)
    : focusElement(shown, { window: opened.uid, element: focus })
}

/** Closes the launcher or the open flyout and activates the window in front. */
export function closeOpenPart(desktop: Desktop): Desktop {
  const { shell } = desktop
  if (!shell?.windows.some(({ uid }) => isOpenPart(uid))) return desktop
  const windows = shell.windows.filter(({ uid }) => !isOpenPart(uid))
  const shut = desktopWith(desktop, { shell: { ...shell, windows } })
  return isOpenPart(desktop.active) ? activateNext(shut) : shut
}

/** Chooses a layout of the keyboard, which the bar shows. */
function chooseInput(desktop: Desktop, code: string): Desktop {
  const bar = desktop.shell?.windows.find(({ tree }) => pathOf(tree, INPUT_ID))
  const path = bar && pathOf(bar.tree, INPUT_ID)
  if (!bar || !path) return closeOpenPart(desktop)
  const chosen = changeWindow(desktop, bar.uid, (window) =>
    windowWith(window, { tree: changeAt(window.tree, path, (button) => withFields(button, { name: code })) }),
  )
  return closeOpenPart(chosen)
}

function runWindow(desktop: Desktop, uid: string, to: WindowAction): Desktop {
  switch (to) {
    case 'activate':
      return activateWindow(desktop, uid)
    case 'close':
      return closeWindow(desktop, uid)
    case 'minimize':
      return minimize(desktop, uid)
    case 'zoom':
      return toggleMaximized(desktop, windowOf(desktop, uid))
  }
}

function runTask(desktop: Desktop, uid: string): Desktop {
  const { state } = windowOf(desktop, uid)
  const isActive = activeOwner(desktop)?.uid === uid && state !== 'minimized'
  return isActive ? minimize(desktop, uid) : activateWindow(desktop, uid)
}
