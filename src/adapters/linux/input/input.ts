import { setTimeout as sleep } from 'node:timers/promises'
import type { Pointer as PointerState, TestExtension } from 'x11'
import { Fault } from '../../../base/fault.ts'
import type { Button, Modifier } from '../../../desktop/input/action.ts'
import type { Chord } from '../../../desktop/input/keys.ts'
import { contains, type Point } from '../../../desktop/model/geometry.ts'
import type { Display } from '../x11/display.ts'
import { openEcho } from '../x11/ping.ts'
import { keyboardWindow } from '../x11/window-manager.ts'
import { activeWindow, ancestry, listWindows } from '../x11/windows.ts'
import { type Batch, capsLockCode, type Keymap, modifierCode, planChord, planText, type Stroke } from './keymap.ts'
import { openPerson, type Person } from './user-activity.ts'

/** A pair of hands on a real desktop: the pointer and the keyboard, through the X server's test extension. */
export interface Input {
  move(to: Point): Promise<void>
  /** Does nothing for a while. */
  rest(ms: number): Promise<void>
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
  caughtUp(): Promise<void>
}

const BUTTONS: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3 }
const WHEEL_UP = 4
const WHEEL_DOWN = 5

/** Toolkits lose clicks that are shorter, or closer together, than a hand could make them. */
const HOLD_MS = 8
const GAP_MS = 20
/** Within this time and distance a second click counts as a double click. */
const DOUBLE_CLICK_MS = 420
const DOUBLE_CLICK_PIXELS = 8
const DRAG_STEPS_LEAST = 12
/** A program that does not say when it has noticed that a key means something else now is given this long. */
const LENT_SETTLE_MS = 30
const ECHO_MOST_MS = 400
/** A program that is typed into may be this slow; one that hangs would be typed at for ever. */
const TAKE_IN_MOST_MS = 1500
const STROKES_AT_ONCE = 24
const HELD_KEYS_MOST_MS = 500
const FOCUS_BACK_MOST_MS = 400

/** A window manager that hangs holds clicks back for ever. */
const HELD_BACK_MOST_MS = 1500

const LOCK_MASK = 1 << 1
/** Button 1 is the ninth bit. */
const buttonMask = (button: Button): number => 1 << (7 + BUTTONS[button])
/** Shift, control, mod1 (alt) and mod4 (super); not number lock, which is mod2. */
const HELD_MASK = (1 << 0) | (1 << 2) | (1 << 3) | (1 << 6)

/** Takes hold of pointer and keyboard. `signal` ends whatever is under way at once, with no key left down. */
export async function openInput(display: Display, signal: AbortSignal, yieldToPersonMs?: number): Promise<Input> {
  const test = await display.extension<TestExtension>('xtest')
  if (!test) throw new Fault('PlatformUnsupported', 'the X server has no XTEST extension, so it takes no input from us')
  const echo = await openEcho(display)
  const person = await openPerson(display, yieldToPersonMs, signal)
  const listen = async (withinMs: number) => {
    const window = await activeWindow(display)
    const answer = window === 0 ? 'deaf' : await echo.from(window, withinMs)
    if (answer !== 'heard') await sleep(LENT_SETTLE_MS)
    return answer
  }
  const caughtUp = async () => {
    await listen(ECHO_MOST_MS)
  }
  const takenIn = async () => {
    if ((await listen(TAKE_IN_MOST_MS)) === 'silent')
      throw new Fault('Timeout', `the application has not taken in what was typed for ${TAKE_IN_MOST_MS} ms`)
  }
  let last: { readonly at: Point; readonly button: Button; readonly atMs: number } | undefined
  const hands = handsOf(display, test, takenIn, person, signal)
  /** Does what begins with a press here, no sooner than it would make a double click of the press before. */
  const apart = async (at: Point, button: Button, press: () => Promise<void>) => {
    if (last) {
      const apartMs = last.button === button && isNear(last.at, at) ? DOUBLE_CLICK_MS : GAP_MS
      await hands.rest(last.atMs + apartMs - Date.now())
    }
    try {
      await press()
    } finally {
      last = { at, button, atMs: Date.now() }
    }
  }
  return {
    ...hands,
    yieldToPerson: person.quiet,
    caughtUp,
    click: (at, button, count, modifiers = []) =>
      apart(at, button, () => hands.holding(modifiers, () => hands.clicks(at, button, count))),
    drag: (from, to, durationMs, modifiers) => apart(from, 'left', () => hands.drag(from, to, durationMs, modifiers)),
  }
}

/** What befalls an action when all input ends. */
export const stopped = (): Fault => new Fault('PermissionDenied', 'all input was stopped by the operator')

const isNear = (a: Point, b: Point): boolean =>
  Math.abs(a.x - b.x) <= DOUBLE_CLICK_PIXELS && Math.abs(a.y - b.y) <= DOUBLE_CLICK_PIXELS

function handsOf(
  display: Display,
  test: TestExtension,
  takenIn: () => Promise<void>,
  person: Person,
  signal: AbortSignal,
) {
  const { root } = display
  const fake = (kind: number, detail: number, { x = 0, y = 0, afterMs = 0 } = {}) =>
    test.FakeInput(kind, detail, afterMs, root, x, y)
  /** Waits until the server has taken what was sent, which is then known to be ours. */
  const sent = async () => {
    await display.sync()
    person.acted()
  }
  const stopIfAsked = () => {
    if (signal.aborted) throw stopped()
  }
  const pause = async (ms: number) => {
    stopIfAsked()
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
    stopIfAsked()
  }
  const moveTo = async ({ x, y }: Point) => {
    const screen = await display.screen()
    if (!contains(screen, { x, y }))
      throw new Fault(
        'BadRequest',
        `the point ${x},${y} is not on the screen, which is ${screen.width}×${screen.height}`,
        { x, y },
      )
    stopIfAsked()
    fake(test.MotionNotify, 0, { x, y })
    await sent()
  }
  const holding = async (modifiers: readonly Modifier[], act: () => Promise<void>) => {
    stopIfAsked()
    const map = modifiers.length > 0 ? await readKeymap(display) : undefined
    const codes = modifiers.map((modifier) => modifierCode(map!, modifier))
    for (const code of codes) fake(test.KeyPress, code)
    try {
      await act()
    } finally {
      for (const code of codes.reverse()) fake(test.KeyRelease, code)
      await sent()
    }
  }
  /** Runs `act` while a button is down, and lets it go whatever happens. */
  const pressing = async (button: number, act: () => Promise<void>) => {
    fake(test.ButtonPress, button)
    try {
      await act()
    } finally {
      fake(test.ButtonRelease, button)
      await sent()
    }
  }
  /** Window managers look at a click before they let it through, and until then keys would overtake it. */
  const letThrough = async (button: Button) => {
    const deadline = Date.now() + HELD_BACK_MOST_MS
    while ((await heldMask(display)) & buttonMask(button)) {
      if (Date.now() > deadline)
        throw new Fault(
          'Timeout',
          `the window manager, or a hand on the mouse, has held the ${button} button for ${HELD_BACK_MOST_MS} ms`,
        )
      await pause(HOLD_MS)
    }
  }
  const strike = ({ code, shift }: Stroke, shiftCode: number) => {
    if (shift) fake(test.KeyPress, shiftCode)
    fake(test.KeyPress, code)
    fake(test.KeyRelease, code)
    if (shift) fake(test.KeyRelease, shiftCode)
  }

  return {
    rest: pause,
    holding,
    move: moveTo,
    async clicks(at: Point, button: Button, count: number) {
      await moveTo(at)
      // The X server keeps the time: where we are kept waiting, a double click would become two.
      for (let click = 0; click < count; click++) {
        fake(test.ButtonPress, BUTTONS[button], { afterMs: click > 0 ? GAP_MS : 0 })
        fake(test.ButtonRelease, BUTTONS[button], { afterMs: HOLD_MS })
      }
      await sent()
      await letThrough(button)
    },
    async drag(from: Point, to: Point, durationMs: number, modifiers: readonly Modifier[]) {
      const steps = Math.max(DRAG_STEPS_LEAST, Math.round(durationMs / 16))
      await holding(modifiers, async () => {
        await moveTo(from)
        await pressing(BUTTONS.left, async () => {
          await pause(GAP_MS)
          let at = from
          for (let step = 1; step <= steps; step++) {
            const part = step / steps
            await person.absent(at)
            at = {
              x: Math.round(from.x + (to.x - from.x) * part),
              y: Math.round(from.y + (to.y - from.y) * part),
            }
            await moveTo(at)
            await pause(Math.max(HOLD_MS, durationMs / steps))
          }
        })
        await letThrough('left')
      })
    },
    async scroll(clicks: number) {
      const wheel = clicks > 0 ? WHEEL_UP : WHEEL_DOWN
      for (let click = 0; click < Math.abs(clicks); click++) {
        await person.quiet()
        await pressing(wheel, async () => {})
        await pause(HOLD_MS)
      }
    },
    async type(text: string, into?: number) {
      await withQuietKeyboard(display, fake, test, pause, sent, async (map) => {
        const shiftCode = modifierCode(map, 'shift')
        const focus = await focusedNow(display, into, true)
        let typed = 0
        await lending(display, planText(map, text), takenIn, async ({ strokes }) => {
          for (let at = 0; at < strokes.length; at += STROKES_AT_ONCE) {
            await person.quiet()
            stopIfAsked()
            const some = strokes.slice(at, at + STROKES_AT_ONCE)
            await whileFocused(display, focus, typed, () => {
              for (const stroke of some) strike(stroke, shiftCode)
            })
            person.acted()
            typed += some.length
            // No more is ever under way than can still be stopped.
            if (strokes.length > STROKES_AT_ONCE) await takenIn()
          }
        })
      })
    },
    async press(chord: Chord, into?: number) {
      stopIfAsked()
      await withQuietKeyboard(display, fake, test, pause, sent, async (map) => {
        const plan = planChord(map, chord)
        const focus = await focusedNow(display, into, isCharacter(chord))
        await lending(display, [plan], takenIn, () =>
          whileFocused(display, focus, 0, () => {
            for (const code of plan.held) fake(test.KeyPress, code)
            for (const stroke of plan.strokes) strike(stroke, 0)
            for (const code of [...plan.held].reverse()) fake(test.KeyRelease, code)
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
    display.ask<readonly (readonly number[])[]>((done) =>
      client.GetKeyboardMapping(firstCode, info.max_keycode - firstCode + 1, done),
    ),
    display.ask<readonly (readonly number[])[]>((done) => client.GetModifierMapping(done)),
    display.ask<PointerState>((done) => client.QueryPointer(root, done)),
  ])
  return { firstCode, rows, modifiers, group: (pointer.keyMask >> 13) & 3 }
}

/** Waits until no modifier is held, and switches capitals off for as long as `act` takes. */
async function withQuietKeyboard(
  display: Display,
  fake: (kind: number, detail: number) => void,
  test: TestExtension,
  pause: (ms: number) => Promise<void>,
  sent: () => Promise<void>,
  act: (map: Keymap) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + HELD_KEYS_MOST_MS
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
    fake(test.KeyPress, capsLock)
    fake(test.KeyRelease, capsLock)
  }
  tapCapsLock()
  try {
    await act(map)
  } finally {
    tapCapsLock()
    await sent()
  }
}

async function heldMask(display: Display): Promise<number> {
  const pointer = await display.ask<PointerState>((done) => display.client.QueryPointer(display.root, done))
  return pointer.keyMask
}

/** Runs `act` for each batch, while keys that make no character make those that the batch lends them. */
async function lending(
  { client, sync }: Display,
  batches: readonly Batch[],
  takenIn: () => Promise<void>,
  act: (batch: Batch) => Promise<void>,
): Promise<void> {
  const used = new Set<number>()
  const lend = (code: number, keysym: number) => {
    // The same on every level and in every group, so that no lock or layout changes it.
    client.ChangeKeyboardMapping(code, 4, [keysym, keysym, keysym, keysym])
    used.add(code)
  }
  try {
    for (const batch of batches) {
      if (batch.lent.length > 0) {
        for (const { code, keysym } of batch.lent) lend(code, keysym)
        await sync()
        await takenIn()
      }
      await act(batch)
      // Keys must keep their meaning until the program has looked it up.
      if (used.size > 0) await takenIn()
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
async function focusedNow(display: Display, into: number | undefined, isText: boolean): Promise<number> {
  const focus = await keyboardWindow(display)
  const chain: readonly number[] = focus === 0 ? [] : await ancestry(display, focus)
  const owners = (await listWindows(display))
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
  const deadline = Date.now() + FOCUS_BACK_MOST_MS
  while (!(await strikeIfFocused(display, focus, strike))) {
    if (Date.now() > deadline)
      throw new Fault(
        'WindowOccluded',
        `another window took the keyboard after ${typed} characters; nothing was typed into it`,
        { typed },
      )
    await sleep(GAP_MS)
  }
}

async function strikeIfFocused(display: Display, focus: number, strike: () => void): Promise<boolean> {
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
