import { activateNext, activateWindow, focusElement } from '../input/focus.ts'
import type { ShellCommand } from '../model/command.ts'
import { type Desktop, desktopWith, type Window, windowByUid } from '../model/desktop.ts'
import { windowOf } from '../tree/element-ref.ts'
import { activeOwner, hasShell, primaryMonitor } from '../windows/panel.ts'
import { minimize } from '../windows/windowing.ts'
import { launcherOf, SEARCH_ID } from './launcher.ts'
import { LAUNCHER_UID } from './parts.ts'
import { withShell } from './shell.ts'

/** Does what a button of the shell does. A task or application closes the launcher. */
export function runShellCommand(desktop: Desktop, command: ShellCommand): Desktop {
  switch (command.does) {
    case 'launcher':
      return toggleLauncher(desktop)
    case 'task':
      return runTask(desktop, command.window)
    case 'app': {
      const shut = closeLauncher(desktop)
      const window = openWindowOf(shut, command.app)
      return window ? activateWindow(shut, window.uid) : shut
    }
  }
}

/** The front window of an application. Undefined if none is open. */
export function openWindowOf({ apps, windows }: Desktop, id: string): Window | undefined {
  const app = apps?.find((each) => each.id === id)
  return windows.find(({ uid }) => app?.windows.includes(uid))
}

/** Opens the launcher with an empty field that has the focus, or closes it. Does nothing on a desktop without a shell. */
export const toggleLauncher = (desktop: Desktop): Desktop =>
  windowByUid(desktop, LAUNCHER_UID) ? closeLauncher(desktop) : openLauncher(desktop)

function openLauncher(desktop: Desktop): Desktop {
  const monitor = primaryMonitor(desktop)
  if (!hasShell(desktop) || !monitor) return desktop
  const { shell } = withShell(desktop)
  if (!shell) return desktop
  const launcher = launcherOf(desktop, desktop.style, monitor.bounds, undefined)
  const opened = desktopWith(desktop, { shell: { ...shell, windows: [launcher, ...shell.windows] } })
  return focusElement(opened, { window: LAUNCHER_UID, element: SEARCH_ID })
}

/** Closes the launcher and activates the window in front. */
export function closeLauncher(desktop: Desktop): Desktop {
  const { shell } = desktop
  if (!shell || !windowByUid(desktop, LAUNCHER_UID)) return desktop
  const windows = shell.windows.filter(({ uid }) => uid !== LAUNCHER_UID)
  const shut = desktopWith(desktop, { shell: { ...shell, windows } })
  return desktop.active === LAUNCHER_UID ? activateNext(shut) : shut
}

function runTask(desktop: Desktop, uid: string): Desktop {
  const { state } = windowOf(desktop, uid)
  const isActive = activeOwner(desktop)?.uid === uid && state !== 'minimized'
  return isActive ? minimize(desktop, uid) : activateWindow(desktop, uid)
}
