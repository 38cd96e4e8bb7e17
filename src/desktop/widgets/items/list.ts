import { accept } from '../../files/file-dialog.ts'
import { dropItem, folderDropOn, keyInFolder, openItem } from '../../files/folder.ts'
import type { Modifier } from '../../input/action.ts'
import { characterOf } from '../../input/keys.ts'
import type { Desktop } from '../../model/desktop.ts'
import type { Element } from '../../model/element.ts'
import { kindOf } from '../../model/role.ts'
import { runShellCommand } from '../../shell/shell-command.ts'
import { closest, type ElementRef, findShown, parentOf, refresh, targetOf } from '../../tree/element-ref.ts'
import { hitTest } from '../../tree/hit.ts'
import { recordChoice, recordPress } from '../action-effect.ts'
import { comboOf, commit } from '../popups/combo.ts'
import { scrollable } from '../scrolling/scrolling.ts'
import type { WidgetBehaviour } from '../widget.ts'
import { chooseItem, idOfItem, keyInHolder, selectionIn, typeInHolder, withSelection } from './item-selection.ts'
import { dropInList, listDropAt } from './reorder.ts'
import { assertEnabledOption, optionIndex, selectAt } from './selection.ts'

/** List: arrows, page keys and typed letters select; with `traits.multiSelect` several, by ctrl and shift. */
export const list: WidgetBehaviour = {
  ...scrollable,
  key(desktop, ref, chord) {
    const onFiles = keyInFolder(desktop, ref, chord)
    if (onFiles) return onFiles
    if (chord.key === 'enter' && chord.modifiers.length === 0) return enter(desktop, ref)
    const letter = characterOf(chord)
    return (
      keyInHolder(desktop, ref, chord) ??
      (letter && letter !== ' ' ? typeInHolder(desktop, ref, letter) : undefined) ??
      scrollable.key!(desktop, ref, chord)
    )
  },
  type: typeInHolder,
  setValue: (desktop, ref, value) => list.select!(desktop, ref, { name: value }),
  select(desktop, ref, option) {
    const selection = selectionIn(ref)
    const names = selection.names()
    const off = 'name' in option && !names.includes(option.name) && disabledItem(ref.element, option.name)
    if (off) assertEnabledOption(off)
    const index = optionIndex(names, option)
    const chosen = withSelection(desktop, ref, selectAt(selection, index, []))
    return recordChoice(chosen, { ...targetOf(ref), element: idOfItem(ref, index)! })
  },
}

/** The disabled item of a list with a name. */
const disabledItem = ({ children }: Element, name: string): Element | undefined =>
  children.find((item) => !item.enabled && item.name === name)

/** ListItem: selected in its container. Without one, it is selected among its siblings. */
export const listItem: WidgetBehaviour = {
  click(desktop, ref, { modifiers, count }) {
    const chosen = chooseAmong(desktop, ref, modifiers)
    return count === 2 ? openChosen(chosen, ref) : chosen
  },
  invoke: (desktop, ref) => openChosen(chooseAmong(desktop, ref, []), ref),
  drag: (desktop, ref, _from, to, modifiers) => {
    const hit = hitTest(desktop, to)
    const on = hit && 'element' in hit ? hit : undefined
    return dropItem(desktop, ref, on, modifiers) ?? dropInList(desktop, ref, to)
  },
  dropTarget(desktop, ref, at) {
    const hit = hitTest(desktop, at)
    const folder = hit && 'element' in hit ? folderDropOn(desktop, ref, hit) : undefined
    return folder ? { ref: folder } : listDropAt(desktop, ref, at)
  },
  key(desktop, ref, { modifiers, key }) {
    if (modifiers.length > 0) return undefined
    return key === 'enter' || key === 'space' ? listItem.invoke!(desktop, ref) : undefined
  },
}

/**
 * Handles a double click on a selected item: opens a folder, accepts a file in a file dialog, presses any other item.
 */
function openChosen(desktop: Desktop, ref: ElementRef): Desktop {
  const here = refresh(desktop, ref)
  if (!here || comboOf(ref)) return desktop
  const { shellCommand } = here.element.traits ?? {}
  if (shellCommand) return runShellCommand(openItem(desktop, here), shellCommand)
  const { fileDialog } = here.window
  if (!fileDialog || here.element.description !== 'File') return openItem(desktop, here)
  return accept(desktop, here.window, fileDialog, here.element.name)
}

function chooseAmong(desktop: Desktop, ref: ElementRef, modifiers: readonly Modifier[]): Desktop {
  const combo = comboOf(ref)
  if (combo) return commit(desktop, combo, ref.element)
  const holder = holderOf(ref)
  return holder ? chooseItem(desktop, holder, ref.element, modifiers) : desktop
}

/** The list, tree or table of an item, otherwise its parent. */
function holderOf(ref: ElementRef): ElementRef | undefined {
  const parent = parentOf(ref)
  return parent && (closest(parent, holds) ?? parent)
}

const holds = (element: Element): boolean => ['list', 'tree', 'table'].includes(kindOf(element.role))

/** Enter presses the default button of the window, otherwise the current item. */
function enter(desktop: Desktop, ref: ElementRef): Desktop | undefined {
  if (findShown(ref.window, (element) => element.traits?.presses === 'enter')) return undefined
  const item = idOfItem(ref, selectionIn(ref).current)
  return item === undefined ? undefined : recordPress(desktop, { window: ref.window.uid, element: item })
}
