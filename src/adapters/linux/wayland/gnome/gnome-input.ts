import { Fault } from '../../../../base/fault.ts'
import type { Modifier } from '../../../../desktop/input/action.ts'
import type { Monitor } from '../../../../desktop/model/desktop.ts'
import { HOLD_MS, MAX_STROKES_AT_ONCE } from '../../../real-input.ts'
import type { DesktopInput, WindowSystem } from '../../desktop-backend.ts'
import { isCharacter } from '../../input/input.ts'
import {
  createVirtualKeys,
  createVirtualPointer,
  pauseUntilStopped,
  pointerAndKeys,
  windowWithKeyboard,
} from '../virtual-input.ts'
import { XKB_MODIFIERS } from '../xkb.ts'
import type { GnomeDevices } from './gnome-devices.ts'
import type { GnomeShell } from './gnome-shell.ts'
import { type GnomeKey, gnomeKey, noKey, notTaken, planGnomeText } from './gnome-text.ts'

interface GnomeInputParts {
  readonly devices: GnomeDevices
  readonly shell: GnomeShell
  readonly windows: WindowSystem
  readonly monitors: () => Promise<readonly Monitor[]>
  readonly signal: AbortSignal
}

/** A line end or a tab reaches a program through a queue that text of an input method does not wait for. */
const KEYS_ARRIVE_MS = 30
const MAX_TAKING_MS = 600
const POLL_MS = 20

/** Drives the pointer and the keyboard of a GNOME desktop. */
export function createGnomeInput({ devices, shell, windows, monitors, signal }: GnomeInputParts): DesktopInput {
  const pause = pauseUntilStopped(signal)

  const strike = (key: GnomeKey) => {
    devices.key(key, true)
    devices.key(key, false)
  }
  const modifierKey = (modifier: Modifier): GnomeKey => ({ code: XKB_MODIFIERS[modifier].code })
  const keys = createVirtualKeys<GnomeKey>(
    {
      get ended() {
        return devices.ended
      },
      async find(key) {
        const found = gnomeKey(key, await shell.describe())
        if (found) return found
        throw new Fault('PlatformUnsupported', `the keyboard of this desktop has no ${key} key to hold; use type_text`)
      },
      send: devices.key,
      sync: devices.sync,
    },
    windows,
    pause,
  )
  const withModifiers = async (modifiers: readonly Modifier[], act: () => Promise<void>) => {
    await pause(0)
    const added = modifiers.filter((modifier) => !keys.heldModifiers.includes(modifier))
    for (const modifier of added) devices.key(modifierKey(modifier), true)
    try {
      await act()
    } finally {
      for (const modifier of added.toReversed()) devices.key(modifierKey(modifier), false)
      if (added.length > 0) await devices.sync()
    }
  }
  /** How text is typed now. A field that has just got the keyboard asks for text of an input method a moment later. */
  const keyboardTaking = async (committed: boolean) => {
    const deadline = Date.now() + MAX_TAKING_MS
    for (;;) {
      const keyboard = await shell.describe()
      if (!committed || keyboard.takesText || Date.now() > deadline) return keyboard
      await pause(POLL_MS)
    }
  }
  const pointer = createVirtualPointer({ device: devices, monitors, pause, withModifiers })
  return {
    pause,
    async state() {
      const [x, y] = (await shell.describe()).pointer
      return { at: { x: Math.round(x), y: Math.round(y) }, buttons: pointer.buttons, keys: keys.held }
    },
    ...pointerAndKeys(pointer, keys, devices, signal),
    async type(text, into, { intervalMs = 0, watchEntry } = {}) {
      await pause(0)
      // Before the focus is asked for, so that a text that is not one is refused first.
      const isCommitted = planGnomeText(text, { ...(await shell.describe()), takesText: true }).some(
        (part) => 'commit' in part,
      )
      const focused = (await windowWithKeyboard(windows, into, true))!
      const keyboard = await keyboardTaking(isCommitted)
      const atOnce = intervalMs > 0 ? 1 : MAX_STROKES_AT_ONCE
      let typed = 0
      const checkFocus = async () => {
        await pause(0)
        if (typed > 0) await windowWithKeyboard(windows, focused.id, true, typed)
      }
      const enter = async (some: string) => {
        await checkFocus()
        const hasChanged = watchEntry?.()
        if (!(await shell.commit(some))) throw noKey([...some][0]!, keyboard)
        // Programs of Qt take text also where they have no use for it.
        if (hasChanged && !(await hasChanged())) throw notTaken(some, typed)
        typed += [...some].length
        if (intervalMs > 0) await pause(intervalMs)
      }
      for (const part of planGnomeText(text, keyboard)) {
        if ('commit' in part) {
          for (const some of intervalMs > 0 ? part.commit : [part.commit]) await enter(some)
          continue
        }
        const haveArrived = isCommitted ? watchEntry?.() : undefined
        for (let from = 0; from < part.keys.length; from += atOnce) {
          await checkFocus()
          const some = part.keys.slice(from, from + atOnce)
          for (const key of some) strike(key)
          typed += some.length
          await devices.sync()
          if (intervalMs > 0) await pause(intervalMs)
        }
        if (!isCommitted) continue
        await haveArrived?.()
        await pause(KEYS_ARRIVE_MS)
      }
    },
    async press(chord, into) {
      await pause(0)
      const isText = isCharacter(chord)
      await windowWithKeyboard(windows, into, isText)
      const keyboard = await shell.describe()
      const key = gnomeKey(chord.key, keyboard)
      if (!key) {
        if (!isText || !keyboard.takesText || !(await shell.commit(chord.key))) throw noKey(chord.key, keyboard)
        return
      }
      const modifiers: readonly Modifier[] = key.shift ? [...chord.modifiers, 'shift'] : chord.modifiers
      await withModifiers(modifiers, async () => {
        strike(key)
        await devices.sync()
      })
    },
    yieldToPerson: async () => {},
    async waitUntilProcessed() {
      await devices.sync()
      await pause(HOLD_MS)
    },
  }
}
