import { type Desktop, type DesktopApp, filesOf, type Window } from '../model/desktop.ts'
import { controlPart, type Element, nodeById } from '../model/element.ts'
import { type Files, filePathsBelow, isFolder } from '../model/files.ts'
import type { Rect } from '../model/geometry.ts'
import { type ShellText, shellText } from '../model/shell-texts.ts'
import type { ShellMetrics } from '../style/metrics.ts'
import { areaInsideShell } from '../windows/panel.ts'
import { taskButton, tasksOf } from './bars.ts'
import { allButton, appButton, appList, cellsIn, inGrid, pageDots, pageShown } from './launcher-apps.ts'
import { LAUNCHER_UID, shellButton, shellWindow } from './shell-elements.ts'

/** The id of the field of the launcher. */
export const SEARCH_ID = 'shell.query'

/**
 * The launcher of a shell, with the applications whose names contain the text of the field of the one before. Without a
 * text, they are those of a page: by default the one that was shown before.
 */
export function launcherOf(
  desktop: Desktop,
  shell: ShellMetrics,
  screen: Rect,
  before: Window | undefined,
  page = before ? pageShown(before) : 0,
): Window {
  const old = before && nodeById(before.tree, SEARCH_ID)
  const query = old?.value ?? ''
  const found = appsFor(desktop.apps ?? [], query)
  const documents = query.trim() === '' ? recentDocuments(desktop) : documentsFor(desktop, query)
  const { title, placeholder, makePlan } = LAUNCHERS[shell.launcher]
  const plan = makePlan(areaInsideShell(screen, shell), found, {
    desktop,
    documents,
    query: query.trim(),
    page,
    before,
  })
  const field = old
    ? { ...old, bounds: plan.field }
    : controlPart(SEARCH_ID, 'Edit', shellText(desktop, 'Search'), plan.field, {
        value: '',
        traits: { placeholder: shellText(desktop, placeholder) },
      })
  const none = found.length > 0 ? [] : [controlPart('shell.none', 'Text', noneText(desktop, query), plan.none)]
  return shellWindow({
    uid: LAUNCHER_UID,
    title: shellText(desktop, title),
    bounds: plan.bounds,
    shell: 'launcher',
    screen,
    children: [field, ...plan.headings, ...plan.apps, ...none, ...plan.more],
  })
}

const noneText = (desktop: Desktop, query: string): string =>
  query.trim() === ''
    ? shellText(desktop, 'No applications')
    : shellText(desktop, 'No results for "{}"').replace('{}', () => query.trim())

/** The applications whose names contain a text; case is ignored. Those that begin with it are first. */
export function appsFor(apps: readonly DesktopApp[], query: string): readonly DesktopApp[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return apps
  const found = apps.filter(({ name }) => name.toLowerCase().includes(wanted))
  const begins = ({ name }: DesktopApp) => Number(name.toLowerCase().startsWith(wanted))
  return found.sort((a, b) => begins(b) - begins(a))
}

/** A file that the launcher offers. */
interface ShellDocument {
  readonly name: string
  readonly path: string
  /** The name of its folder. */
  readonly folder: string
}

const HOME = /^\/(?:home|Users)\/([^/]+)\//

const documents = new WeakMap<Files, readonly ShellDocument[]>()

/** The files in home folders, by name. Hidden files and those in hidden folders are left out. */
function documentsIn(files: Files): readonly ShellDocument[] {
  const known = documents.get(files)
  if (known) return known
  const found = filePathsBelow(files, '/')
    .filter((path) => HOME.test(path) && !path.includes('/.') && !isFolder(files, path))
    .map((path) => {
      const parts = path.split('/')
      return { name: parts.at(-1)!, path, folder: parts.at(-2)! }
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  documents.set(files, found)
  return found
}

const MAX_RECENT = 4

/** The files that the launcher recommends. */
const recentDocuments = (desktop: Desktop): readonly ShellDocument[] =>
  documentsIn(filesOf(desktop)).slice(0, MAX_RECENT)

/** The files whose names contain a text; case is ignored. */
function documentsFor(desktop: Desktop, query: string): readonly ShellDocument[] {
  const wanted = query.trim().toLowerCase()
  return documentsIn(filesOf(desktop)).filter(({ name }) => name.toLowerCase().includes(wanted))
}

/** The name of the user, after the home folder; the word for a user without one. */
function userName(desktop: Desktop): string {
  for (const path of filePathsBelow(filesOf(desktop), '/')) {
    const name = HOME.exec(`${path}/`)?.[1]
    if (name !== undefined) return name[0]!.toUpperCase() + name.slice(1)
  }
  return shellText(desktop, 'User')
}

/** Where the parts of a launcher are. */
export interface LauncherPlan {
  readonly bounds: Rect
  readonly field: Rect
  /** Where the text is shown that nothing was found. */
  readonly none: Rect
  readonly headings: readonly Element[]
  readonly apps: readonly Element[]
  readonly more: readonly Element[]
}

interface LauncherContent {
  readonly desktop: Desktop
  readonly documents: readonly ShellDocument[]
  readonly query: string
  /** The page of the applications. 0 is the first. */
  readonly page: number
  readonly before: Window | undefined
}

/** A kind of launcher: its title, the text of its empty field, and where its parts are in the area inside the bars. */
interface Launcher {
  readonly title: ShellText
  readonly placeholder: ShellText
  readonly makePlan: (area: Rect, apps: readonly DesktopApp[], content: LauncherContent) => LauncherPlan
}

const LAUNCHERS: Readonly<Record<ShellMetrics['launcher'], Launcher>> = {
  'start menu': { title: 'Start', placeholder: 'Search for apps, settings, and documents', makePlan: startMenu },
  overview: { title: 'Overview', placeholder: 'Type to search', makePlan: overview },
  'search panel': { title: 'Search', placeholder: 'Search', makePlan: searchPanel },
}

const half = (pixels: number): number => Math.floor(pixels / 2)

const heading = (id: string, name: string, bounds: Rect): Element =>
  controlPart(`shell.heading.${id}`, 'Text', name, bounds)

/** The button of a file. Its press is left to the scenario. */
const documentButton = ({ name, path, folder }: ShellDocument, bounds: Rect): Element =>
  shellButton(`shell.document.${path}`, name, bounds, {}, { value: folder })

const FOOTER_PX = 64
const RECENT_PX = { width: 260, height: 58 }

const MAX_PINNED = 18

/** A field, the applications in six columns and files, or the list of all applications, and a footer with the user. */
function startMenu(
  area: Rect,
  apps: readonly DesktopApp[],
  { desktop, documents, query, page, before }: LauncherContent,
): LauncherPlan {
  const width = Math.min(620, area.width - 24)
  const height = Math.min(560, area.height - 24)
  const bounds = { x: area.x + half(area.width - width), y: area.y + area.height - 12 - height, width, height }
  const { x, y } = bounds
  const footer = y + height - FOOTER_PX
  const columns = width >= 2 * RECENT_PX.width + 62 ? 2 : 1
  const isList = page === 1 && query === '' && apps.length > 0
  const hasRecent = documents.length > 0 && height >= 540 && !isList
  const recentTop = y + 302
  const grid = { x: x + 31, y: y + 118, width: width - 62, height: (hasRecent ? recentTop : footer) - y - 126 }
  const recent = documents.slice(0, 2 * columns).map((each, index) =>
    documentButton(each, {
      x: x + 46 + (index % columns) * (RECENT_PX.width + 8),
      y: recentTop + 30 + Math.floor(index / columns) * RECENT_PX.height,
      width: RECENT_PX.width,
      height: RECENT_PX.height - 4,
    }),
  )
  const inner = { x: x + 53, width: width - 106, height: 28 }
  const line = { ...inner, y: y + 82 }
  const all = query === '' && apps.length > 0 ? [allButton(desktop, line, isList ? 1 : 0)] : []
  const title = { ...line, width: all[0] ? all[0].bounds.x - line.x - 8 : line.width }
  const shown = query === '' ? apps.slice(0, MAX_PINNED) : apps
  return {
    bounds,
    field: { x: x + 66, y: y + 30, width: width - 112, height: 32 },
    none: { ...inner, y: y + 124 },
    headings: [heading('apps', shellText(desktop, isList ? 'All' : 'Pinned'), title), ...all],
    apps: isList
      ? [appList(desktop, apps, { ...grid, x: x + 46, width: width - 92 }, before)]
      : inGrid(shown, grid, { columns: 6, height: 84 }),
    more: [
      ...(hasRecent
        ? [heading('documents', shellText(desktop, 'Recommended'), { ...inner, y: recentTop }), ...recent]
        : []),
      shellButton('shell.user', userName(desktop), { x: x + 40, y: footer + 12, width: half(width), height: 40 }),
      shellButton('shell.power', shellText(desktop, 'Power'), {
        x: x + width - 85,
        y: footer + 12,
        width: 40,
        height: 40,
      }),
    ],
  }
}

const STRIP_PX = 212
const CELL_PX = 150

/** The id of the last button of the dash. */
export const SHOW_APPS_ID = 'shell.show-apps'

/** The whole work area: a field, the open windows, a page of the applications and the tasks. */
function overview(bounds: Rect, apps: readonly DesktopApp[], { desktop, query, page }: LauncherContent): LauncherPlan {
  const { x, y, width, height } = bounds
  const field = Math.min(320, width - 24)
  const columns = Math.max(1, Math.min(6, Math.floor((width - 40) / CELL_PX)))
  const gridWidth = columns * CELL_PX
  const dashTop = y + height - 92
  const hasStrip = height >= 700
  const gridTop = hasStrip ? y + 66 + STRIP_PX + 20 : y + 92
  const grid = { x: x + half(width - gridWidth), y: gridTop, width: gridWidth, height: dashTop - gridTop - 24 }
  const cells = { columns, height: CELL_PX }
  const onPage = cellsIn(grid, cells)
  const pages = query === '' ? Math.max(1, Math.ceil(apps.length / onPage)) : 1
  const shown = Math.min(page, pages - 1)
  const tasks = tasksOf(desktop)
  const step = Math.min(66, Math.floor((width - 56) / (tasks.length + 1)))
  const left = x + half(width - step * (tasks.length + 1))
  const inDash = (index: number): Rect => ({
    x: left + index * step,
    y: dashTop,
    width: Math.max(1, step - 4),
    height: 80,
  })
  const strip = { x: x + half(width - 340), y: y + 66, width: 340, height: STRIP_PX }
  return {
    bounds,
    field: { x: x + half(width - field) + 36, y: y + 15, width: field - 52, height: 32 },
    none: { x: x + half(width - 400), y: gridTop + 8, width: Math.min(400, width), height: 32 },
    headings: [],
    apps: inGrid(apps.slice(shown * onPage), grid, cells),
    more: [
      ...(hasStrip ? openWindows(desktop, strip) : []),
      ...pageDots(desktop, { x: x + 28, y: dashTop - 26, width: width - 56, height: 20 }, shown, pages),
      ...tasks.map((task, index) => taskButton(desktop, task, `shell.dash.${task.id}`, inDash(index))),
      shellButton(SHOW_APPS_ID, shellText(desktop, 'Show Apps'), inDash(tasks.length), {
        command: { does: 'launcher' },
      }),
    ],
  }
}

/** The open windows side by side on the workspace, in the order of the tasks. */
function openWindows(desktop: Desktop, strip: Rect): readonly Element[] {
  const open = tasksOf(desktop).filter(({ window }) => window !== undefined && window.state !== 'minimized')
  const columns = Math.max(1, Math.ceil(Math.sqrt(open.length)))
  const rows = Math.max(1, Math.ceil(open.length / columns))
  const cell = { width: Math.floor((strip.width - 24) / columns), height: Math.floor((strip.height - 24) / rows) }
  return open.map((task, index) =>
    taskButton(desktop, task, `shell.window.${task.id}`, {
      x: strip.x + 12 + (index % columns) * cell.width + 6,
      y: strip.y + 12 + Math.floor(index / columns) * cell.height + 6,
      width: cell.width - 12,
      height: cell.height - 12,
    }),
  )
}

const HEAD_PX = 56
const ROW_PX = 40
const HEADING_PX = 28
const MAX_ROWS = 9
const MAX_DOCUMENTS = 3

/** A panel with a field, below it the applications and, after a text was entered, the files with it in their names. */
function searchPanel(
  area: Rect,
  apps: readonly DesktopApp[],
  { desktop, documents, query }: LauncherContent,
): LauncherPlan {
  const width = Math.min(640, area.width - 24)
  const found = query === '' ? [] : documents.slice(0, MAX_DOCUMENTS)
  const foundHeight = found.length > 0 ? HEADING_PX + found.length * ROW_PX : 0
  const room = Math.floor((area.height - 160 - foundHeight) / ROW_PX)
  const rows = Math.max(1, Math.min(apps.length, room, MAX_ROWS))
  const height = HEAD_PX + HEADING_PX + rows * ROW_PX + foundHeight + 8
  const bounds = {
    x: area.x + half(area.width - width),
    y: area.y + Math.min(126, Math.max(12, half(area.height - height))),
    width,
    height,
  }
  const { x, y } = bounds
  const line = (top: number): Rect => ({ x: x + 10, y: top, width: width - 20, height: ROW_PX - 2 })
  const name = (top: number): Rect => ({ x: x + 20, y: top, width: width - 40, height: HEADING_PX - 4 })
  const appTop = y + HEAD_PX + HEADING_PX
  const documentTop = appTop + rows * ROW_PX
  return {
    bounds,
    field: { x: x + 46, y: y + 9, width: width - 100, height: 38 },
    none: { ...name(appTop), height: 32 },
    headings: [heading('apps', shellText(desktop, 'Applications'), name(y + HEAD_PX + 2))],
    apps: apps
      .slice(0, rows)
      .map((app, index) => appButton(app, line(appTop + index * ROW_PX), index, { value: shellText(desktop, 'App') })),
    more:
      found.length === 0
        ? []
        : [
            heading('documents', shellText(desktop, 'Documents'), name(documentTop + 2)),
            ...found.map((each, index) => documentButton(each, line(documentTop + HEADING_PX + index * ROW_PX))),
          ],
  }
}
