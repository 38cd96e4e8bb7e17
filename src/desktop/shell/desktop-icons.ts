import { type Files, filePathsBelow, isFolder, listFolder } from '../files/files.ts'
import { entryItem } from '../files/folder.ts'
import { type Desktop, filesOf, type Window } from '../model/desktop.ts'
import { type Element, part, pathOf, withFields } from '../model/element.ts'
import { type Rect, sameRect } from '../model/geometry.ts'
import { appKindOf } from '../model/pictures.ts'
import { shellText } from '../model/shell-texts.ts'
import { withTraits } from '../tree/element-ref.ts'
import { withItems } from '../tree/tree-edits.ts'
import { areaInsideShell, DESKTOP_UID, type ShellStyle, shellWindow } from './shell-elements.ts'

/** The id of the list of the files on the desktop. */
export const ICONS_ID = 'shell.icons'

/** The places of the icons. Those of the style `macos` have larger pictures. */
const CELLS: Readonly<Record<ShellStyle, { readonly width: number; readonly height: number }>> = {
  windows: { width: 76, height: 92 },
  macos: { width: 96, height: 96 },
  gnome: { width: 76, height: 92 },
}
const MARGIN_PX = 4
/** The first icon of the style `macos` is further from the bar. */
const TOP_PX: Readonly<Record<ShellStyle, number>> = { windows: 8, macos: 84, gnome: 0 }

/**
 * The window behind all others. Its list shows the files of the desktop's folder: in columns from the left, in the style
 * `macos` from the right. The style `gnome` has no icons.
 */
export function desktopWindow(desktop: Desktop, style: ShellStyle, screen: Rect, before: Window | undefined): Window {
  const folder = style === 'gnome' ? undefined : desktopFolder(filesOf(desktop))
  const area = areaInsideShell(screen, style)
  const known = (id: string) => before?.tree.children.find((child) => child.id === id)
  const places = placesOf(desktop, style, area, known(PLACES_ID))
  const taken = places ? places.children.length : 0
  const icons = folder === undefined ? undefined : iconList(desktop, style, { area, taken }, folder, known(ICONS_ID))
  const list = [icons, places].filter((each) => each !== undefined)
  const made = shellWindow({
    uid: DESKTOP_UID,
    title: shellText(desktop, 'Desktop'),
    bounds: area,
    shell: 'desktop',
    screen,
    children: list,
  })
  const isSame =
    before &&
    sameRect(before.bounds, area) &&
    before.tree.children.length === list.length &&
    list.every((each, at) => each === before.tree.children[at])
  const focus = before?.focus !== undefined && pathOf(made.tree, before.focus) ? before.focus : undefined
  return isSame ? before : { ...made, focus }
}

/** The machine and its bin, which open the program for files. Only the style `windows` has them, with such a program. */
function placesOf(desktop: Desktop, style: ShellStyle, area: Rect, before: Element | undefined): Element | undefined {
  const app = desktop.apps?.find(({ name, icon }) => appKindOf(name, icon) === 'files')
  if (style !== 'windows' || !app) return undefined
  const { width, height } = CELLS[style]
  const bounds = { x: area.x + MARGIN_PX, y: area.y + TOP_PX[style], width, height: 2 * height - 8 }
  if (before && sameRect(before.bounds, bounds)) return before
  const children = PLACES.map(({ id, name }, index) =>
    part(
      id,
      'ListItem',
      shellText(desktop, name),
      { ...bounds, y: bounds.y + index * height, height: height - 8 },
      { selected: false, traits: { icon: 'folder', shellCommand: { does: 'app', app: app.id } } },
    ),
  )
  return part(PLACES_ID, 'List', shellText(desktop, 'Places'), bounds, { children, traits: { multiSelect: true } })
}

const PLACES_ID = 'shell.places'
const PLACES = [
  { id: 'shell.device', name: 'This Device' },
  { id: 'shell.recycle-bin', name: 'Recycle Bin' },
] as const

function iconList(
  desktop: Desktop,
  style: ShellStyle,
  { area, taken }: { readonly area: Rect; readonly taken: number },
  folder: string,
  before: Element | undefined,
): Element {
  const known = before?.id === ICONS_ID ? withFields(before, { bounds: area }) : undefined
  const list =
    known ?? part(ICONS_ID, 'List', shellText(desktop, 'Desktop'), area, { traits: { folder, multiSelect: true } })
  const items = new Map(list.children.map((child) => [child.id, child]))
  const cell = CELLS[style]
  const rows = Math.max(1, Math.floor((area.height - TOP_PX[style]) / cell.height))
  const children = listFolder(filesOf(desktop), folder).map((entry, at) => {
    const index = at + taken
    const column = Math.floor(index / rows)
    const fromSide = MARGIN_PX + column * cell.width
    const bounds = {
      x: style === 'macos' ? area.x + area.width - fromSide - cell.width : area.x + fromSide,
      y: area.y + TOP_PX[style] + (index % rows) * cell.height,
      width: cell.width,
      height: cell.height - 8,
    }
    const item = entryItem(list, entry, bounds, false)
    const old = items.get(item.id)
    return old && sameRect(old.bounds, bounds) && old.description === item.description ? old : item
  })
  const isSame = children.length === list.children.length && children.every((child, at) => child === list.children[at])
  const shown = list.traits?.folder === folder ? list : withTraits(list, { folder, current: undefined })
  return isSame ? shown : withItems(shown, children)
}

const folders = new WeakMap<Files, { readonly folder: string | undefined }>()

/** The folder whose files are on the desktop: the first that is named `Desktop` in a home folder, or `/Desktop`. */
export function desktopFolder(files: Files): string | undefined {
  const known = folders.get(files) ?? { folder: findFolder(files) }
  folders.set(files, known)
  return known.folder
}

const findFolder = (files: Files): string | undefined =>
  filePathsBelow(files, '/').find(
    (path) => /^(?:\/(?:home|Users)\/[^/]+|\/(?:home|root))?\/Desktop$/i.test(path) && isFolder(files, path),
  )
