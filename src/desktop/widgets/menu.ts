import { runFileCommand } from '../files/file-command.ts'
import { type Chord, characterOf, formatChord } from '../input/keys.ts'
import type { Desktop, Window } from '../model/desktop.ts'
import { type Element, nodeById, withFields } from '../model/element.ts'
import type { Point } from '../model/geometry.ts'
import { kindOf, kindsThatAre } from '../model/role.ts'
import { isOpen } from '../tree/fold.ts'
import {
  changeSpot,
  closest,
  findShown,
  isEnabled,
  parentOf,
  refresh,
  type Spot,
  spotOf,
  targetOf,
} from '../tree/spot.ts'
import { mark } from './choice.ts'
import { open, pointAt, rowsOf, scrollPopup } from './placement.ts'
import { close, closePopups, openPopups } from './popup.ts'
import { noteOnce, notePress } from './pressed.ts'
import { findTyped, namesOf, optionAmong } from './selection.ts'
import type { Option, Widget } from './widget.ts'

/** MenuItem, what is ticked in a menu, and a Menu in a menu bar: one with items of its own opens them, any other is pressed and all menus close. */
export const menuItem: Widget = {
  click: (desktop, spot) => {
    if (!isItem(spot)) return desktop
    return isOpen(spot.element) ? close(desktop, spot) : act(desktop, spot)
  },
  invoke: (desktop, spot) => (isItem(spot) ? act(desktop, spot) : desktop),
  key(desktop, spot, chord) {
    if (isOpen(spot.element)) return keyInMenu(desktop, ownerOf(spot), chord)
    return isItem(spot) && ['enter', 'space', 'down'].includes(formatChord(chord))
      ? actAndEnter(desktop, spot)
      : undefined
  },
  select: pick,
  scroll: (desktop, spot, clicks) => scrollPopup(desktop, ownerOf(spot), clicks),
}

/** SplitButton and menu button: as a menu item, and Enter, Space and alt+Down open it. */
export const menuButton: Widget = {
  ...menuItem,
  key(desktop, spot, chord) {
    if (isOpen(spot.element)) return keyInMenu(desktop, spot, chord)
    return ['enter', 'space', 'alt+down'].includes(formatChord(chord)) ? actAndEnter(desktop, spot) : undefined
  },
}

/** MenuBar: its menus are its options. */
export const menuBar: Widget = { select: pick }

/** Opens the nearest context menu that an element or what holds it has; undefined when there is none. */
export function openContextMenu(desktop: Desktop, spot: Spot, at: Point): Desktop | undefined {
  const holder = closest(spot, (element) => contextMenuOf(element) !== undefined)
  if (!holder) return undefined
  const menu = contextMenuOf(holder.element)!
  return open(desktop, spotOf(desktop, { window: spot.window.uid, element: menu.id }), { at })
}

/** A menu inside anything but a menu or menu bar is that element's context menu. */
function contextMenuOf(element: Element): Element | undefined {
  if (MENUS.has(kindOf(element.role))) return undefined
  return element.children.find((child) => kindOf(child.role) === 'menu')
}

const MENUS = kindsThatAre('menu')

/** Whether the element stands in a menu that has come up, or is in a menu bar. */
function isInMenu({ window, path }: Spot): boolean {
  // Not by `parentOf`: every click on a check box asks.
  let parent = window.tree
  for (let depth = 0; depth < path.length - 1; depth++) parent = parent.children[path[depth]!]!
  return path.length > 0 && MENUS.has(kindOf(parent.role))
}

const TICKED = kindsThatAre('ticked')

/** Whether it is a CheckMenuItem or RadioMenuItem, which is an item of its menu first. */
export const isTickedItem = (spot: Spot): boolean => TICKED.has(kindOf(spot.element.role)) && isInMenu(spot)

/** Alt with the first letter of a menu of the menu bar opens it, F10 the first menu; undefined when there is none. */
export function pressMnemonic(desktop: Desktop, window: Window, { modifiers, key }: Chord): Desktop | undefined {
  const held = modifiers.join('+')
  if (!(held === 'alt' && [...key].length === 1) && !(held === '' && key === 'f10')) return undefined
  const bar = findShown(window, (element) => kindOf(element.role) === 'menubar')
  const items = bar ? choices(bar.element) : []
  const item = key === 'f10' ? items[0] : items.find(({ name }) => name.toLowerCase().startsWith(key.toLowerCase()))
  return item && actAndEnter(desktop, spotOf(desktop, { window: window.uid, element: item.id }))
}

/** The pointer over an item of an open menu: the item is marked, its own menu opens and that of a neighbour closes. */
export function hoverInMenu(desktop: Desktop, spot: Spot): Desktop {
  const item = closest(spot, (element) => MENUS.has(kindOf(element.role)) || kindOf(element.role) === 'checkbox')
  const parent = item && isItem(item) ? parentOf(item) : undefined
  if (!item || !parent || !isEnabled(item) || openPopups(item.window).length === 0) return desktop
  const inBar = kindOf(parent.element.role) === 'menubar'
  const pointed = inBar ? desktop : pointAt(desktop, ownerOf(parent), item.element.id)
  const here = refresh(closePopups(pointed, item), item)
  if (!here || rowsOf(here.element).length === 0 || isOpen(here.element)) return closePopups(pointed, item)
  return act(pointed, here)
}

/** An item of an open menu is marked as the one that keys go to; undefined when it stands in none. */
export function markInMenu(desktop: Desktop, spot: Spot): Desktop | undefined {
  const parent = isInMenu(spot) ? parentOf(spot) : undefined
  const here = parent && kindOf(parent.element.role) !== 'menubar' && refresh(desktop, ownerOf(parent))
  return here && isOpen(here.element) ? pointAt(desktop, here, spot.element.id) : undefined
}

/** A Menu is an item where it stands in a menu bar or another menu; elsewhere it is what comes up. */
function isItem(spot: Spot): boolean {
  if (kindOf(spot.element.role) !== 'menu') return true
  const parent = parentOf(spot)
  return parent !== undefined && ['menubar', 'menu'].includes(kindOf(parent.element.role))
}

/** What shows a menu: the menu itself, or the item around it. */
function ownerOf(menu: Spot): Spot {
  const parent = parentOf(menu)
  const inside = kindOf(menu.element.role) === 'menu' && parent && kindOf(parent.element.role) === 'menuitem'
  return inside ? parent : menu
}

/** Opens an item's own menu, or presses it; one that can be ticked or chosen is. */
function act(desktop: Desktop, spot: Spot): Desktop {
  const kept = closePopups(desktop, spot)
  if (rowsOf(spot.element).length > 0) {
    const here = refresh(kept, spot)
    const parent = parentOf(spot)
    const below = !parent || !isInMenuRow(parent)
    return here ? open(kept, here, below ? 'below' : 'beside') : kept
  }
  const marked = isTickedItem(spot) ? mark(kept, spot) : changeSpot(kept, spot, toggled)
  const pressed = notePress(closePopups(marked), targetOf(spot))
  const { fileCommand } = spot.element.traits ?? {}
  return fileCommand ? runFileCommand(pressed, spot.window, fileCommand) : pressed
}

const toggled = (item: Element): Element =>
  item.selected === undefined ? item : withFields(item, { selected: !item.selected })

const isInMenuRow = (parent: Spot): boolean => ['menu', 'menuitem'].includes(kindOf(parent.element.role))

/** As `act`, with the first row marked and the item noted as pressed: how the keyboard enters a menu. */
function actAndEnter(desktop: Desktop, spot: Spot): Desktop {
  const done = noteOnce(desktop, act(desktop, spot), targetOf(spot))
  const here = refresh(done, spot)
  return here && isOpen(here.element) ? pointAt(done, here, choices(here.element)[0]?.id) : done
}

/** The rows that can be chosen; in a menu bar its menus. */
function choices(holder: Element): readonly Element[] {
  const rows = kindOf(holder.role) === 'menubar' ? holder.children : rowsOf(holder)
  return rows.filter((row) => row.enabled && !row.traits?.hidden && kindOf(row.role) !== 'separator')
}

function keyInMenu(desktop: Desktop, owner: Spot, chord: Chord): Desktop | undefined {
  if (chord.modifiers.some((modifier) => modifier !== 'shift')) return undefined
  const rows = choices(owner.element)
  const here = rows.findIndex(({ id }) => id === owner.element.traits?.current)
  const current = rows[here] && spotOf(desktop, { window: owner.window.uid, element: rows[here].id })
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
      return current && rowsOf(current.element).length > 0
        ? actAndEnter(desktop, current)
        : neighbour(desktop, owner, 1)
    case 'left':
      return isInMenuBar(owner) || !isInMenu(owner) ? neighbour(desktop, owner, -1) : close(desktop, owner)
    case 'escape':
      return close(desktop, owner)
    case 'tab':
      return closePopups(desktop)
    default:
      return byLetter(desktop, owner, rows, here, characterOf(chord))
  }
}

/** A letter goes to the next item that begins with it, and presses it when no other does. */
function byLetter(
  desktop: Desktop,
  owner: Spot,
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
  return actAndEnter(desktop, spotOf(desktop, { window: owner.window.uid, element: found.id }))
}

const isInMenuBar = (spot: Spot): boolean => kindOf(parentOf(spot)?.element.role ?? '') === 'menubar'

/** The menu of the menu bar beside the open one, round and round. */
function neighbour(desktop: Desktop, owner: Spot, direction: 1 | -1): Desktop {
  const bar = closest(owner, (element) => kindOf(element.role) === 'menubar')
  if (!bar) return desktop
  const menus = choices(bar.element)
  const here = menus.findIndex((menu) => nodeById(menu, owner.element.id) !== undefined)
  const next = menus.at((here + direction) % Math.max(1, menus.length))
  return next
    ? actAndEnter(closePopups(desktop), spotOf(desktop, { window: owner.window.uid, element: next.id }))
    : desktop
}

/** Presses or opens the item that an option names. */
function pick(desktop: Desktop, spot: Spot, option: Option): Desktop {
  const row = optionAmong(choices(spot.element), option)
  return act(desktop, spotOf(desktop, { window: spot.window.uid, element: row.id }))
}
