import type { Element, Path } from '../model/element.ts'
import { kindOf } from '../model/role.ts'
import { subtreePredicate } from './subtree-predicate.ts'
import { visibilityOf } from './visibility.ts'

/** A dialog that is part of its window's tree, as in web pages, takes all input of that window while it is shown. */

const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'messagebox'])

/** Whether an element is a dialog, by its role. An alert is only a message. */
export const isDialog = ({ role }: Element): boolean =>
  kindOf(role) === 'dialog' && DIALOGS.has(role.toLowerCase().replace(/[ _-]/g, ''))

const holdsDialog = subtreePredicate('any', isDialog)

/** The path of the open dialog in a tree, the last of several. The root is a window, not a dialog in one. */
export function dialogIn(root: Element): Path | undefined {
  return holdsDialog(root) ? lastDialogIn(root) : undefined
}

function lastDialogIn(root: Element): Path | undefined {
  let found: Path | undefined
  visit(root, [])
  return found

  function visit(node: Element, path: Path): void {
    if (!holdsDialog(node) || node.traits?.hidden) return
    if (path.length > 0 && isDialog(node)) found = path
    node.children.forEach((child, index) => {
      if (visibilityOf(node, child) !== 'folded') visit(child, [...path, index])
    })
  }
}

/** Whether an element takes no input because a dialog in the same tree is open and does not contain it. */
export function isBehindDialog(root: Element, path: Path): boolean {
  const dialog = dialogIn(root)
  return dialog?.some((index, depth) => path[depth] !== index) === true
}
