import { type Desktop, desktopWith, isHiddenWindow, type Window, windowByUid, windowWith } from '../model/desktop.ts'
import { windowOf } from '../tree/element-ref.ts'

/** The stacking order of windows: a dialog is above its owner, and both move together. */

/**
 * Brings a window with its owners and dialogs to the front, each dialog above its owner, and restores minimised ones.
 */
export function bringToFront(desktop: Desktop, uid: string): Desktop {
  if (isInFront(desktop, uid)) return desktop
  const window = windowOf(desktop, uid)
  if (window.shell) return desktop
  const owners = ownersOf(desktop, window)
  return [...owners, uid].reduce(raise, desktop)
}

/** The usual case, checked first: the window is in front, not minimised, and no dialog is open. */
const isInFront = ({ windows }: Desktop, uid: string): boolean =>
  windows[0]?.uid === uid && windows[0].state !== 'minimized' && windows.every(({ modalTo }) => modalTo === undefined)

/** The windows that a dialog belongs to, outermost first. */
export function ownersOf(desktop: Desktop, window: Window, below: readonly string[] = []): readonly string[] {
  const owner = window.modalTo === undefined ? undefined : windowByUid(desktop, window.modalTo)
  if (!owner || owner.uid === window.uid || below.includes(owner.uid)) return below
  return ownersOf(desktop, owner, [owner.uid, ...below])
}

function raise(desktop: Desktop, uid: string): Desktop {
  const shown = unminimized(windowOf(desktop, uid))
  const family = new Set(dialogsAbove(desktop, uid))
  const above = desktop.windows.filter((other) => family.has(other.uid)).map(unminimized)
  const others = desktop.windows.filter((other) => other.uid !== uid && !family.has(other.uid))
  const notifications = others.filter(({ notification }) => notification)
  const below = others.filter(({ notification }) => !notification)
  const windows = [...notifications, ...above, shown, ...below]
  return windows.every((each, place) => each === desktop.windows[place]) ? desktop : desktopWith(desktop, { windows })
}

const unminimized = (window: Window): Window =>
  window.state === 'minimized' ? windowWith(window, { state: window.restoreTo ? 'maximized' : 'normal' }) : window

/** The open dialogs above a window, each with its own dialogs. */
function dialogsAbove(desktop: Desktop, uid: string, found: readonly string[] = [uid]): readonly string[] {
  const dialogs = desktop.windows.filter(
    (window) => window.modalTo !== undefined && found.includes(window.modalTo) && !found.includes(window.uid),
  )
  if (dialogs.length === 0) return found.filter((each) => each !== uid)
  return dialogsAbove(desktop, uid, [...found, ...dialogs.map((dialog) => dialog.uid)])
}

/** The innermost dialog that keeps a window from taking input, or undefined. */
export function blockerOf(desktop: Desktop, window: Window): Window | undefined {
  const seen = [window.uid]
  let blocker: Window | undefined
  for (let next = dialogOf(desktop, window.uid); next && !seen.includes(next.uid); next = dialogOf(desktop, next.uid)) {
    seen.push(next.uid)
    blocker = next
  }
  return blocker
}

const dialogOf = (desktop: Desktop, uid: string): Window | undefined =>
  desktop.windows.find((window) => window.modalTo === uid && !isHiddenWindow(window))
