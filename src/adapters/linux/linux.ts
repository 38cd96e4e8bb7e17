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
import { performLinuxAction } from './actions/perform.ts'
import type { ActionContext } from './actions/pointer.ts'
import { capabilitiesOf } from './capabilities.ts'
import type { DesktopWindow, WindowSystem } from './desktop-backend.ts'
import { findLoginSession, type LoginSessionOptions } from './login-session.ts'
import { accessibleComputer } from './wayland/accessible-computer.ts'

interface AccessibilityConnection {
  readonly accessibility: Accessibility
  readonly windowTrees: WindowTrees
}

/** Opens the desktop that `env` names. Connections that end are reopened by the next call that needs them. */
export async function openLinuxComputer(
  env: EnvironmentVariables,
  opening: LoginSessionOptions = {},
): Promise<Computer> {
  const stop = new AbortController()
  const accessibility = reconnecting(
    () => openAccessibilityConnection(env),
    ({ accessibility }) => accessibility.bus.ended,
    ({ accessibility }) => accessibility.close(),
  )
  const session = await findLoginSession(env, opening)
  if (session.kind === 'accessibility') {
    await accessibility.get()
    return accessibleComputer(async () => (await accessibility.get()).accessibility, accessibility.close)
  }
  const desktop = reconnecting(
    () => session.open(stop.signal),
    ({ ended }) => ended,
    (open) => open.close(),
  )
  const { clipboard } = await desktop.get()
  // A desktop without accessibility still has windows, screenshots, pointer and keys.
  const hasAccessibility = await accessibility.get().then(
    () => true,
    () => false,
  )

  const findWindow = async (uid: string) => {
    const open = await desktop.get()
    const windows = await open.windows.list()
    const index = windows.findIndex(({ id }) => id === open.windows.idOf(uid))
    return { open, windows, window: windows[index], above: windows.slice(0, Math.max(0, index)) }
  }
  const infosOf = async (isListed: (window: DesktopWindow) => boolean): Promise<readonly WindowInfo[]> => {
    const open = await desktop.get()
    const [windows, monitors] = await Promise.all([open.windows.listAll(), open.monitors()])
    return windows
      .filter(isListed)
      .map((window) => infoOf(open.windows, window, monitorOf({ monitors }, window.bounds)?.index ?? 0))
  }
  // There is one pointer and one keyboard.
  const actions = new SerialQueue()

  return {
    info: {
      platform: 'Linux',
      adapter: 'LinuxAdapter',
      synthetic: false,
      typesAtIntervals: true,
      supports: capabilitiesOf(session.ways, hasAccessibility),
    },
    monitors: async () => (await desktop.get()).monitors(),
    windows: () => infosOf(({ away }) => away === undefined),
    hiddenWindows: () => infosOf(({ away }) => away !== undefined),
    async tree(uid, { background = false } = {}) {
      const { open, windows, window } = await findWindow(uid)
      const maxAgeMs = background ? Number.POSITIVE_INFINITY : undefined
      const options = { maxAgeMs, rightPress: open.input.rightPress?.() }
      return window && (await (await accessibility.get()).windowTrees.read(window, windows, options))?.tree
    },
    async treeRemedy(uid) {
      const { window } = await findWindow(uid)
      return window && bridgeRemedy(window.pid)
    },
    async screenshot(of) {
      if ('window' in of) {
        const { open, window, above } = await findWindow(of.window)
        if (!window) throw noSuchWindow(of.window)
        return open.captureWindow(window, !above.some(({ bounds }) => intersect(bounds, window.bounds)))
      }
      const open = await desktop.get()
      return open.captureArea('area' in of ? of.area : screenArea(false, await open.monitors()))
    },
    ...(clipboard && {
      async readClipboard() {
        return (await desktop.get()).clipboard!.read()
      },
    }),
    async pointer() {
      return (await desktop.get()).input.state()
    },
    async perform(action, options = {}) {
      const { windows: system, input, clipboard } = await desktop.get()
      const open = await accessibility.get().catch(() => undefined)
      const context: ActionContext = {
        windows: system,
        input,
        clipboard,
        accessibility: open?.accessibility,
        appOf: async (window) => open?.windowTrees.appOf(window),
        expire: (app) => open?.windowTrees.expire(app),
        windowTree: async (uid, maxAgeMs = 0) => {
          const { windows, window } = await findWindow(uid)
          if (!window) throw noSuchWindow(uid)
          const { windowTrees } = await accessibility.get()
          const windowTree = await windowTrees.read(window, windows, { maxAgeMs, rightPress: input.rightPress?.() })
          if (!windowTree) throw new Fault('PatternUnsupported', 'the program of this window offers no accessibility')
          return windowTree
        },
      }
      const act = async () => {
        await input.yieldToPerson()
        if (stop.signal.aborted) throw inputStopped()
        return performLinuxAction(context, action, options)
      }
      return actions.run(act)
    },
    abort: () => stop.abort(),
    async close() {
      stop.abort()
      // Keys and buttons are released before the connection closes.
      await actions.ended()
      await Promise.all([desktop.close(), accessibility.close()])
    },
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

function infoOf(system: WindowSystem, window: DesktopWindow, monitorIndex: number): WindowInfo {
  return {
    uid: system.uidOf(window.id),
    handle: String(window.id),
    title: window.title,
    process: window.process,
    pid: window.pid,
    bounds: window.bounds,
    focused: window.focused,
    monitorIndex,
    scaleFactor: 1,
    ...(window.owner !== undefined && { popupOf: system.uidOf(window.owner) }),
    ...(window.away?.isMinimized && { state: 'minimized' as const }),
    ...(window.away?.workspace !== undefined && { workspace: window.away.workspace }),
  }
}

const noSuchWindow = (uid: string): Fault => new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
