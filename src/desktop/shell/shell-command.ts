import { activateNext, activateWindow, focusElement } from '../input/focus.ts'
import type { Flyout, ShellCommand, WindowAction } from '../model/command.ts'
import { changeWindow, type Desktop, desktopWith, type Window, windowByUid, windowWith } from '../model/desktop.ts'
import { changeAt, pathOf, withFields } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { windowOf } from '../tree/element-ref.ts'
import { activeOwner, hasShell, primaryMonitor } from '../windows/panel.ts'
import { closeWindow, minimize, toggleMaximized } from '../windows/windowing.ts'
import { flyoutOf } from './flyouts.ts'
import { launcherOf, SEARCH_ID } from './launcher.ts'
import { flyoutUid, isOpenPart, LAUNCHER_UID } from './parts.ts'
import { withShell } from './shell.ts'
import type { ShellStyle } from './shell-places.ts'
import { INPUT_ID } from './states.ts'

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
  return windows.find(({ uid }) => app?.windows.includes(uid))
}

/** Opens the launcher with an empty field that has the focus, or closes it. Does nothing on a desktop without a shell. */
export const toggleLauncher = (desktop: Desktop): Desktop =>
  windowByUid(desktop, LAUNCHER_UID)
    ? closeOpenPart(desktop)
    : openPart(desktop, (style, screen) => launcherOf(desktop, style, screen, undefined), SEARCH_ID)

/** Shows a page of the applications in the open launcher. Its field has the focus. */
function showPage(desktop: Desktop, page: number): Desktop {
  const open = windowByUid(desktop, LAUNCHER_UID)
  return open
    ? openPart(desktop, (style, screen) => launcherOf(desktop, style, screen, open, page), SEARCH_ID)
    : desktop
}

const toggleFlyout = (desktop: Desktop, flyout: Flyout): Desktop =>
  windowByUid(desktop, flyoutUid(flyout))
    ? closeOpenPart(desktop)
    : openPart(desktop, (style, screen) => flyoutOf(desktop, style, screen, flyout, undefined))

/** Opens a part of the shell, which is active then. */
function openPart(desktop: Desktop, make: (style: ShellStyle, screen: Rect) => Window, focus?: string): Desktop {
  const monitor = primaryMonitor(desktop)
  if (!hasShell(desktop) || !monitor) return desktop
  const { shell } = withShell(desktop)
  if (!shell) return desktop
  const opened = make(desktop.style, monitor.bounds)
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
