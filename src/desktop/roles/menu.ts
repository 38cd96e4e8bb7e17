import { runFileCommand } from '../files/file-commands.ts'
import { type Chord, characterOf, formatChord } from '../input/keys.ts'
import { shortcutInLanguage } from '../input/shortcut.ts'
import type { Desktop, Window } from '../model/desktop.ts'
import { controlPart, type Element, nodeById, withFields } from '../model/element.ts'
import { EMPTY_RECT, type Point } from '../model/geometry.ts'
import { roleKind, rolesWith } from '../model/role.ts'
import { type ShellText, shellText } from '../model/shell-texts.ts'
import type { EditCommand } from '../model/traits.ts'
import { closeOpenPart, runShellCommand } from '../shell/shell.ts'
import {
  changeRef,
  closest,
  type ElementRef,
  findShown,
  focusedRef,
  isEnabled,
  parentOf,
  refOf,
  refresh,
  targetOf,
} from '../tree/element-ref.ts'
import { isOpen, visibilityOf } from '../tree/visibility.ts'
import { canRunTextCommand, isField, runTextCommand } from '../widgets/edit.ts'
import { closePopup, closePopups, openPopups } from '../widgets/popup.ts'
import { openPopup, pointAt, popupRowsOf, scrollPopup } from '../widgets/popup-placement.ts'
import { findOption, findTyped, namesOf } from '../widgets/selection.ts'
import { type OptionQuery, recordPress, recordPressOnce, type WidgetBehaviour } from '../widgets/widget.ts'
import { toggleOrChoose } from './button.ts'

/** The context menu of a text field: in the tree while it is open. */

const ROWS: readonly (readonly [command: EditCommand, name: ShellText, shortcut: string])[] = [
  ['cut', 'Cut', 'Ctrl+X'],
  ['copy', 'Copy', 'Ctrl+C'],
  ['paste', 'Paste', 'Ctrl+V'],
  ['select-all', 'Select all', 'Ctrl+A'],
]

/** Opens the context menu of a text field. Returns undefined for other elements. */
function openTextMenu(desktop: Desktop, ref: ElementRef, at: Point): Desktop | undefined {
  const { element } = ref
  if (!isField(element) || element.children.some((child) => visibilityOf(element, child) === 'inline')) return undefined
  const id = `${element.id}.menu`
  const rows = ROWS.map(([command, name, shortcut]) =>
    controlPart(`${id}.${command}`, 'MenuItem', shellText(desktop, name), EMPTY_RECT, {
      enabled: canRunTextCommand(element, command, desktop.clipboard),
      keyboardShortcut: shortcutInLanguage(desktop.language ?? 'en', shortcut),
      traits: { textCommand: command },
    }),
  )
  const menu = controlPart(id, 'Menu', 'Edit', EMPTY_RECT, { traits: { transient: true }, children: rows })
  const added = changeRef(desktop, ref, (field) => withFields(field, { children: [...field.children, menu] }))
  return openPopup(added, refOf(added, { window: ref.window.uid, element: id }), { at })
}

/** Runs the command of a menu item on its field, after the menu has closed. An item of the menu bar has the focused field. */
function pressInTextMenu(desktop: Desktop, item: ElementRef): Desktop {
  const { textCommand } = item.element.traits ?? {}
  const menu = closest(item, isTextMenu)
  const field = menu ? parentOf(menu) : focusedRef(desktop)
  const here = field && refresh(desktop, field)
  return here && textCommand && isField(here.element) ? runTextCommand(desktop, here, textCommand) : desktop
}

const isTextMenu = (element: Element): boolean =>
  roleKind(element.role) === 'menu' && element.traits?.transient === true

/**
 * MenuItem, checkable menu item, and a Menu in a menu bar. An item with a submenu opens it; any other is pressed and
 * closes all menus.
 */
export const menuItem: WidgetBehaviour = {
  click: (desktop, ref) => {
    if (!isItem(ref)) return desktop
    return isOpen(ref.element) ? closePopup(desktop, ref) : act(desktop, ref)
  },
  invoke: (desktop, ref) => (isItem(ref) ? act(desktop, ref) : desktop),
  key(desktop, ref, chord) {
    if (isOpen(ref.element)) return keyInMenu(desktop, ownerOf(ref), chord)
    return isItem(ref) && ['enter', 'space', 'down'].includes(formatChord(chord))
      ? actAndEnter(desktop, ref)
      : undefined
  },
  select: pick,
  scroll: (desktop, ref, clicks, axis) => (axis === 'y' ? scrollPopup(desktop, ownerOf(ref), clicks) : undefined),
}

/** SplitButton and menu button: like a menu item; Enter, Space and alt+Down open it. */
export const menuButton: WidgetBehaviour = {
  ...menuItem,
  key(desktop, ref, chord) {
    if (isOpen(ref.element)) return keyInMenu(desktop, ref, chord)
    return ['enter', 'space', 'alt+down'].includes(formatChord(chord)) ? actAndEnter(desktop, ref) : undefined
  },
}

/** MenuBar: its menus are its options. */
export const menuBar: WidgetBehaviour = { select: pick }

/**
 * Opens the nearest context menu of an element or its ancestors, otherwise that of a text field. Returns undefined if
 * there is none.
 */
export function openContextMenu(desktop: Desktop, ref: ElementRef, at: Point): Desktop | undefined {
  const holder = closest(ref, (element) => contextMenuOf(element) !== undefined)
  if (!holder) return openTextMenu(desktop, ref, at)
  const menu = contextMenuOf(holder.element)!
  return openPopup(desktop, refOf(desktop, { window: ref.window.uid, element: menu.id }), { at })
}

/** A menu in an element other than a menu or menu bar is that element's context menu. */
function contextMenuOf(element: Element): Element | undefined {
  if (MENUS.has(roleKind(element.role))) return undefined
  return element.children.find((child) => roleKind(child.role) === 'menu')
}

const MENUS = rolesWith('menu')

/** Whether the element is in an open menu or in a menu bar. */
function isInMenu({ window, path }: ElementRef): boolean {
  // Avoids `parentOf`, because every click on a check box runs this.
  let parent = window.tree
  for (let depth = 0; depth < path.length - 1; depth++) parent = parent.children[path[depth]!]!
  return path.length > 0 && MENUS.has(roleKind(parent.role))
}

const TICKED = rolesWith('ticked')

/** Whether an element is a checkable menu item, which behaves as an item of its menu first. */
export const isTickedItem = (ref: ElementRef): boolean => TICKED.has(roleKind(ref.element.role)) && isInMenu(ref)

/**
 * Alt with the first letter of a menu of the menu bar opens it, F10 the first menu. Returns undefined if there is none.
 */
export function pressMnemonic(desktop: Desktop, window: Window, { modifiers, key }: Chord): Desktop | undefined {
  const held = modifiers.join('+')
  if (!(held === 'alt' && [...key].length === 1) && !(held === '' && key === 'f10')) return undefined
  const bar = findShown(window, (element) => roleKind(element.role) === 'menubar')
  const items = bar ? choices(bar.element) : []
  const item = key === 'f10' ? items[0] : items.find(({ name }) => name.toLowerCase().startsWith(key.toLowerCase()))
  return item && actAndEnter(desktop, refOf(desktop, { window: window.uid, element: item.id }))
}

/**
 * Handles the pointer over an item of an open menu: highlights it, opens its submenu and closes that of a neighbour.
 */
export function hoverInMenu(desktop: Desktop, ref: ElementRef): Desktop {
  const item = closest(ref, (element) => MENUS.has(roleKind(element.role)) || roleKind(element.role) === 'checkbox')
  const parent = item && isItem(item) ? parentOf(item) : undefined
  if (!item || !parent || !isEnabled(item) || openPopups(item.window).length === 0) return desktop
  const inBar = roleKind(parent.element.role) === 'menubar'
  const pointed = inBar ? desktop : pointAt(desktop, ownerOf(parent), item.element.id)
  const here = refresh(closePopups(pointed, item), item)
  if (!here || popupRowsOf(here.element).length === 0 || isOpen(here.element)) return closePopups(pointed, item)
  return act(pointed, here)
}

/** Makes an item of an open menu the current one. Returns undefined if it is in none. */
export function pointInMenu(desktop: Desktop, ref: ElementRef): Desktop | undefined {
  const parent = isInMenu(ref) ? parentOf(ref) : undefined
  const here = parent && roleKind(parent.element.role) !== 'menubar' && refresh(desktop, ownerOf(parent))
  return here && isOpen(here.element) ? pointAt(desktop, here, ref.element.id) : undefined
}

/** A Menu is an item in a menu bar or another menu, a popup elsewhere. */
function isItem(ref: ElementRef): boolean {
  if (roleKind(ref.element.role) !== 'menu') return true
  const parent = parentOf(ref)
  return parent !== undefined && ['menubar', 'menu'].includes(roleKind(parent.element.role))
}

/** The element that opens a menu: the menu itself, or the item that contains it. */
function ownerOf(menu: ElementRef): ElementRef {
  const parent = parentOf(menu)
  const inside = roleKind(menu.element.role) === 'menu' && parent && roleKind(parent.element.role) === 'menuitem'
  return inside ? parent : menu
}

/** Opens an item's submenu, or presses it. Toggles a checkable item. */
function act(desktop: Desktop, ref: ElementRef): Desktop {
  const kept = closePopups(ref.window.shell === 'bar' ? closeOpenPart(desktop) : desktop, ref)
  if (popupRowsOf(ref.element).length > 0) {
    const here = refresh(kept, ref)
    const parent = parentOf(ref)
    const below = !parent || !isInMenuRow(parent)
    return here ? openPopup(kept, here, below ? 'below' : 'beside') : kept
  }
  const { fileCommand, shellCommand, textCommand } = ref.element.traits ?? {}
  if (shellCommand) return runShellCommand(recordPress(closePopups(kept), targetOf(ref)), shellCommand)
  const marked = isTickedItem(ref) ? toggleOrChoose(kept, ref) : changeRef(kept, ref, toggled)
  const pressed = recordPress(closePopups(marked), targetOf(ref))
  if (textCommand) return pressInTextMenu(pressed, ref)
  return fileCommand ? runFileCommand(pressed, ref.window, fileCommand) : pressed
}

const toggled = (item: Element): Element =>
  item.selected === undefined ? item : withFields(item, { selected: !item.selected })

const isInMenuRow = (parent: ElementRef): boolean => ['menu', 'menuitem'].includes(roleKind(parent.element.role))

/** Like `act`, with the first row highlighted and the press recorded, for opening by keys. */
function actAndEnter(desktop: Desktop, ref: ElementRef): Desktop {
  const done = recordPressOnce(desktop, act(desktop, ref), targetOf(ref))
  const here = refresh(done, ref)
  return here && isOpen(here.element) ? pointAt(done, here, choices(here.element)[0]?.id) : done
}

/** The rows, with those that are disabled; in a menu bar its menus. */
function rowsOf(holder: Element): readonly Element[] {
  const rows = roleKind(holder.role) === 'menubar' ? holder.children : popupRowsOf(holder)
  return rows.filter((row) => !row.traits?.hidden && roleKind(row.role) !== 'separator')
}

/** The selectable rows. */
const choices = (holder: Element): readonly Element[] => rowsOf(holder).filter((row) => row.enabled)

function keyInMenu(desktop: Desktop, owner: ElementRef, chord: Chord): Desktop | undefined {
  if (chord.modifiers.some((modifier) => modifier !== 'shift')) return undefined
  const rows = choices(owner.element)
  const here = rows.findIndex(({ id }) => id === owner.element.traits?.current)
  const current = rows[here] && refOf(desktop, { window: owner.window.uid, element: rows[here].id })
  const goTo = (index: number) => pointAt(desktop, owner, rows.at(index % Math.max(1, rows.length))?.id)
  switch (chord.key) {
    case 'down':
      return goTo(here + 1)
    case 'up':
      return goTo(here < 0 ? -1 : here - 1)
    case 'home':
      return goTo(0)
    case 'end':
      return goTo(-1)
    case 'enter':
    case 'space':
      return current ? actAndEnter(desktop, current) : desktop
    case 'right':
      return current && popupRowsOf(current.element).length > 0
        ? actAndEnter(desktop, current)
        : neighbour(desktop, owner, 1)
    case 'left':
      return isInMenuBar(owner) || !isInMenu(owner) ? neighbour(desktop, owner, -1) : closePopup(desktop, owner)
    case 'escape':
      return closePopup(desktop, owner)
    case 'tab':
      return closePopups(desktop)
    default:
      return byLetter(desktop, owner, rows, here, characterOf(chord))
  }
}

/** A letter moves to the next item that begins with it, and presses it if it is the only one. */
function byLetter(
  desktop: Desktop,
  owner: ElementRef,
  rows: readonly Element[],
  here: number,
  letter?: string,
): Desktop | undefined {
  if (letter === undefined) return undefined
  const names = namesOf(rows)
  const found = rows[findTyped(names, letter, here)]
  if (!found) return desktop
  const several = names.filter((name) => name.toLowerCase().startsWith(letter.toLowerCase())).length > 1
  if (several) return pointAt(desktop, owner, found.id)
  return actAndEnter(desktop, refOf(desktop, { window: owner.window.uid, element: found.id }))
}

const isInMenuBar = (ref: ElementRef): boolean => roleKind(parentOf(ref)?.element.role ?? '') === 'menubar'

/** The neighbour of the open menu in the menu bar, wrapping around. */
function neighbour(desktop: Desktop, owner: ElementRef, direction: 1 | -1): Desktop {
  const bar = closest(owner, (element) => roleKind(element.role) === 'menubar')
  if (!bar) return desktop
  const menus = choices(bar.element)
  const here = menus.findIndex((menu) => nodeById(menu, owner.element.id) !== undefined)
  const next = menus.at((here + direction) % Math.max(1, menus.length))
  return next
    ? actAndEnter(closePopups(desktop), refOf(desktop, { window: owner.window.uid, element: next.id }))
    : desktop
}

/** Presses or opens the item that an option names. */
function pick(desktop: Desktop, ref: ElementRef, option: OptionQuery): Desktop {
  const row = findOption(rowsOf(ref.element), option)
  return act(desktop, refOf(desktop, { window: ref.window.uid, element: row.id }))
}
