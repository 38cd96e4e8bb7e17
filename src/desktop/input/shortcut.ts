import { Fault } from '../../base/fault.ts'
import type { Window } from '../model/desktop.ts'
import { type Element, nodeAt, type Path } from '../model/element.ts'
import type { KeySigns } from '../style/metrics.ts'
import type { ElementRef } from '../tree/element-ref.ts'
import { dialogIn } from '../tree/modal.ts'
import { subtreePredicate } from '../tree/visibility.ts'
import { type Chord, parseChord, sameChord } from './keys.ts'

const holdsShortcut = subtreePredicate(
  'special',
  (node) => node.keyboardShortcut !== null && node.keyboardShortcut !== '',
)

/** The first enabled element of a window with the chord as its shortcut, also in a closed menu. */
export function shortcutIn(window: Window, chord: Chord): ElementRef | undefined {
  const start = dialogIn(window.tree) ?? []
  return find(window, nodeAt(window.tree, start)!, start, chord)
}

function find(window: Window, node: Element, path: Path, chord: Chord): ElementRef | undefined {
  if (!node.enabled || node.traits?.hidden || !holdsShortcut(node)) return undefined
  if (node.keyboardShortcut && sameChord(node.keyboardShortcut, chord)) return { window, path, element: node }
  for (const [index, child] of node.children.entries()) {
    const found = find(window, child, [...path, index], chord)
    if (found) return found
  }
  return undefined
}

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

/** The words of keys in menus of other languages. `parseChord` knows them, too. */
const KEY_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: {
    ctrl: 'Strg',
    shift: 'Umschalt',
    delete: 'Entf',
    insert: 'Einfg',
    home: 'Pos1',
    end: 'Ende',
    pageup: 'Bild auf',
    pagedown: 'Bild ab',
    space: 'Leertaste',
    backspace: 'Rücktaste',
    enter: 'Eingabe',
  },
  fr: { shift: 'Maj', delete: 'Suppr', insert: 'Inser', home: 'Origine', end: 'Fin', space: 'Espace' },
}

/** A shortcut such as `Ctrl+Shift+S` as menus in a language write it: `Strg+Umschalt+S`. */
export function shortcutInLanguage(language: string, keys: string): string {
  const words = Object.hasOwn(KEY_WORDS, language) ? KEY_WORDS[language]! : {}
  return keys.replace(/[A-Za-z]+/g, (word) => words[word.toLowerCase()] ?? word)
}

function chordOf(keys: string): Chord | undefined {
  try {
    return keys === '' ? undefined : parseChord(keys)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
