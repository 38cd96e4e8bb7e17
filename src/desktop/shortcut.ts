import type { Window } from './desktop.ts'
import { type Element, nodeAt, type Path } from './element.ts'
import { holding } from './holding.ts'
import { type Chord, sameChord } from './keys.ts'
import { dialogIn } from './modal.ts'
import type { Spot } from './spot.ts'

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
