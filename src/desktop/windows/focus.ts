import {
  changeWindow,
  type Desktop,
  desktopWith,
  isHiddenWindow,
  isOnScreen,
  neverActive,
  type Target,
  type Window,
  windowByUid,
  windowWith,
} from '../model/desktop.ts'
import { changeAt, changeBoth, type Element, nodeAt, type Path, pathOf, withFields } from '../model/element.ts'
import { isEmptyRect } from '../model/geometry.ts'
import { roleKind, rolesWhere } from '../model/role.ts'
import { closestWhole, type ElementRef, isShown, parentOf, refOf, windowOf } from '../tree/element-ref.ts'
import { dialogIn, isBehindDialog } from '../tree/modal.ts'
import { visibilityOf } from '../tree/visibility.ts'
import { blockerOf, bringToFront } from './stacking.ts'

/** Roles that take the focus. Items of lists, trees, tables and tab rows leave it to their container. */
const FOCUSABLE = rolesWhere((role) => role.focus === 'always')
/** Roles that take the focus if no container does so for them. */
const FOCUSABLE_ALONE = rolesWhere((role) => role.focus === 'alone')

/** Focuses an element and brings its window to the front. Removes the focus if the target is undefined. */
export function focusElement(desktop: Desktop, target: Target | undefined): Desktop {
  if (!target) return withFocus(desktop, desktop.active, undefined)
  const { window, element } = refOf(desktop, target)
  if (neverActive(window)) return desktop
  return withFocus(bringToFront(desktop, window.uid), window.uid, element.id)
}

/**
 * Brings a window, or the dialog that blocks it, to the front and restores its focus. Restores a minimised window.
 * A notification is never activated.
 */
export function activateWindow(desktop: Desktop, uid: string): Desktop {
  const window = blockerOf(desktop, windowOf(desktop, uid)) ?? windowOf(desktop, uid)
  if (neverActive(window)) return desktop
  const raised = bringToFront(desktop, window.uid)
  const { focus, modalTo, tree } = windowOf(raised, window.uid)
  return withFocus(raised, window.uid, focus ?? (modalTo === undefined ? undefined : firstFocus(tree)))
}

/**
 * The element that a dialog focuses when it opens: the first that is not a button, otherwise the one that Enter
 * presses.
 */
function firstFocus(tree: Element): string | undefined {
  const stops = tabStops(tree).map((path) => nodeAt(tree, path)!)
  const first =
    stops.find(({ role }) => roleKind(role) !== 'button') ??
    stops.find(({ traits }) => traits?.presses === 'enter') ??
    stops[0]
  return first?.id
}

/** Activates the front window that takes input. Used after a window closed. */
export function activateNext(desktop: Desktop): Desktop {
  const next = desktop.windows.find((window) => isOnScreen(window) && !window.notification)
  return next ? activateWindow(desktop, next.uid) : withFocus(desktop, undefined, undefined)
}

/**
 * Moves the focus from an element that is no longer shown to its nearest shown ancestor that takes keys, or to nothing.
 */
export function repairFocus(desktop: Desktop): Desktop {
  const window = desktop.active === undefined ? undefined : windowByUid(desktop, desktop.active)
  if (!window) return desktop.active === undefined ? desktop : activateNext(desktop)
  if (isHiddenWindow(window)) return activateNext(desktop)
  const path = window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  const dialog = dialogIn(window.tree)
  if (dialog && (!path || isBehindDialog(window.tree, path))) return enterDialog(desktop, window)
  if (!dialog && window.focusBehind !== undefined) return leaveDialog(desktop, window)
  if (window.focus === undefined) return desktop
  // A rebuilt focused element, such as the month of a calendar, is marked again.
  if (path && isShown(window.tree, path)) return withFocus(desktop, window.uid, window.focus)
  const holder = path && shownPart(window.tree, path)
  const focusable = holder && focusableAt({ window, path: holder, element: nodeAt(window.tree, holder)! })
  return withFocus(desktop, window.uid, focusable?.element.id)
}

/** Moves the focus into a dialog. The window stores the previous focus. */
function enterDialog(desktop: Desktop, window: Window): Desktop {
  const behind = window.focusBehind ?? window.focus
  const noted =
    behind === window.focusBehind
      ? desktop
      : changeWindow(desktop, window.uid, (each) => windowWith(each, { focusBehind: behind! }))
  return withFocus(noted, window.uid, firstFocus(window.tree))
}

/** Returns the focus to the element that had it before the dialog, unless it has moved elsewhere. */
function leaveDialog(desktop: Desktop, window: Window): Desktop {
  const path = window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  const left = changeWindow(desktop, window.uid, ({ focusBehind: _, ...each }) => each)
  if (path && isShown(window.tree, path)) return left
  return repairFocus(withFocus(left, window.uid, window.focusBehind))
}

/** The longest part of a path that is shown. */
function shownPart(root: Element, path: Path): Path {
  let shown = path
  while (shown.length > 0 && !isShown(root, shown)) shown = shown.slice(0, -1)
  return shown
}

/** The element that a click on an element focuses: itself or an ancestor. Returns undefined if none takes keys. */
export function focusableAt(ref: ElementRef): ElementRef | undefined {
  const found = closestWhole(ref, isStop) ?? closestWhole(ref, isStopAlone)
  if (!found || !takesKeys(found.element)) return undefined
  const combo = [found, parentOf(found)].find((each) => each && roleKind(each.element.role) === 'combo')
  const field = combo && fieldIn(combo.element)
  if (!combo || !field) return combo ?? found
  return { ...combo, path: [...combo.path, combo.element.children.indexOf(field)], element: field }
}

/** The text field of a combo box, which has the focus for all of it. */
const fieldIn = ({ role, children }: Element): Element | undefined =>
  roleKind(role) === 'combo'
    ? children.find((child) => roleKind(child.role) === 'edit' && takesKeys(child) && !child.traits?.readOnly)
    : undefined

const isStop = ({ role }: Element): boolean => {
  const kind = roleKind(role)
  return FOCUSABLE.has(kind) || (kind === 'splitter' && isBar(role))
}
/** A split pane contains the panes, and a thumb is part of a slider or scroll bar: neither is the bar itself. */
const isBar = (role: string): boolean => role.toLowerCase() === 'splitter'
const isStopAlone = ({ role }: Element): boolean => FOCUSABLE_ALONE.has(roleKind(role))
/** Whether the element itself is neither disabled nor hidden. */
export const takesKeys = (element: Element): boolean => element.enabled && !element.traits?.hidden

/** The paths that Tab visits in a tree, in order. A group of radio buttons is one stop. */
function tabStops(root: Element): readonly Path[] {
  const stops: Path[] = []
  const start = dialogIn(root) ?? []
  visit(nodeAt(root, start)!, start, false)
  return stops

  function visit(node: Element, path: Path, held: boolean): void {
    if (node.traits?.hidden || !node.enabled) return
    const kind = roleKind(node.role)
    const strong = isStop(node)
    const weak = FOCUSABLE_ALONE.has(kind) && !held
    if ((strong || weak) && !isEmptyRect(node.bounds) && !fieldIn(node)) stops.push(path)
    if (kind === 'menubar') return
    node.children.forEach((child, index) => {
      if (visibilityOf(node, child) === 'folded' || isSkipped(node, child)) return
      visit(child, [...path, index], held || strong)
    })
  }
}

/**
 * Whether Tab skips a child: a radio button other than the chosen one, or than the first if none is chosen, and any
 * part of a combo box but its field.
 */
function isSkipped(parent: Element, child: Element): boolean {
  if (roleKind(parent.role) === 'combo') return child !== fieldIn(parent)
  if (roleKind(child.role) !== 'radio') return false
  const group = parent.children.filter((sibling) => roleKind(sibling.role) === 'radio' && takesKeys(sibling))
  return (group.find((sibling) => sibling.selected === true) ?? group[0]) !== child
}

/** Moves the focus to the next or previous stop of the active window, and wraps around. */
export function moveFocus(desktop: Desktop, direction: 1 | -1): Desktop {
  const window = desktop.active === undefined ? undefined : windowByUid(desktop, desktop.active)
  if (!window) return desktop
  const stops = tabStops(window.tree)
  if (stops.length === 0) return desktop
  const here = window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  const next = here === undefined ? firstStop(stops, direction) : stopAfter(stops, here, direction)
  return withFocus(desktop, window.uid, nodeAt(window.tree, next)!.id)
}

const firstStop = (stops: readonly Path[], direction: 1 | -1): Path =>
  direction === 1 ? stops[0]! : stops[stops.length - 1]!

function stopAfter(stops: readonly Path[], here: Path, direction: 1 | -1): Path {
  const following = stops.filter((stop) => comparePaths(stop, here) * direction > 0)
  return direction === 1
    ? (following[0] ?? firstStop(stops, 1))
    : (following[following.length - 1] ?? firstStop(stops, -1))
}

/** Compares paths in document order. */
function comparePaths(a: Path, b: Path): number {
  for (let depth = 0; depth < Math.min(a.length, b.length); depth++) {
    const step = a[depth]! - b[depth]!
    if (step !== 0) return step
  }
  return a.length - b.length
}

/**
 * The only function that writes `focused`, `focus` and `active`: at most one element is focused, in the active window.
 */
function withFocus(desktop: Desktop, uid: string | undefined, id: string | undefined): Desktop {
  const left = desktop.active !== undefined && desktop.active !== uid ? blur(desktop, desktop.active) : desktop
  const active = desktopWith(left, { active: uid })
  if (uid === undefined) return active
  return changeWindow(active, uid, (window) => {
    const path = id === undefined ? undefined : pathOf(window.tree, id)
    const focus = path && isShown(window.tree, path) ? id : undefined
    const from = window.focus === focus || window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
    const tree = moveMark(window.tree, from, focus === undefined ? undefined : path)
    return windowWith(window, { tree, focus })
  })
}

/** Moves the `focused` flag from one node to another. */
function moveMark(tree: Element, from: Path | undefined, to: Path | undefined): Element {
  if (from && to) return changeBoth(tree, [from, unmarked], [to, marked])
  if (from) return changeAt(tree, from, unmarked)
  return to ? changeAt(tree, to, marked) : tree
}

const blur = (desktop: Desktop, uid: string): Desktop => changeWindow(desktop, uid, unfocused)

/** Clears the `focused` flag of a window's focused element. The window keeps its `focus`. */
function unfocused(window: Window): Window {
  const path = window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  if (!path) return window
  return windowWith(window, { tree: changeAt(window.tree, path, unmarked) })
}

const marked = (node: Element): Element => withFields(node, { focused: true })
const unmarked = (node: Element): Element => withFields(node, { focused: false })
