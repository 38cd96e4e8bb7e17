import { type Element, memoize, type Path } from '../model/element.ts'
import { roleKind, rolesWhere } from '../model/role.ts'
import { subtreePredicate, visibilityOf } from './visibility.ts'

/** A dialog that is part of its window's tree, as in web pages, takes all input of that window while it is shown. */

const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'messagebox'])

/** Whether an element is a dialog, by its role. An alert is only a message. */
export const isDialog = ({ role }: Element): boolean =>
  roleKind(role) === 'dialog' && DIALOGS.has(role.toLowerCase().replace(/[ _-]/g, ''))

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

/** Dialogs and windows, which open and close as a whole. */
const CLOSES = rolesWhere((role) => role.container === 'window')

/** Whether an element is a dialog or a window that is closed. */
export const isClosed = ({ role, traits }: Element): boolean => traits?.hidden === true && CLOSES.has(roleKind(role))

const openContent = memoize((element): Element => {
  const children = element.children.filter((child) => !isClosed(child)).map(withoutClosed)
  const isSame =
    children.length === element.children.length && children.every((child, at) => child === element.children[at])
  return isSame ? element : { ...element, children }
})

/** A tree without the closed dialogs and windows in it, as a person sees it. Returns the same tree if it has none. */
export function withoutClosed(tree: Element): Element {
  return tree.children.length === 0 ? tree : openContent(tree)
}
