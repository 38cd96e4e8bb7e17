import { Fault } from '../../base/fault.ts'
import { installCommand, isInstalled } from '../../base/optional.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { type Picture, resize } from '../../paint/picture.ts'
import { type Capabilities, capabilitiesWithout, REAL_DESKTOP_LIMITS } from '../capabilities.ts'
import { type Computer, type PerformResult, type ScreenshotTarget, screenArea } from '../computer.ts'
import { watchSettling } from '../real-input.ts'
import { captureArea, loadNativeScreenshots, type NativeScreenshots, pictureOfImage } from '../screen-capture.ts'
import { accessibleWindows, noMacWindow } from './accessible-windows.ts'
import { macInput } from './input.ts'
import { loadMacFunctions, MAC_LIBRARIES, type MacFunctions, type MacLibraries, macObjects } from './native.ts'
import { performMacAction } from './perform.ts'
import { type MacDisplay, type MacWindow, macScale, toMacMonitors, toPixels, toWindowInfos } from './window-list.ts'

/** How the operator allows control over the computer. */
const ALLOW_CONTROL =
  'this program may not control the computer; allow it in System Settings, Privacy & Security, Accessibility'

/**
 * Opens the desktop of this Mac. Not verified on a Mac. Throws `PlatformUnsupported` when a library is missing, or when the
 * operator has not allowed control over the computer. `loadScreenshots` is called for the first screenshot.
 */
export function openMacComputer(
  libraries: MacLibraries = MAC_LIBRARIES,
  loadScreenshots?: () => Promise<NativeScreenshots>,
): Computer {
  const c = loadFunctions(libraries)
  if (!c.isTrusted()) throw new Fault('PlatformUnsupported', ALLOW_CONTROL)
  const objects = macObjects(c)
  const stop = new AbortController()
  // There is one pointer and one keyboard.
  const actions = new SerialQueue()
  let closed = false

  const assertOpen = () => {
    if (closed) throw new Fault('PlatformUnsupported', 'this computer has been closed')
  }
  const windows = accessibleWindows(c, objects, assertOpen)
  const input = macInput(c, objects, stop.signal, () => macScale(windows.displays()))
  const capture = macCapture(c, loadScreenshots)
  const context = { c, objects, windows, input, unmaximized: new Map<string, Rect>() }

  const windowInfos = () => toWindowInfos(windows.list(), windows.displays(), windows.frontPid())
  /** What programs show: the windows, and the tree of the one with the keyboard. */
  const settled = {
    windows: () =>
      windows
        .list()
        .map(({ number }) => number)
        .join(' '),
    content() {
      const infos = windowInfos()
      const focused = windows.find(infos.find((each) => each.focused)?.uid ?? '')
      return JSON.stringify([infos, focused && contentOf(() => windows.readTree(focused))])
    },
    pause: input.pause,
    now: () => performance.now(),
  }

  return {
    info: {
      platform: 'Darwin',
      adapter: 'MacAdapter',
      synthetic: false,
      supports: macCapabilities(c.canCapture(), loadScreenshots !== undefined),
      notice: NOT_VERIFIED,
    },
    monitors: () => toMacMonitors(windows.displays()),
    windows: windowInfos,
    tree(uid) {
      const window = windows.find(uid)
      return window && windows.readTree(window)
    },
    async screenshot(of) {
      if (!('window' in of)) return capture.screen(of, windows.displays())
      const window = windows.find(of.window)
      if (!window) throw noMacWindow(of.window)
      return capture.window(window, windows.displays())
    },
    pointer: () => input.state(),
    async perform(action, options = {}) {
      assertOpen()
      const run = async (): Promise<PerformResult> => {
        await input.pause(0)
        const settle = await watchSettling(settled, options.settleMs)
        const via = await performMacAction(context, action, options)
        if (via !== 'nothing') await settle()
        return { via }
      }
      return actions.run(run)
    },
    abort: () => stop.abort(),
    async close() {
      if (closed) return
      stop.abort()
      await actions.ended()
      closed = true
      input.releaseAll()
      windows.release()
      objects.close()
    },
  }
}

/** The hash of a tree, or the message of the fault of a program that does not answer. */
function contentOf(read: () => Parameters<typeof treeHash>[0] | undefined): string | undefined {
  try {
    const tree = read()
    return tree && treeHash(tree)
  } catch (thrown) {
    return Fault.from(thrown).message
  }
}

function loadFunctions(libraries: MacLibraries) {
  try {
    return loadMacFunctions(libraries)
  } catch (thrown) {
    throw new Fault('PlatformUnsupported', `the libraries of macOS cannot be loaded: ${(thrown as Error).message}`)
  }
}

/** How the operator allows screenshots. */
export const ALLOW_CAPTURE =
  'allow it in System Settings, Privacy & Security, Screen & System Audio Recording, and start this program again'

/** Screenshots of a Mac in pixels. */
export interface MacCapture {
  window(window: MacWindow, displays: readonly MacDisplay[]): Promise<Picture>
  screen(of: Exclude<ScreenshotTarget, { window: string }>, displays: readonly MacDisplay[]): Promise<Picture>
}

/** Creates the screenshots of a desktop. The package that takes them is loaded for the first one. */
function macCapture(c: MacFunctions, load: () => Promise<NativeScreenshots> = loadNativeScreenshots): MacCapture {
  const open = async (): Promise<NativeScreenshots> => {
    if (!c.canCapture())
      throw new Fault('PlatformUnsupported', `this program may not record the screen; ${ALLOW_CAPTURE}`)
    return load()
  }
  return {
    async window({ number, bounds }, displays) {
      const native = (await open()).Window.all().find((window) => window.id() === number)
      if (!native) throw new Fault('WindowGone', 'the window has been closed', { window_uid: `mac:${number}` })
      const { width, height } = toPixels(bounds, macScale(displays))
      return resize(await pictureOfImage(await native.captureImage()), width, height)
    },
    async screen(of, displays) {
      const native = (await open()).Monitor.all()
      const monitors = toMacMonitors(displays)
      const captured = displays.flatMap(({ id }, index) => {
        const monitor = native.find((each) => each.id() === id)
        const { bounds } = monitors[index]!
        return monitor ? [{ bounds, capture: async () => pictureOfImage(await monitor.captureImage()) }] : []
      })
      return captureArea('area' in of ? of.area : screenArea(false, monitors), captured)
    },
  }
}

/** What every report about this adapter says. */
export const NOT_VERIFIED = 'not verified on a Mac: it is tested against a stand-in for the libraries of macOS only'

/** What a desktop of macOS can do, with or without permission to record the screen and the package that does so. */
export function macCapabilities(canCapture = true, hasScreenshots = isInstalled('screenshots')): Capabilities {
  const missing = canCapture
    ? `run ${installCommand('screenshots')}`
    : `this program may not record the screen; ${ALLOW_CAPTURE}`
  return capabilitiesWithout({
    ...REAL_DESKTOP_LIMITS,
    ...(!(canCapture && hasScreenshots) && { screenshots: missing }),
  })
}
