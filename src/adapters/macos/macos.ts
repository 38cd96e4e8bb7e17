import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import type { Computer, PerformResult } from '../computer.ts'
import type { NativeScreenshots } from '../native-screenshots.ts'
import { watchSettling } from '../settle.ts'
import { accessibleWindows, noMacWindow } from './accessible-windows.ts'
import { macCapabilities, NOT_VERIFIED } from './capabilities.ts'
import { macCapture } from './capture.ts'
import { macInput } from './input.ts'
import { loadMacFunctions, MAC_LIBRARIES, type MacLibraries } from './native.ts'
import { macObjects } from './objects.ts'
import { performMacAction } from './perform.ts'
import { macScale, toMacMonitors, toWindowInfos } from './windows.ts'

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
