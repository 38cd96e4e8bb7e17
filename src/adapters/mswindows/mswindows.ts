import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import type { Action } from '../../desktop/input/action.ts'
import { contains, intersect } from '../../desktop/model/geometry.ts'
import { monitorOf } from '../../desktop/windows/windowing.ts'
import { type Capabilities, capabilitiesWithout, REAL_DESKTOP_LIMITS } from '../capabilities.ts'
import { type Computer, screenArea, type WindowInfo } from '../computer.ts'
import { inputStopped, NO_USER, watchSettling, watchUserActivity } from '../real-input.ts'
import { loadNativeScreenshots } from '../screen-capture.ts'
import { openWindowsAccessibility } from './accessibility/accessibility.ts'
import { loadGraphicsFunctions, windowsCapture } from './capture.ts'
import { loadClipboard } from './clipboard.ts'
import { assertInputDesktop, assertReachable, loadDesktopAccess } from './desktop-access.ts'
import { windowsInput } from './input/input.ts'
import { loadInputFunctions } from './input/input-events.ts'
import { findKeyboardTarget, keyboardControl } from './input/keyboard.ts'
import { loadWindowFunctions, type NativeWindow, requireResponse } from './native-windows.ts'
import { noSuchWindowsWindow, performWindowsAction, type WindowsContext, type WindowsVia } from './perform.ts'
import { loadWindowManagement } from './window-management.ts'

export interface WindowsOptions {
  /** Actions wait until no person has used mouse or keyboard for this long, in milliseconds. */
  readonly yieldToPersonMs?: number | undefined
}

/** Opens the desktop of this session. Throws `PlatformUnsupported` when a package is missing. */
export async function openWindowsComputer({ yieldToPersonMs }: WindowsOptions = {}): Promise<Computer> {
  const screenshots = await loadNativeScreenshots()
  const user = loadWindowFunctions()
  const functions = loadInputFunctions()
  const graphics = loadGraphicsFunctions()
  const access = loadDesktopAccess()
  const accessibility = openWindowsAccessibility(functions.responds)
  const stop = new AbortController()
  const person =
    yieldToPersonMs === undefined
      ? NO_USER
      : watchUserActivity({
          yieldMs: yieldToPersonMs,
          now: Date.now,
          pointer: async () => functions.pointer(),
          lastInput: async () => Date.now() - functions.idleMs(),
          pause: async (ms) => void (await sleep(ms, undefined, { signal: stop.signal }).catch(() => {})),
        })
  const input = windowsInput(functions, person, stop.signal)
  const capture = windowsCapture(screenshots, graphics, functions.responds)
  const context: WindowsContext = {
    accessibility,
    input,
    manage: loadWindowManagement(user, functions, input.pause),
    clipboard: loadClipboard(functions.responds, input.pause),
    keyboard: (into, isText) => findKeyboardTarget(user, access, into, isText),
    assertReachable: (window) => assertReachable(access, window),
  }
  // There is one pointer and one keyboard.
  const actions = new SerialQueue()
  let closed = false

  const assertOpen = () => {
    if (closed) throw new Fault('PlatformUnsupported', 'this computer has been closed')
  }
  const listWindows = async (): Promise<readonly NativeWindow[]> => {
    assertOpen()
    return accessibility.windows()
  }
  /** Prepares the wait for the effects of an action. */
  const watch = (target: NativeWindow | undefined, settleMs: number | undefined) =>
    watchSettling(
      {
        async content() {
          const windows = await listWindows()
          const shown = windows.find(({ uid }) => uid === target?.uid)
          const area = shown && intersect(shown.bounds, functions.screen())
          return `${uidsOf(windows)} ${area ? await graphics.hashArea(area) : ''}`
        },
        windows: async () => uidsOf(await listWindows()),
        pause: input.pause,
        now: () => performance.now(),
      },
      settleMs,
    )
  /** Waits until the program that got the input of an action has processed it. */
  const processed = async (via: WindowsVia, action: Action) => {
    const own = via === 'accessibility' ? windowOfAction(action, await listWindows())?.hwnd : undefined
    const hwnd =
      via === 'pointer' ? functions.windowAt(input.state().at) : keyboardControl(user, own ?? user.foreground())
    await functions.drain(hwnd, MAX_PROCESSING_MS)
  }
  const uidsOf = (windows: readonly NativeWindow[]) => windows.map(({ uid }) => uid).join()

  return {
    info: {
      platform: 'Windows',
      adapter: 'WindowsAdapter',
      synthetic: false,
      supports: windowsCapabilities(),
      notice: TESTED_UNDER_WINE,
    },
    monitors: () => capture.monitors(),
    async windows() {
      const monitors = capture.monitors()
      return (await listWindows()).map((window) => toWindowInfo(window, monitorOf({ monitors }, window.bounds)))
    },
    async tree(uid) {
      assertOpen()
      return accessibility.tree(uid)
    },
    async screenshot(of) {
      assertInputDesktop(access)
      if (!('window' in of)) return capture.area('area' in of ? of.area : screenArea(false, capture.monitors()))
      const windows = await listWindows()
      const index = windows.findIndex(({ uid }) => uid === of.window)
      const window = windows[index]
      if (!window) throw noSuchWindowsWindow(of.window)
      return capture.window(window, windows.slice(0, index), user.bounds(window.hwnd) ?? window.bounds)
    },
    async readClipboard() {
      assertOpen()
      return context.clipboard.read()
    },
    pointer: () => input.state(),
    async perform(action, { settleMs, keyboardWindow } = {}) {
      assertOpen()
      const run = async () => {
        await person.waitUntilIdle()
        if (stop.signal.aborted) throw inputStopped()
        assertInputDesktop(access)
        const target = windowOfAction(action, await listWindows())
        if (target && LASTING_INPUT.has(action.type)) await requireResponse(functions.responds, user.isWindow, target)
        const settle = await watch(target, settleMs)
        const via = await performWindowsAction(context, action, keyboardWindow)
        if (via !== 'nothing' && settleMs !== 0) await processed(via, action)
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
      await accessibility.close()
    },
  }
}

/** Some programs paint all the time, and so always look as if they had input left. */
const MAX_PROCESSING_MS = 500

/** Input that a program which hangs would process later, when nobody expects it. Releasing keys and buttons is always possible. */
const LASTING_INPUT: ReadonlySet<Action['type']> = new Set([
  'click',
  'drag',
  'press',
  'scroll',
  'type',
  'key',
  'key_down',
  'hold',
])

/** The window in which an action shows its effect. */
const windowOfAction = (action: Action, windows: readonly NativeWindow[]): NativeWindow | undefined =>
  windows.find((candidate) => {
    if ('window' in action) return candidate.uid === action.window
    if ('target' in action && action.target) return candidate.uid === action.target.window
    if ('at' in action && action.at) return contains(candidate.bounds, action.at)
    if (action.type === 'drag') return contains(candidate.bounds, action.from)
    return candidate.focused
  })

function toWindowInfo(
  window: NativeWindow,
  monitor: { readonly index: number; readonly scaleFactor: number } | undefined,
): WindowInfo {
  const { uid, handle, title, process, pid, bounds, focused, popupOf, shell } = window
  return {
    ...{ uid, handle, title, process, pid, bounds, focused },
    monitorIndex: monitor?.index ?? 0,
    scaleFactor: monitor?.scaleFactor ?? 1,
    ...(popupOf !== undefined && { popupOf }),
    ...(shell && { shell }),
  }
}

/** What every report about this adapter says. */
export const TESTED_UNDER_WINE = 'tested under Wine 10, not on Windows itself'

/** What a desktop of Windows can do. */
export const windowsCapabilities = (): Capabilities => ({
  ...capabilitiesWithout(REAL_DESKTOP_LIMITS),
  clipboard: true,
})
