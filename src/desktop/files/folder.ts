import type { Modifier } from '../input/action.ts'
import { type Chord, formatChord } from '../input/keys.ts'
import { shortcutIn } from '../input/shortcut.ts'
import { changeWindow, type Desktop, filesOf, windowWith } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
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
} from '../model/files.ts'
import type { Rect } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import { changeRef, closest, type ElementRef, findShown, targetOf, withTraits } from '../tree/element-ref.ts'
import { withItems } from '../tree/tree-edits.ts'
import { subtreePredicate } from '../tree/visibility.ts'
import { itemsOf, selectionIn } from '../widgets/item-selection.ts'
import { offsetOf, viewOf } from '../widgets/scrolling.ts'
import { recordPress } from '../widgets/widget.ts'
import { activateWindow } from '../windows/focus.ts'

/**
 * A list with `traits.folder` shows the content of that folder. Its items follow the files. A double click and Enter
 * open a folder, Backspace goes to the parent. Delete, ctrl+C, ctrl+V and dragging act on the files.
 */

const ROW_HEIGHT = 28

const holdsFolder = subtreePredicate('special', (node) => node.traits?.folder !== undefined)

/** Updates every list that shows a folder. Returns the same desktop if all are current. */
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

/** Items of unchanged files keep their identity if their bounds do not change. */
function withEntries(list: Element, entries: readonly Entry[]): Element {
  const view = viewOf(list)
  const before = new Map(list.children.map((child) => [child.id, child]))
  const others = list.children.filter((child) => roleKind(child.role) !== 'listitem')
  const top = view.y - offsetOf(list).y
  const items = entries.map((entry, index) => {
    const bounds = { x: view.x, y: top + index * ROW_HEIGHT, width: view.width, height: ROW_HEIGHT }
    const known = before.get(idOf(list, entry.name))
    if (known && known.bounds.y === bounds.y && known.bounds.width === bounds.width) return known
    return entryItem(list, entry, bounds, known?.selected)
  })
  const children = [...items, ...others]
  const same =
    children.length === list.children.length && children.every((child, index) => child === list.children[index])
  return same ? list : withItems(list, children)
}

const idOf = (list: Element, name: string): string => `${list.id}/${name}`

/** The item of a file or folder in a list that shows its folder. */
export const entryItem = (list: Element, { name, isFolder }: Entry, bounds: Rect, selected = false): Element => ({
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

/** The path of an item of a folder's list. Returns undefined for any other element. */
function pathOfItem(item: ElementRef): string | undefined {
  const list = closest(item, (element) => element.traits?.folder !== undefined)
  const folder = list?.element.traits?.folder
  return folder !== undefined && roleKind(item.element.role) === 'listitem'
    ? joinPath(folder, item.element.name)
    : undefined
}

/** Whether an item of a list that shows a folder is a folder. */
export function isFolderItem(desktop: Desktop, item: ElementRef): boolean {
  const path = pathOfItem(item)
  return path !== undefined && isFolder(filesOf(desktop), path)
}

/** Opens the folder of an item, from the desktop in the front window that shows a folder. Presses the item of a file, so that reactions can open it. */
export function openItem(desktop: Desktop, item: ElementRef): Desktop {
  const path = pathOfItem(item)
  const list = closest(item, (element) => element.traits?.folder !== undefined)
  if (path === undefined || !list || !isFolder(filesOf(desktop), path)) return recordPress(desktop, targetOf(item))
  return item.window.shell === 'desktop' ? openInManager(desktop, item, path) : showFolder(desktop, list, path)
}

/** Shows a folder in the front window that shows one. Without such a window, the item is pressed, so that reactions can open it. */
function openInManager(desktop: Desktop, item: ElementRef, path: string): Desktop {
  const pressed = recordPress(desktop, targetOf(item))
  for (const window of desktop.windows) {
    const list = findShown(window, ({ traits }) => traits?.folder !== undefined)
    if (list && !window.fileDialog) return activateWindow(showFolder(pressed, list, path), window.uid)
  }
  return pressed
}

export function showFolder(desktop: Desktop, list: ElementRef, folder: string): Desktop {
  return changeRef(desktop, list, (element) =>
    withTraits(
      { ...element, children: element.children.filter((child) => roleKind(child.role) !== 'listitem') },
      { folder, current: undefined, anchor: undefined, scrolled: undefined },
    ),
  )
}

/** The paths of the items that are selected in a folder's list. */
export function selectedPaths(list: ElementRef): readonly string[] {
  const { folder } = list.element.traits ?? {}
  if (folder === undefined) return []
  const { names, selected } = selectionIn(list)
  const all = names()
  return selected.map((index) => joinPath(folder, all[index]!))
}

/** Copies the paths of the selected files to the clipboard, one per line. */
export function copyFiles(desktop: Desktop, list: ElementRef): Desktop {
  const paths = selectedPaths(list)
  return paths.length === 0 ? desktop : { ...desktop, clipboard: paths.join('\n') }
}

/** Copies the files whose paths are on the clipboard to the shown folder. Existing names get a number. */
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

/**
 * Handles a key while a folder's list has the focus. Returns undefined for keys without a special meaning and for
 * shortcuts of the window.
 */
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
      return folder === '/' || list.window.shell ? desktop : showFolder(desktop, list, folderOf(folder))
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

/** Moves the file of an item to the folder, or the folder's list, that it is dropped on; with ctrl copies it. */
export function dropItem(
  desktop: Desktop,
  item: ElementRef,
  on: ElementRef | undefined,
  modifiers: readonly Modifier[],
): Desktop | undefined {
  const from = pathOfItem(item)
  const to = on && destinationOf(desktop, item, on)
  if (from === undefined || !to) return undefined
  const files = filesOf(desktop)
  const path = freePath(files, to.folder, baseName(from))
  return { ...desktop, files: modifiers.includes('ctrl') ? copyPath(files, from, path) : movePath(files, from, path) }
}

/** The folder, or the folder's list, that takes the file of an item. Undefined if it would stay where it is. */
export const folderDropOn = (desktop: Desktop, item: ElementRef, on: ElementRef): ElementRef | undefined =>
  destinationOf(desktop, item, on)?.ref

function destinationOf(desktop: Desktop, item: ElementRef, on: ElementRef) {
  const from = pathOfItem(item)
  const path = pathOfItem(on)
  const list = closest(on, (element) => element.traits?.folder !== undefined)
  const isFolderItem = path !== undefined && isFolder(filesOf(desktop), path)
  const [ref, folder] = isFolderItem ? [on, path] : [list, list?.element.traits?.folder]
  if (from === undefined || !ref || folder === undefined || folderOf(from) === folder || from === folder)
    return undefined
  return { ref, folder }
}
