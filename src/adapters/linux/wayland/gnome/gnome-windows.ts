import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../../base/fault.ts'
import type { Monitor } from '../../../../desktop/model/desktop.ts'
import type { Rect } from '../../../../desktop/model/geometry.ts'
import { type DesktopWindow, type Edges, NO_EDGES, type WindowSystem } from '../../desktop-backend.ts'
import { processName } from '../../x11/display.ts'
import type { GnomeAct, GnomeMonitor, GnomeShell, GnomeWindow } from './gnome-shell.ts'

const MAX_CHANGE_MS = 1500
const POLL_MS = 5

const uidOf = (id: number): string => `gnome:${id}`

function idOf(uid: string): number | undefined {
  // GNOME numbers windows from an id of 64 bits, of which a number of JavaScript holds 53.
  const digits = /^gnome:(\d{1,15})$/.exec(uid)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The windows of GNOME Shell, with those of Xwayland among them. */
export function gnomeWindowSystem({ describe, act }: GnomeShell): WindowSystem {
  const listAll = async () => gnomeWindows((await describe()).windows)
  const find = async (id: number) => (await listAll()).find((window) => window.id === id)
  const change = async (id: number, what: GnomeAct, isDone: (window: DesktopWindow | undefined) => boolean) => {
    if (!(await act(id, what)))
      throw new Fault('WindowGone', `there is no window ${uidOf(id)}`, { window_uid: uidOf(id) })
    const deadline = Date.now() + MAX_CHANGE_MS
    while (!isDone(await find(id))) {
      if (Date.now() > deadline)
        throw new Fault('Timeout', `GNOME Shell did not ${what} the window ${uidOf(id)} within ${MAX_CHANGE_MS} ms`)
      await sleep(POLL_MS)
    }
  }
  const isBack = (window: DesktopWindow | undefined) => window?.away?.isMinimized !== true
  return {
    uidOf,
    idOf,
    listAll,
    list: async () => (await listAll()).filter(({ away }) => !away),
    active: async () => (await listAll()).find(({ focused }) => focused)?.id ?? 0,
    activate: (id) => change(id, 'activate', (window) => window?.focused === true && !window.away),
    // Its program may ask before it closes.
    close: (id) => change(id, 'close', () => true),
    minimize: (id) => change(id, 'minimize', (window) => !isBack(window)),
    maximize: (id, to) => change(id, to ? 'maximize' : 'restore', isBack),
  }
}

/** The windows of a description, front to back. */
export const gnomeWindows = (windows: readonly GnomeWindow[]): readonly DesktopWindow[] =>
  windows.map((window) => {
    const { id, title, pid, isX11, isPopup, owner, isFocused, isMinimized, workspace, frame, content } = window
    return {
      id,
      title,
      pid,
      process: processName(pid),
      bounds: frame,
      inner: content,
      shadow: isX11 ? edgesBetween(content, frame) : NO_EDGES,
      focused: isFocused,
      popup: isPopup,
      owner: isPopup ? (owner ?? focusedOf(windows, pid)) : undefined,
      away: isMinimized || workspace !== null ? { isMinimized, workspace: workspace ?? undefined } : undefined,
      ...(!isX11 && { isWayland: true }),
    }
  })

/** The window that has the keyboard, to which a menu without an owner of the same program belongs. */
const focusedOf = (windows: readonly GnomeWindow[], program: number): number | undefined =>
  windows.find(({ isFocused, pid }) => isFocused && pid === program)?.id

/** How far a rectangle reaches beyond one in it, such as a surface with its shadow beyond its window. */
function edgesBetween(outer: Rect, inner: Rect): Edges {
  const edges = {
    left: inner.x - outer.x,
    top: inner.y - outer.y,
    right: outer.x + outer.width - inner.x - inner.width,
    bottom: outer.y + outer.height - inner.y - inner.height,
  }
  // What a program draws in the frame of the desktop has no shadow of its own.
  return Object.values(edges).every((edge) => edge >= 0) ? edges : NO_EDGES
}

/** The monitors of a description in logical pixels, the primary one first. */
export const gnomeMonitors = (monitors: readonly GnomeMonitor[]): readonly Monitor[] =>
  [...monitors]
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary))
    .map(({ x, y, width, height }, index) => ({
      index,
      primary: index === 0,
      bounds: { x, y, width, height },
      scaleFactor: 1,
    }))
