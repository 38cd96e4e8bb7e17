import { setTimeout as sleep } from 'node:timers/promises'
import type { Pointer as PointerState, TestExtension } from 'x11'
import type { Awaitable } from '../../../base/async.ts'
import { Fault } from '../../../base/fault.ts'
import type { Button, Modifier } from '../../../desktop/input/action.ts'
import { modifierOf } from '../../../desktop/input/keys.ts'
import { GAP_MS, keyboardTaken, MAX_FOCUS_RETURN_MS, MAX_HELD_KEYS_MS, MAX_TYPING_PING_MS } from '../../real-input.ts'
import type { Display } from '../x11/display.ts'
import { ancestry, keyboardWindow, listXWindows } from '../x11/x-windows.ts'
import { capsLockCode, type KeyBatch, type Keymap, planChord } from './keymap.ts'

const LOCK_MASK = 1 << 1

/** The fault of typing into a program that counts as hanging. */
export const typedTextUnprocessed = (): Fault =>
  new Fault('Timeout', `the application has not processed typed text for ${MAX_TYPING_PING_MS} ms`)

/** Shift, control, mod1 (alt) and mod4 (super); not number lock, which is mod2. */
export const MODIFIER_MASKS: Readonly<Record<Modifier, number>> = {
  shift: 1 << 0,
  ctrl: 1 << 2,
  alt: 1 << 3,
  meta: 1 << 6,
}
const HELD_MASK = Object.values(MODIFIER_MASKS).reduce((mask, each) => mask | each)

/** The keyboard at one moment: its layout, and the modifiers and buttons that are held or locked, as an X11 mask. */
interface KeyboardState {
  readonly map: Keymap
  readonly mask: number
}

/** Reads the keyboard. Not cached, because a person may change it at any time and reading takes a millisecond. */
export async function readKeyboard(display: Display): Promise<KeyboardState> {
  const { client, info, root } = display
  const firstCode = info.min_keycode
  const [rows, modifiers, pointer] = await Promise.all([
    display.request<readonly (readonly number[])[]>((done) =>
      client.GetKeyboardMapping(firstCode, info.max_keycode - firstCode + 1, done),
    ),
    display.request<readonly (readonly number[])[]>((done) => client.GetModifierMapping(done)),
    display.request<PointerState>((done) => client.QueryPointer(root, done)),
  ])
  return { map: { firstCode, rows, modifiers, group: (pointer.keyMask >> 13) & 3 }, mask: pointer.keyMask }
}

/** Reads the keyboard layout. */
export const readKeymap = async (display: Display): Promise<Keymap> => (await readKeyboard(display)).map

/** Whether a modifier is held that is not in `ownMask`, or caps lock is on. */
export const changesKeys = (mask: number, ownMask: number): boolean =>
  (((HELD_MASK & ~ownMask) | LOCK_MASK) & mask) !== 0

/** Waits until no modifier is held, except those of `ownMask`, and runs `act` with caps lock off. */
export async function withoutModifiers(
  display: Display,
  sendEvent: (kind: number, detail: number) => void,
  xtest: TestExtension,
  pause: (ms: number) => Promise<void>,
  flush: () => Promise<void>,
  ownMask: number,
  act: (map: Keymap) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + MAX_HELD_KEYS_MS
  let mask = await heldMask(display)
  while (mask & HELD_MASK & ~ownMask) {
    if (Date.now() > deadline)
      throw new Fault('Timeout', `a modifier key is held down on the keyboard (mask ${mask}); release it and try again`)
    await pause(GAP_MS)
    mask = await heldMask(display)
  }
  const map = await readKeymap(display)
  const capsLock = mask & LOCK_MASK ? capsLockCode(map) : undefined
  const tapCapsLock = () => {
    if (capsLock === undefined) return
    sendEvent(xtest.KeyPress, capsLock)
    sendEvent(xtest.KeyRelease, capsLock)
  }
  tapCapsLock()
  try {
    await act(map)
  } finally {
    tapCapsLock()
    await flush()
  }
}

/** The modifiers and buttons that are held, as an X11 mask. */
export async function heldMask(display: Display): Promise<number> {
  const pointer = await display.request<PointerState>((done) => display.client.QueryPointer(display.root, done))
  return pointer.keyMask
}

/** Runs `act` for each batch while unused keys are remapped to the characters of the batch, until it returns false. */
export async function withRemappedKeys(
  display: Display,
  batches: readonly KeyBatch[],
  requireProcessed: () => Promise<void>,
  act: (batch: KeyBatch) => Promise<boolean>,
): Promise<void> {
  const { client, sync } = display
  const used = new Map<number, number>()
  const remap = (code: number, keysym: number) => {
    // The same keysym on every level and in every group, so that no lock or layout changes it.
    client.ChangeKeyboardMapping(code, REMAPPED_LEVELS, new Array(REMAPPED_LEVELS).fill(keysym))
    used.set(code, keysym)
  }
  try {
    for (const batch of batches) {
      if (batch.remapped.length > 0) {
        for (const { code, keysym } of batch.remapped) remap(code, keysym)
        await sync()
        await requireProcessed()
      }
      const goesOn = await act(batch)
      // Keys stay remapped until the program has processed them.
      if (used.size > 0) await requireProcessed()
      if (!goesOn) return
    }
  } finally {
    if (used.size > 0) await emptyKeys(display, used)
  }
}

/** Two levels of two groups. */
const REMAPPED_LEVELS = 4

/** Empties remapped keys, except those that another layout has meanwhile given other keysyms. */
async function emptyKeys(display: Display, remapped: ReadonlyMap<number, number>): Promise<void> {
  const { client } = display
  client.GrabServer()
  try {
    const { rows, firstCode } = await readKeymap(display)
    for (const [code, keysym] of remapped)
      if (rows[code - firstCode]?.slice(0, REMAPPED_LEVELS).every((each) => each === keysym))
        client.ChangeKeyboardMapping(code, REMAPPED_LEVELS, new Array(REMAPPED_LEVELS).fill(0))
  } finally {
    client.UngrabServer()
    await display.sync()
  }
}

/** The X11 numbers of buttons. 4 to 7 are the wheel. */
export const BUTTONS: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3, back: 8, forward: 9 }

/** The buttons and keys that stay down between actions. Each method throws nothing if there is nothing to do. */
export interface X11HeldInput {
  readonly buttons: readonly Button[]
  readonly keys: readonly string[]
  /** The modifiers that are held, as an X11 mask. */
  readonly mask: number
  /** Returns false if the button is down already. */
  pressButton(button: Button): boolean
  /** Returns false if the button is not down. */
  releaseButton(button: Button): boolean
  /** Returns the events that press a key and hold it. They are sent, and the key counts as held, when called. */
  planKey(key: string): Promise<() => void>
  /** Returns false if the key is not down. */
  releaseKey(key: string): boolean
  /** Releases everything. */
  releaseAll(): void
}

export function createHeldInput(
  display: Display,
  xtest: TestExtension,
  sendEvent: (kind: number, detail: number) => void,
): X11HeldInput {
  const buttons = new Set<Button>()
  const keys = new Map<string, readonly number[]>()
  const releaseButton = (button: Button): boolean => {
    if (!buttons.delete(button)) return false
    sendEvent(xtest.ButtonRelease, BUTTONS[button])
    return true
  }
  const releaseKey = (key: string): boolean => {
    const codes = keys.get(key)
    if (!codes) return false
    keys.delete(key)
    for (const code of [...codes].reverse()) sendEvent(xtest.KeyRelease, code)
    return true
  }
  return {
    get buttons() {
      return [...buttons]
    },
    get keys() {
      return [...keys.keys()]
    },
    get mask() {
      return [...keys.keys()].reduce((mask, key) => {
        const modifier = modifierOf(key)
        return modifier ? mask | MODIFIER_MASKS[modifier] : mask
      }, 0)
    },
    pressButton(button) {
      if (buttons.has(button)) return false
      buttons.add(button)
      sendEvent(xtest.ButtonPress, BUTTONS[button])
      return true
    },
    releaseButton,
    async planKey(key) {
      const { held, strokes, remapped } = planChord(await readKeymap(display), { modifiers: [], key })
      if (remapped.length > 0)
        throw new Fault('PlatformUnsupported', `the keyboard of this desktop has no ${key} key to hold; use type_text`)
      const codes = [...held, ...strokes.map(({ code }) => code)]
      return () => {
        for (const code of codes) sendEvent(xtest.KeyPress, code)
        keys.set(key, codes)
      }
    },
    releaseKey,
    releaseAll() {
      for (const button of buttons) releaseButton(button)
      for (const key of keys.keys()) releaseKey(key)
    },
  }
}

/**
 * Finds the X window that receives keys. Text needs a listed window; if `into` is given, the window must be `into` or part of
 * it. Shortcuts of the window manager need no window.
 */
export async function findKeyboardFocus(display: Display, into: number | undefined, isText: boolean): Promise<number> {
  const focus = await keyboardWindow(display)
  const chain: readonly number[] = focus === 0 ? [] : await ancestry(display, focus)
  const owners = (await listXWindows(display))
    .filter(({ id, topLevel }) => chain.includes(id) || chain.includes(topLevel))
    .map(({ id, owner }) => owner ?? id)
  if (into !== undefined && !chain.includes(into) && !owners.includes(into)) throw keyboardTaken(0)
  if (isText && owners.length === 0)
    throw new Fault('WindowGone', 'no window has the keyboard; bring one to the foreground or click into it first')
  return focus
}

/**
 * Sends keys under a server grab, if the focus has not changed. Window managers take the focus for short moments, so this
 * retries for a while.
 */
export async function whileFocused(
  display: Display,
  focus: number,
  typed: number,
  strike: () => Awaitable<void>,
): Promise<void> {
  const deadline = Date.now() + MAX_FOCUS_RETURN_MS
  while (!(await sendIfFocused(display, focus, strike))) {
    if (Date.now() > deadline) throw keyboardTaken(typed)
    await sleep(GAP_MS)
  }
}

async function sendIfFocused(display: Display, focus: number, strike: () => Awaitable<void>): Promise<boolean> {
  const { client } = display
  client.GrabServer()
  try {
    if ((await keyboardWindow(display)) !== focus) return false
    await strike()
    return true
  } finally {
    client.UngrabServer()
    await display.sync()
  }
}
