import { setTimeout as sleep } from 'node:timers/promises'
import type { Pointer, ScreenSaverExtension, TestExtension } from 'x11'
import { Fault } from '../../../base/fault.ts'
import type { Button, Modifier } from '../../../desktop/input/action.ts'
import type { Chord } from '../../../desktop/input/keys.ts'
import { contains, type Point } from '../../../desktop/model/geometry.ts'
import {
  DOUBLE_CLICK_MS,
  DOUBLE_CLICK_PX,
  GAP_MS,
  HOLD_MS,
  inputStopped,
  MAX_STROKES_AT_ONCE,
  MAX_TYPING_PING_MS,
  MIN_DRAG_STEPS,
  NO_USER,
  type UserActivity,
  watchUserActivity,
} from '../../real-input.ts'
import type { DesktopInput, TypingOptions } from '../desktop-backend.ts'
import type { Display } from '../x11/display.ts'
import { activeWindow, openWindowPing } from '../x11/x-windows.ts'
import {
  BUTTONS,
  changesKeys,
  createHeldInput,
  findKeyboardFocus,
  heldMask,
  MODIFIER_MASKS,
  readKeyboard,
  readKeymap,
  typedTextUnprocessed,
  whileFocused,
  withoutModifiers,
  withRemappedKeys,
} from './keyboard.ts'
import { areTypedBy, type Keymap, type KeyStroke, modifierCode, planChord, planText } from './keymap.ts'

const WHEEL_UP = 4
const WHEEL_DOWN = 5
const WHEEL_LEFT = 6
const WHEEL_RIGHT = 7
/** The state of the X server has no bits for later buttons. */
const MAX_BUTTON_WITH_STATE = 5
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
    if ((await pingActiveWindow(MAX_TYPING_PING_MS)) === 'timeout') throw typedTextUnprocessed()
  }
  const input = createInput(display, xtest, requireProcessed, userActivity, signal)
  const spaced = spacedPresses(input.pause)
  return {
    ...input,
    yieldToPerson: userActivity.waitUntilIdle,
    waitUntilProcessed,
    click: (at, button, count, modifiers = []) =>
      spaced(at, button, () => input.holding(modifiers, () => input.clicks(at, button, count))),
    drag: (path, button, durationMs, modifiers) =>
      spaced(path[0]!, button, () => input.drag(path, button, durationMs, modifiers)),
  }
}

/**
 * Returns a function that runs an action which starts with a button press, late enough not to form a double click with the
 * previous press.
 */
export function spacedPresses(pause: (ms: number) => Promise<void>) {
  let last: { readonly at: Point; readonly button: Button; readonly atMs: number } | undefined
  return async (at: Point, button: Button, press: () => Promise<void>): Promise<void> => {
    if (last) {
      const apartMs = last.button === button && isNear(last.at, at) ? DOUBLE_CLICK_MS : GAP_MS
      await pause(last.atMs + apartMs - Date.now())
    }
    try {
      await press()
    } finally {
      last = { at, button, atMs: Date.now() }
    }
  }
}

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
  const held = createHeldInput(display, xtest, sendEvent)
  signal.addEventListener('abort', held.releaseAll, { once: true })
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
    const codes = modifiers
      .filter((modifier) => !held.keys.includes(modifier))
      .map((modifier) => modifierCode(map!, modifier))
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
    if (BUTTONS[button] > MAX_BUTTON_WITH_STATE) return
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
  /** Sends keys unless they no longer produce these characters. No other program changes the layout between check and keys. */
  const typeTogether = async (
    focus: number,
    typed: number,
    strokes: readonly KeyStroke[],
    characters: readonly string[],
  ): Promise<boolean> => {
    let isSent = false
    await whileFocused(display, focus, typed, async () => {
      const { map, mask } = await readKeyboard(display)
      isSent = !changesKeys(mask, held.mask) && areTypedBy(map, strokes, characters)
      const shiftCode = modifierCode(map, 'shift')
      if (isSent) for (const stroke of strokes) sendStroke(stroke, shiftCode)
    })
    return isSent
  }

  const pointer = async (): Promise<Point> => {
    const { rootX, rootY } = await display.request<Pointer>((done) => display.client.QueryPointer(root, done))
    return { x: rootX, y: rootY }
  }
  /** Moves in small steps, since programs start a drag only after several movements. */
  const moveInSteps = async (from: Point, to: Point, durationMs: number) => {
    const steps = Math.max(MIN_DRAG_STEPS, Math.round(durationMs / 16))
    let at = from
    for (let step = 1; step <= steps; step++) {
      const part = step / steps
      await userActivity.requireIdle(at)
      at = { x: Math.round(from.x + (to.x - from.x) * part), y: Math.round(from.y + (to.y - from.y) * part) }
      await moveTo(at)
      await pause(Math.max(HOLD_MS, durationMs / steps))
    }
  }
  const turnWheel = async (wheel: number, clicks: number) => {
    for (let click = 0; click < clicks; click++) {
      await userActivity.waitUntilIdle()
      await withButtonDown(wheel, async () => {})
      await pause(HOLD_MS)
    }
  }

  return {
    pause,
    holding: withModifiers,
    async move(to: Point) {
      await (held.buttons.length > 0 ? moveInSteps(await pointer(), to, MIN_DRAG_STEPS * HOLD_MS) : moveTo(to))
    },
    async state() {
      return { at: await pointer(), buttons: held.buttons, keys: held.keys }
    },
    async pressButton(at: Point, button: Button) {
      await moveTo(at)
      const isNew = held.pressButton(button)
      await flush()
      return isNew
    },
    async releaseButton(at: Point, button: Button) {
      const from = await pointer()
      if (from.x !== at.x || from.y !== at.y) await moveInSteps(from, at, MIN_DRAG_STEPS * HOLD_MS)
      await pause(HOLD_MS)
      const wasDown = held.releaseButton(button)
      await flush()
      if (wasDown) await waitForRelease(button)
      return wasDown
    },
    async pressKey(key: string, into?: number) {
      throwIfStopped()
      const strike = await held.planKey(key)
      const isText = isCharacter({ modifiers: [], key }) && (held.mask & ~MODIFIER_MASKS.shift) === 0
      await whileFocused(display, await findKeyboardFocus(display, into, isText), 0, strike)
      await flush()
    },
    async releaseKey(key: string) {
      const wasDown = held.releaseKey(key)
      await flush()
      return wasDown
    },
    async hold(chord: Chord, forMs: number, into?: number) {
      throwIfStopped()
      const isText = isCharacter(chord) && (held.mask & ~MODIFIER_MASKS.shift) === 0
      const focus = await findKeyboardFocus(display, into, isText)
      const pressed = [...chord.modifiers, chord.key].filter((key) => !held.keys.includes(key))
      const strikes = await Promise.all(pressed.map(held.planKey))
      try {
        await whileFocused(display, focus, 0, () => {
          for (const strike of strikes) strike()
        })
        await flush()
        await pause(forMs)
      } finally {
        for (const key of pressed.reverse()) held.releaseKey(key)
        await flush()
      }
    },
    async releaseAll() {
      held.releaseAll()
      await flush()
    },
    async clicks(at: Point, button: Button, count: number) {
      await moveTo(at)
      // The press of a held button changes nothing, and the release ends the hold.
      if (held.releaseButton(button)) return flush()
      // The X server times the events, because a delay of this process would split a double click.
      for (let click = 0; click < count; click++) {
        sendEvent(xtest.ButtonPress, BUTTONS[button], { afterMs: click > 0 ? GAP_MS : 0 })
        sendEvent(xtest.ButtonRelease, BUTTONS[button], { afterMs: HOLD_MS })
      }
      await flush()
      await waitForRelease(button)
    },
    async drag(path: readonly Point[], button: Button, durationMs: number, modifiers: readonly Modifier[]) {
      const [first, ...others] = path
      await withModifiers(modifiers, async () => {
        await moveTo(first!)
        held.releaseButton(button)
        await withButtonDown(BUTTONS[button], async () => {
          await pause(GAP_MS)
          let from = first!
          for (const to of others) {
            await moveInSteps(from, to, durationMs / others.length)
            from = to
          }
        })
        await waitForRelease(button)
      })
    },
    async scroll(clicks: number, across = 0, modifiers: readonly Modifier[] = []) {
      await withModifiers(modifiers, async () => {
        await turnWheel(clicks > 0 ? WHEEL_UP : WHEEL_DOWN, Math.abs(clicks))
        await turnWheel(across > 0 ? WHEEL_RIGHT : WHEEL_LEFT, Math.abs(across))
      })
    },
    async type(text: string, into?: number, { intervalMs = 0 }: TypingOptions = {}) {
      const characters = [...text.replaceAll('\r\n', '\n')]
      const atOnce = intervalMs > 0 ? 1 : MAX_STROKES_AT_ONCE
      let focus: number | undefined
      let typed = 0
      /** Types the rest of the text, or as much of it as the keys produce until a person switches the layout. */
      const typeRest = async (map: Keymap) => {
        focus ??= await findKeyboardFocus(display, into, true)
        const plan = planText(map, characters.slice(typed).join(''))
        await withRemappedKeys(display, plan, requireProcessed, async ({ strokes }) => {
          for (let at = 0; at < strokes.length; at += atOnce) {
            await userActivity.waitUntilIdle()
            throwIfStopped()
            const some = strokes.slice(at, at + atOnce)
            if (!(await typeTogether(focus!, typed, some, characters.slice(typed, typed + some.length)))) return false
            userActivity.recordOwnInput()
            typed += some.length
            // Limits the pending input, so that typing can still be stopped.
            if (intervalMs > 0) await pause(intervalMs)
            else if (strokes.length > MAX_STROKES_AT_ONCE) await requireProcessed()
          }
          return true
        })
      }
      for (let vain = 0, before = -1; before < characters.length; ) {
        if (vain > MAX_VAIN_ATTEMPTS) throw layoutChanging(typed)
        await withoutModifiers(display, sendEvent, xtest, pause, flush, held.mask, typeRest)
        vain = typed === before ? vain + 1 : 0
        before = typed
      }
    },
    async press(chord: Chord, into?: number) {
      throwIfStopped()
      await withoutModifiers(display, sendEvent, xtest, pause, flush, held.mask, async (map) => {
        const plan = planChord(map, chord)
        const focus = await findKeyboardFocus(display, into, isCharacter(chord))
        await withRemappedKeys(display, [plan], requireProcessed, async () => {
          await whileFocused(display, focus, 0, () => {
            for (const code of plan.held) sendEvent(xtest.KeyPress, code)
            for (const stroke of plan.strokes) sendStroke(stroke, 0)
            for (const code of [...plan.held].reverse()) sendEvent(xtest.KeyRelease, code)
          })
          return true
        })
      })
    },
  }
}

/** Whether a chord only produces a character. */
export const isCharacter = ({ modifiers, key }: Chord): boolean =>
  key.length === 1 && modifiers.every((modifier) => modifier === 'shift')

/** The wait after a remapped key for programs that do not answer pings. */
const REMAP_SETTLE_MS = 30

/** How often the rest of a text is planned again before the next of its keys could be pressed. */
const MAX_VAIN_ATTEMPTS = 20

const layoutChanging = (typed: number): Fault =>
  new Fault('Timeout', `the keyboard layout keeps changing; ${typed} characters were typed`, { typed })

/** The maximum time for a program to process an action. */
const MAX_PING_MS = 400

/** The maximum time for a window manager to hold a click back. */
const MAX_CLICK_HOLD_MS = 1500

/** Detects the person at a display, to whom agents yield for `yieldMs`. Without it agents never yield. */
async function openUserActivity(
  display: Display,
  yieldMs: number | undefined,
  signal: AbortSignal,
): Promise<UserActivity> {
  if (yieldMs === undefined) return NO_USER
  const saver = await display.extension<ScreenSaverExtension>('screen-saver')
  if (!saver)
    throw new Fault(
      'PlatformUnsupported',
      'the X server has no MIT-SCREEN-SAVER extension, so input of a person cannot be distinguished from that of agents',
    )
  return watchUserActivity({
    yieldMs,
    now: Date.now,
    pointer: async () => {
      const { rootX, rootY } = await display.request<Pointer>((done) => display.client.QueryPointer(display.root, done))
      return { x: rootX, y: rootY }
    },
    pause: async (ms) => void (await sleep(ms, undefined, { signal }).catch(() => {})),
    lastInput: async () => {
      const { idle } = await display.request<{ idle: number }>((done) => saver.QueryInfo(display.root, done))
      return Date.now() - idle
    },
  })
}
