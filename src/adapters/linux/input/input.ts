import { setTimeout as sleep } from 'node:timers/promises'
import type { TestExtension } from 'x11'
import { Fault } from '../../../base/fault.ts'
import type { Button, Modifier } from '../../../desktop/input/action.ts'
import type { Chord } from '../../../desktop/input/keys.ts'
import { contains, type Point } from '../../../desktop/model/geometry.ts'
import type { Display } from '../x11/display.ts'
import { openWindowPing } from '../x11/ping.ts'
import { activeWindow } from '../x11/windows.ts'
import { findKeyboardFocus, whileFocused } from './keyboard-focus.ts'
import { heldMask, readKeymap, withoutModifiers, withRemappedKeys } from './keyboard-state.ts'
import { type KeyStroke, modifierCode, planChord, planText } from './keymap.ts'
import {
  DOUBLE_CLICK_MS,
  DOUBLE_CLICK_PX,
  GAP_MS,
  HOLD_MS,
  MAX_CLICK_HOLD_MS,
  MAX_PING_MS,
  MAX_STROKES_AT_ONCE,
  MAX_TYPING_PING_MS,
  MIN_DRAG_STEPS,
  REMAP_SETTLE_MS,
} from './timing.ts'
import { openUserActivity, type UserActivity } from './user-activity.ts'

/** Pointer and keyboard input through the XTEST extension of the X server. */
export interface DesktopInput {
  move(to: Point): Promise<void>
  /** Waits for `ms` milliseconds. */
  pause(ms: number): Promise<void>
  click(at: Point, button: Button, count: number, modifiers?: readonly Modifier[]): Promise<void>
  drag(from: Point, to: Point, durationMs: number, modifiers: readonly Modifier[]): Promise<void>
  /** Positive clicks scroll up. */
  scroll(clicks: number): Promise<void>
  /** Types a text into the focused window, which must be `into` if given. Stops when another window gets the keyboard. */
  type(text: string, into?: number): Promise<void>
  press(chord: Chord, into?: number): Promise<void>
  /** Waits until no person has used mouse or keyboard for the configured time. */
  yieldToPerson(): Promise<void>
  /** Waits until the program of the focused window has processed all input so far. */
  waitUntilProcessed(): Promise<void>
}

const BUTTONS: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3 }
const WHEEL_UP = 4
const WHEEL_DOWN = 5
/** Button 1 is the ninth bit. */
const buttonMask = (button: Button): number => 1 << (7 + BUTTONS[button])

/** Opens pointer and keyboard. `signal` aborts the running action immediately, with no key left down. */
export async function openDesktopInput(
  display: Display,
  signal: AbortSignal,
  yieldToPersonMs?: number,
): Promise<DesktopInput> {
  const xtest = await display.extension<TestExtension>('xtest')
  if (!xtest) throw new Fault('PlatformUnsupported', 'the X server has no XTEST extension, which input needs')
  const ping = await openWindowPing(display)
  const userActivity = await openUserActivity(display, yieldToPersonMs, signal)
  const pingActiveWindow = async (withinMs: number) => {
    const window = await activeWindow(display)
    const answer = window === 0 ? 'unsupported' : await ping.send(window, withinMs)
    if (answer !== 'answered') await sleep(REMAP_SETTLE_MS)
    return answer
  }
  const waitUntilProcessed = async () => {
    await pingActiveWindow(MAX_PING_MS)
  }
  const requireProcessed = async () => {
    if ((await pingActiveWindow(MAX_TYPING_PING_MS)) === 'timeout')
      throw new Fault('Timeout', `the application has not processed typed text for ${MAX_TYPING_PING_MS} ms`)
  }
  let last: { readonly at: Point; readonly button: Button; readonly atMs: number } | undefined
  const input = createInput(display, xtest, requireProcessed, userActivity, signal)
  /** Runs an action that starts with a button press, late enough not to form a double click with the previous press. */
  const spaced = async (at: Point, button: Button, press: () => Promise<void>) => {
    if (last) {
      const apartMs = last.button === button && isNear(last.at, at) ? DOUBLE_CLICK_MS : GAP_MS
      await input.pause(last.atMs + apartMs - Date.now())
    }
    try {
      await press()
    } finally {
      last = { at, button, atMs: Date.now() }
    }
  }
  return {
    ...input,
    yieldToPerson: userActivity.waitUntilIdle,
    waitUntilProcessed,
    click: (at, button, count, modifiers = []) =>
      spaced(at, button, () => input.holding(modifiers, () => input.clicks(at, button, count))),
    drag: (from, to, durationMs, modifiers) => spaced(from, 'left', () => input.drag(from, to, durationMs, modifiers)),
  }
}

/** The fault of an action that was aborted because all input was stopped. */
export const inputStopped = (): Fault => new Fault('PermissionDenied', 'all input was stopped by the operator')

const isNear = (a: Point, b: Point): boolean =>
  Math.abs(a.x - b.x) <= DOUBLE_CLICK_PX && Math.abs(a.y - b.y) <= DOUBLE_CLICK_PX

function createInput(
  display: Display,
  xtest: TestExtension,
  requireProcessed: () => Promise<void>,
  userActivity: UserActivity,
  signal: AbortSignal,
) {
  const { root } = display
  const sendEvent = (kind: number, detail: number, { x = 0, y = 0, afterMs = 0 } = {}) =>
    xtest.FakeInput(kind, detail, afterMs, root, x, y)
  /** Waits until the server has processed all events, and records them as own input. */
  const flush = async () => {
    await display.sync()
    userActivity.recordOwnInput()
  }
  const throwIfStopped = () => {
    if (signal.aborted) throw inputStopped()
  }
  const pause = async (ms: number) => {
    throwIfStopped()
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
    throwIfStopped()
  }
  const moveTo = async ({ x, y }: Point) => {
    const screen = await display.screen()
    if (!contains(screen, { x, y }))
      throw new Fault(
        'BadRequest',
        `the point ${x},${y} is not on the screen, which is ${screen.width}×${screen.height}`,
        { x, y },
      )
    throwIfStopped()
    sendEvent(xtest.MotionNotify, 0, { x, y })
    await flush()
  }
  const withModifiers = async (modifiers: readonly Modifier[], act: () => Promise<void>) => {
    throwIfStopped()
    const map = modifiers.length > 0 ? await readKeymap(display) : undefined
    const codes = modifiers.map((modifier) => modifierCode(map!, modifier))
    for (const code of codes) sendEvent(xtest.KeyPress, code)
    try {
      await act()
    } finally {
      for (const code of codes.reverse()) sendEvent(xtest.KeyRelease, code)
      await flush()
    }
  }
  /** Runs `act` while a button is down. Always releases the button. */
  const withButtonDown = async (button: number, act: () => Promise<void>) => {
    sendEvent(xtest.ButtonPress, button)
    try {
      await act()
    } finally {
      sendEvent(xtest.ButtonRelease, button)
      await flush()
    }
  }
  /** Waits until the window manager has passed a click on. Until then keys would overtake it. */
  const waitForRelease = async (button: Button) => {
    const deadline = Date.now() + MAX_CLICK_HOLD_MS
    while ((await heldMask(display)) & buttonMask(button)) {
      if (Date.now() > deadline)
        throw new Fault(
          'Timeout',
          `the window manager, or a person, has held the ${button} button for ${MAX_CLICK_HOLD_MS} ms`,
        )
      await pause(HOLD_MS)
    }
  }
  const sendStroke = ({ code, shift }: KeyStroke, shiftCode: number) => {
    if (shift) sendEvent(xtest.KeyPress, shiftCode)
    sendEvent(xtest.KeyPress, code)
    sendEvent(xtest.KeyRelease, code)
    if (shift) sendEvent(xtest.KeyRelease, shiftCode)
  }

  return {
    pause,
    holding: withModifiers,
    move: moveTo,
    async clicks(at: Point, button: Button, count: number) {
      await moveTo(at)
      // The X server times the events, because a delay of this process would split a double click.
      for (let click = 0; click < count; click++) {
        sendEvent(xtest.ButtonPress, BUTTONS[button], { afterMs: click > 0 ? GAP_MS : 0 })
        sendEvent(xtest.ButtonRelease, BUTTONS[button], { afterMs: HOLD_MS })
      }
      await flush()
      await waitForRelease(button)
    },
    async drag(from: Point, to: Point, durationMs: number, modifiers: readonly Modifier[]) {
      const steps = Math.max(MIN_DRAG_STEPS, Math.round(durationMs / 16))
      await withModifiers(modifiers, async () => {
        await moveTo(from)
        await withButtonDown(BUTTONS.left, async () => {
          await pause(GAP_MS)
          let at = from
          for (let step = 1; step <= steps; step++) {
            const part = step / steps
            await userActivity.requireIdle(at)
            at = {
              x: Math.round(from.x + (to.x - from.x) * part),
              y: Math.round(from.y + (to.y - from.y) * part),
            }
            await moveTo(at)
            await pause(Math.max(HOLD_MS, durationMs / steps))
          }
        })
        await waitForRelease('left')
      })
    },
    async scroll(clicks: number) {
      const wheel = clicks > 0 ? WHEEL_UP : WHEEL_DOWN
      for (let click = 0; click < Math.abs(clicks); click++) {
        await userActivity.waitUntilIdle()
        await withButtonDown(wheel, async () => {})
        await pause(HOLD_MS)
      }
    },
    async type(text: string, into?: number) {
      await withoutModifiers(display, sendEvent, xtest, pause, flush, async (map) => {
        const shiftCode = modifierCode(map, 'shift')
        const focus = await findKeyboardFocus(display, into, true)
        let typed = 0
        await withRemappedKeys(display, planText(map, text), requireProcessed, async ({ strokes }) => {
          for (let at = 0; at < strokes.length; at += MAX_STROKES_AT_ONCE) {
            await userActivity.waitUntilIdle()
            throwIfStopped()
            const some = strokes.slice(at, at + MAX_STROKES_AT_ONCE)
            await whileFocused(display, focus, typed, () => {
              for (const stroke of some) sendStroke(stroke, shiftCode)
            })
            userActivity.recordOwnInput()
            typed += some.length
            // Limits the pending input, so that typing can still be stopped.
            if (strokes.length > MAX_STROKES_AT_ONCE) await requireProcessed()
          }
        })
      })
    },
    async press(chord: Chord, into?: number) {
      throwIfStopped()
      await withoutModifiers(display, sendEvent, xtest, pause, flush, async (map) => {
        const plan = planChord(map, chord)
        const focus = await findKeyboardFocus(display, into, isCharacter(chord))
        await withRemappedKeys(display, [plan], requireProcessed, () =>
          whileFocused(display, focus, 0, () => {
            for (const code of plan.held) sendEvent(xtest.KeyPress, code)
            for (const stroke of plan.strokes) sendStroke(stroke, 0)
            for (const code of [...plan.held].reverse()) sendEvent(xtest.KeyRelease, code)
          }),
        )
      })
    },
  }
}

/** Whether a chord only produces a character. */
const isCharacter = ({ modifiers, key }: Chord): boolean =>
  key.length === 1 && modifiers.every((modifier) => modifier === 'shift')
