import { Fault } from '../../base/fault.ts'
import type { Rect } from '../../desktop/geometry.ts'
import { intersect } from '../../desktop/geometry.ts'
import type { Computer, WindowInfo } from '../computer.ts'
import { type Accessibility, openAccessibility, sessionBusAddress } from './accessibility.ts'
import { type Camera, openCamera } from './camera.ts'
import { type Display, openDisplay } from './display.ts'
import { type Input, openInput } from './input.ts'
import { listMonitors, monitorOf } from './monitors.ts'
import { type Ground, perform } from './perform.ts'
import { openScenes, type Scene, type Scenes } from './scenes.ts'
import { idOf, listWindows, uidOf, type XWindow } from './windows.ts'

/** The environment of the desktop to drive: `DISPLAY`, `DBUS_SESSION_BUS_ADDRESS`, `XDG_SESSION_TYPE` … */
export type Environment = Readonly<Record<string, string | undefined>>

/** The connection to the screen, with what is done through it. */
interface Screen {
  readonly display: Display
  readonly camera: Camera
  readonly hands: (signal?: AbortSignal) => Input
}

interface Eyes {
  readonly accessibility: Accessibility
  readonly scenes: Scenes
}

/** Opens the X11 desktop that `env` names. Connections that end are opened anew by the next call that needs them. */
export async function openLinuxComputer(env: Environment): Promise<Computer> {
  const screen = lasting(
    () => openScreen(env),
    ({ display }) => display.ended,
    ({ camera, display }) => {
      camera.close()
      display.close()
    },
  )
  const eyes = lasting(
    () => openEyes(env),
    ({ accessibility }) => accessibility.bus.ended,
    ({ accessibility }) => accessibility.close(),
  )
  await screen.get()
  // A desktop without accessibility still has windows, pictures, pointer and keys.
  const hasAccessibility = await eyes.get().then(
    () => true,
    () => false,
  )

  const sceneOf = async (uid: string): Promise<Scene | undefined> => {
    const { display } = await screen.get()
    const windows = await listWindows(display)
    const window = windows.find((candidate) => candidate.id === idOf(uid))
    if (!window) throw new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
    return (await eyes.get()).scenes.of(window, windows)
  }

  return {
    about: {
      platform: 'Linux',
      adapter: 'LinuxAdapter',
      synthetic: false,
      supports: { accessibilityTree: hasAccessibility, nativeInvoke: hasAccessibility, occlusion: true, drag: true },
    },
    async monitors() {
      return listMonitors((await screen.get()).display)
    },
    async windows() {
      const { display } = await screen.get()
      const [windows, monitors] = await Promise.all([listWindows(display), listMonitors(display)])
      return windows.map((window) => infoOf(window, monitorOf(monitors, window.bounds).index))
    },
    async tree(uid) {
      return (await sceneOf(uid))?.tree
    },
    async screenshot(of) {
      const { display, camera } = await screen.get()
      if ('area' in of) return camera.area(of.area)
      if ('screen' in of) return camera.area((await listMonitors(display))[0]!.bounds)
      const windows = await listWindows(display)
      const index = windows.findIndex((candidate) => candidate.id === idOf(of.window))
      const window = windows[index]
      if (!window) throw new Fault('WindowGone', `there is no window ${of.window}`, { window_uid: of.window })
      const covered = windows.slice(0, index).some((above) => overlap(above.bounds, window.bounds))
      return camera.window(window, !covered)
    },
    async perform(action, signal) {
      const { display, hands } = await screen.get()
      const open = await eyes.get().catch(() => undefined)
      const ground: Ground = {
        display,
        input: hands(signal),
        accessibility: open?.accessibility,
        appOf: async (window) => open?.scenes.appOf(window),
        scene: async (uid) => {
          open?.scenes.expire()
          const scene = await sceneOf(uid)
          if (!scene) throw new Fault('PatternUnsupported', 'the program of this window offers no accessibility')
          return scene
        },
      }
      try {
        return await perform(ground, action)
      } finally {
        open?.scenes.expire()
      }
    },
    async close() {
      await Promise.all([screen.close(), eyes.close()])
    },
  }
}

async function openScreen(env: Environment): Promise<Screen> {
  if (!env.DISPLAY)
    throw new Fault(
      'PlatformUnsupported',
      env.XDG_SESSION_TYPE === 'wayland'
        ? 'this is a Wayland session without X11; log out and choose "X11" or "Xorg" at the login screen'
        : 'there is no X11 desktop here: DISPLAY is not set; run this inside a desktop session, or see backlot doctor',
    )
  const display = await openDisplay(env.DISPLAY)
  return { display, camera: await openCamera(display), hands: await openInput(display) }
}

async function openEyes(env: Environment): Promise<Eyes> {
  const address = sessionBusAddress(env)
  if (!address) throw new Fault('PlatformUnsupported', 'there is no D-Bus session: DBUS_SESSION_BUS_ADDRESS is not set')
  const accessibility = await openAccessibility(address)
  return { accessibility, scenes: openScenes(accessibility) }
}

/** Something that is opened when first needed, and again after it has ended. */
function lasting<T>(open: () => Promise<T>, ended: (thing: T) => boolean, close: (thing: T) => void) {
  let current: Promise<T> | undefined
  let closed = false
  const renew = (): Promise<T> => {
    const fresh = open()
    current = fresh
    // What could not be opened is tried again by the next call.
    fresh.catch(() => {
      if (current === fresh) current = undefined
    })
    return fresh
  }
  return {
    async get(): Promise<T> {
      if (closed) throw new Fault('PlatformUnsupported', 'this computer has been closed')
      const held = current
      if (!held) return renew()
      const thing = await held
      if (!ended(thing)) return thing
      return current === held ? renew() : (current ?? renew())
    },
    async close(): Promise<void> {
      closed = true
      const thing = await current?.catch(() => undefined)
      if (thing !== undefined) close(thing)
    },
  }
}

function infoOf(window: XWindow, monitorIndex: number): WindowInfo {
  return {
    uid: uidOf(window.id),
    handle: String(window.id),
    title: window.title,
    process: window.process,
    pid: window.pid,
    bounds: window.bounds,
    focused: window.focused,
    monitorIndex,
    scaleFactor: 1,
    ...(window.owner !== undefined ? { popupOf: uidOf(window.owner) } : {}),
  }
}

const overlap = (a: Rect, b: Rect): boolean => intersect(a, b) !== undefined
