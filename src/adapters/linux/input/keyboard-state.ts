import type { Pointer as PointerState, TestExtension } from 'x11'
import { Fault } from '../../../base/fault.ts'
import type { Modifier } from '../../../desktop/input/action.ts'
import { GAP_MS, MAX_HELD_KEYS_MS } from '../../input-timing.ts'
import type { Display } from '../x11/display.ts'
import { capsLockCode, type KeyBatch, type Keymap } from './keymap.ts'

const LOCK_MASK = 1 << 1

/** Shift, control, mod1 (alt) and mod4 (super); not number lock, which is mod2. */
export const MODIFIER_MASKS: Readonly<Record<Modifier, number>> = {
  shift: 1 << 0,
  ctrl: 1 << 2,
  alt: 1 << 3,
  meta: 1 << 6,
}
const HELD_MASK = Object.values(MODIFIER_MASKS).reduce((mask, each) => mask | each)

/** Reads the keyboard layout. Not cached, because the user may change it at any time and reading takes a millisecond. */
export async function readKeymap(display: Display): Promise<Keymap> {
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

/** Runs `act` for each batch while unused keys are remapped to the characters of the batch. */
export async function withRemappedKeys(
  { client, sync }: Display,
  batches: readonly KeyBatch[],
  requireProcessed: () => Promise<void>,
  act: (batch: KeyBatch) => Promise<void>,
): Promise<void> {
  const used = new Set<number>()
  const remap = (code: number, keysym: number) => {
    // The same keysym on every level and in every group, so that no lock or layout changes it.
    client.ChangeKeyboardMapping(code, 4, [keysym, keysym, keysym, keysym])
    used.add(code)
  }
  try {
    for (const batch of batches) {
      if (batch.remapped.length > 0) {
        for (const { code, keysym } of batch.remapped) remap(code, keysym)
        await sync()
        await requireProcessed()
      }
      await act(batch)
      // Keys stay remapped until the program has processed them.
      if (used.size > 0) await requireProcessed()
    }
  } finally {
    for (const code of used) client.ChangeKeyboardMapping(code, 4, [0, 0, 0, 0])
    if (used.size > 0) await sync()
  }
}
