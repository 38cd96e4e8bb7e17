import { expect, it } from 'vitest'
import type { GnomeDescription, GnomeShell, GnomeWindow } from './gnome-shell.ts'
import { gnomeMonitors, gnomeWindowSystem, gnomeWindows } from './gnome-windows.ts'

// Rules such as [GN1] are stated in README.md.

const FRAME = { x: 100, y: 50, width: 400, height: 300 }
const WINDOW: GnomeWindow = {
  id: 7,
  pid: 0,
  title: 'Form',
  isX11: false,
  isPopup: false,
  owner: null,
  isFocused: true,
  isMinimized: false,
  workspace: null,
  frame: FRAME,
  content: FRAME,
}
const DESCRIPTION: GnomeDescription = {
  monitors: [],
  windows: [WINDOW],
  layout: null,
  isCapsLocked: false,
  takesText: false,
  pointer: [0, 0],
}

it('[GN1] lists windows without shadows, and those of Xwayland with theirs', () => {
  const shadow = { x: 90, y: 45, width: 420, height: 320 }
  const framed = { x: 100, y: 80, width: 400, height: 270 }
  const found = gnomeWindows([
    WINDOW,
    { ...WINDOW, id: 8, isX11: true, isFocused: false, content: shadow },
    { ...WINDOW, id: 9, isX11: true, isFocused: false, content: framed },
  ])
  expect(found.map(({ id, bounds, inner, shadow, isWayland }) => ({ id, bounds, inner, shadow, isWayland }))).toEqual([
    { id: 7, bounds: FRAME, inner: FRAME, shadow: { left: 0, right: 0, top: 0, bottom: 0 }, isWayland: true },
    { id: 8, bounds: FRAME, inner: shadow, shadow: { left: 10, right: 10, top: 5, bottom: 15 } },
    { id: 9, bounds: FRAME, inner: framed, shadow: { left: 0, right: 0, top: 0, bottom: 0 } },
  ])
})

it('[GN1] gives a menu of an X11 program to its owner, else to the focused window of the program', () => {
  const menu = { ...WINDOW, isX11: true, isPopup: true, isFocused: false, id: 20 }
  const owners = (windows: readonly GnomeWindow[]) => gnomeWindows(windows).map(({ popup, owner }) => [popup, owner])
  expect(owners([{ ...menu, owner: 3 }, menu, { ...menu, pid: 5 }, WINDOW])).toEqual([
    [true, 3],
    [true, 7],
    [true, undefined],
    [false, undefined],
  ])
})

it('[GN2] lists minimised windows and those of other workspaces apart', () => {
  const windows = [WINDOW, { ...WINDOW, isMinimized: true }, { ...WINDOW, workspace: 'Workspace 2' }]
  expect(gnomeWindows(windows).map(({ away }) => away)).toEqual([
    undefined,
    { isMinimized: true, workspace: undefined },
    { isMinimized: false, workspace: 'Workspace 2' },
  ])
})

it('[GN3] waits until the list shows a change, and reports a window that is gone', async () => {
  let reads = 0
  const acts: unknown[] = []
  const shell = {
    describe: async () => ({ ...DESCRIPTION, windows: [{ ...WINDOW, isMinimized: ++reads > 2 }] }),
    act: async (id: number, what: string) => {
      acts.push([id, what])
      return id === 7
    },
  } as unknown as GnomeShell
  const system = gnomeWindowSystem(shell)
  await system.minimize(7)
  expect([acts, reads]).toEqual([[[7, 'minimize']], 3])
  await expect(system.close(8)).rejects.toMatchObject({ code: 'WindowGone' })
  expect([system.idOf(system.uidOf(7)), system.idOf('sway:7')]).toEqual([7, undefined])
})

it('[GN3] reports a change that does not happen', async () => {
  const shell = { describe: async () => DESCRIPTION, act: async () => true } as unknown as GnomeShell
  await expect(gnomeWindowSystem(shell).minimize(7)).rejects.toMatchObject({ code: 'Timeout' })
})

it('[GN4] lists monitors in logical pixels, the primary one first', () => {
  const monitors = [
    { x: 0, y: 0, width: 1280, height: 800, scale: 1, isPrimary: false },
    { x: 1280, y: 0, width: 1024, height: 640, scale: 1.25, isPrimary: true },
  ]
  expect(gnomeMonitors(monitors)).toEqual([
    { index: 0, primary: true, bounds: { x: 1280, y: 0, width: 1024, height: 640 }, scaleFactor: 1 },
    { index: 1, primary: false, bounds: { x: 0, y: 0, width: 1280, height: 800 }, scaleFactor: 1 },
  ])
})
