import { Fault } from '../../../base/fault.ts'
import { type Chord, characterOf } from '../../../desktop/input/keys.ts'
import { type InputEvent, keyEvent } from './input-events.ts'
import type { LayoutKey } from './input-functions.ts'
import { textStrokes } from './text-strokes.ts'
import { VIRTUAL_KEYS, type VirtualKey } from './virtual-keys.ts'

/** The keyboard as the window with the keyboard has it. */
export interface KeyboardLayout {
  keyOf(character: string): LayoutKey | undefined
  scanCode(code: number): number
}

/** The events of a chord in two halves. */
export interface KeyPlan {
  readonly press: readonly InputEvent[]
  readonly release: readonly InputEvent[]
}

const named = (name: string): VirtualKey => VIRTUAL_KEYS.get(name)!

/**
 * Plans a chord. Keys that are `held` already are neither pressed nor released. Throws `PlatformUnsupported` when the keyboard
 * does not have the key.
 */
export function planKeys(layout: KeyboardLayout, { modifiers, key }: Chord, held: readonly string[]): KeyPlan {
  const keys = keysOf(layout, key)
  if (!keys)
    throw new Fault(
      'PlatformUnsupported',
      `the keyboard of this desktop has no ${key} key; type_text types its character`,
    )
  const all = [...modifiers.map(named), ...keys]
  const isHeld = (code: number) => held.some((name) => VIRTUAL_KEYS.get(name)?.code === code)
  const pressed = all.filter(({ code }, at) => !isHeld(code) && all.findIndex((each) => each.code === code) === at)
  const events = (isDown: boolean) => pressed.map((each) => keyEvent(each, layout.scanCode(each.code), isDown))
  return { press: events(true), release: events(false).reverse() }
}

/** Plans a chord that is pressed and released. A character that the keyboard does not have is typed as text. */
export function planStroke(layout: KeyboardLayout, chord: Chord, held: readonly string[]): readonly InputEvent[] {
  const character = characterOf(chord)
  // Layouts of Wine name keys for characters of the third level that do not produce them.
  const isAscii = character !== undefined && character <= '~'
  if (character !== undefined && !(isAscii && keysOf(layout, chord.key)))
    return planWindowsText(layout, character).flat()
  const { press, release } = planKeys(layout, chord, held)
  return [...press, ...release]
}

/** Plans the strokes of a text, each a character. */
export const planWindowsText = (layout: KeyboardLayout, text: string): readonly (readonly InputEvent[])[] =>
  textStrokes(text, (name) => {
    const key = named(name)
    const scan = layout.scanCode(key.code)
    return [keyEvent(key, scan, true), keyEvent(key, scan, false)]
  })

/** The keys that produce a key of a chord, modifiers first. */
function keysOf(layout: KeyboardLayout, key: string): readonly VirtualKey[] | undefined {
  const known = VIRTUAL_KEYS.get(key)
  if (known) return [known]
  const found = layout.keyOf(key)
  return (
    found && [
      ...(found.altGr ? [named('ctrl'), named('alt')] : []),
      ...(found.shift ? [named('shift')] : []),
      { code: found.code },
    ]
  )
}
