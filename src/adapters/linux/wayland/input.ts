import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import type { Button, Modifier } from '../../../desktop/input/action.ts'
import { type Chord, modifierOf } from '../../../desktop/input/keys.ts'
import type { Monitor } from '../../../desktop/model/desktop.ts'
import { contains, EMPTY_RECT, type Point, unite } from '../../../desktop/model/geometry.ts'
import { GAP_MS, HOLD_MS, inputStopped, keyboardTaken, MAX_STROKES_AT_ONCE, MIN_DRAG_STEPS } from '../../real-input.ts'
import type { DesktopInput, DesktopWindow, RightPress, WindowSystem } from '../desktop-backend.ts'
import { isCharacter, spacedPresses } from '../input/input.ts'
import type { WaylandConnection } from './connection.ts'
import { type EvdevKey, planTextParts, US_KEYMAP, usKey, XKB_MODIFIERS } from './xkb.ts'

/** The evdev codes of buttons. */
const BUTTONS: Readonly<Record<Button, number>> = {
  left: 0x110,
  right: 0x111,
  middle: 0x112,
  back: 0x113,
  forward: 0x114,
}
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
  const buttons = new Set<Button>()
  const keys = new Map<string, EvdevKey>()
  let at: Point = { x: 0, y: 0 }
  let screen = EMPTY_RECT
  let presses = 0
  let rightPress: (Omit<RightPress, 'isLatest'> & { readonly number: number }) | undefined
  let keymap = ''
  let lastMs = 0

  /** The time of an event: programs tell double clicks by it, so a delay of this process does not matter. */
  const time = (afterMs = 0): number => {
    lastMs = Math.max(lastMs + afterMs, Math.floor(performance.now()))
    return lastMs
  }
  const throwIfStopped = () => {
    if (signal.aborted) throw inputStopped()
  }
  const pause = async (ms: number) => {
    throwIfStopped()
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
    throwIfStopped()
  }

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
  const heldModifiers = () => [...keys.keys()].flatMap((key) => modifierOf(key) ?? [])
  const maskOf = (modifiers: readonly Modifier[]) =>
    modifiers.reduce((mask, modifier) => mask | XKB_MODIFIERS[modifier].mask, 0)
  const sendKey = (code: number, state: number) => {
    presses += state
    keyboard.send('key', time(1), code, state)
  }
  const sendModifiers = (modifiers: readonly Modifier[]) =>
    keyboard.send('modifiers', maskOf([...heldModifiers(), ...modifiers]), 0, 0, 0)
  const strike = (code: number) => {
    sendKey(code, PRESSED)
    sendKey(code, RELEASED)
  }
  /** Runs `act` with modifiers down that are not held already. */
  const withModifiers = async (modifiers: readonly Modifier[], act: () => Promise<void> | void) => {
    throwIfStopped()
    const added = modifiers.filter((modifier) => !heldModifiers().includes(modifier))
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

  /** The window that receives keys, which must be `into` if given. Text needs a window. */
  const focusedWindow = async (
    into: number | undefined,
    isText: boolean,
    typed = 0,
  ): Promise<DesktopWindow | undefined> => {
    const focused = (await windows.list()).find((window) => window.focused)
    if (into !== undefined && focused?.id !== into) throw keyboardTaken(typed)
    if (isText && !focused)
      throw new Fault('WindowGone', 'no window has the keyboard; bring one to the foreground or click into it first')
    return focused
  }

  const moveTo = async (to: Point) => {
    const shown = (await monitors()).map(({ bounds }) => bounds)
    const all = shown.reduce(unite, EMPTY_RECT)
    const under = shown.find((bounds) => contains(bounds, to))
    if (!under)
      throw new Fault(
        'BadRequest',
        `the point ${to.x},${to.y} is not on the screen, which is ${all.width}×${all.height}`,
        { ...to },
      )
    throwIfStopped()
    pointer.send('motion_absolute', time(), to.x - all.x, to.y - all.y, all.width, all.height)
    pointer.send('frame')
    at = to
    screen = under
    await connection.sync()
  }
  /** Moves over a point beside the last one: menus of Qt ignore a click where the pointer has not moved since it entered them. */
  const approach = async (to: Point) => {
    const beside = { x: to.x + Math.sign(at.x - to.x), y: to.y + Math.sign(at.y - to.y) }
    if (beside.x !== to.x || beside.y !== to.y) await moveTo(beside)
    await moveTo(to)
  }
  const sendButton = (button: Button, state: number, afterMs = 0) => {
    presses += state
    if (button === 'right' && state === PRESSED) rightPress = { at, screen, atMs: Date.now(), number: presses }
    pointer.send('button', time(afterMs), BUTTONS[button], state)
    pointer.send('frame')
  }
  /** Moves in small steps, since programs start a drag only after several movements. */
  const moveInSteps = async (to: Point, durationMs: number) => {
    const from = at
    const steps = Math.max(MIN_DRAG_STEPS, Math.round(durationMs / 16))
    for (let step = 1; step <= steps; step++) {
      const part = step / steps
      await moveTo({ x: Math.round(from.x + (to.x - from.x) * part), y: Math.round(from.y + (to.y - from.y) * part) })
      await pause(Math.max(HOLD_MS, durationMs / steps))
    }
  }
  const turnWheel = async (axis: number, clicks: number) => {
    const turn = Math.sign(clicks)
    for (let click = 0; click < Math.abs(clicks); click++) {
      pointer.send('axis_source', WHEEL)
      pointer.send('axis_discrete', time(), axis, turn * WHEEL_STEP, turn)
      pointer.send('frame')
      await connection.sync()
      await pause(HOLD_MS)
    }
  }
  const releaseButton = (button: Button): boolean => {
    if (!buttons.delete(button)) return false
    sendButton(button, RELEASED)
    return true
  }
  const releaseKey = (key: string): boolean => {
    const held = keys.get(key)
    if (!held) return false
    keys.delete(key)
    sendKey(held.code, RELEASED)
    sendModifiers([])
    return true
  }
  const releaseAll = () => {
    if (connection.ended) return
    for (const button of [...buttons]) releaseButton(button)
    for (const key of [...keys.keys()]) releaseKey(key)
  }
  const holdKey = async (key: string) => {
    const named = usKey(key)
    if (!named)
      throw new Fault('PlatformUnsupported', `the keyboard of this desktop has no ${key} key to hold; use type_text`)
    await setKeymap(US_KEYMAP)
    if (keys.has(key)) return
    keys.set(key, named)
    sendKey(named.code, PRESSED)
    sendModifiers([])
  }
  signal.addEventListener('abort', releaseAll, { once: true })
  await setKeymap(US_KEYMAP)
  const spaced = spacedPresses(pause)

  return {
    pause,
    async move(to) {
      await (buttons.size > 0 ? moveInSteps(to, MIN_DRAG_STEPS * HOLD_MS) : approach(to))
    },
    state: async () => ({ at, buttons: [...buttons], keys: [...keys.keys()] }),
    rightPress: () => rightPress && { ...rightPress, isLatest: rightPress.number === presses },
    click: (to, button, count, modifiers = []) =>
      spaced(to, button, () =>
        withModifiers(modifiers, async () => {
          await approach(to)
          // The press of a held button changes nothing, and the release ends the hold.
          if (!releaseButton(button))
            for (let click = 0; click < count; click++) {
              sendButton(button, PRESSED, click > 0 ? GAP_MS : 0)
              sendButton(button, RELEASED, HOLD_MS)
            }
          await connection.sync()
        }),
      ),
    drag: (path, button, durationMs, modifiers) =>
      spaced(path[0]!, button, () =>
        withModifiers(modifiers, async () => {
          const [first, ...others] = path
          await moveTo(first!)
          releaseButton(button)
          sendButton(button, PRESSED)
          try {
            await pause(GAP_MS)
            for (const to of others) await moveInSteps(to, durationMs / others.length)
          } finally {
            sendButton(button, RELEASED)
            await connection.sync()
          }
        }),
      ),
    async scroll(clicks, across = 0, modifiers = []) {
      await withModifiers(modifiers, async () => {
        await turnWheel(VERTICAL, -clicks)
        await turnWheel(HORIZONTAL, across)
      })
    },
    async pressButton(to, button) {
      await approach(to)
      if (buttons.has(button)) return false
      buttons.add(button)
      sendButton(button, PRESSED)
      await connection.sync()
      return true
    },
    async releaseButton(to, button) {
      if (to.x !== at.x || to.y !== at.y) await moveInSteps(to, MIN_DRAG_STEPS * HOLD_MS)
      await pause(HOLD_MS)
      const wasDown = releaseButton(button)
      await connection.sync()
      return wasDown
    },
    async pressKey(key, into) {
      throwIfStopped()
      await focusedWindow(
        into,
        isCharacter({ modifiers: [], key }) && heldModifiers().every((each) => each === 'shift'),
      )
      await holdKey(key)
      await connection.sync()
    },
    async releaseKey(key) {
      const wasDown = releaseKey(key)
      await connection.sync()
      return wasDown
    },
    async hold(chord, forMs, into) {
      throwIfStopped()
      await focusedWindow(into, isCharacter(chord))
      const pressed = [...chord.modifiers, chord.key].filter((key) => !keys.has(key))
      try {
        for (const key of pressed) await holdKey(key)
        await connection.sync()
        await pause(forMs)
      } finally {
        for (const key of pressed.toReversed()) releaseKey(key)
        await connection.sync()
      }
    },
    async releaseAll() {
      releaseAll()
      await connection.sync()
    },
    async type(text, into, { intervalMs = 0, inHalves = false } = {}) {
      throwIfStopped()
      // Before the focus is asked for, so that a text that no key types is refused first.
      planTextParts(text, { inHalves })
      const focused = (await focusedWindow(into, true))!
      const isXwayland = !focused.isWayland
      const parts = planTextParts(text, { isXwayland, inHalves })
      const atOnce = intervalMs > 0 ? 1 : MAX_STROKES_AT_ONCE
      let typed = 0
      for (const part of parts) {
        await setKeymap(part.keymap, isXwayland)
        for (let from = 0; from < part.codes.length; from += atOnce) {
          throwIfStopped()
          if (typed > 0) await focusedWindow(focused.id, true, typed)
          const some = part.codes.slice(from, from + atOnce)
          for (const code of some) strike(code)
          typed += some.length
          await connection.sync()
          if (intervalMs > 0) await pause(intervalMs)
        }
      }
    },
    async press(chord: Chord, into) {
      throwIfStopped()
      const focused = await focusedWindow(into, isCharacter(chord))
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
