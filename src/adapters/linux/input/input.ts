import { setTimeout as sleep } from 'node:timers/promises'
import type { Pointer as PointerState, TestExtension } from 'x11'
import { Fault } from '../../../base/fault.ts'
import type { Button, Modifier } from '../../../desktop/input/action.ts'
import type { Chord } from '../../../desktop/input/keys.ts'
import { contains, type Point } from '../../../desktop/model/geometry.ts'
import type { Display } from '../x11/display.ts'
import { openWindowPing } from '../x11/ping.ts'
import { keyboardWindow } from '../x11/window-manager.ts'
import { activeWindow, ancestry, listXWindows } from '../x11/windows.ts'
import {
  capsLockCode,
  type KeyBatch,
  type Keymap,
  type KeyStroke,
  modifierCode,
  planChord,
  planText,
} from './keymap.ts'
import { openUserActivity, type UserActivity } from './user-activity.ts'

/** A pair of hands on a real desktop: the pointer and the keyboard, through the X server's test extension. */
export interface DesktopInput {
  move(to: Point): Promise<void>
  /** Does nothing for a while. */
  pause(ms: number): Promise<void>
  click(at: Point, button: Button, count: number, modifiers?: readonly Modifier[]): Promise<void>
  drag(from: Point, to: Point, durationMs: number, modifiers: readonly Modifier[]): Promise<void>
  /** Positive clicks scroll up. */
  scroll(clicks: number): Promise<void>
  /** Types exactly this text into the window that has the keyboard, which must be `into`; stops when another gets it. */
  type(text: string, into?: number): Promise<void>
  press(chord: Chord, into?: number): Promise<void>
  /** Ends once no person has touched mouse or keyboard for as long as the operator asks. */
  yieldToPerson(): Promise<void>
  /** Ends when the program of the window that has the keyboard has taken in all input so far. */
  waitUntilProcessed(): Promise<void>
}

const BUTTONS: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3 }
const WHEEL_UP = 4
const WHEEL_DOWN = 5

/** Toolkits lose clicks that are shorter, or closer together, than a hand could make them. */
const HOLD_MS = 8
const GAP_MS = 20
/** Within this time and distance a second click counts as a double click. */
const DOUBLE_CLICK_MS = 420
const DOUBLE_CLICK_PX = 8
const MIN_DRAG_STEPS = 12
/** A program that does not say when it has noticed that a key means something else now is given this long. */
const REMAP_SETTLE_MS = 30
const MAX_PING_MS = 400
/** A program that is typed into may be this slow; one that hangs would be typed at for ever. */
const MAX_TYPING_PING_MS = 1500
const MAX_STROKES_AT_ONCE = 24
const MAX_HELD_KEYS_MS = 500
const MAX_FOCUS_RETURN_MS = 400

/** A window manager that hangs holds clicks back for ever. */
const MAX_CLICK_HOLD_MS = 1500

const LOCK_MASK = 1 << 1
/** Button 1 is the ninth bit. */
const buttonMask = (button: Button): number => 1 << (7 + BUTTONS[button])
/** Shift, control, mod1 (alt) and mod4 (super); not number lock, which is mod2. */
const HELD_MASK = (1 << 0) | (1 << 2) | (1 << 3) | (1 << 6)

/** Takes hold of pointer and keyboard. `signal` ends whatever is under way at once, with no key left down. */
export async function openDesktopInput(
  display: Display,
  signal: AbortSignal,
  yieldToPersonMs?: number,
): Promise<DesktopInput> {
  const test = await display.extension<TestExtension>('xtest')
  if (!test) throw new Fault('PlatformUnsupported', 'the X server has no XTEST extension, so it takes no input from us')
  const ping = await openWindowPing(display)
  const userActivity = await openUserActivity(display, yieldToPersonMs, signal)
  const pingActiveWindow = async (withinMs: number) => {
    const window = await activeWindow(display)
    const answer = window === 0 ? 'deaf' : await ping.send(window, withinMs)
    if (answer !== 'heard') await sleep(REMAP_SETTLE_MS)
    return answer
  }
  const waitUntilProcessed = async () => {
    await pingActiveWindow(MAX_PING_MS)
  }
  const requireProcessed = async () => {
    if ((await pingActiveWindow(MAX_TYPING_PING_MS)) === 'silent')
      throw new Fault('Timeout', `the application has not taken in what was typed for ${MAX_TYPING_PING_MS} ms`)
  }
  let last: { readonly at: Point; readonly button: Button; readonly atMs: number } | undefined
  const input = createInput(display, test, requireProcessed, userActivity, signal)
  /** Does what begins with a press here, no sooner than it would make a double click of the press before. */
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

/** What befalls an action when all input ends. */
export const inputStopped = (): Fault => new Fault('PermissionDenied', 'all input was stopped by the operator')

const isNear = (a: Point, b: Point): boolean =>
  Math.abs(a.x - b.x) <= DOUBLE_CLICK_PX && Math.abs(a.y - b.y) <= DOUBLE_CLICK_PX

function createInput(
  display: Display,
  test: TestExtension,
  requireProcessed: () => Promise<void>,
  userActivity: UserActivity,
  signal: AbortSignal,
) {
  const { root } = display
  const sendEvent = (kind: number, detail: number, { x = 0, y = 0, afterMs = 0 } = {}) =>
    test.FakeInput(kind, detail, afterMs, root, x, y)
  /** Waits until the server has taken what was sent, which is then known to be ours. */
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
    sendEvent(test.MotionNotify, 0, { x, y })
    await flush()
  }
  const withModifiers = async (modifiers: readonly Modifier[], act: () => Promise<void>) => {
    throwIfStopped()
    const map = modifiers.length > 0 ? await readKeymap(display) : undefined
    const codes = modifiers.map((modifier) => modifierCode(map!, modifier))
    for (const code of codes) sendEvent(test.KeyPress, code)
    try {
      await act()
    } finally {
      for (const code of codes.reverse()) sendEvent(test.KeyRelease, code)
      await flush()
    }
  }
  /** Runs `act` while a button is down, and lets it go whatever happens. */
  const withButtonDown = async (button: number, act: () => Promise<void>) => {
    sendEvent(test.ButtonPress, button)
    try {
      await act()
    } finally {
      sendEvent(test.ButtonRelease, button)
      await flush()
    }
  }
  /** Window managers look at a click before they let it through, and until then keys would overtake it. */
  const waitForRelease = async (button: Button) => {
    const deadline = Date.now() + MAX_CLICK_HOLD_MS
    while ((await heldMask(display)) & buttonMask(button)) {
      if (Date.now() > deadline)
        throw new Fault(
          'Timeout',
          `the window manager, or a hand on the mouse, has held the ${button} button for ${MAX_CLICK_HOLD_MS} ms`,
        )
      await pause(HOLD_MS)
    }
  }
  const sendStroke = ({ code, shift }: KeyStroke, shiftCode: number) => {
    if (shift) sendEvent(test.KeyPress, shiftCode)
    sendEvent(test.KeyPress, code)
    sendEvent(test.KeyRelease, code)
    if (shift) sendEvent(test.KeyRelease, shiftCode)
  }

  return {
    pause,
    holding: withModifiers,
    move: moveTo,
    async clicks(at: Point, button: Button, count: number) {
      await moveTo(at)
      // The X server keeps the time: where we are kept waiting, a double click would become two.
      for (let click = 0; click < count; click++) {
        sendEvent(test.ButtonPress, BUTTONS[button], { afterMs: click > 0 ? GAP_MS : 0 })
        sendEvent(test.ButtonRelease, BUTTONS[button], { afterMs: HOLD_MS })
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
      await withoutModifiers(display, sendEvent, test, pause, flush, async (map) => {
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
            // No more is ever under way than can still be stopped.
            if (strokes.length > MAX_STROKES_AT_ONCE) await requireProcessed()
          }
        })
      })
    },
    async press(chord: Chord, into?: number) {
      throwIfStopped()
      await withoutModifiers(display, sendEvent, test, pause, flush, async (map) => {
        const plan = planChord(map, chord)
        const focus = await findKeyboardFocus(display, into, isCharacter(chord))
        await withRemappedKeys(display, [plan], requireProcessed, () =>
          whileFocused(display, focus, 0, () => {
            for (const code of plan.held) sendEvent(test.KeyPress, code)
            for (const stroke of plan.strokes) sendStroke(stroke, 0)
            for (const code of [...plan.held].reverse()) sendEvent(test.KeyRelease, code)
          }),
        )
      })
    },
  }
}

/** Whether a chord does no more than make a character. */
const isCharacter = ({ modifiers, key }: Chord): boolean =>
  key.length === 1 && modifiers.every((modifier) => modifier === 'shift')

/** Reads the layout anew each time: the user may change it whenever he likes, and it takes a millisecond. */
async function readKeymap(display: Display): Promise<Keymap> {
  const { client, info, root } = display
  const firstCode = info.min_keycode
  const [rows, modifiers, pointer] = await Promise.all([
    display.request<readonly (readonly number[])[]>((done) =>
      client.GetKeyboardMapping(firstCode, info.max_keycode - firstCode + 1, done),
    ),
    display.request<readonly (readonly number[])[]>((done) => client.GetModifierMapping(done)),
    display.request<PointerState>((done) => client.QueryPointer(root, done)),
  ])
  return { firstCode, rows, modifiers, group: (pointer.keyMask >> 13) & 3 }
}

/** Waits until no modifier is held, and switches capitals off for as long as `act` takes. */
async function withoutModifiers(
  display: Display,
  sendEvent: (kind: number, detail: number) => void,
  test: TestExtension,
  pause: (ms: number) => Promise<void>,
  flush: () => Promise<void>,
  act: (map: Keymap) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + MAX_HELD_KEYS_MS
  let mask = await heldMask(display)
  while (mask & HELD_MASK) {
    if (Date.now() > deadline)
      throw new Fault('Timeout', `a modifier key is held down on the keyboard (mask ${mask}); let it go and try again`)
    await pause(GAP_MS)
    mask = await heldMask(display)
  }
  const map = await readKeymap(display)
  const capsLock = mask & LOCK_MASK ? capsLockCode(map) : undefined
  const tapCapsLock = () => {
    if (capsLock === undefined) return
    sendEvent(test.KeyPress, capsLock)
    sendEvent(test.KeyRelease, capsLock)
  }
  tapCapsLock()
  try {
    await act(map)
  } finally {
    tapCapsLock()
    await flush()
  }
}

async function heldMask(display: Display): Promise<number> {
  const pointer = await display.request<PointerState>((done) => display.client.QueryPointer(display.root, done))
  return pointer.keyMask
}

/** Runs `act` for each batch, while keys that make no character make those that the batch lends them. */
async function withRemappedKeys(
  { client, sync }: Display,
  batches: readonly KeyBatch[],
  requireProcessed: () => Promise<void>,
  act: (batch: KeyBatch) => Promise<void>,
): Promise<void> {
  const used = new Set<number>()
  const lend = (code: number, keysym: number) => {
    // The same on every level and in every group, so that no lock or layout changes it.
    client.ChangeKeyboardMapping(code, 4, [keysym, keysym, keysym, keysym])
    used.add(code)
  }
  try {
    for (const batch of batches) {
      if (batch.remapped.length > 0) {
        for (const { code, keysym } of batch.remapped) lend(code, keysym)
        await sync()
        await requireProcessed()
      }
      await act(batch)
      // Keys must keep their meaning until the program has looked it up.
      if (used.size > 0) await requireProcessed()
    }
  } finally {
    for (const code of used) client.ChangeKeyboardMapping(code, 4, [0, 0, 0, 0])
    if (used.size > 0) await sync()
  }
}

/**
 * The X window that key strokes go to. Text must go to a window that is listed, and where it matters to `into` or a part of
 * it; shortcuts of the window manager need no window.
 */
async function findKeyboardFocus(display: Display, into: number | undefined, isText: boolean): Promise<number> {
  const focus = await keyboardWindow(display)
  const chain: readonly number[] = focus === 0 ? [] : await ancestry(display, focus)
  const owners = (await listXWindows(display))
    .filter(({ id, topLevel }) => chain.includes(id) || chain.includes(topLevel))
    .map(({ id, owner }) => owner ?? id)
  if (into !== undefined && !chain.includes(into) && !owners.includes(into))
    throw new Fault('WindowOccluded', 'another window took the keyboard; nothing was typed into it', { typed: 0 })
  if (isText && owners.length === 0)
    throw new Fault('WindowGone', 'no window has the keyboard; bring one to the foreground or click into it first')
  return focus
}

/**
 * Strikes keys while nobody else can do anything, provided that the keyboard is where it was. Window managers take it
 * for a moment now and then, so it has a moment to come back.
 */
async function whileFocused(display: Display, focus: number, typed: number, strike: () => void): Promise<void> {
  const deadline = Date.now() + MAX_FOCUS_RETURN_MS
  while (!(await sendIfFocused(display, focus, strike))) {
    if (Date.now() > deadline)
      throw new Fault(
        'WindowOccluded',
        `another window took the keyboard after ${typed} characters; nothing was typed into it`,
        { typed },
      )
    await sleep(GAP_MS)
  }
}

async function sendIfFocused(display: Display, focus: number, strike: () => void): Promise<boolean> {
  const { client } = display
  client.GrabServer()
  try {
    if ((await keyboardWindow(display)) !== focus) return false
    strike()
    return true
  } finally {
    client.UngrabServer()
    await display.sync()
  }
}
