import type { Modifier } from '../input/action.ts'
import { type Chord, formatChord } from '../input/keys.ts'
import { shortcutIn } from '../input/shortcut.ts'
import { changeWindow, type Desktop, filesOf, windowWith } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { kindOf } from '../model/role.ts'
import { changeRef, closest, type ElementRef, targetOf, withTraits } from '../tree/element-ref.ts'
import { withItems } from '../tree/removal.ts'
import { subtreePredicate } from '../tree/subtree-predicate.ts'
import { recordPress } from '../widgets/action-effect.ts'
import { itemsOf, selectionIn } from '../widgets/items/item-selection.ts'
import { offsetOf, viewOf } from '../widgets/scrolling/scrolling.ts'
import {
  baseName,
  copyPath,
  type Entry,
  exists,
  folderOf,
  freePath,
  isFolder,
  joinPath,
  listFolder,
  movePath,
  removePath,
} from './files.ts'

/**
 * A list with `traits.folder` shows what is in that folder of the desktop's files: its items follow the files, a double
 * click or Enter goes into a folder, Backspace out of it; Delete, ctrl+C, ctrl+V and dragging work on the files.
 */

const ROW_HEIGHT = 28

const holdsFolder = subtreePredicate('special', (node) => node.traits?.folder !== undefined)

/** The desktop in which every list of a folder shows what is in it now; the same one when all do already. */
export function withFolders(desktop: Desktop): Desktop {
  let next = desktop
  for (const window of desktop.windows) {
    if (!holdsFolder(window.tree)) continue
    next = changeWindow(next, window.uid, (each) => {
      return windowWith(each, { tree: synced(each.tree, desktop) })
    })
  }
  return next
}

function synced(node: Element, desktop: Desktop): Element {
  if (!holdsFolder(node)) return node
  if (node.traits?.folder !== undefined) return withEntries(node, listFolder(filesOf(desktop), node.traits.folder))
  const children = node.children.map((child) => synced(child, desktop))
  return children.every((child, index) => child === node.children[index]) ? node : { ...node, children }
}

/** Items of files that stayed keep their identity when they stay where they are. */
function withEntries(list: Element, entries: readonly Entry[]): Element {
  const view = viewOf(list)
  const before = new Map(list.children.map((child) => [child.id, child]))
  const others = list.children.filter((child) => kindOf(child.role) !== 'listitem')
  const top = view.y - offsetOf(list).y
  const items = entries.map((entry, index) => {
    const bounds = { x: view.x, y: top + index * ROW_HEIGHT, width: view.width, height: ROW_HEIGHT }
    const known = before.get(idOf(list, entry.name))
    if (known && known.bounds.y === bounds.y && known.bounds.width === bounds.width) return known
    return itemFor(list, entry, bounds, known?.selected)
  })
  const children = [...items, ...others]
  const same =
    children.length === list.children.length && children.every((child, index) => child === list.children[index])
  return same ? list : withItems(list, children)
}

const idOf = (list: Element, name: string): string => `${list.id}/${name}`

const itemFor = (list: Element, { name, isFolder }: Entry, bounds: Rect, selected = false): Element => ({
  id: idOf(list, name),
  role: 'ListItem',
  name,
  value: null,
  bounds,
  enabled: true,
  focused: false,
  keyboardShortcut: null,
  description: isFolder ? 'Folder' : 'File',
  selected,
  children: [],
  traits: { icon: isFolder ? 'folder' : 'file' },
})

/** The path that an item of a folder's list stands for; undefined for any other element. */
function pathOfItem(item: ElementRef): string | undefined {
  const list = closest(item, (element) => element.traits?.folder !== undefined)
  const folder = list?.element.traits?.folder
  return folder !== undefined && kindOf(item.element.role) === 'listitem'
    ? joinPath(folder, item.element.name)
    : undefined
}

/** Goes into the folder that an item stands for; a file is pressed, for whoever reacts to it. */
export function openItem(desktop: Desktop, item: ElementRef): Desktop {
  const path = pathOfItem(item)
  const list = closest(item, (element) => element.traits?.folder !== undefined)
  if (path === undefined || !list || !isFolder(filesOf(desktop), path)) return recordPress(desktop, targetOf(item))
  return showFolder(desktop, list, path)
}

export function showFolder(desktop: Desktop, list: ElementRef, folder: string): Desktop {
  return changeRef(desktop, list, (element) =>
    withTraits(
      { ...element, children: element.children.filter((child) => kindOf(child.role) !== 'listitem') },
      { folder, current: undefined, anchor: undefined, scrolled: undefined },
    ),
  )
}

/** The paths of the items that are selected in a folder's list. */
export function selectedPaths(list: ElementRef): readonly string[] {
  const { folder } = list.element.traits ?? {}
  if (folder === undefined) return []
  const { names, selected } = selectionIn(list)
  return selected.map((index) => joinPath(folder, names[index]!))
}

/** Puts the paths of the selected files on the clipboard, one in each line. */
export function copyFiles(desktop: Desktop, list: ElementRef): Desktop {
  const paths = selectedPaths(list)
  return paths.length === 0 ? desktop : { ...desktop, clipboard: paths.join('\n') }
}

/** Copies the files whose paths are on the clipboard to the folder shown; what is there already gets a number. */
export function pasteFiles(desktop: Desktop, list: ElementRef): Desktop {
  const folder = list.element.traits?.folder
  const files = filesOf(desktop)
  const paths = desktop.clipboard.split('\n').filter((path) => path.startsWith('/') && exists(files, path))
  if (folder === undefined || paths.length === 0) return desktop
  return {
    ...desktop,
    files: paths.reduce((next, path) => copyPath(next, path, freePath(next, folder, baseName(path))), files),
  }
}

/** A key while a folder's list has the keyboard; undefined when it means nothing special there, or is a shortcut of its window. */
export function keyInFolder(desktop: Desktop, list: ElementRef, chord: Chord): Desktop | undefined {
  const folder = list.element.traits?.folder
  if (folder === undefined || shortcutIn(list.window, chord)) return undefined
  const files = filesOf(desktop)
  switch (formatChord(chord)) {
    case 'enter': {
      const item = itemsOf(list)[selectionIn(list).current]
      return item && isFolder(files, joinPath(folder, item.element.name)) ? openItem(desktop, item) : undefined
    }
    case 'backspace':
    case 'alt+up':
      return folder === '/' ? desktop : showFolder(desktop, list, folderOf(folder))
    case 'delete': {
      const paths = selectedPaths(list)
      return paths.length === 0 ? desktop : { ...desktop, files: paths.reduce(removePath, files) }
    }
    case 'ctrl+c':
      return copyFiles(desktop, list)
    case 'ctrl+v':
      return pasteFiles(desktop, list)
    default:
      return undefined
  }
}

/** Moves the file of an item to where it is dropped, a folder or a list of one; with ctrl it is copied. */
export function dropItem(
  desktop: Desktop,
  item: ElementRef,
  on: ElementRef | undefined,
  modifiers: readonly Modifier[],
): Desktop | undefined {
  const from = pathOfItem(item)
  const to = on && destinationOf(desktop, on)
  if (from === undefined || to === undefined || folderOf(from) === to || from === to) return undefined
  const files = filesOf(desktop)
  const path = freePath(files, to, baseName(from))
  return { ...desktop, files: modifiers.includes('ctrl') ? copyPath(files, from, path) : movePath(files, from, path) }
}

function destinationOf(desktop: Desktop, ref: ElementRef): string | undefined {
  const path = pathOfItem(ref)
  if (path !== undefined && isFolder(filesOf(desktop), path)) return path
  return closest(ref, (element) => element.traits?.folder !== undefined)?.element.traits?.folder
}
