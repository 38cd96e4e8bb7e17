import { accept } from '../files/file-dialog.ts'
import { dropItem, keyInFolder, openItem } from '../files/folder.ts'
import type { Modifier } from '../input/action.ts'
import { characterOf } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { kindOf } from '../model/role.ts'
import { hitTest } from '../tree/hit.ts'
import { closest, findShown, parentOf, refresh, type Spot, targetOf } from '../tree/spot.ts'
import { chooseItem, idOfItem, keyInHolder, selectionOf, typeInHolder, withSelection } from './chooser.ts'
import { comboOf, commit } from './combo.ts'
import { noteChoice, notePress } from './pressed.ts'
import { dropInList } from './reorder.ts'
import { scrollable } from './scrolling.ts'
import { choose, optionIn } from './selection.ts'
import type { Widget } from './widget.ts'

/** List: arrows, page keys and typed letters choose; with `traits.multiSelect` several, by ctrl and shift. */
export const list: Widget = {
  ...scrollable,
  key(desktop, spot, chord) {
    const onFiles = keyInFolder(desktop, spot, chord)
    if (onFiles) return onFiles
    if (chord.key === 'enter' && chord.modifiers.length === 0) return enter(desktop, spot)
    const letter = characterOf(chord)
    return (
      keyInHolder(desktop, spot, chord) ??
      (letter && letter !== ' ' ? typeInHolder(desktop, spot, letter) : undefined) ??
      scrollable.key!(desktop, spot, chord)
    )
  },
  type: typeInHolder,
  setValue: (desktop, spot, value) => list.select!(desktop, spot, { name: value }),
  select(desktop, spot, option) {
    const selection = selectionOf(spot)
    const index = optionIn(selection.names, option)
    const chosen = withSelection(desktop, spot, choose(selection, index, []))
    return noteChoice(chosen, { ...targetOf(spot), element: idOfItem(spot, index)! })
  },
}

/** ListItem: chosen in what holds it; one that stands alone is chosen among the items beside it. */
export const listItem: Widget = {
  click(desktop, spot, { modifiers, count }) {
    const chosen = chooseAmong(desktop, spot, modifiers)
    return count === 2 ? openChosen(chosen, spot) : chosen
  },
  invoke: (desktop, spot) => openChosen(chooseAmong(desktop, spot, []), spot),
  drag: (desktop, spot, _from, to, modifiers) => {
    const hit = hitTest(desktop, to)
    const on = hit && 'element' in hit ? hit : undefined
    return dropItem(desktop, spot, on, modifiers) ?? dropInList(desktop, spot, to)
  },
  key(desktop, spot, { modifiers, key }) {
    if (modifiers.length > 0) return undefined
    return key === 'enter' || key === 'space' ? listItem.invoke!(desktop, spot) : undefined
  },
}

/** What a double click does to an item that is chosen: a folder is gone into, a file dialog takes the file, all else is pressed. */
function openChosen(desktop: Desktop, spot: Spot): Desktop {
  const here = refresh(desktop, spot)
  if (!here || comboOf(spot)) return desktop
  const { fileDialog } = here.window
  if (!fileDialog || here.element.description !== 'File') return openItem(desktop, here)
  return accept(desktop, here.window, fileDialog, here.element.name)
}

function chooseAmong(desktop: Desktop, spot: Spot, modifiers: readonly Modifier[]): Desktop {
  const combo = comboOf(spot)
  if (combo) return commit(desktop, combo, spot.element)
  const holder = holderOf(spot)
  return holder ? chooseItem(desktop, holder, spot.element, modifiers) : desktop
}

/** The list, tree or table that an item belongs to, else simply what it stands in. */
function holderOf(spot: Spot): Spot | undefined {
  const parent = parentOf(spot)
  return parent && (closest(parent, holds) ?? parent)
}

const holds = (element: Element): boolean => ['list', 'tree', 'table'].includes(kindOf(element.role))

/** Enter presses the default button of the window, and where there is none the item at the keyboard. */
function enter(desktop: Desktop, spot: Spot): Desktop | undefined {
  if (findShown(spot.window, (element) => element.traits?.presses === 'enter')) return undefined
  const item = idOfItem(spot, selectionOf(spot).current)
  return item === undefined ? undefined : notePress(desktop, { window: spot.window.uid, element: item })
}
