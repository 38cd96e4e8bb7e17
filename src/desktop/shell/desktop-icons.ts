import { entryItem } from '../files/folder.ts'
import { type Desktop, filesOf, type Window } from '../model/desktop.ts'
import { controlPart, type Element, pathOf, withFields } from '../model/element.ts'
import { type Files, filePathsBelow, isFolder, listFolder } from '../model/files.ts'
import { type Rect, sameRect } from '../model/geometry.ts'
import { appKindOf } from '../model/pictures.ts'
import { shellText } from '../model/shell-texts.ts'
import type { DesktopIconMetrics, ShellMetrics } from '../style/metrics.ts'
import { withTraits } from '../tree/element-ref.ts'
import { withItems } from '../tree/tree-edits.ts'
import { areaInsideShell } from '../windows/panel.ts'
import { DESKTOP_UID, shellWindow } from './shell-elements.ts'

/** The id of the list of the files on the desktop. */
export const ICONS_ID = 'shell.icons'

const MARGIN_PX = 4

/** The window behind all others. Its list shows the files of the desktop's folder in columns, in styles with icons. */
export function desktopWindow(desktop: Desktop, shell: ShellMetrics, screen: Rect, before: Window | undefined): Window {
  const area = areaInsideShell(screen, shell)
  const list = shell.icons ? listsOf(desktop, shell.icons, area, before) : []
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

/** The list of the files, and the one of the machine and its bin. */
function listsOf(
  desktop: Desktop,
  metrics: DesktopIconMetrics,
  area: Rect,
  before: Window | undefined,
): readonly Element[] {
  const folder = desktopFolder(filesOf(desktop))
  const known = (id: string) => before?.tree.children.find((child) => child.id === id)
  const places = placesOf(desktop, metrics, area, known(PLACES_ID))
  const taken = places ? places.children.length : 0
  const icons = folder === undefined ? undefined : iconList(desktop, metrics, { area, taken }, folder, known(ICONS_ID))
  return [icons, places].filter((each) => each !== undefined)
}

/** The machine and its bin, which open the program for files. A desktop without such a program has none. */
function placesOf(
  desktop: Desktop,
  { width, height, top, hasPlaces }: DesktopIconMetrics,
  area: Rect,
  before: Element | undefined,
): Element | undefined {
  const app = desktop.apps?.find(({ name, icon }) => appKindOf(name, icon) === 'files')
  if (!hasPlaces || !app) return undefined
  const bounds = { x: area.x + MARGIN_PX, y: area.y + top, width, height: 2 * height - 8 }
  if (before && sameRect(before.bounds, bounds)) return before
  const children = PLACES.map(({ id, name }, index) =>
    controlPart(
      id,
      'ListItem',
      shellText(desktop, name),
      { ...bounds, y: bounds.y + index * height, height: height - 8 },
      { selected: false, traits: { icon: 'folder', shellCommand: { does: 'app', app: app.id } } },
    ),
  )
  return controlPart(PLACES_ID, 'List', shellText(desktop, 'Places'), bounds, {
    children,
    traits: { multiSelect: true },
  })
}

const PLACES_ID = 'shell.places'
const PLACES = [
  { id: 'shell.device', name: 'This Device' },
  { id: 'shell.recycle-bin', name: 'Recycle Bin' },
] as const

function iconList(
  desktop: Desktop,
  cell: DesktopIconMetrics,
  { area, taken }: { readonly area: Rect; readonly taken: number },
  folder: string,
  before: Element | undefined,
): Element {
  const known = before?.id === ICONS_ID ? withFields(before, { bounds: area }) : undefined
  const list =
    known ??
    controlPart(ICONS_ID, 'List', shellText(desktop, 'Desktop'), area, { traits: { folder, multiSelect: true } })
  const items = new Map(list.children.map((child) => [child.id, child]))
  const rows = Math.max(1, Math.floor((area.height - cell.top) / cell.height))
  const children = listFolder(filesOf(desktop), folder).map((entry, at) => {
    const index = at + taken
    const column = Math.floor(index / rows)
    const fromSide = MARGIN_PX + column * cell.width
    const bounds = {
      x: cell.side === 'right' ? area.x + area.width - fromSide - cell.width : area.x + fromSide,
      y: area.y + cell.top + (index % rows) * cell.height,
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
