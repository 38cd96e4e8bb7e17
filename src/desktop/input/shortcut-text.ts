import { Fault } from '../../base/fault.ts'
import type { KeySigns } from '../style/metrics.ts'
import { type Chord, parseChord } from './keys.ts'

/**
 * A shortcut as menus of a style show it, such as `⌃⇧S` for `Ctrl+Shift+S`. As it is written without signs, and if it is not a
 * chord.
 */
export function shortcutText(keys: string, signs: KeySigns | undefined): string {
  const chord = signs && chordOf(keys)
  if (!chord) return keys
  const held: readonly string[] = chord.modifiers
  const before = signs.modifiers.flatMap(([modifier, sign]) => (held.includes(modifier) ? [sign] : []))
  return before.join('') + (signs.keys[chord.key] ?? chord.key[0]!.toUpperCase() + chord.key.slice(1))
}

function chordOf(keys: string): Chord | undefined {
  try {
    return keys === '' ? undefined : parseChord(keys)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
