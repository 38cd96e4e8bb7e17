import { Fault } from '../../../../base/fault.ts'
import type { Modifier } from '../../../../desktop/input/action.ts'
import type { Monitor } from '../../../../desktop/model/desktop.ts'
import type { Point } from '../../../../desktop/model/geometry.ts'
import { MAX_STROKES_AT_ONCE } from '../../../real-input.ts'
import type { DesktopInput, WindowSystem } from '../../desktop-backend.ts'
import { isCharacter } from '../../input/input.ts'
import { keysymOf, keysymOfKey } from '../../input/keymap.ts'
import {
  createVirtualKeys,
  createVirtualPointer,
  pauseUntilStopped,
  pointerAndKeys,
  windowWithKeyboard,
} from '../virtual-input.ts'
import type { KWinDevices } from './kwin-devices.ts'

interface KWinInputParts {
  readonly devices: KWinDevices
  readonly windows: WindowSystem
  readonly monitors: () => Promise<readonly Monitor[]>
  /** Where the pointer is. */
  readonly pointerAt: () => Promise<Point>
  readonly signal: AbortSignal
}

const IS_ASCII = /^[\0-\x7f]*$/

/** The keysyms of a text. Throws `BadRequest` for characters that no key types, and `PlatformUnsupported` for those that a program drops. */
export function keysymsOfText(text: string, { inHalves = false } = {}): readonly number[] {
  return [...text.replaceAll('\r\n', '\n')].map((character) => {
    const keysym = keysymOf(character)
    // KWin gives other characters to keys that Chromium ignores.
    if (inHalves && !IS_ASCII.test(character))
      throw new Fault(
        'PlatformUnsupported',
        `Chromium ignores ${JSON.stringify(character)} from the keys of KWin; use set_clipboard and ctrl+v`,
      )
    return keysym
  })
}

/** The keysym of a key. Throws `PlatformUnsupported` for a character that a US keyboard does not have. */
function keysymOfPressed(key: string): number {
  if (IS_ASCII.test(key)) return keysymOfKey(key)
  throw new Fault('PlatformUnsupported', `the keyboard of this desktop has no ${key} key; use type_text`)
}

/** Drives the pointer and the keyboard of KWin. */
export function createKWinInput({ devices, windows, monitors, pointerAt, signal }: KWinInputParts): DesktopInput {
  const pause = pauseUntilStopped(signal)
  const strike = (keysym: number) => {
    devices.key(keysym, true)
    devices.key(keysym, false)
  }
  const keys = createVirtualKeys(
    {
      get ended() {
        return devices.ended
      },
      find: keysymOfPressed,
      send: devices.key,
      sync: devices.sync,
    },
    windows,
    pause,
  )
  /** Runs `act` with modifiers down that are not held already. */
  const withModifiers = async (modifiers: readonly Modifier[], act: () => Promise<void>) => {
    await pause(0)
    const added = modifiers.filter((modifier) => !keys.heldModifiers.includes(modifier))
    for (const modifier of added) devices.key(keysymOfKey(modifier), true)
    try {
      await act()
    } finally {
      for (const modifier of added.toReversed()) devices.key(keysymOfKey(modifier), false)
      if (added.length > 0) await devices.sync()
    }
  }
  const pointer = createVirtualPointer({ device: devices, monitors, pause, withModifiers })
  return {
    pause,
    state: async () => ({ at: await pointerAt(), buttons: pointer.buttons, keys: keys.held }),
    ...pointerAndKeys(pointer, keys, devices, signal),
    async type(text, into, { intervalMs = 0, inHalves = false } = {}) {
      await pause(0)
      // Before the focus is asked for, so that a text that no key types is refused first.
      const keysyms = keysymsOfText(text, { inHalves })
      const focused = (await windowWithKeyboard(windows, into, true))!
      if (!focused.isWayland && !IS_ASCII.test(text))
        throw new Fault(
          'PlatformUnsupported',
          'programs of Xwayland receive only ASCII from the keys of KWin; use set_value, or set_clipboard and ctrl+v',
        )
      const atOnce = intervalMs > 0 ? 1 : MAX_STROKES_AT_ONCE
      for (let from = 0; from < keysyms.length; from += atOnce) {
        await pause(0)
        if (from > 0) await windowWithKeyboard(windows, focused.id, true, from)
        for (const keysym of keysyms.slice(from, from + atOnce)) strike(keysym)
        await devices.sync()
        if (intervalMs > 0) await pause(intervalMs)
      }
    },
    async press(chord, into) {
      await pause(0)
      await windowWithKeyboard(windows, into, isCharacter(chord))
      const keysym = keysymOfPressed(chord.key)
      await withModifiers(chord.modifiers, async () => {
        strike(keysym)
        await devices.sync()
      })
    },
    yieldToPerson: async () => {},
    waitUntilProcessed: () => devices.sync(),
  }
}

/** The input of a session that KWin does not permit: it refuses everything that needs pointer or keys. */
export function refusedInput(
  reasons: { readonly pointer: string; readonly keys: string },
  pointerAt: () => Promise<Point>,
): DesktopInput {
  const refuse = (reason: string) => async () => {
    throw new Fault('PlatformUnsupported', reason)
  }
  const noPointer = refuse(reasons.pointer)
  const noKeys = refuse(reasons.keys)
  return {
    refusesPointer: true,
    pause: pauseUntilStopped(new AbortController().signal),
    state: async () => ({ at: await pointerAt(), buttons: [], keys: [] }),
    ...{ move: noPointer, click: noPointer, drag: noPointer, scroll: noPointer },
    ...{ pressButton: noPointer, releaseButton: noPointer },
    ...{ pressKey: noKeys, releaseKey: noKeys, hold: noKeys, type: noKeys, press: noKeys },
    releaseAll: async () => {},
    yieldToPerson: async () => {},
    waitUntilProcessed: async () => {},
  }
}
