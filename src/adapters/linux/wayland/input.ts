import { Fault } from '../../../base/fault.ts'
import type { Modifier } from '../../../desktop/input/action.ts'
import type { Chord } from '../../../desktop/input/keys.ts'
import type { Monitor } from '../../../desktop/model/desktop.ts'
import { MAX_STROKES_AT_ONCE } from '../../real-input.ts'
import type { DesktopInput, WindowSystem } from '../desktop-backend.ts'
import { isCharacter } from '../input/input.ts'
import type { WaylandConnection } from './connection.ts'
import {
  createVirtualKeys,
  createVirtualPointer,
  type PointerDevice,
  pauseUntilStopped,
  pointerAndKeys,
  windowWithKeyboard,
} from './virtual-input.ts'
import { type EvdevKey, planTextParts, US_KEYMAP, usKey, XKB_MODIFIERS } from './xkb.ts'

const [RELEASED, PRESSED] = [0, 1]
const [VERTICAL, HORIZONTAL] = [0, 1]
const WHEEL = 0
/** What a click of the wheel scrolls, in logical pixels. */
const WHEEL_STEP = 15
const XKB_V1 = 1
/** Xwayland passes a keymap on to its programs a moment later than the keys. */
const XWAYLAND_SETTLE_MS = 30

interface WaylandInputParts {
  readonly connection: WaylandConnection
  readonly windows: WindowSystem
  readonly monitors: () => Promise<readonly Monitor[]>
  readonly signal: AbortSignal
}

/** Opens a virtual pointer and a virtual keyboard. Throws `PlatformUnsupported` when the compositor offers none. */
export async function openWaylandInput({
  connection,
  windows,
  monitors,
  signal,
}: WaylandInputParts): Promise<DesktopInput> {
  const seat = connection.bind('wl_seat', 1)
  const pointers = connection.bind('zwlr_virtual_pointer_manager_v1', 1)
  const keyboards = connection.bind('zwp_virtual_keyboard_manager_v1', 1)
  if (!seat || !pointers || !keyboards)
    throw new Fault(
      'PlatformUnsupported',
      'the compositor offers no virtual pointer and keyboard (wlr-virtual-pointer, virtual-keyboard)',
    )
  const pointer = pointers.send<'zwlr_virtual_pointer_v1'>('create_virtual_pointer', seat)
  const keyboard = keyboards.send<'zwp_virtual_keyboard_v1'>('create_virtual_keyboard', seat)
  let keymap = ''
  let lastMs = 0

  /** The time of an event: programs tell double clicks by it, so a delay of this process does not matter. */
  const time = (afterMs = 0): number => {
    lastMs = Math.max(lastMs + afterMs, Math.floor(performance.now()))
    return lastMs
  }
  const pause = pauseUntilStopped(signal)

  const setKeymap = async (text: string, isXwayland = false) => {
    if (keymap === text) return
    // Programs of Xwayland read the keymap when they handle a key, so those before must be handled.
    if (isXwayland) await pause(XWAYLAND_SETTLE_MS)
    const bytes = Buffer.from(`${text}\0`)
    const file = connection.share(bytes)
    keyboard.send('keymap', XKB_V1, { fd: file.fd }, bytes.length)
    keymap = text
    await connection.sync()
    file.close()
    if (isXwayland) await pause(XWAYLAND_SETTLE_MS)
  }
  const keys = createVirtualKeys<EvdevKey>(
    {
      get ended() {
        return connection.ended
      },
      async find(key) {
        const named = usKey(key)
        if (!named)
          throw new Fault(
            'PlatformUnsupported',
            `the keyboard of this desktop has no ${key} key to hold; use type_text`,
          )
        await setKeymap(US_KEYMAP)
        return named
      },
      send({ code }, isDown) {
        sendKey(code, isDown ? PRESSED : RELEASED)
        sendModifiers([])
      },
      sync: connection.sync,
    },
    windows,
    pause,
  )
  const maskOf = (modifiers: readonly Modifier[]) =>
    modifiers.reduce((mask, modifier) => mask | XKB_MODIFIERS[modifier].mask, 0)
  const sendKey = (code: number, state: number) => {
    if (state === PRESSED) virtual.noteKeyPress()
    keyboard.send('key', time(1), code, state)
  }
  const sendModifiers = (modifiers: readonly Modifier[]) =>
    keyboard.send('modifiers', maskOf([...keys.heldModifiers, ...modifiers]), 0, 0, 0)
  const strike = (code: number) => {
    sendKey(code, PRESSED)
    sendKey(code, RELEASED)
  }
  /** Runs `act` with modifiers down that are not held already. */
  const withModifiers = async (modifiers: readonly Modifier[], act: () => Promise<void>) => {
    await pause(0)
    const added = modifiers.filter((modifier) => !keys.heldModifiers.includes(modifier))
    if (added.length > 0) await setKeymap(US_KEYMAP)
    for (const modifier of added) sendKey(XKB_MODIFIERS[modifier].code, PRESSED)
    if (added.length > 0) sendModifiers(added)
    try {
      await act()
    } finally {
      for (const modifier of added.toReversed()) sendKey(XKB_MODIFIERS[modifier].code, RELEASED)
      if (added.length > 0) sendModifiers([])
    }
  }

  const device: PointerDevice = {
    get ended() {
      return connection.ended
    },
    move(to, screen) {
      pointer.send('motion_absolute', time(), to.x - screen.x, to.y - screen.y, screen.width, screen.height)
      pointer.send('frame')
    },
    button(code, isDown, afterMs) {
      pointer.send('button', time(afterMs), code, isDown ? PRESSED : RELEASED)
      pointer.send('frame')
    },
    wheel(axis, turn) {
      pointer.send('axis_source', WHEEL)
      pointer.send('axis_discrete', time(), axis === 'vertical' ? VERTICAL : HORIZONTAL, turn * WHEEL_STEP, turn)
      pointer.send('frame')
    },
    sync: connection.sync,
  }
  const virtual = createVirtualPointer({ device, monitors, pause, withModifiers })
  await setKeymap(US_KEYMAP)

  return {
    pause,
    state: async () => ({ at: virtual.at, buttons: virtual.buttons, keys: keys.held }),
    rightPress: virtual.rightPress,
    ...pointerAndKeys(virtual, keys, connection, signal),
    async type(text, into, { intervalMs = 0, inHalves = false } = {}) {
      await pause(0)
      // Before the focus is asked for, so that a text that no key types is refused first.
      planTextParts(text, { inHalves })
      const focused = (await windowWithKeyboard(windows, into, true))!
      const isXwayland = !focused.isWayland
      const parts = planTextParts(text, { isXwayland, inHalves })
      const atOnce = intervalMs > 0 ? 1 : MAX_STROKES_AT_ONCE
      let typed = 0
      for (const part of parts) {
        await setKeymap(part.keymap, isXwayland)
        for (let from = 0; from < part.codes.length; from += atOnce) {
          await pause(0)
          if (typed > 0) await windowWithKeyboard(windows, focused.id, true, typed)
          const some = part.codes.slice(from, from + atOnce)
          for (const code of some) strike(code)
          typed += some.length
          await connection.sync()
          if (intervalMs > 0) await pause(intervalMs)
        }
      }
    },
    async press(chord: Chord, into) {
      await pause(0)
      const focused = await windowWithKeyboard(windows, into, isCharacter(chord))
      const known = usKey(chord.key)
      const own = known ? undefined : planTextParts(chord.key)[0]
      const isXwayland = focused !== undefined && !focused.isWayland
      await setKeymap(own ? own.keymap : US_KEYMAP, isXwayland)
      const modifiers: readonly Modifier[] = known?.shift ? [...chord.modifiers, 'shift'] : chord.modifiers
      for (const modifier of modifiers) sendKey(XKB_MODIFIERS[modifier].code, PRESSED)
      sendModifiers(modifiers)
      strike(known ? known.code : own!.codes[0]!)
      for (const modifier of modifiers.toReversed()) sendKey(XKB_MODIFIERS[modifier].code, RELEASED)
      sendModifiers([])
      await connection.sync()
    },
    yieldToPerson: async () => {},
    waitUntilProcessed: () => connection.sync(),
  }
}
