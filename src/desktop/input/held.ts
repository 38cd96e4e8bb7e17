import { type Desktop, desktopWith } from '../model/desktop.ts'
import type { HeldInput } from '../model/held.ts'
import type { Action, Modifier } from './action.ts'
import { dispatchKey } from './keyboard.ts'
import { formatChord, MODIFIER_ORDER, modifierOf, parseChord, parseKey } from './keys.ts'
import { UnreceivedInput } from './unreceived.ts'

const NOTHING_HELD: HeldInput = { buttons: [], keys: [] }

/** The buttons and keys that are held down. */
export const heldOf = ({ held = NOTHING_HELD }: Desktop): HeldInput => held

/** The desktop with these buttons and keys held. */
export const withHeld = (desktop: Desktop, held: HeldInput): Desktop =>
  desktopWith(desktop, { held: held.buttons.length === 0 && held.keys.length === 0 ? undefined : held })

/** The desktop with no button and no key held. The drag that a button would end is given up where it is. */
export const withNothingHeld = (desktop: Desktop): Desktop =>
  desktopWith(desktop, { held: undefined, lastPress: undefined })

/** The modifiers that are held down. */
export const heldModifiers = (desktop: Desktop): readonly Modifier[] =>
  desktop.held ? desktop.held.keys.flatMap((key) => modifierOf(key) ?? []) : NO_MODIFIERS

const NO_MODIFIERS: readonly Modifier[] = []

/** An action with the modifiers that are held down beside its own. */
export function withHeldModifiers(desktop: Desktop, action: Action): Action {
  const held = heldModifiers(desktop)
  if (held.length === 0) return action
  switch (action.type) {
    case 'click':
    case 'drag':
    case 'scroll':
      return { ...action, modifiers: united(held, action.modifiers) }
    case 'key':
    case 'hold':
      return { ...action, keys: chordWith(held, action.keys) }
    case 'type':
      // One character with ctrl is a shortcut, which reactions may wait for.
      return [...action.text].length === 1 ? { type: 'key', keys: chordWith(held, action.text) } : action
    case 'hover':
    case 'press':
    case 'release':
    case 'key_down':
    case 'key_up':
    case 'focus':
    case 'invoke':
    case 'set_value':
    case 'select':
    case 'clear_text':
    case 'activate':
    case 'window':
    case 'set_clipboard':
    case 'write_file':
      return action
  }
}

const united = (some: readonly Modifier[], others: readonly Modifier[] = []): readonly Modifier[] =>
  MODIFIER_ORDER.filter((modifier) => some.includes(modifier) || others.includes(modifier))

/** The chord of a key with modifiers that are held. */
export function chordWith(held: readonly Modifier[], keys: string): string {
  const { modifiers, key } = parseChord(keys)
  return formatChord({ modifiers: united(held, modifiers).filter((modifier) => modifier !== key), key })
}

/** Types a text while modifiers are held: each character is a chord with them. */
export const typeWhileHeld = (desktop: Desktop, text: string): Desktop =>
  [...text].reduce((next, character) => dispatchKey(next, chordWith(heldModifiers(desktop), character)), desktop)

/** Presses a key and holds it. Throws `UnreceivedInput` for a modifier that is down already. */
export function pressKey(desktop: Desktop, name: string): Desktop {
  const key = parseKey(name)
  const down = holdKey(desktop, key)
  return modifierOf(key) ? down : dispatchKey(down, chordWith(heldModifiers(down), key))
}

/** Holds a key without effect on the desktop. A key other than a modifier may be pressed again, as when it repeats. */
export function holdKey(desktop: Desktop, key: string): Desktop {
  const { buttons, keys } = heldOf(desktop)
  if (!keys.includes(key)) return withHeld(desktop, { buttons, keys: [...keys, key] })
  if (!modifierOf(key)) return desktop
  throw new UnreceivedInput(`the ${key} key is down already; release it with key_up`)
}

/** Releases a key. Throws `UnreceivedInput` if it is not down. */
export function releaseKey(desktop: Desktop, name: string): Desktop {
  const key = parseKey(name)
  const { buttons, keys } = heldOf(desktop)
  if (!keys.includes(key)) throw new UnreceivedInput(`the ${key} key is not down, so nothing was released`)
  return withHeld(desktop, { buttons, keys: keys.filter((each) => each !== key) })
}

/** How long a key is held before it repeats, and the time between two repeats. */
const REPEAT_DELAY_MS = 500
const REPEAT_INTERVAL_MS = 33

/** How often a key that is held for a time presses: once, and after half a second thirty times a second. */
export const repeatsIn = (ms: number): number =>
  ms > REPEAT_DELAY_MS ? 1 + Math.ceil((ms - REPEAT_DELAY_MS) / REPEAT_INTERVAL_MS) : 1

/** Presses a chord as often as it repeats while it is held. Modifiers alone do not repeat. */
export function holdKeys(desktop: Desktop, keys: string, forMs: number): Desktop {
  const isModifier = modifierOf(parseChord(keys).key) !== undefined
  const presses = isModifier ? 1 : repeatsIn(forMs)
  let next = desktop
  for (let press = 0; press < presses; press++) next = dispatchKey(next, keys)
  return next
}
