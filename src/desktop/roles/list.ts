import { accept } from '../files/file-commands.ts'
import { dropItem, folderDropOn, keyInFolder, openItem } from '../files/folder.ts'
import { hitTest } from '../hit.ts'
import type { Modifier } from '../input/action.ts'
import { characterOf } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { contains, type Point } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import { runShellCommand } from '../shell/shell.ts'
import {
  changeRef,
  closest,
  type ElementRef,
  findShown,
  isEnabled,
  parentOf,
  refresh,
  targetOf,
} from '../tree/element-ref.ts'
import { placed } from '../tree/tree-edits.ts'
import { comboOf, commit } from '../widgets/combo.ts'
import {
  chooseItem,
  idOfItem,
  keyInHolder,
  selectionIn,
  typeInHolder,
  withSelection,
} from '../widgets/item-selection.ts'
import { scrollable, viewOf } from '../widgets/scrolling.ts'
import { assertEnabledOption, optionIndex, selectAt } from '../widgets/selection.ts'
import { type DropTarget, recordChoice, recordPress, type WidgetBehaviour } from '../widgets/widget.ts'

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
    const off = 'name' in option && !names.some(isNamed(option.name)) && disabledItem(ref.element, option.name)
    if (off) assertEnabledOption(off)
    const index = optionIndex(names, option)
    const chosen = withSelection(desktop, ref, selectAt(selection, index, []))
    return recordChoice(chosen, { ...targetOf(ref), element: idOfItem(ref, index)! })
  },
}

/** The disabled item of a list with a name, ignoring case. */
const disabledItem = ({ children }: Element, name: string): Element | undefined =>
  children.find((item) => !item.enabled && isNamed(name)(item.name))

const isNamed =
  (wanted: string) =>
  (name: string): boolean =>
    name.toLowerCase() === wanted.toLowerCase()

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

const holds = (element: Element): boolean => ['list', 'tree', 'table'].includes(roleKind(element.role))

/** Enter presses the default button of the window, otherwise the current item. */
function enter(desktop: Desktop, ref: ElementRef): Desktop | undefined {
  if (findShown(ref.window, (element) => element.traits?.presses === 'enter')) return undefined
  const item = idOfItem(ref, selectionIn(ref).current)
  return item === undefined ? undefined : recordPress(desktop, { window: ref.window.uid, element: item })
}

/** Where in a list a dragged item is dropped: before the item of this index, the dragged one not counted. */
interface DropPlace {
  readonly list: ElementRef
  readonly before: number
}

/** The place of a drop at a point: in the list of the item, or another of its window. Undefined if they do not accept it. */
function dropPlaceAt(desktop: Desktop, item: ElementRef, at: Point): DropPlace | undefined {
  const from = parentOf(item)
  const hit = hitTest(desktop, at)
  const list = hit && 'element' in hit ? closest(hit, isOrdered) : undefined
  if (!from || !isOrdered(from.element) || !list || list.window.uid !== item.window.uid || !isEnabled(list))
    return undefined
  const others = othersIn(list.element, item)
  return { list, before: others.filter(({ bounds }) => bounds.y + bounds.height / 2 < at.y).length }
}

const othersIn = (list: Element, item: ElementRef): readonly Element[] =>
  itemsOf(list).filter(({ id }) => id !== item.element.id)

/**
 * Moves a dragged item to the drop position in its list, or in another of the window. Returns undefined if they do not
 * accept it.
 */
function dropInList(desktop: Desktop, item: ElementRef, at: Point): Desktop | undefined {
  const place = dropPlaceAt(desktop, item, at)
  if (!place) return undefined
  if (contains(item.element.bounds, at)) return desktop
  const taken = changeRef(desktop, parentOf(item)!, (list) => stacked(list, othersIn(list, item)))
  const here = refresh(taken, place.list)
  if (!here) return undefined
  const items = othersIn(place.list.element, item)
  return changeRef(taken, here, (list) => stacked(list, items.toSpliced(place.before, 0, item.element)))
}

/** The list that takes a dragged item at a point, with the line between the items where it would be. */
function listDropAt(desktop: Desktop, item: ElementRef, at: Point): DropTarget | undefined {
  const place = dropPlaceAt(desktop, item, at)
  if (!place || contains(item.element.bounds, at)) return undefined
  const items = othersIn(place.list.element, item)
  const { x, width, y } = viewOf(place.list.element)
  const [after, next] = [items[place.before - 1]?.bounds, items[place.before]?.bounds]
  const top = after ? after.y + after.height : (next?.y ?? y)
  return { ref: place.list, line: { x, y: top, width, height: 0 } }
}

/** Whether items of a list can be reordered. */
const isOrdered = (element: Element): boolean => element.traits?.reorder === true

const itemsOf = (list: Element): readonly Element[] => list.children.filter(({ role }) => roleKind(role) === 'listitem')

/** Stacks the items of a list, starting at its first one. Other children stay. */
function stacked(list: Element, items: readonly Element[]): Element {
  const { x, width, y: top } = viewOf(list)
  const first = itemsOf(list)[0]?.bounds
  let y = first?.y ?? top
  const rows = items.map((item) => {
    const row = placed(item, { x: first?.x ?? x, y, width: first?.width ?? width, height: item.bounds.height })
    y += row.bounds.height
    return row
  })
  return { ...list, children: [...rows, ...list.children.filter(({ role }) => roleKind(role) !== 'listitem')] }
}
