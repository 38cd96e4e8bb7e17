import { setTimeout as sleep } from 'node:timers/promises'
import type { Awaitable } from '../../../base/async.ts'
import { Fault } from '../../../base/fault.ts'
import type { Button, Modifier } from '../../../desktop/input/action.ts'
import { modifierOf } from '../../../desktop/input/keys.ts'
import type { Monitor } from '../../../desktop/model/desktop.ts'
import { contains, EMPTY_RECT, type Point, type Rect, unite } from '../../../desktop/model/geometry.ts'
import { GAP_MS, HOLD_MS, inputStopped, keyboardTaken, MIN_DRAG_STEPS } from '../../real-input.ts'
import type { DesktopInput, DesktopWindow, RightPress, WindowSystem } from '../desktop-backend.ts'
import { isCharacter, spacedPresses } from '../input/input.ts'

/** The evdev codes of buttons. */
const BUTTONS: Readonly<Record<Button, number>> = {
  left: 0x110,
  right: 0x111,
  middle: 0x112,
  back: 0x113,
  forward: 0x114,
}

/** The direction that a wheel scrolls in. */
export type ScrollAxis = 'vertical' | 'horizontal'

/** A pointer of our own in a compositor. Events are processed in the order of the calls. */
export interface PointerDevice {
  readonly ended: boolean
  /** Moves to a point on a monitor. `screen` is the rectangle around all monitors. */
  move(to: Point, screen: Rect): void
  /** Presses or releases the button of an evdev code, at least `afterMs` after the event before. */
  button(code: number, isDown: boolean, afterMs: number): void
  /** Turns the wheel by one click: down or to the right when `turn` is 1. */
  wheel(axis: ScrollAxis, turn: 1 | -1): void
  /** Waits until the compositor has processed all events so far. */
  sync(): Promise<void>
}

interface VirtualPointerParts {
  readonly device: PointerDevice
  readonly monitors: () => Promise<readonly Monitor[]>
  readonly pause: (ms: number) => Promise<void>
  /** Runs `act` with modifiers down that are not held already. */
  readonly withModifiers: (modifiers: readonly Modifier[], act: () => Promise<void>) => Promise<void>
}

/** What a pointer does for actions. */
export interface VirtualPointer
  extends Pick<DesktopInput, 'move' | 'click' | 'drag' | 'scroll' | 'pressButton' | 'releaseButton'>,
    Required<Pick<DesktopInput, 'rightPress'>> {
  readonly at: Point
  readonly buttons: readonly Button[]
  /** Releases all buttons, without waiting for it. */
  releaseButtons(): void
  /** Notes the press of a key, after which no press of a button is the latest input. */
  noteKeyPress(): void
}

/** Returns a function that waits, and throws once all input was stopped by `signal`. */
export function pauseUntilStopped(signal: AbortSignal): (ms: number) => Promise<void> {
  const throwIfStopped = () => {
    if (signal.aborted) throw inputStopped()
  }
  return async (ms) => {
    throwIfStopped()
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
    throwIfStopped()
  }
}

/** Clicks, drags and scrolls with a pointer of our own. */
export function createVirtualPointer({ device, monitors, pause, withModifiers }: VirtualPointerParts): VirtualPointer {
  const buttons = new Set<Button>()
  let at: Point = { x: 0, y: 0 }
  /** The monitor below the pointer. */
  let screen = EMPTY_RECT
  let presses = 0
  let rightPress: (Omit<RightPress, 'isLatest'> & { readonly number: number }) | undefined

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
    await pause(0)
    device.move(to, all)
    at = to
    screen = under
    await device.sync()
  }
  /** Moves over a point beside the last one: menus of Qt ignore a click where the pointer has not moved since it entered them. */
  const approach = async (to: Point) => {
    const beside = { x: to.x + Math.sign(at.x - to.x), y: to.y + Math.sign(at.y - to.y) }
    if (beside.x !== to.x || beside.y !== to.y) await moveTo(beside)
    await moveTo(to)
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
  const send = (button: Button, isDown: boolean, afterMs = 0) => {
    if (isDown) presses++
    if (button === 'right' && isDown) rightPress = { at, screen, atMs: Date.now(), number: presses }
    device.button(BUTTONS[button], isDown, afterMs)
  }
  const release = (button: Button): boolean => {
    if (!buttons.delete(button)) return false
    send(button, false)
    return true
  }
  const turnWheel = async (axis: ScrollAxis, clicks: number) => {
    for (let click = 0; click < Math.abs(clicks); click++) {
      device.wheel(axis, clicks > 0 ? 1 : -1)
      await device.sync()
      await pause(HOLD_MS)
    }
  }
  const spaced = spacedPresses(pause)

  return {
    get at() {
      return at
    },
    get buttons() {
      return [...buttons]
    },
    releaseButtons() {
      if (!device.ended) for (const button of [...buttons]) release(button)
    },
    noteKeyPress() {
      presses++
    },
    rightPress: () => rightPress && { ...rightPress, isLatest: rightPress.number === presses },
    async move(to) {
      await (buttons.size > 0 ? moveInSteps(to, MIN_DRAG_STEPS * HOLD_MS) : approach(to))
    },
    click: (to, button, count, modifiers = []) =>
      spaced(to, button, () =>
        withModifiers(modifiers, async () => {
          await approach(to)
          // The press of a held button changes nothing, and the release ends the hold.
          if (!release(button))
            for (let click = 0; click < count; click++) {
              send(button, true, click > 0 ? GAP_MS : 0)
              send(button, false, HOLD_MS)
            }
          await device.sync()
        }),
      ),
    drag: (path, button, durationMs, modifiers) =>
      spaced(path[0]!, button, () =>
        withModifiers(modifiers, async () => {
          const [first, ...others] = path
          await moveTo(first!)
          release(button)
          send(button, true)
          try {
            await pause(GAP_MS)
            for (const to of others) await moveInSteps(to, durationMs / others.length)
          } finally {
            send(button, false)
            await device.sync()
          }
        }),
      ),
    async scroll(clicks, across = 0, modifiers = []) {
      await withModifiers(modifiers, async () => {
        await turnWheel('vertical', -clicks)
        await turnWheel('horizontal', across)
      })
    },
    async pressButton(to, button) {
      await approach(to)
      if (buttons.has(button)) return false
      buttons.add(button)
      send(button, true)
      await device.sync()
      return true
    },
    async releaseButton(to, button) {
      if (to.x !== at.x || to.y !== at.y) await moveInSteps(to, MIN_DRAG_STEPS * HOLD_MS)
      await pause(HOLD_MS)
      const wasDown = release(button)
      await device.sync()
      return wasDown
    },
  }
}

/** A keyboard of our own in a compositor. `K` is how it names a key. */
interface KeyDevice<K> extends Pick<PointerDevice, 'ended' | 'sync'> {
  /** Throws `PlatformUnsupported` for a key that the keyboard does not have. */
  find(key: string): Awaitable<K>
  /** Presses a key that is held from now on, or releases one that is held no longer. */
  send(key: K, isDown: boolean): void
}

/** The keys that a keyboard of our own holds. */
export interface VirtualKeys extends Pick<DesktopInput, 'pressKey' | 'releaseKey' | 'hold'> {
  readonly held: readonly string[]
  readonly heldModifiers: readonly Modifier[]
  /** Releases all keys, without waiting for it. */
  releaseKeys(): void
}

/** Presses, holds and releases keys of a keyboard of our own. */
export function createVirtualKeys<K>(
  device: KeyDevice<K>,
  windows: WindowSystem,
  pause: (ms: number) => Promise<void>,
): VirtualKeys {
  const keys = new Map<string, K>()
  const heldModifiers = () => [...keys.keys()].flatMap((key) => modifierOf(key) ?? [])
  const press = async (key: string) => {
    if (keys.has(key)) return
    const found = await device.find(key)
    keys.set(key, found)
    device.send(found, true)
  }
  const release = (key: string): boolean => {
    if (!keys.has(key)) return false
    const found = keys.get(key)!
    keys.delete(key)
    device.send(found, false)
    return true
  }
  return {
    get held() {
      return [...keys.keys()]
    },
    get heldModifiers() {
      return heldModifiers()
    },
    releaseKeys() {
      for (const key of [...keys.keys()]) release(key)
    },
    async pressKey(key, into) {
      await pause(0)
      const isText = isCharacter({ modifiers: [], key }) && heldModifiers().every((each) => each === 'shift')
      await windowWithKeyboard(windows, into, isText)
      await press(key)
      await device.sync()
    },
    async releaseKey(key) {
      const wasDown = release(key)
      await device.sync()
      return wasDown
    },
    async hold(chord, forMs, into) {
      await pause(0)
      await windowWithKeyboard(windows, into, isCharacter(chord))
      const pressed = [...chord.modifiers, chord.key].filter((key) => !keys.has(key))
      try {
        for (const key of pressed) await press(key)
        await device.sync()
        await pause(forMs)
      } finally {
        for (const key of pressed.toReversed()) release(key)
        await device.sync()
      }
    },
  }
}

/** What pointer and keys of our own do alike in every compositor. All are released once input is stopped by `signal`. */
export function pointerAndKeys(
  pointer: VirtualPointer,
  keys: VirtualKeys,
  device: Pick<PointerDevice, 'ended' | 'sync'>,
  signal: AbortSignal,
) {
  const release = () => {
    if (device.ended) return
    pointer.releaseButtons()
    keys.releaseKeys()
  }
  signal.addEventListener('abort', release, { once: true })
  const { move, click, drag, scroll, pressButton, releaseButton } = pointer
  const { pressKey, releaseKey, hold } = keys
  const releaseAll = async () => {
    release()
    await device.sync()
  }
  return { move, click, drag, scroll, pressButton, releaseButton, pressKey, releaseKey, hold, releaseAll }
}

/**
 * The window that receives keys. Throws `WindowOccluded` when it is not `into`, and `WindowGone` for text without a window.
 * `typed` characters were sent before.
 */
export async function windowWithKeyboard(
  windows: WindowSystem,
  into: number | undefined,
  isText: boolean,
  typed = 0,
): Promise<DesktopWindow | undefined> {
  const focused = (await windows.list()).find((window) => window.focused)
  if (into !== undefined && focused?.id !== into) throw keyboardTaken(typed)
  if (isText && !focused)
    throw new Fault('WindowGone', 'no window has the keyboard; bring one to the foreground or click into it first')
  return focused
}
