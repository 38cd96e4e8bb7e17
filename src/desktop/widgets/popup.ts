import { type Desktop, stackedWindows, type Window } from '../model/desktop.ts'
import { type Element, nodeAt, type Path, withFields } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import { changeRef, type ElementRef, focusedRef, parentOf, targetOf, withTraits } from '../tree/element-ref.ts'
import { isOpen, subtreePredicate, visibilityOf } from '../tree/visibility.ts'
import { focusElement } from '../windows/focus.ts'

const holdsOpen = subtreePredicate('special', isOpen)

/** The open menus, drop-down lists and tooltips of a window, outer before inner. */
export const openPopups = (window: Window): readonly ElementRef[] =>
  openPaths(window.tree).map((path) => ({ window, path, element: nodeAt(window.tree, path)! }))

/** The paths of open popups in a tree, outer before inner. */
export const openPaths = (root: Element): readonly Path[] => (holdsOpen(root) ? collectOpen(root) : NONE)

const NONE: readonly Path[] = []

function collectOpen(root: Element): readonly Path[] {
  const found: Path[] = []
  collect(root, [])
  return found

  function collect(node: Element, path: Path): void {
    if (!holdsOpen(node) || node.traits?.hidden) return
    if (isOpen(node)) found.push(path)
    node.children.forEach((child, index) => {
      if (visibilityOf(node, child) !== 'folded') collect(child, [...path, index])
    })
  }
}

/** Closes all popups except those that contain `kept`. */
export function closePopups(desktop: Desktop, kept?: ElementRef): Desktop {
  let next = desktop
  for (const window of stackedWindows(desktop))
    for (const popup of openPopups(window)) if (!holds(popup, kept)) next = closePopup(next, popup)
  return next
}

/** Closes one popup. A menu closes together with its item. A calendar and the menu of a text field leave the tree. */
export function closePopup(desktop: Desktop, popup: ElementRef): Desktop {
  const parent = parentOf(popup)
  if (parent && popup.element.traits?.transient) return changeRef(desktop, parent, withoutTransient)
  const around = roleKind(popup.element.role) === 'menu' && parent && roleKind(parent.element.role) === 'menuitem'
  return changeRef(withKeyboardBack(desktop, popup), around ? parent : popup, closed)
}

/** Returns the focus from a calendar to its field. */
function withKeyboardBack(desktop: Desktop, popup: ElementRef): Desktop {
  if (roleKind(popup.element.role) !== 'date') return desktop
  const focused = focusedRef(desktop)
  const isInside = holds(popup, focused) && isCalendar(popup.element.children[focused!.path[popup.path.length]!])
  return isInside ? focusElement(desktop, targetOf(popup)) : desktop
}

/** Removes the popups that are in the tree only while they are open. */
const withoutTransient = (element: Element): Element =>
  withFields(element, { children: element.children.filter(({ traits }) => !traits?.transient) })

/** The desktop without the popups that it opened by itself, such as the context menu of a text field. */
export const withoutOwnPopups = (desktop: Desktop): Desktop =>
  stackedWindows(desktop)
    .flatMap(openPopups)
    .reduce((next, popup) => (popup.element.traits?.transient ? closePopup(next, popup) : next), desktop)

const isCalendar = (element: Element | undefined): boolean =>
  element !== undefined && roleKind(element.role) === 'calendar'

function closed(element: Element): Element {
  if (element.expanded !== true) return element
  const traits = element.traits?.popup ? withTraits(element, { popup: undefined, current: undefined }) : element
  const staying =
    roleKind(element.role) === 'date' ? element.children.filter((child) => !isCalendar(child)) : element.children
  const children = staying.map((child) => (roleKind(child.role) === 'menu' ? closed(child) : child))
  return withFields(traits, { expanded: false, children })
}

const holds = (popup: ElementRef, ref: ElementRef | undefined): boolean =>
  ref !== undefined &&
  ref.window.uid === popup.window.uid &&
  popup.path.every((index, depth) => ref.path[depth] === index)
