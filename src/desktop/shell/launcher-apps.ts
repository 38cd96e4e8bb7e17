import type { Desktop, DesktopApp, Window } from '../model/desktop.ts'
import { controlPart, type Element, type Fields, nodeById } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { appKindOf } from '../model/pictures.ts'
import { shellText } from '../model/shell-texts.ts'
import { textWidth } from '../model/text-width.ts'
import { compareTexts } from '../widgets/grid-state.ts'
import { offsetOf, scrolledTo } from '../widgets/scrolling.ts'
import { shellButton } from './shell-elements.ts'

/** The ids of the list of all applications, and of the buttons that show it and leave it. */
export const APP_LIST_ID = 'shell.apps'
export const ALL_ID = 'shell.all'
export const BACK_ID = 'shell.back'

/** How the ids of the dots of pages begin. */
export const DOT_ID = 'shell.page.'

/** The page of applications that a launcher shows. 0 is the first, 1 the list of all in a start menu. */
export function pageShown({ tree }: Window): number {
  if (nodeById(tree, BACK_ID)) return 1
  const dot = tree.children.find(({ id, selected }) => id.startsWith(DOT_ID) && selected === true)
  return dot ? Number(dot.id.slice(DOT_ID.length)) - 1 : 0
}

/** The button of an application. Enter in the field presses the first. */
export const appButton = (
  { id, name, icon }: DesktopApp,
  bounds: Rect,
  index: number,
  more: Fields<Element> = {},
): Element =>
  shellButton(
    `shell.app.${id}`,
    name,
    bounds,
    { icon, appKind: appKindOf(name, icon), command: { does: 'app', app: id } },
    index === 0 ? { ...more, traits: { presses: 'enter' } } : more,
  )

/** The columns of a grid of applications, and the height of its cells. */
export interface Cells {
  readonly columns: number
  /** In pixels. */
  readonly height: number
}

/** The number of cells that a grid has space for. */
export const cellsIn = ({ height }: Rect, cells: Cells): number =>
  Math.max(1, Math.floor(height / cells.height)) * cells.columns

/** As many applications as there is space for, row by row. */
export function inGrid(apps: readonly DesktopApp[], grid: Rect, cells: Cells): readonly Element[] {
  const { columns, height } = cells
  const width = Math.floor(grid.width / columns)
  return apps.slice(0, cellsIn(grid, cells)).map((app, index) => {
    const bounds = {
      x: grid.x + (index % columns) * width + 2,
      y: grid.y + Math.floor(index / columns) * height + 2,
      width: width - 4,
      height: height - 4,
    }
    return appButton(app, bounds, index)
  })
}

const ROW_PX = 40
/** The space at the end of a row, where the list has its scrollbar. */
const BAR_PX = 14

/** The applications by name, one below the other. It is scrolled as the one before. */
export function appList(
  desktop: Desktop,
  apps: readonly DesktopApp[],
  bounds: Rect,
  before: Window | undefined,
): Element {
  const { x, y, width } = bounds
  const children = apps
    .toSorted((a, b) => compareTexts(a.name, b.name))
    .map((app, index) => appButton(app, { x, y: y + index * ROW_PX, width: width - BAR_PX, height: ROW_PX - 2 }, index))
  const list = controlPart(APP_LIST_ID, 'ScrollArea', shellText(desktop, 'Applications'), bounds, { children })
  const old = before && nodeById(before.tree, APP_LIST_ID)
  return old ? scrolledTo(list, offsetOf(old).y) : list
}

/** The size of the button beside the heading without its word, in pixels. */
const ALL_PX = { width: 44, height: 24 }

/** The button at the end of the line of the heading: to the list of all applications, or from there back. */
export function allButton(desktop: Desktop, line: Rect, page: number): Element {
  const name = shellText(desktop, page === 0 ? 'All' : 'Back')
  const width = ALL_PX.width + textWidth(name, 12, 'humanist')
  const { height } = ALL_PX
  const bounds = { x: line.x + line.width - width, y: line.y + Math.floor((line.height - height) / 2), width, height }
  return shellButton(page === 0 ? ALL_ID : BACK_ID, name, bounds, { command: { does: 'page', page: 1 - page } })
}

const DOT_PX = 20

/** A button for each of several pages, in the middle of a line. */
export function pageDots(desktop: Desktop, line: Rect, page: number, pages: number): readonly Element[] {
  if (pages < 2) return []
  const step = Math.max(1, Math.min(DOT_PX, Math.floor(line.width / pages)))
  const left = line.x + Math.floor((line.width - step * pages) / 2)
  const inWords = (number: number) => shellText(desktop, 'Page {}').replace('{}', String(number))
  return Array.from({ length: pages }, (_, index) =>
    shellButton(
      `${DOT_ID}${index + 1}`,
      inWords(index + 1),
      { ...line, x: left + index * step, width: step },
      { command: { does: 'page', page: index } },
      { selected: index === page },
    ),
  )
}
