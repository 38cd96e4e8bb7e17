import type { Window } from '../model/desktop.ts'
import { type Element, nodeAt, type Path } from '../model/element.ts'
import type { ElementRef } from '../tree/element-ref.ts'
import { dialogIn } from '../tree/modal.ts'
import { subtreePredicate } from '../tree/subtree-predicate.ts'
import { type Chord, sameChord } from './keys.ts'

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
