import { Fault } from '../../base/fault.ts'
import type { EnvironmentVariables } from '../../base/host.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { intersect } from '../../desktop/model/geometry.ts'
import { monitorOf } from '../../desktop/windows/windowing.ts'
import { type Computer, screenArea, type WindowInfo } from '../computer.ts'
import { inputStopped } from '../real-input.ts'
import { type Accessibility, openAccessibility, sessionBusAddress } from './accessibility/accessibility.ts'
import { bridgeRemedy } from './accessibility/bridge-hint.ts'
import { createWindowTrees, type WindowTrees } from './accessibility/window-trees.ts'
import { performX11Action } from './actions/perform.ts'
import type { ActionContext } from './actions/pointer.ts'
import { x11Capabilities } from './capabilities.ts'
import { openScreenCapture, type ScreenCapture } from './capture.ts'
import { type DesktopInput, openDesktopInput } from './input/input.ts'
import { waylandComputer } from './wayland.ts'
import { type Display, listMonitors, openDisplay } from './x11/display.ts'
import { listAllXWindows, listXWindows, type XWindow, xWindowId, xWindowUid } from './x11/x-windows.ts'

/** The connection to the X server, with screenshots and input. */
interface ScreenConnection {
  readonly display: Display
  readonly capture: ScreenCapture
  readonly input: DesktopInput
}

interface AccessibilityConnection {
  readonly accessibility: Accessibility
  readonly windowTrees: WindowTrees
}

export interface LinuxOptions {
  /** Actions wait until no person has used mouse or keyboard for this long, in milliseconds. */
  readonly yieldToPersonMs?: number | undefined
}

/** Opens the desktop that `env` names. Connections that end are reopened by the next call that needs them. */
export async function openLinuxComputer(env: EnvironmentVariables, opening: LinuxOptions = {}): Promise<Computer> {
  const stop = new AbortController()
  const screen = reconnecting(
    () => openScreenConnection(env, opening, stop.signal),
    ({ display }) => display.ended,
    async ({ capture, display, input }) => {
      // A connection that has ended can release nothing.
      if (!display.ended) await input.releaseAll().catch(() => {})
      capture.close()
      display.close()
    },
  )
  const accessibility = reconnecting(
    () => openAccessibilityConnection(env),
    ({ accessibility }) => accessibility.bus.ended,
    ({ accessibility }) => accessibility.close(),
  )
  if (isWaylandOnly(env)) {
    await accessibility.get()
    return waylandComputer(async () => (await accessibility.get()).accessibility, accessibility.close)
  }
  await screen.get()
  // A desktop without accessibility still has windows, screenshots, pointer and keys.
  const hasAccessibility = await accessibility.get().then(
    () => true,
    () => false,
  )

  const findWindow = async (uid: string) => {
    const { display, capture } = await screen.get()
    const windows = await listXWindows(display)
    const index = windows.findIndex(({ id }) => id === xWindowId(uid))
    return { capture, windows, window: windows[index], above: windows.slice(0, Math.max(0, index)) }
  }
  const infosOf = async (isListed: (window: XWindow) => boolean): Promise<readonly WindowInfo[]> => {
    const { display } = await screen.get()
    const [windows, monitors] = await Promise.all([listAllXWindows(display), listMonitors(display)])
    return windows.filter(isListed).map((window) => infoOf(window, monitorOf({ monitors }, window.bounds)?.index ?? 0))
  }
  // There is one pointer and one keyboard.
  const actions = new SerialQueue()

  return {
    info: {
      platform: 'Linux',
      adapter: 'LinuxAdapter',
      synthetic: false,
      typesAtIntervals: true,
      supports: x11Capabilities(hasAccessibility),
    },
    async monitors() {
      return listMonitors((await screen.get()).display)
    },
    windows: () => infosOf(({ away }) => away === undefined),
    hiddenWindows: () => infosOf(({ away }) => away !== undefined),
    async tree(uid, { background = false } = {}) {
      const { windows, window } = await findWindow(uid)
      const options = { maxAgeMs: background ? Number.POSITIVE_INFINITY : undefined }
      return window && (await (await accessibility.get()).windowTrees.read(window, windows, options))?.tree
    },
    async treeRemedy(uid) {
      const { window } = await findWindow(uid)
      return window && bridgeRemedy(window.pid)
    },
    async screenshot(of) {
      if ('window' in of) {
        const { capture, window, above } = await findWindow(of.window)
        if (!window) throw noSuchWindow(of.window)
        return capture.window(window, !above.some(({ bounds }) => intersect(bounds, window.bounds)))
      }
      const { display, capture } = await screen.get()
      const area = 'area' in of ? of.area : screenArea(false, await listMonitors(display))
      return capture.area(area)
    },
    async pointer() {
      return (await screen.get()).input.state()
    },
    async perform(action, options = {}) {
      const { display, input } = await screen.get()
      const open = await accessibility.get().catch(() => undefined)
      const context: ActionContext = {
        display,
        input,
        accessibility: open?.accessibility,
        appOf: async (window) => open?.windowTrees.appOf(window),
        expire: (app) => open?.windowTrees.expire(app),
        windowTree: async (uid, maxAgeMs = 0) => {
          const { windows, window } = await findWindow(uid)
          if (!window) throw noSuchWindow(uid)
          const { windowTrees } = await accessibility.get()
          const windowTree = await windowTrees.read(window, windows, { maxAgeMs })
          if (!windowTree) throw new Fault('PatternUnsupported', 'the program of this window offers no accessibility')
          return windowTree
        },
      }
      const act = async () => {
        await input.yieldToPerson()
        if (stop.signal.aborted) throw inputStopped()
        return performX11Action(context, action, options)
      }
      return actions.run(act)
    },
    abort: () => stop.abort(),
    async close() {
      stop.abort()
      // Keys and buttons are released before the connection closes.
      await actions.ended()
      await Promise.all([screen.close(), accessibility.close()])
    },
  }
}

/** With DISPLAY set, the X11 programs of a Wayland session can still be driven. */
const isWaylandOnly = (env: EnvironmentVariables): boolean => env.XDG_SESSION_TYPE === 'wayland' && !env.DISPLAY

async function openScreenConnection(
  env: EnvironmentVariables,
  { yieldToPersonMs }: LinuxOptions,
  stop: AbortSignal,
): Promise<ScreenConnection> {
  if (!env.DISPLAY)
    throw new Fault(
      'PlatformUnsupported',
      'there is no desktop here: DISPLAY is not set; run this inside a desktop session, or run backlot doctor',
    )
  const display = await openDisplay(env.DISPLAY)
  return {
    display,
    capture: await openScreenCapture(display),
    input: await openDesktopInput(display, stop, yieldToPersonMs),
  }
}

async function openAccessibilityConnection(env: EnvironmentVariables): Promise<AccessibilityConnection> {
  const address = sessionBusAddress(env)
  if (!address) throw new Fault('PlatformUnsupported', 'there is no D-Bus session: DBUS_SESSION_BUS_ADDRESS is not set')
  const accessibility = await openAccessibility(address)
  return { accessibility, windowTrees: createWindowTrees(accessibility) }
}

/** Opens a connection when it is first needed, and again after it has ended. */
function reconnecting<T>(
  open: () => Promise<T>,
  ended: (thing: T) => boolean,
  close: (thing: T) => void | Promise<void>,
) {
  let current: Promise<T> | undefined
  let closed = false
  const renew = (): Promise<T> => {
    const fresh = open()
    current = fresh
    // After a failure the next call tries again.
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
      if (thing !== undefined) await close(thing)
    },
  }
}

function infoOf(window: XWindow, monitorIndex: number): WindowInfo {
  return {
    uid: xWindowUid(window.id),
    handle: String(window.id),
    title: window.title,
    process: window.process,
    pid: window.pid,
    bounds: window.bounds,
    focused: window.focused,
    monitorIndex,
    scaleFactor: 1,
    ...(window.owner !== undefined && { popupOf: xWindowUid(window.owner) }),
    ...(window.away?.isMinimized && { state: 'minimized' as const }),
    ...(window.away?.workspace !== undefined && { workspace: window.away.workspace }),
  }
}

const noSuchWindow = (uid: string): Fault => new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
