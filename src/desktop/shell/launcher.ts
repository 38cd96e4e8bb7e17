import type { Desktop, DesktopApp, Window } from '../model/desktop.ts'
import { type Element, nodeById } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { part } from '../model/part.ts'
import { taskButton } from './bars.ts'
import { LAUNCHER_UID, shellButton, shellWindow } from './parts.ts'
import { areaInsideShell, type ShellStyle } from './shell-places.ts'
import { tasksOf } from './tasks.ts'

/** The id of the field of the launcher. */
export const SEARCH_ID = 'shell.query'

const TITLES: Readonly<Record<ShellStyle, string>> = { windows: 'Start', macos: 'Search', gnome: 'Overview' }
const PLACEHOLDERS: Readonly<Record<ShellStyle, string>> = {
  windows: 'Search for apps',
  macos: 'Search',
  gnome: 'Type to search',
}

/** The launcher of a style, with the applications whose names contain the text of the field of the one before. */
export function launcherOf(desktop: Desktop, style: ShellStyle, screen: Rect, before: Window | undefined): Window {
  const old = before && nodeById(before.tree, SEARCH_ID)
  const query = old?.value ?? ''
  const found = appsFor(desktop.apps ?? [], query)
  const plan = PLANS[style](screen, found, desktop)
  const field = old
    ? { ...old, bounds: plan.field }
    : part(SEARCH_ID, 'Edit', 'Search', plan.field, { value: '', traits: { placeholder: PLACEHOLDERS[style] } })
  const none = found.length > 0 ? [] : [part('shell.none', 'Text', noneText(query), plan.none)]
  return shellWindow({
    uid: LAUNCHER_UID,
    title: TITLES[style],
    bounds: plan.bounds,
    shell: 'launcher',
    children: [field, ...plan.headings, ...plan.apps, ...none, ...plan.more],
  })
}

const noneText = (query: string): string =>
  query.trim() === '' ? 'No applications' : `No results for "${query.trim()}"`

/** The applications whose names contain a text; case is ignored. Those that begin with it are first. */
export function appsFor(apps: readonly DesktopApp[], query: string): readonly DesktopApp[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return apps
  const found = apps.filter(({ name }) => name.toLowerCase().includes(wanted))
  const begins = ({ name }: DesktopApp) => Number(name.toLowerCase().startsWith(wanted))
  return found.sort((a, b) => begins(b) - begins(a))
}

interface LauncherPlan {
  readonly bounds: Rect
  readonly field: Rect
  /** Where the text is shown that nothing was found. */
  readonly none: Rect
  readonly headings: readonly Element[]
  readonly apps: readonly Element[]
  readonly more: readonly Element[]
}

type MakePlan = (screen: Rect, apps: readonly DesktopApp[], desktop: Desktop) => LauncherPlan

const PLANS: Readonly<Record<ShellStyle, MakePlan>> = {
  windows(screen, apps) {
    const area = areaInsideShell(screen, 'windows')
    const width = Math.min(620, area.width - 24)
    const height = Math.min(560, area.height - 24)
    const bounds = { x: area.x + half(area.width - width), y: area.y + area.height - 12 - height, width, height }
    const { x, y } = bounds
    const grid = { x: x + 31, y: y + 120, width: width - 62, height: height - 140 }
    return {
      bounds,
      field: { x: x + 31, y: y + 28, width: width - 62, height: 36 },
      none: { x: x + 53, y: y + 124, width: width - 106, height: 32 },
      headings: [part('shell.heading', 'Text', 'Pinned', { x: x + 53, y: y + 82, width: width - 106, height: 28 })],
      apps: inGrid(apps, grid, { columns: 6, height: 84 }),
      more: [],
    }
  },
  gnome(screen, apps, desktop) {
    const bounds = areaInsideShell(screen, 'gnome')
    const { x, y, width, height } = bounds
    const field = Math.min(320, width - 24)
    const columns = Math.max(1, Math.min(6, Math.floor((width - 40) / 150)))
    const gridWidth = columns * 150
    const dashTop = y + height - 92
    const grid = { x: x + half(width - gridWidth), y: y + 92, width: gridWidth, height: dashTop - y - 108 }
    const tasks = tasksOf(desktop)
    const step = Math.min(66, Math.floor((width - 56) / Math.max(1, tasks.length)))
    const left = x + half(width - step * tasks.length)
    return {
      bounds,
      field: { x: x + half(width - field), y: y + 12, width: field, height: 38 },
      none: { x: x + half(width - 400), y: y + 120, width: Math.min(400, width), height: 32 },
      headings: [],
      apps: inGrid(apps, grid, { columns, height: 150 }),
      more: tasks.map((task, index) =>
        taskButton(task, `shell.dash.${task.id}`, {
          x: left + index * step,
          y: dashTop,
          width: Math.max(1, step - 4),
          height: 80,
        }),
      ),
    }
  },
  macos(screen, apps) {
    const area = areaInsideShell(screen, 'macos')
    const width = Math.min(640, area.width - 24)
    const rows = Math.max(1, Math.min(apps.length, Math.floor((area.height - 160) / 40), 9))
    const bounds = {
      x: area.x + half(area.width - width),
      y: area.y + Math.min(126, Math.max(12, half(area.height - 100 - rows * 40))),
      width,
      height: 56 + 28 + rows * 40 + 8,
    }
    const { x, y } = bounds
    return {
      bounds,
      field: { x: x + 8, y: y + 8, width: width - 16, height: 40 },
      none: { x: x + 20, y: y + 84, width: width - 40, height: 32 },
      headings: [
        part('shell.heading', 'Text', 'Applications', { x: x + 20, y: y + 58, width: width - 40, height: 24 }),
      ],
      apps: apps
        .slice(0, rows)
        .map((app, index) =>
          appButton(app, { x: x + 10, y: y + 84 + index * 40, width: width - 20, height: 38 }, index),
        ),
      more: [],
    }
  },
}

const half = (pixels: number): number => Math.floor(pixels / 2)

/** Enter in the field opens the first application. */
const appButton = ({ id, name, icon }: DesktopApp, bounds: Rect, index: number): Element =>
  shellButton(
    `shell.app.${id}`,
    name,
    bounds,
    icon,
    { does: 'app', app: id },
    index === 0 ? { traits: { presses: 'enter' } } : {},
  )

/** As many applications as there is space for, row by row. */
function inGrid(
  apps: readonly DesktopApp[],
  grid: Rect,
  { columns, height }: { readonly columns: number; readonly height: number },
): readonly Element[] {
  const rows = Math.max(1, Math.floor(grid.height / height))
  const width = Math.floor(grid.width / columns)
  return apps.slice(0, rows * columns).map((app, index) => {
    const bounds = {
      x: grid.x + (index % columns) * width + 2,
      y: grid.y + Math.floor(index / columns) * height + 2,
      width: width - 4,
      height: height - 4,
    }
    return appButton(app, bounds, index)
  })
}
