import type { Window } from '../model/desktop.ts'
import { type Element, nodeAt, type Path } from '../model/element.ts'
import { holding } from '../tree/holding.ts'
import { dialogIn } from '../tree/modal.ts'
import type { Spot } from '../tree/spot.ts'
import { type Chord, sameChord } from './keys.ts'

const holdsShortcut = holding('special', (node) => node.keyboardShortcut !== null && node.keyboardShortcut !== '')

/** The first enabled element of a window that names the chord as its shortcut, also one in a closed menu. */
export function shortcutIn(window: Window, chord: Chord): Spot | undefined {
  const start = dialogIn(window.tree) ?? []
  return find(window, nodeAt(window.tree, start)!, start, chord)
}

function find(window: Window, node: Element, path: Path, chord: Chord): Spot | undefined {
  if (!node.enabled || node.traits?.hidden || !holdsShortcut(node)) return undefined
  if (node.keyboardShortcut && sameChord(node.keyboardShortcut, chord)) return { window, path, element: node }
  for (const [index, child] of node.children.entries()) {
    const found = find(window, child, [...path, index], chord)
    if (found) return found
  }
  return undefined
}
